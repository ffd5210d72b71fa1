#pragma once
// Interface of the forward pass, which runs layer by layer; logits only for losses.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/head_scores.h"
#include "core/base/progress.h"
#include "core/base/query_or_key.h"
#include "core/forward/group_watch.h"
#include "core/model/model.h"

namespace plastiscope {

// ---- Interventions: changes to single heads, to measure their effect on later layers.

struct QueryHead {
  std::int64_t layer = 0, head = 0;
  bool operator==(const QueryHead&) const = default;
};

// Keys k_t of this query head become k_t - axis * slope * (t - centre). Other query heads of the same key
// head use the original keys.
struct KeyClamp {
  QueryHead at;
  std::vector<double> axis;  // [head_dim], length 1
  double slope = 0;          // change of axis . k per token of position
  double centre = 0;         // position whose key is unchanged
};

// The output of this query head, after its gate and before the output projection, is replaced.
struct OutputReplacement {
  QueryHead at;
  std::shared_ptr<const std::vector<float>> values;  // [tokens, head_dim]; later positions keep their own
};

// This query head sees fewer keys, or scores them by part of its query. Its weights sum to 1 over what is left.
struct AttentionLimit {
  QueryHead at;
  std::int64_t distance = 0;    // the last keys that it sees, itself included; 0 = all
  std::int64_t hiddenKeys = 0;  // first keys of the text that later queries do not see
  std::vector<float> factors;   // [head_dim] of the query after RoPE: 0 leaves out a dimension; empty = 1
};

// Where hidden states enter attention.
enum class AttentionInput { Query, Key, Value };
constexpr std::array<const char*, 3> namesOf(AttentionInput) {
  return {"q", "k", "v"};
}
// One query, key or value head is computed from hidden states without the output of a query head of an
// earlier layer, or with `values` in its place. All other paths of that output stay.
struct PathCut {
  QueryHead from;
  std::shared_ptr<const std::vector<float>> values;  // [tokens, head_dim]; null: zero
  std::int64_t layer = 0;                            // that it enters
  AttentionInput into = AttentionInput::Query;
  std::int64_t head = 0;  // query head; for keys and values the key head
};

struct Interventions {
  std::vector<QueryHead> ablated;  // output before the output projection is zero
  std::vector<KeyClamp> clamped;
  std::vector<OutputReplacement> replaced;
  std::vector<AttentionLimit> limited;
  std::vector<PathCut> cuts;
  bool changes(std::int64_t layer) const { return firstChanged(layer) == layer; }
  // The first layer from `from` on that is changed; the largest number if there is none.
  std::int64_t firstChanged(std::int64_t from = 0) const {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    const auto see = [&](std::int64_t layer) {
      if (layer >= from) first = std::min(first, layer);
    };
    for (const QueryHead& head : ablated) see(head.layer);
    for (const KeyClamp& clamp : clamped) see(clamp.at.layer);
    for (const OutputReplacement& replacement : replaced) see(replacement.at.layer);
    for (const AttentionLimit& limit : limited) see(limit.at.layer);
    for (const PathCut& cut : cuts) see(cut.layer);
    return first;
  }
};

// ---- The forward pass and the sink for its queries and keys.

// How well the model predicts a token.
struct TokenOutcome {
  float nll = 0;          // -ln p(token | previous tokens), nats
  std::int32_t rank = 0;  // 1 + number of tokens with a higher probability
};

enum class CapturePoint { PostRope, PreRope };
inline std::string_view nameOf(CapturePoint point) {
  return point == CapturePoint::PostRope ? "post-rope" : "pre-rope";
}

// Receives rows of selected heads at selected positions. Called from one thread, with ascending layers within
// a group.
class QkSink {
 public:
  virtual ~QkSink() = default;
  // Heads wanted in this layer (query heads or key heads), ascending; empty = none.
  virtual std::vector<std::int32_t> heads(std::int64_t layer, QueryOrKey kind) const = 0;
  // Positions wanted for this example in this layer, ascending.
  virtual std::vector<std::int32_t> positions(std::int64_t layer, QueryOrKey kind,
                                              std::int64_t example) const = 0;
  virtual bool wants(CapturePoint point) const = 0;
  // vectors: [heads, positions, head_dim] float32 in the requested order. Not called for empty requests.
  virtual void take(std::int64_t layer, QueryOrKey kind, CapturePoint point, std::int64_t example,
                    std::span<const float> vectors) = 0;

