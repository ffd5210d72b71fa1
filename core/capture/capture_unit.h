#pragma once
// The work of one example: the rows of every captured head in all layers, as they will be stored, and the
// sink that takes them from the forward pass.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/capture/capture_request.h"
#include "core/forward/forward.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// One example after cutting: what is captured.
struct CaptureExample {
  std::string id;
  std::int64_t seedId = 0;  // example number of method.md, Position sampling
  std::vector<std::int32_t> tokens;
};

// The heads of one layer, kind and point whose rows lie together. With the points "post-rope" and "pre-rope"
// a layer has the blocks query, key; with "both" also their vectors before RoPE, as blocks of their own.
// Heads that are kept at every position have two blocks more; with "both" those of their vectors after RoPE.
struct UnitBlock {
  std::int64_t layer = 0;
  QueryOrKey kind = QueryOrKey::Query;
  CapturePoint point = CapturePoint::PostRope;  // where its vectors are taken
  bool preRopeTwin = false;                     // the second block of that kind
  std::vector<std::int64_t> heads;              // ascending; key blocks: KV heads
  std::int64_t headDim = 0;
  bool dense = false;  // every position
};

// Everything that is the same in all units of a capture, in the order in which units store it: layers
// ascending, query, key, query before RoPE, key before RoPE, dense query, dense key.
struct UnitLayout {
  std::vector<UnitBlock> blocks;
  bool half = true;            // store float16 where it does not overflow
  bool loss = false;           // units end with the loss of every token
  std::int64_t lastLayer = 0;  // after which a text is finished; with losses the number of layers
};

UnitLayout unitLayout(const CapturePlan& plan, const ModelSpec& spec);

// The rows of one head. float16 unless some value's rounding would be infinite; then float32 for this
// example.
struct UnitHead {
  bool half = true;
  std::vector<std::byte> bytes;  // [rows, head_dim], little endian
};

struct UnitRows {
  std::vector<std::int32_t> positions, buckets;  // [rows], positions ascending
  std::vector<UnitHead> heads;                   // as in the layout's block
};

struct CaptureUnit {
  std::int64_t example = 0;      // running number
  std::vector<UnitRows> blocks;  // as in the layout
  std::vector<float> losses;     // [tokens] nats, NaN for the first; empty without
};

// Whether a layer has heads that are kept at every position.
bool hasDense(const UnitLayout& layout, std::int64_t layer);

// Mean bytes of a unit of an example of that many tokens.
double expectedUnitBytes(const CapturePlan& plan, const UnitLayout& layout, std::int64_t tokens);
// Of them those of heads that are kept at every position.
std::uint64_t denseUnitBytes(const UnitLayout& layout, std::int64_t tokens);

// A vector or a loss that is not a finite number.
struct NotFinite : InputError {
  using InputError::InputError;
};

// Takes the forward pass's vectors at the sampled positions and makes one unit of each example.
class CaptureSink : public QkSink {
 public:
  // `plan` with window and bucket size resolved.
  CaptureSink(CapturePlan plan, UnitLayout layout);

  // Draws the positions of an example; its number is that of the TokenSequence.
  void begin(std::int64_t number, const CaptureExample& example);
  // The finished unit, which leaves the sink. Error (internal) when vectors are missing.
  CaptureUnit finish(std::int64_t number);
  void drop(std::int64_t number) { m_units.erase(number); }
  // An example that was begun and is not finished, with what was taken of it so far.
  const CaptureUnit& unit(std::int64_t number) const { return m_units.at(number); }
  // Vectors that an earlier run took: those of all heads of a block.
  void restore(std::int64_t number, std::size_t block, std::vector<UnitHead> heads);

  std::vector<std::int32_t> heads(std::int64_t layer, QueryOrKey kind) const override;
  std::vector<std::int32_t> positions(std::int64_t layer, QueryOrKey kind,
                                      std::int64_t example) const override;
  bool wants(CapturePoint point) const override;
  // NotFinite.
  void take(std::int64_t layer, QueryOrKey kind, CapturePoint point, std::int64_t example,
            std::span<const float> vectors) override;
  std::vector<std::int32_t> denseHeads(std::int64_t layer, QueryOrKey kind) const override;
  bool wantsDense(CapturePoint point) const override;
  void takeDense(std::int64_t layer, QueryOrKey kind, std::int64_t example,
                 std::span<const float> vectors) override;
  // NotFinite: the model's output is no probability.
  void takeLosses(std::int64_t example, std::span<const float> losses) override;

 private:
  // Index of the block; -1 when there is none.
  int blockOf(std::int64_t layer, QueryOrKey kind, CapturePoint point) const;
  int denseBlockOf(std::int64_t layer, QueryOrKey kind) const;
  void take(std::size_t block, std::int64_t example, std::span<const float> vectors);
  int anyBlockOf(std::int64_t layer, QueryOrKey kind) const;
  UnitHead storedHead(std::span<const float> vectors, const UnitBlock& block, std::size_t head) const;

  CapturePlan m_plan;
  UnitLayout m_layout;
  std::map<std::int64_t, CaptureUnit> m_units;  // of the running group
};

}  // namespace plastiscope
