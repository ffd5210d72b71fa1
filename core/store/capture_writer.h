#pragma once
// Writes a capture (resources/help/capture-format.md) head by head; it is never in memory as a whole.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// What the heads of one layer and kind share, ordered by example, then position.
struct RowIndex {
  std::vector<std::int32_t> position, example, bucket;  // [rows]
};

// The tokens of a capture's texts, so that a row can be shown with its words.
struct StoredTexts {
  std::vector<std::int32_t> tokenIds;    // of all examples, one after the other, cut to the window
  std::vector<std::int32_t> vocabulary;  // the ids that occur, ascending
  std::vector<std::string> pieces;       // [vocabulary] bytes as they are
};

// Where the rows of a new capture come from. Called from one thread: for each layer of info().layerInfos
// ascending, each row set that the capture point asks for, its index, then each head ascending.
class CaptureContent {
 public:
  virtual ~CaptureContent() = default;
  virtual const CaptureInfo& info() const = 0;  // queryRows and keyRows are taken from the indices
  virtual const StoredTexts* texts() const { return nullptr; }  // null: they are not stored
  virtual RowIndex index(std::int64_t layer, RowSet set) const = 0;
  // float16 or float32. `overflowed`: float32 although float16 was asked for, because a value is above 65504.
  struct Storage {
    bool half = false, overflowed = false;
  };
  virtual Storage storage(const RowPlace& place) const = 0;
  // Hands out all rows in order as consecutive blocks of whole rows, little endian, in the storage just
  // stated.
  virtual void vectors(const RowPlace& place,
                       const std::function<void(std::span<const std::byte>)>& block) const = 0;
  // After all rows: the losses of all tokens, one text after the other; nothing where there are none.
  virtual std::optional<std::vector<float>> losses() const { return std::nullopt; }
  // Where repeated passages of these texts stand for the first time, as TokenLosses::firstPlace.
  virtual std::vector<std::int32_t> firstPlaces() const { return {}; }
  // After everything was handed out, before the file gets its name: throws when something of it was wrong.
  virtual void finish() const {}
};

// The row sets of a layer: query, key, with the capture point "both" their pre-RoPE twins, with dense heads
// those.
std::vector<RowSet> rowSetsOf(const CaptureInfo& info, const CaptureLayerInfo& layer);
const std::vector<std::int64_t>& headsOf(const CaptureLayerInfo& layer, RowSet set);

// A head that overflowed float16 is reported as a warning. Atomically, and verified by reading it again
// before it gets its name. Stopped, ResourceError, InputError.
void writeCapture(const CaptureContent& content, const std::filesystem::path& file, Progress& progress);

// Now, as ISO 8601 in UTC: "2026-01-31T12:00:00Z".
std::string nowIso8601();

}  // namespace plastiscope
