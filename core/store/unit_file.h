#pragma once
// The unit of one example as a file: a safetensors file (header length, JSON header, little-endian data),
// readable with any safetensors library. Tensors in the layout's order: layers/NN/query/position, .../bucket,
// .../vectors/HH; with losses loss/nll at the end. The header depends only on layout, facts, row counts and
// storage, so a reader checks it by forming it again.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/capture/capture_unit.h"

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

  struct Range {
    std::uint64_t offset = 0, bytes = 0;  // in the file
    bool half = false;
  };
  Range positions(std::size_t block) const;
  Range buckets(std::size_t block) const;
  Range lossRange() const { return {lossStart, 4 * static_cast<std::uint64_t>(losses), false}; }
  Range vectors(const UnitLayout& layout, std::size_t block, std::size_t head) const;
};

// InputError if the file is not exactly a unit with that layout and those facts.
UnitIndex readUnitIndex(const std::filesystem::path& file, const UnitLayout& layout, const UnitFacts& facts);

// The group of a block in the capture file: "query", "key_pre_rope", "dense_key" and so on.
const char* groupNameOf(const UnitBlock& block);

}  // namespace plastiscope
