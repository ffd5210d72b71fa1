#include "core/store/unit_file.h"

#include <cstring>
#include <tuple>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/store/schema.h"

namespace plastiscope {

namespace {

constexpr std::uint64_t kMaxUnitHeader = 100'000'000;
constexpr const char* kLossTensor = "loss/nll";

std::uint64_t vectorBytes(const UnitBlock& block, std::int32_t rows, bool half) {
  return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(block.headDim) * (half ? 2 : 4);
}

std::string nameOf(const UnitBlock& block) {
  return std::string(schema::kLayers) + "/" + schema::number(block.layer) + "/" + groupNameOf(block);
}

// The JSON header, padded so that the data start at a multiple of 8 bytes.
std::string headerText(const UnitLayout& layout, const UnitFacts& facts, const UnitIndex& index) {
  const auto& [rows, half] = std::tie(index.rows, index.half);
  Json header = Json::object();
  header["__metadata__"] = {{"format", "plastiscope-unit"},
                            {"format_version", std::to_string(schema::kFormatVersion)},
                            {"example", std::to_string(facts.example)},
                            {"id", facts.id},
                            {"settings_hash", facts.settingsHash}};
  std::uint64_t offset = 0;
  const auto tensor = [&](const std::string& name, const char* type, Json shape, std::uint64_t bytes) {
    header[name] = {{"dtype", type}, {"shape", std::move(shape)}, {"data_offsets", {offset, offset + bytes}}};
    offset += bytes;
  };
  std::size_t headNumber = 0;
  for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
    const std::string name = nameOf(layout.blocks[b]);
    const std::uint64_t indexBytes = 4 * static_cast<std::uint64_t>(rows[b]);
    tensor(name + "/" + schema::kPosition, "I32", {rows[b]}, indexBytes);
    tensor(name + "/" + schema::kBucket, "I32", {rows[b]}, indexBytes);
    for (const std::int64_t head : layout.blocks[b].heads) {
      const bool isHalf = half[headNumber++];
      tensor(name + "/" + schema::kVectors + "/" + schema::number(head), isHalf ? "F16" : "F32",
             {rows[b], layout.blocks[b].headDim}, vectorBytes(layout.blocks[b], rows[b], isHalf));
    }
  }
  if (layout.loss) tensor(kLossTensor, "F32", {index.losses}, 4 * static_cast<std::uint64_t>(index.losses));
  std::string text = canonicalJson(header);
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

void append(std::vector<std::byte>& out, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const std::byte*>(data);
  out.insert(out.end(), bytes, bytes + size);
}

[[noreturn]] void failUnit(const std::filesystem::path& file, const std::string& found) {
  throw InputError({file, "", "a finished unit of this capture", found});
}

// Reads the header with the length that the file states.
std::string readHeader(const std::filesystem::path& file, std::uint64_t fileBytes) {
  const InputFile input(file);
  std::uint64_t length = 0;
  if (input.read(0, std::as_writable_bytes(std::span(&length, 1))) < sizeof length)
    failUnit(file, "a file that cannot be read");
  if (length > kMaxUnitHeader) failUnit(file, "a header of " + byteText(length));
  if (length > fileBytes - 8) failUnit(file, cutShort(fileBytes, 8 + length));
  std::string text(static_cast<std::size_t>(length), '\0');
  if (input.read(sizeof length, std::as_writable_bytes(std::span(text))) < text.size())
    failUnit(file, cutShort(fileBytes, 8 + length));
  return text;
}

// Takes row counts and storage from the header, unchecked; the comparison follows.
void takeCounts(const Json& header, const UnitLayout& layout, UnitIndex& index) {
  for (const UnitBlock& block : layout.blocks) {
    const Json& position = header.at(nameOf(block) + "/" + schema::kPosition);
    const auto rows = position.at("shape").at(0).get<std::uint64_t>();
    if (rows > index.fileBytes / 8) failUnit(index.file, "more rows than the file can hold");
    index.rows.push_back(static_cast<std::int32_t>(rows));
    index.firstHead.push_back(index.half.size());
    for (const std::int64_t head : block.heads) {
      const Json& vectors = header.at(nameOf(block) + "/" + schema::kVectors + "/" + schema::number(head));
      index.half.push_back(vectors.at("dtype") == "F16");
    }
  }
  if (!layout.loss) return;
  const auto tokens = header.at(kLossTensor).at("shape").at(0).get<std::uint64_t>();
  if (tokens > index.fileBytes / 4) failUnit(index.file, "more losses than the file can hold");
  index.losses = static_cast<std::int32_t>(tokens);
}

// Fills blockStart and lossStart; returns the end of the data.
std::uint64_t placeBlocks(const UnitLayout& layout, std::uint64_t dataStart, UnitIndex& index) {
  std::uint64_t offset = dataStart;
  for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
    index.blockStart.push_back(offset);
    offset += 8 * static_cast<std::uint64_t>(index.rows[b]);
    for (std::size_t h = 0; h < layout.blocks[b].heads.size(); ++h) {
      offset += vectorBytes(layout.blocks[b], index.rows[b], index.half[index.firstHead[b] + h]);
    }
  }
  index.lossStart = offset;
  return offset + index.lossRange().bytes;
}

}  // namespace

