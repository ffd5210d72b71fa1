#pragma once
// The forward pass, layer by layer, without logits, as the rest of the program sees it.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/query_or_key.h"
#include "core/forward/group_watch.h"
#include "core/model/model.h"

namespace plastiscope {

// ---- What a capture changes in single heads on purpose, to see what the layers after them make of it.

struct QueryHead {
  std::int64_t layer = 0, head = 0;
};

// The keys k_t that this query head sees become k_t - axis * slope * (t - centre). The other query heads of
// its key head see the keys as they are.
struct KeyClamp {
  QueryHead at;
  std::vector<double> axis;  // [head_dim], length 1
  double slope = 0;          // of axis . k on the position t, a token
  double centre = 0;         // the position whose key stays as it is
};

struct Interventions {
  std::vector<QueryHead> ablated;  // their output, before the output projection, is zero
  std::vector<KeyClamp> clamped;
  bool changes(std::int64_t layer) const;
};

// ---- The pass itself: it hands the operands of every dot product to a sink.

enum class CapturePoint { PostRope, PreRope };
std::string_view nameOf(CapturePoint point);  // "post-rope", "pre-rope"

// Receives the vectors of chosen heads at chosen positions. Called from one thread, layers ascending inside a
// group.
class QkSink {
 public:
  virtual ~QkSink() = default;
  // Heads wanted in this layer (query heads, or KV heads), ascending; empty = none.
  virtual std::vector<std::int32_t> heads(std::int64_t layer, QueryOrKey kind) const = 0;
  // Positions wanted of this example in this layer, ascending.
  virtual std::vector<std::int32_t> positions(std::int64_t layer, QueryOrKey kind,
                                              std::int64_t example) const = 0;
  virtual bool wants(CapturePoint point) const = 0;
  // vectors: [heads, positions, head_dim] float32, in the order asked for. Not called when there are none.
  virtual void take(std::int64_t layer, QueryOrKey kind, CapturePoint point, std::int64_t example,
                    std::span<const float> vectors) = 0;

  // Heads of this layer that are wanted at every position too, ascending; empty = none. They change nothing
  // of the vectors above, and have the same ones at those positions, to the bit.
  virtual std::vector<std::int32_t> denseHeads(std::int64_t /*layer*/, QueryOrKey /*kind*/) const {
    return {};
  }
  virtual bool wantsDense(CapturePoint /*point*/) const { return false; }
  // vectors: [dense heads, tokens, head_dim] float32.
  virtual void takeDense(std::int64_t /*layer*/, QueryOrKey /*kind*/, std::int64_t /*example*/,
                         std::span<const float> /*vectors*/) {}
  // Of a run with the model's output: [tokens] -ln p(token | those before it), nats; NaN for the first.
  virtual void takeLosses(std::int64_t /*example*/, std::span<const float> /*losses*/) {}
};

struct ForwardOptions {
  std::string device = "auto";  // auto, cpu, cuda, cuda:N
  std::string dtype = "auto";   // auto, float32, bfloat16, float16
  int threads = 0;              // 0 = all
  // Rows run at a time, in steps of 1,024; 0: 2,048, on a card as many of kCardChunks as fit. Decides memory
  // and how soon a run stops; of the results, on a card alone, how they are rounded.
  std::int64_t queryChunk = 0;
  // The next layer's weights are read while one is computed: decides memory and time, not results.
  bool readAhead = true;
  // The number of layers may be the last layer, which stands for the model's output.
  bool output = false;
  // Heads changed on purpose, whose layers have attention; nullptr = none.
  std::shared_ptr<const Interventions> interventions;
};

struct TokenSequence {
  std::int64_t example = 0;  // number handed to the sink
  std::vector<std::int32_t> tokens;
};

// What "auto" means on this computer for this model. UsageError for a device or type that is not there.
struct ResolvedDevice {
  std::string device, dtype;
};
ResolvedDevice resolveDevice(const Model& model, const ForwardOptions& options);

// A text, and of how many of its rows the last layer is asked for queries or keys; nothing: all.
struct TextSize {
  TextSize(std::int64_t length) : tokens(length) {}
  TextSize(std::int64_t length, std::int64_t read) : tokens(length), rowsRead(read) {}
  std::int64_t tokens = 0;
  std::optional<std::int64_t> rowsRead;
};

// Tokens of all texts of a group, and of its longest.
struct GroupSize {
  std::int64_t tokens = 0, longest = 0;
};
// Closed-form need of such a group in bytes of the process (of the card), without what the sink keeps: at
// most, which is before the last layer, and in the last layer, which hands on the last vectors of each text.
// `lastLayer`: nothing after it is computed; the number of layers: everything, with the model's output.
struct ForwardMemory {
  std::uint64_t peakBytes = 0, lastBytes = 0;
};
ForwardMemory forwardMemory(const ModelSpec& spec, const GroupSize& size, std::int64_t lastLayer,
                            const ResolvedDevice& device, const ForwardOptions& options);
// A device, and the bytes that are free on it; nothing when this libtorch cannot tell.
struct DeviceRoom {
  ResolvedDevice device;
  std::optional<std::uint64_t> free;
  bool holds(std::uint64_t bytes) const { return !free || bytes <= *free; }
};
DeviceRoom roomOn(const ResolvedDevice& device);
// How a group runs where memory is short: fewer rows at a time on a card, then one layer's weights alone; and
// the bytes that it takes so, which may still be too many.
struct ForwardFit {
  ForwardOptions options;
  std::uint64_t bytes = 0;
};
ForwardFit fitForward(const ModelSpec& spec, const GroupSize& size, std::int64_t lastLayer,
                      const DeviceRoom& room, const ForwardOptions& options);
// The most bytes of a GroupState of such a group, vectors for the sink aside.
std::uint64_t groupStateBytes(const ModelSpec& spec, const GroupSize& size, const ResolvedDevice& device);
// Floating point operations of a group: of all its steps, or of those before `until`.
double groupFlops(const ModelSpec& spec, const std::vector<TextSize>& texts, std::int64_t lastLayer,
                  const std::optional<GroupStep>& until = {});

// Runs one group of sequences through layers 0..lastLayer, layer-major: one layer's weights are in memory at
// a time. The number of layers as the last one, which the options must allow, stands for the model's output:
// then every layer is run in full and the sink gets losses. Tells `watch` of each step and stops by Stopped
// when progress asks for it. ResourceError when memory does not suffice.
class ForwardRunner {
 public:
  virtual ~ForwardRunner() = default;
  virtual void run(const std::vector<TokenSequence>& group, QkSink& sink, Progress& progress,
                   GroupWatch& watch) = 0;
};
std::unique_ptr<ForwardRunner> makeForwardRunner(std::shared_ptr<const Model> model, std::int64_t lastLayer,
                                                 const ForwardOptions& options);

// Without libtorch: false, and the functions above throw a UsageError that says so.
bool forwardAvailable();

}  // namespace plastiscope
