#pragma once
// Unit of one example: the rows of every captured head in all layers, in stored form, and the sink that
// collects them from the forward pass.
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/head_scores.h"
#include "core/capture/capture_request.h"
#include "core/forward/forward.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// One example, tokenized and cut to the window.
struct CaptureExample {
  std::string id;
  std::int64_t seedId = 0;  // example number of method.md, Position sampling
  std::vector<std::int32_t> tokens;
  bool probe = false;  // repeated random tokens: no rows are captured, the second half is scored
  // Whether the last captured layer is scored, which then needs keys of every position.
  bool scoresLastLayer = false;
  std::string fields = {};  // as CorpusText
};

// Heads of one layer, kind and point whose rows are stored together. A layer has the blocks query and key;
// with the point "both" two more for the vectors before RoPE. Dense heads add two blocks, after RoPE with the
// point "both".
struct UnitBlock {
  std::int64_t layer = 0;
  QueryOrKey kind = QueryOrKey::Query;
  CapturePoint point = CapturePoint::PostRope;  // point of its vectors
  bool preRopeOfBoth = false;                   // the pre-RoPE block of the point "both"
  std::vector<std::int64_t> heads;              // ascending; key blocks: KV heads
  std::int64_t headDim = 0;
  bool dense = false;  // every position
};

// Blocks and formats that all units of a capture share. Order of the blocks: layers ascending, then query,
// key, query before RoPE, key before RoPE, dense query, dense key.
struct UnitLayout {
  std::vector<UnitBlock> blocks;
  bool half = true;            // store float16 where it does not overflow
  bool loss = false;           // units have the loss of every token
  bool scores = false;         // units end with the head scores of every layer
  std::int64_t lastLayer = 0;  // after it an example is finished; with losses the number of layers

  // Layers whose heads are scored, ascending, as their blocks of queries; empty without scores.
  std::vector<const UnitBlock*> scoredLayers() const;
  std::uint64_t scoresBytes() const;  // of all these layers in a unit
};

UnitLayout unitLayout(const CapturePlan& plan, const ModelSpec& spec);

// The rows of one head as float16, or as float32 if a value of this example overflows float16.
struct UnitHead {
  bool half = true;
  std::vector<std::byte> bytes;  // [rows, head_dim], little endian
};

struct UnitRows {
  std::vector<std::int32_t> positions, buckets;  // [rows], positions ascending
  std::vector<UnitHead> heads;                   // in the order of the layout's block
};

struct CaptureUnit {
  std::int64_t example = 0;                        // running number
  std::vector<UnitRows> blocks;                    // in the order of the layout
  std::vector<float> losses;                       // [tokens] nats, NaN for the first; empty without losses
  std::map<std::int64_t, TextScores> scores = {};  // by layer
};

// Whether a layer has dense heads.
bool hasDense(const UnitLayout& layout, std::int64_t layer);

// Queries of a text and layer that are scored, at most.
inline constexpr std::int64_t kScoredQueries = 64;

// The last captured layer is scored in one of this many texts, since its keys are otherwise formed only where
// they are captured; and in all texts in which every key is formed anyway.
inline constexpr std::int64_t kLastLayerTexts = 8;

// Expected bytes of the unit of an example with that many tokens.
double expectedUnitBytes(const CapturePlan& plan, const UnitLayout& layout, std::int64_t tokens);
// Bytes of the dense heads among them.
std::uint64_t denseUnitBytes(const UnitLayout& layout, std::int64_t tokens);

// Thrown for a vector or loss that is not finite.
struct NotFinite : InputError {
  using InputError::InputError;
};

// Collects the forward pass's vectors at the sampled positions into one unit per example.
class CaptureSink : public QkSink {
 public:
  // `plan`: window and bucket size are resolved.
  CaptureSink(CapturePlan plan, UnitLayout layout);

  // Draws the positions of an example. `number`: that of its TokenSequence.
  void begin(std::int64_t number, const CaptureExample& example);
  // Removes the finished unit from the sink and returns it. Error (internal) if vectors are missing.
  CaptureUnit finish(std::int64_t number);
  void drop(std::int64_t number) {
    m_units.erase(number);
    m_scoring.erase(number);
  }
  // Unit of an unfinished example with the vectors taken so far.
  const CaptureUnit& unit(std::int64_t number) const { return m_units.at(number); }
  // Sets the vectors of all heads of a block, as saved by an earlier run.
  void restore(std::int64_t number, std::size_t block, std::vector<UnitHead> heads);
  void restore(std::int64_t number, std::int64_t layer, TextScores scores) {
    m_units.at(number).scores.at(layer) = std::move(scores);
  }

  std::vector<std::int32_t> heads(std::int64_t layer, QueryOrKey kind) const override;
  std::vector<std::int32_t> positions(std::int64_t layer, QueryOrKey kind,
                                      std::int64_t example) const override;
  bool wants(CapturePoint point) const override;
  // Throws NotFinite.
  void take(std::int64_t layer, QueryOrKey kind, CapturePoint point, std::int64_t example,
            std::span<const float> vectors) override;
  std::vector<std::int32_t> denseHeads(std::int64_t layer, QueryOrKey kind) const override;
  bool wantsDense(CapturePoint point) const override;
  void takeDense(std::int64_t layer, QueryOrKey kind, std::int64_t example,
                 std::span<const float> vectors) override;
  // Evenly spaced among the captured queries; for the probe its second half.
  std::vector<std::int32_t> scoredQueries(std::int64_t layer, std::int64_t example) const override;
  void takeScores(std::int64_t layer, std::int64_t example, TextScores scores) override;  // NotFinite
  // NotFinite if the model's output is not a probability distribution.
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
  std::map<std::int64_t, CaptureUnit> m_units;  // by number, unfinished examples of the running group
  struct Scoring {
    bool lastLayer = true;
    std::vector<std::int32_t> probe;  // queries; empty: the captured ones
  };
  std::map<std::int64_t, Scoring> m_scoring;  // likewise
};

// ---- Finds passages that occur more than once in a text.

// Length of a passage: equal tokens in a row.
inline constexpr std::int64_t kPassageTokens = 8;

// For every token: the index at which the passage of kPassageTokens tokens ending with it first ends in the
// text; -1 if that is this token itself, or fewer tokens precede it.
std::vector<std::int32_t> firstPlacesOf(std::span<const std::int32_t> tokens);

}  // namespace plastiscope