const char* groupNameOf(const UnitBlock& block) {
  const std::size_t kind = block.kind == QueryOrKey::Query ? 0 : 1;
  return schema::kRowSets[kind + (block.dense ? 4 : block.preRopeOfBoth ? 2 : 0)];
}

std::vector<std::byte> encodeUnit(const UnitLayout& layout, const CaptureUnit& unit, const UnitFacts& facts) {
  UnitIndex index;
  index.losses = static_cast<std::int32_t>(unit.losses.size());
  for (const UnitRows& block : unit.blocks) {
    index.rows.push_back(static_cast<std::int32_t>(block.positions.size()));
    for (const UnitHead& head : block.heads) index.half.push_back(head.half);
  }
  const std::string header = headerText(layout, facts, index);
  const std::uint64_t length = header.size();
  std::size_t bytes = sizeof length + header.size() + index.lossRange().bytes;
  for (const UnitRows& block : unit.blocks) {
    bytes += 4 * (block.positions.size() + block.buckets.size());
    for (const UnitHead& head : block.heads) bytes += head.bytes.size();
  }
  std::vector<std::byte> out;
  out.reserve(bytes);
  append(out, &length, sizeof length);
  append(out, header.data(), header.size());
  for (const UnitRows& block : unit.blocks) {
    append(out, block.positions.data(), 4 * block.positions.size());
    append(out, block.buckets.data(), 4 * block.buckets.size());
    for (const UnitHead& head : block.heads) append(out, head.bytes.data(), head.bytes.size());
  }
  append(out, unit.losses.data(), 4 * unit.losses.size());
  return out;
}

UnitIndex readUnitIndex(const std::filesystem::path& file, const UnitLayout& layout, const UnitFacts& facts) {
  UnitIndex index;
  index.file = file;
  std::error_code code;
  index.fileBytes = std::filesystem::file_size(file, code);
  if (code) failUnit(file, "no such file");
  if (index.fileBytes < 8) failUnit(file, cutShort(index.fileBytes, 8));
  const std::string text = readHeader(file, index.fileBytes);
  try {
    takeCounts(parseJson(text, file), layout, index);
  } catch (const Json::exception&) {
    failUnit(file, "a header of another layout");
  }
  if (headerText(layout, facts, index) != text) failUnit(file, "a header of another capture");
  const std::uint64_t stated = placeBlocks(layout, 8 + text.size(), index);
  if (stated > index.fileBytes) failUnit(file, cutShort(index.fileBytes, stated));
  if (stated < index.fileBytes) failUnit(file, "a longer file than its header states");
  return index;
}

UnitIndex::Range UnitIndex::positions(std::size_t block) const {
  return {blockStart[block], 4 * static_cast<std::uint64_t>(rows[block]), false};
}

UnitIndex::Range UnitIndex::buckets(std::size_t block) const {
  const Range before = positions(block);
  return {before.offset + before.bytes, before.bytes, false};
}

UnitIndex::Range UnitIndex::vectors(const UnitLayout& layout, std::size_t block, std::size_t head) const {
  std::uint64_t offset = blockStart[block] + 8 * static_cast<std::uint64_t>(rows[block]);
  const std::size_t number = firstHead[block] + head;
  const UnitBlock& which = layout.blocks[block];
  for (std::size_t h = firstHead[block]; h < number; ++h) offset += vectorBytes(which, rows[block], half[h]);
  return {offset, vectorBytes(which, rows[block], half[number]), half[number]};
}

}  // namespace plastiscope
