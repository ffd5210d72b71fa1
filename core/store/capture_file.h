#pragma once
// Reads captures (resources/help/capture-format.md). No HDF5 type leaves core/store.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/head_scores.h"
#include "core/base/json_value.h"

namespace plastiscope {

struct CaptureExampleInfo {
  std::string id;
  std::int64_t seedId = 0;
  std::int64_t tokens = 0;
  std::string sha256;
  std::string fields = {};  // other fields of its record, as a JSON object; "" without any
};

struct CaptureLayerInfo {
  std::int64_t layer = 0;
  std::string attention = "full";
  std::int64_t window = 0;
  bool rope = true, queryScale = false;
  std::vector<std::int64_t> queryHeads, keyHeads;
  std::int64_t queryRows = 0, keyRows = 0;
  std::int64_t ownHeadDim = 0, ownKeyHeads = 0;  // if they differ from the model's; else 0
  std::vector<std::int64_t> denseQueryHeads = {}, denseKeyHeads = {};  // heads captured at every position
  // Further parts of the layer's attention, stored for layers with dense heads.
  double scoreSoftcap = 0;    // cap in s -> cap tanh(s / cap); 0 = none
  bool learnedSinks = false;  // each head has an additional learned score in its softmax
};

struct CaptureInfo {
  std::string programVersion, created, settingsHash;
  JsonValue settings;
  std::string modelName, architecture, modelSource, fingerprint;
  std::int64_t layers = 0, queryHeads = 0, keyHeads = 0, headDim = 0, contextLength = 0;
  JsonValue rope, config;
  std::string positions;  // how attention knows positions: alibi, learned, none, ...; "": RoPE
  JsonValue engine;       // null: native; else its name, versions and the reason for its choice
  JsonValue withoutVectors = JsonValue::object();  // layers without vectors, by kind: {"cross": [3, 8]}
  std::int64_t window = 0, bucketSize = 0;
  std::int64_t trainedContext = 0;  // tokens, after RoPE override; 0 = not known
  std::string sampler, point, computeDtype, device;
  double rate = 1, scoreScale = 0;
  std::int64_t headSeed = 0;
  std::vector<CaptureExampleInfo> examples;
  std::vector<CaptureLayerInfo> layerInfos;  // layers with captured heads, ascending
  // For a subset of the rows: its description, and its share of the query rows that the layers state; "" =
  // all.
  std::string subset;
  double queryShare = 1;

  std::int64_t headDimOf(const CaptureLayerInfo& layer) const {
    return layer.ownHeadDim > 0 ? layer.ownHeadDim : headDim;
  }
  std::int64_t keyHeadsOf(const CaptureLayerInfo& layer) const {
    return layer.ownKeyHeads > 0 ? layer.ownKeyHeads : keyHeads;
  }
  // Query heads of a layer that share a key head.
  std::int64_t groupSize(const CaptureLayerInfo& layer) const;
};

// Rows of one head and kind, widened to float32.
struct CapturedRows {
  std::int64_t headDim = 0;
  std::vector<std::int32_t> position, example, bucket;  // [rows]
  std::vector<float> vectors;                           // [rows, head_dim]
};

// Token losses of an example.
struct TokenLosses {
  std::vector<float> nll;                // [tokens] -ln p(token | previous), nats; NaN for the first
  std::vector<std::int32_t> firstPlace;  // [tokens] as firstPlacesOf() (capture_unit.h)
};

// Head scores of one text, of one query head.
struct HeadTextScores {
  ScoredQueries queries;
  ScoreSums sums{};
};

// Which rows of a head; the dense sets have every position of every example, for a few heads.
enum class RowSet { Query, Key, QueryPreRope, KeyPreRope, DenseQuery, DenseKey };
constexpr bool isDense(RowSet set) {
  return set == RowSet::DenseQuery || set == RowSet::DenseKey;
}

// A query head or key head of a layer, and the set of its rows.
struct RowPlace {
  std::int64_t layer = 0, head = 0;
  RowSet set = RowSet::Query;
};

// Thread-safe: calls are serialised inside (HDF5 has one global lock).
class CaptureFile {
 public:
  virtual ~CaptureFile() = default;
  virtual const CaptureInfo& info() const = 0;
  virtual const std::filesystem::path& path() const = 0;
  // InputError if the layer or head was not captured.
  virtual CapturedRows rows(const RowPlace& place) const = 0;
  // Rows of a dense set for one example; reads no others. InputError likewise.
  virtual CapturedRows denseRows(const RowPlace& place, std::int64_t example) const;
  virtual bool hasTexts() const { return false; }
  // The bytes of every token of an example; empty if the capture does not store its texts. InputError if they
  // do not match the examples.
  virtual std::vector<std::string> tokenTexts(std::int64_t /*example*/) const { return {}; }
  virtual bool hasLosses() const { return false; }
  // Empty if the capture has none. InputError if they do not match the examples.
  virtual TokenLosses losses(std::int64_t /*example*/) const { return {}; }
  virtual std::vector<std::int32_t> tokenIds(std::int64_t /*example*/) const { return {}; }  // likewise
  // Whether head scores were computed while the model ran; not in captures of version 1.0 and recordings.
  virtual bool hasScores() const { return false; }
  // Scores of a query head for each example; empty if the capture has none. InputError if they do not match
  // the examples.
  virtual std::vector<HeadTextScores> scores(std::int64_t /*layer*/, std::int64_t /*head*/) const {
    return {};
  }
  // Scores of a query head for the probe, a text of repeated random tokens; nothing if the capture has none.
  virtual std::optional<HeadTextScores> probeScores(std::int64_t /*layer*/, std::int64_t /*head*/) const {
    return std::nullopt;
  }
  virtual std::vector<std::int32_t> probeTokens() const { return {}; }
};

// Whether a query head was captured at every position.
bool isDense(const CaptureInfo& info, std::int64_t layer, std::int64_t head);

// InputError as StoredFile (stored_file.h).
std::shared_ptr<const CaptureFile> openCapture(const std::filesystem::path& file);

// Warning about a window beyond the context for which the model was trained; "" if it is not, or the context
// is not known (0).
std::string contextWarning(std::int64_t window, std::int64_t trainedContext);

}  // namespace plastiscope
