#pragma once
// The unit of one example as a file: a safetensors file (header length, JSON header, little-endian data),
// readable with any safetensors library. Tensors in the layout's order: layers/NN/query/position, .../bucket,
// .../vectors/HH; then with losses loss/nll, and scores/NN/queries and .../sums. The header depends only on
// layout, facts, row counts and storage, so a reader checks it by forming it again.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/capture/capture_unit.h"
#include "core/store/capture_writer.h"

namespace plastiscope {

// Identifies the capture and example of a unit.
struct UnitFacts {
  std::int64_t example = 0;
  std::string id, settingsHash;
};

std::vector<std::byte> encodeUnit(const UnitLayout& layout, const CaptureUnit& unit, const UnitFacts& facts);

// Offsets in a unit file, small enough to keep for every unit of a capture.
struct UnitIndex {
  std::filesystem::path file;
  std::uint64_t fileBytes = 0;
  std::string sha256;                     // of the file, from the manifest; "" = not checked
  std::vector<std::int32_t> rows;         // per block
  std::vector<std::uint64_t> blockStart;  // per block, in the file
  std::vector<std::size_t> firstHead;     // per block: index of its first head in `half`
  std::vector<bool> half;                 // per block and head, in order
  std::int32_t losses = 0;                // tokens
  std::uint64_t lossStart = 0;            // in the file
  std::uint64_t scoresStart = 0;          // likewise

  struct Range {
    std::uint64_t offset = 0, bytes = 0;  // in the file
    bool half = false;
  };
  Range positions(std::size_t block) const;
  Range buckets(std::size_t block) const;
  Range lossRange() const { return {lossStart, 4 * static_cast<std::uint64_t>(losses), false}; }
  Range vectors(const UnitLayout& layout, std::size_t block, std::size_t head) const;
  // Of scores/NN/queries and .../sums of one layer.
  std::pair<Range, Range> scores(const UnitLayout& layout, std::int64_t layer) const;
};

// InputError if the file is not exactly a unit with that layout and those facts.
UnitIndex readUnitIndex(const std::filesystem::path& file, const UnitLayout& layout, const UnitFacts& facts);
// Whether its header lists head scores. InputError if it cannot be read.
bool unitHasScores(const std::filesystem::path& file);

// The group of a block in the capture file: "query", "key_pre_rope", "dense_key" and so on.
const char* groupNameOf(const UnitBlock& block);

// ---- Joins finished units, in order of the examples, into the capture.

// Thrown for units that differ from the manifest because a byte was changed or a file is missing.
struct DamagedUnits : InputError {
  DamagedUnits(const std::string& sentence, std::vector<std::int64_t> damaged)
      : InputError(sentence), examples(std::move(damaged)) {}
  std::vector<std::int64_t> examples;
};

struct FinishedUnits {
  const CaptureInfo& info;   // complete except for the rows in layerInfos
  const StoredTexts* texts;  // may be null
  const UnitLayout& layout;
  const std::map<std::int64_t, UnitIndex>& units;  // one per example, then that of the probe if there is one
  std::vector<std::int32_t> firstPlaces = {};      // of all tokens, if there are losses
  std::vector<std::int32_t> probe = {};            // tokens of the probe
};

// A head that overflowed float16 in any example is stored as float32 and reported as a warning. Every byte
// taken from a unit is compared with the manifest's checksum. Stopped, ResourceError, DamagedUnits.
void sealCapture(const FinishedUnits& finished, const std::filesystem::path& out, Progress& progress);

}  // namespace plastiscope