  // Dense heads: wanted at every position, ascending; empty = none. The rows above do not depend on them and
  // are bitwise equal to the dense rows at their positions.
  virtual std::vector<std::int32_t> denseHeads(std::int64_t /*layer*/, QueryOrKey /*kind*/) const {
    return {};
  }
  virtual bool wantsDense(CapturePoint /*point*/) const { return false; }
  // vectors: [dense heads, tokens, head_dim] float32.
  virtual void takeDense(std::int64_t /*layer*/, QueryOrKey /*kind*/, std::int64_t /*example*/,
                         std::span<const float> /*vectors*/) {}
  // Positions above 0, ascending, of the queries among those wanted whose attention is scored, for the query
  // heads wanted in this layer; empty = none. The rows above do not depend on them.
  virtual std::vector<std::int32_t> scoredQueries(std::int64_t /*layer*/, std::int64_t /*example*/) const {
    return {};
  }
  virtual void takeScores(std::int64_t /*layer*/, std::int64_t /*example*/, TextScores /*scores*/) {}
  // Losses, if logits are computed: [tokens] -ln p(token | previous tokens) in nats; NaN for the first.
  virtual void takeLosses(std::int64_t /*example*/, std::span<const float> /*losses*/) {}
  // Positions above 0, ascending, of the tokens whose outcomes are wanted instead of the losses of all.
  virtual std::optional<std::vector<std::int32_t>> scoredTokens(std::int64_t /*example*/) const {
    return std::nullopt;
  }
  virtual void takeOutcomes(std::int64_t /*example*/, std::span<const TokenOutcome> /*outcomes*/) {}
  // Whether TextScores::topKeys are wanted.
  virtual bool wantsTopKeys() const { return false; }
  // Query heads whose unchanged outputs are wanted, after their gate and before the output projection,
  // ascending; empty = none.
  virtual std::vector<std::int32_t> outputHeads(std::int64_t /*layer*/, std::int64_t /*example*/) const {
    return {};
  }
  // outputs: [heads, tokens, head_dim] float32.
  virtual void takeOutputs(std::int64_t /*layer*/, std::int64_t /*example*/,
                           std::span<const float> /*outputs*/) {}
};

struct ForwardOptions {
  std::string device = "auto";  // auto, cpu, cuda, cuda:N
  std::string dtype = "auto";   // auto, float32, bfloat16, float16
  int threads = 0;              // 0 = all
  // Rows per chunk, in steps of 1,024; 0: 2,048 on a CPU, on a GPU the largest of kGpuChunks that fits.
  // Affects memory and how soon a run stops, and on a GPU the rounding of results.
  std::int64_t queryChunk = 0;
  // Reads the next layer's weights while a layer is computed; affects memory and time, not results.
  bool readAhead = true;
  // Allows lastLayer == layer count, which means that logits and losses are computed.
  bool output = false;
  // Changed heads, in layers with attention; nullptr = none.
  std::shared_ptr<const Interventions> interventions;
};

struct TokenSequence {
  std::int64_t example = 0;  // number passed to the sink
  std::vector<std::int32_t> tokens;
  // Changed heads of this sequence, in addition to those of ForwardOptions.
  std::shared_ptr<const Interventions> interventions = nullptr;
  // Index in the group of an unchanged sequence with the same tokens, before this one: this one is computed
  // from the first changed layer on. -1: from the start. A run with such sequences cannot be resumed.
  std::int64_t sharesWith = -1;
};

// Resolves "auto" for this computer and model. UsageError for an unavailable device or type.
struct ResolvedDevice {
  std::string device, dtype;
};
ResolvedDevice resolveDevice(const Model& model, const ForwardOptions& options);

// Length of a text, and number of its rows captured in the last layer; nothing: all.
struct TextSize {
  TextSize(std::int64_t length) : tokens(length) {}
  TextSize(std::int64_t length, std::int64_t read) : tokens(length), rowsRead(read) {}
  std::int64_t tokens = 0;
  std::optional<std::int64_t> rowsRead;
};

// Tokens of all texts of a group, and of its longest text.
struct GroupSize {
  std::int64_t tokens = 0, longest = 0;
};
// Whether the last two layers process every row of a text even if not all are read.
bool readsEveryRow(const TextSize& text);
// Predicted memory of a group in bytes (of the process, or on the GPU), without the sink: the maximum, which
// occurs before the last layer, and in the last layer, which delivers the last rows of each text.
// `lastLayer`: last layer computed; the number of layers: everything including logits.
struct ForwardMemory {
  std::uint64_t peakBytes = 0, lastBytes = 0;
};
ForwardMemory forwardMemory(const ModelSpec& spec, const GroupSize& size, std::int64_t lastLayer,
                            const ResolvedDevice& device, const ForwardOptions& options);
// A device and its free bytes; nothing if this libtorch cannot report them.
struct DeviceMemory {
  ResolvedDevice device;
  std::optional<std::uint64_t> free;
  bool holds(std::uint64_t bytes) const { return !free || bytes <= *free; }
};
DeviceMemory memoryOn(const ResolvedDevice& device);
// Options for a group when memory is short: smaller chunks on a GPU, then no reading ahead. `bytes` is the
// resulting need, which may still be too large.
struct ForwardFit {
  ForwardOptions options;
  std::uint64_t bytes = 0;
};
ForwardFit fitForward(const ModelSpec& spec, const GroupSize& size, std::int64_t lastLayer,
                      const DeviceMemory& room, const ForwardOptions& options);
// Maximum bytes of the GroupState of such a group, without rows for the sink.
std::uint64_t groupStateBytes(const ModelSpec& spec, const GroupSize& size, const ResolvedDevice& device);
// Floating point operations of a group: of all steps, or of those before `until`.
double groupFlops(const ModelSpec& spec, const std::vector<TextSize>& texts, std::int64_t lastLayer,
                  const std::optional<GroupStep>& until = {});

// Runs a group of sequences through layers 0..lastLayer, one layer's weights at a time. If lastLayer is the
// number of layers (needs ForwardOptions::output), all layers run in full and the sink gets losses. Reports
// each step to `watch`; throws Stopped on request of `progress` and ResourceError when memory runs out.
class ForwardRunner {
 public:
  virtual ~ForwardRunner() = default;
  virtual void run(const std::vector<TokenSequence>& group, QkSink& sink, Progress& progress,
                   GroupWatch& watch) = 0;
};
std::unique_ptr<ForwardRunner> makeForwardRunner(std::shared_ptr<const Model> model, std::int64_t lastLayer,
                                                 const ForwardOptions& options);

// False without libtorch; the functions above then throw UsageError.
bool forwardAvailable();

}  // namespace plastiscope
