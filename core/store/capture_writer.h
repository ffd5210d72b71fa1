#pragma once
// Writes a capture (resources/help/capture-format.md) head by head, without holding it in memory.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/head_scores.h"
#include "core/base/progress.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// Rows that the heads of one layer and kind share, ordered by example, then position.
struct RowIndex {
  std::vector<std::int32_t> position, example, bucket;  // [rows]
};

// The tokens of a capture's texts, used to show rows with their words.
struct StoredTexts {
  std::vector<std::int32_t> tokenIds;    // of all examples, concatenated, cut to the window
  std::vector<std::int32_t> vocabulary;  // the ids that occur, ascending
  std::vector<std::string> pieces;       // [vocabulary] unescaped bytes
};

// Source of the rows of a new capture. Called from one thread: for each layer of info().layerInfos ascending,
// each row set of the capture point, its index, then each head ascending.
class CaptureContent {
 public:
  virtual ~CaptureContent() = default;
  virtual const CaptureInfo& info() const = 0;  // queryRows and keyRows are taken from the indices
  virtual const StoredTexts* texts() const { return nullptr; }  // null: not stored
  virtual RowIndex index(std::int64_t layer, RowSet set) const = 0;
  // float16 or float32. `overflowed`: float32 because a value is too large for the requested float16.
  struct Storage {
    bool half = false, overflowed = false;
  };
  virtual Storage storage(const RowPlace& place) const = 0;
  // Passes all rows in order as consecutive blocks of whole rows, little endian, in the format of storage().
  virtual void vectors(const RowPlace& place,
                       const std::function<void(std::span<const std::byte>)>& block) const = 0;
  // Called after all rows: the losses of all tokens, texts concatenated; nothing if there are none.
  virtual std::optional<std::vector<float>> losses() const { return std::nullopt; }
  // First occurrences of repeated passages, as TokenLosses::firstPlace.
  virtual std::vector<std::int32_t> firstPlaces() const { return {}; }
  // Called after the losses, layers ascending, then the probe: head scores of every example.
  virtual bool hasScores() const { return false; }
  virtual std::vector<TextScores> scores(std::int64_t /*layer*/) const { return {}; }
  virtual std::vector<std::int32_t> probe() const { return {}; }  // its tokens; empty: none
  virtual TextScores probeScores(std::int64_t /*layer*/) const { return {}; }
  // Called at the end, before the file gets its final name; throws if the content was damaged.
  virtual void finish() const {}
};

// The row sets of a layer: query and key, with the capture point "both" also before RoPE, and the dense ones.
std::vector<RowSet> rowSetsOf(const CaptureInfo& info, const CaptureLayerInfo& layer);
const std::vector<std::int64_t>& headsOf(const CaptureLayerInfo& layer, RowSet set);

// Writes atomically and reads the file back before it gets its final name. Warns about heads that overflowed
// float16. Stopped, ResourceError, InputError.
void writeCapture(const CaptureContent& content, const std::filesystem::path& file, Progress& progress);

// The current time as ISO 8601 in UTC: "2026-01-31T12:00:00Z".
std::string nowIso8601();

}  // namespace plastiscope
