#include "core/store/unit_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <tuple>

#include "core/base/descriptor.h"
#include "core/base/foreign_text.h"
#include "core/base/half.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/store/schema.h"

namespace plastiscope {

namespace {

constexpr std::uint64_t kMaxUnitHeader = 100'000'000;
constexpr const char* kLossTensor = "loss/nll";

std::uint64_t vectorBytes(const UnitBlock& block, std::int32_t rows, bool half) {
  return rows * block.headDim * (half ? 2 : 4);
}

std::uint64_t sumsBytes(const UnitBlock& layer) {
  return sizeof(ScoreSums) * layer.heads.size();
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
  for (const UnitBlock* layer : layout.scoredLayers()) {
    tensor(schema::scoresName(layer->layer, schema::kQueries), "I32", {3}, sizeof(ScoredQueries));
    tensor(schema::scoresName(layer->layer, schema::kSums), "F64", {layer->heads.size(), kHeadScores},
           sumsBytes(*layer));
  }
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
  std::string text(length, '\0');
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
    index.rows.push_back(rows);
    index.firstHead.push_back(index.half.size());
    for (const std::int64_t head : block.heads) {
      const Json& vectors = header.at(nameOf(block) + "/" + schema::kVectors + "/" + schema::number(head));
      index.half.push_back(vectors.at("dtype") == "F16");
    }
  }
  if (!layout.loss) return;
  const auto tokens = header.at(kLossTensor).at("shape").at(0).get<std::uint64_t>();
  if (tokens > index.fileBytes / 4) failUnit(index.file, "more losses than the file can hold");
  index.losses = tokens;
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
  index.scoresStart = offset + index.lossRange().bytes;
  return index.scoresStart + layout.scoresBytes();
}

}  // namespace

const char* groupNameOf(const UnitBlock& block) {
  const std::size_t kind = block.kind == QueryOrKey::Query ? 0 : 1;
  return schema::kRowSets[kind + (block.dense ? 4 : block.preRopeOfBoth ? 2 : 0)];
}

std::vector<std::byte> encodeUnit(const UnitLayout& layout, const CaptureUnit& unit, const UnitFacts& facts) {
  UnitIndex index;
  index.losses = unit.losses.size();
  for (const UnitRows& block : unit.blocks) {
    index.rows.push_back(block.positions.size());
    for (const UnitHead& head : block.heads) index.half.push_back(head.half);
  }
  const std::string header = headerText(layout, facts, index);
  const std::uint64_t length = header.size();
  std::size_t bytes = sizeof length + header.size() + index.lossRange().bytes + layout.scoresBytes();
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
  for (const UnitBlock* layer : layout.scoredLayers()) {
    const TextScores& scores = unit.scores.at(layer->layer);
    append(out, &scores.queries, sizeof scores.queries);
    append(out, scores.heads.data(), sumsBytes(*layer));
  }
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

bool unitHasScores(const std::filesystem::path& file) {
  std::error_code code;
  const std::uint64_t bytes = std::filesystem::file_size(file, code);
  if (code || bytes < 8) failUnit(file, code ? "no such file" : cutShort(bytes, 8));
  const Json header = parseJson(readHeader(file, bytes), file);
  for (const auto& [name, tensor] : header.items())
    if (name.starts_with(schema::kScores)) return true;
  return false;
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

std::pair<UnitIndex::Range, UnitIndex::Range> UnitIndex::scores(const UnitLayout& layout,
                                                                std::int64_t layer) const {
  std::uint64_t offset = scoresStart;
  for (const UnitBlock* each : layout.scoredLayers()) {
    const Range queries{offset, sizeof(ScoredQueries), false};
    const Range sums{offset + queries.bytes, sumsBytes(*each), false};
    if (each->layer == layer) return {queries, sums};
    offset = sums.offset + sums.bytes;
  }
  throw Error(ErrorKind::Internal, "no scores of such a layer in the units");
}

// ---- joining units

namespace {

constexpr std::size_t kBlockBytes = std::size_t{4} << 20;  // written to HDF5 at once
constexpr std::size_t kMaxOpenFiles = 400;

// Reads the unit files; keeps the first ones open. Each file is read once from start to end, because the
// capture has layers, kinds and heads in the order of the units; so the bytes written are those of the
// checksum.
class UnitReader {
 public:
  explicit UnitReader(const std::map<std::int64_t, UnitIndex>& units) : m_units(units.size()) {
    auto unit = m_units.begin();
    for (const auto& [example, index] : units) {
      unit->example = example;
      unit->index = &index;
      ++unit;
    }
  }

  std::size_t size() const { return m_units.size(); }
  const UnitIndex& index(std::size_t number) const { return *m_units[number].index; }

  void read(std::size_t number, const UnitIndex::Range& range, void* out) {
    Unit& unit = m_units[number];
    if (unit.next == 0) skipHeader(number);
    if (unit.next != range.offset) throw Error(ErrorKind::Internal, "a unit is not read in its order");
    readNext(number, {static_cast<std::byte*>(out), range.bytes});
  }

  // Throws if a unit did not match its checksum.
  void finish() {
    std::vector<std::int64_t> damaged;
    for (std::size_t number = 0; number < m_units.size(); ++number) {
      Unit& unit = m_units[number];
      if (unit.next == 0) skipHeader(number);
      if (unit.hash.hex() != unit.index->sha256) damaged.push_back(unit.example);
    }
    if (!damaged.empty()) fail(damaged, "does not match its checksum in the manifest");
  }

 private:
  struct Unit {
    std::int64_t example = 0;
    const UnitIndex* index = nullptr;
    Descriptor file;
    std::uint64_t next = 0;  // offset of the next byte
    Sha256 hash;
  };

  void skipHeader(std::size_t number) {
    std::vector<std::byte> header(m_units[number].index->blockStart.front());
    readNext(number, header);
  }

  void readNext(std::size_t number, std::span<std::byte> out) {
    Unit& unit = m_units[number];
    if (!unit.file.valid()) {
      const char* const path = unit.index->file.c_str();
      unit.file = Descriptor(uninterrupted([path] { return ::open(path, O_RDONLY | O_CLOEXEC); }));
    }
    const bool complete = unit.file.valid() && readFully(unit.file.get(), unit.next, out);
    if (number >= kMaxOpenFiles) unit.file.close();
    if (!complete) failIncomplete(number);
    unit.hash.add(out);
    unit.next += out.size();
  }

  static bool readFully(int fd, std::uint64_t offset, std::span<std::byte> out) {
    while (!out.empty()) {
      const ssize_t got = uninterrupted([&] { return ::pread(fd, out.data(), out.size(), offset); });
      if (got <= 0) return false;
      offset += got;
      out = out.subspan(got);
    }
    return true;
  }

  // Reports this unit together with all others that are missing or truncated.
  [[noreturn]] void failIncomplete(std::size_t number) const {
    std::vector<std::int64_t> damaged;
    for (std::size_t i = 0; i < m_units.size(); ++i) {
      std::error_code code;
      const bool whole =
          std::filesystem::file_size(m_units[i].index->file, code) == m_units[i].index->fileBytes && !code;
      if (i == number || !whole) damaged.push_back(m_units[i].example);
    }
    fail(damaged, "cannot be read to its end");
  }

  [[noreturn]] void fail(const std::vector<std::int64_t>& damaged, const char* what) const {
    const auto first = std::ranges::find(m_units, damaged.front(), &Unit::example);
    std::string sentence =
        first->index->file.string() + ": the finished example " + std::to_string(first->example) + " " + what;
    if (damaged.size() > 1)
      sentence += ", and " + withCommas(static_cast<long long>(damaged.size()) - 1) + " others";
    throw DamagedUnits(sentence, damaged);
  }

  std::vector<Unit> m_units;
};

class UnitsContent : public CaptureContent {
 public:
  explicit UnitsContent(const FinishedUnits& finished)
      : m_finished(finished),
        m_layout(finished.layout),
        m_reader(finished.units),
        m_examples(finished.info.examples.size()) {}

  const CaptureInfo& info() const override { return m_finished.info; }
  const StoredTexts* texts() const override { return m_finished.texts; }

  RowIndex index(std::int64_t layer, RowSet set) const override {
    const std::size_t block = blockOf(layer, set);
    RowIndex all;
    for (std::size_t unit = 0; unit < m_examples; ++unit) {
      const UnitIndex& index = m_reader.index(unit);
      const std::size_t before = all.position.size(), rows = index.rows[block];
      all.position.resize(before + rows);
      all.bucket.resize(before + rows);
      all.example.resize(before + rows, unit);
      m_reader.read(unit, index.positions(block), all.position.data() + before);
      m_reader.read(unit, index.buckets(block), all.bucket.data() + before);
    }
    return all;
  }

  Storage storage(const RowPlace& place) const override {
    const std::size_t block = blockOf(place.layer, place.set), number = headNumber(block, place.head);
    for (std::size_t unit = 0; unit < m_examples; ++unit) {
      const UnitIndex& index = m_reader.index(unit);
      if (!index.half[index.firstHead[block] + number]) return {false, m_layout.half};
    }
    return {m_layout.half, false};
  }

  void vectors(const RowPlace& place,
               const std::function<void(std::span<const std::byte>)>& block) const override {
    const std::size_t blockNumber = blockOf(place.layer, place.set),
                      number = headNumber(blockNumber, place.head);
    const bool half = storage(place).half;
    std::vector<std::byte> pending;
    for (std::size_t unit = 0; unit < m_examples; ++unit) {
      appendRows(unit, m_reader.index(unit).vectors(m_layout, blockNumber, number), half, pending);
      if (pending.size() < kBlockBytes) continue;
      block(pending);
      pending.clear();
    }
    block(pending);
  }

  std::vector<std::int32_t> firstPlaces() const override { return m_finished.firstPlaces; }
  std::optional<std::vector<float>> losses() const override {
    if (!m_layout.loss) return std::nullopt;
    std::vector<float> all;
    for (std::size_t unit = 0; unit < m_reader.size(); ++unit) {
      const UnitIndex::Range range = m_reader.index(unit).lossRange();
      all.resize(all.size() + range.bytes / sizeof(float));
      m_reader.read(unit, range, all.data() + all.size() - range.bytes / sizeof(float));
      if (unit >= m_examples) all.resize(all.size() - range.bytes / sizeof(float));  // of the probe
    }
    return all;
  }

  bool hasScores() const override { return m_layout.scores; }
  std::vector<TextScores> scores(std::int64_t layer) const override {
    std::vector<TextScores> all;
    for (std::size_t unit = 0; unit < m_examples; ++unit) all.push_back(scoresIn(unit, layer));
    return all;
  }
  std::vector<std::int32_t> probe() const override { return m_finished.probe; }
  TextScores probeScores(std::int64_t layer) const override { return scoresIn(m_examples, layer); }

  void finish() const override { m_reader.finish(); }

 private:
  // An example that did not overflow keeps its float16 values in a head stored as float32.
  void appendRows(std::size_t unit, const UnitIndex::Range& range, bool half,
                  std::vector<std::byte>& out) const {
    const std::size_t before = out.size();
    if (range.half == half) {
      out.resize(before + range.bytes);
      return m_reader.read(unit, range, out.data() + before);
    }
    std::vector<std::uint16_t> halves(range.bytes / 2);
    m_reader.read(unit, range, halves.data());
    std::vector<float> floats(halves.size());
    halfToFloat(halves, floats);
    const auto bytes = std::as_bytes(std::span(floats));
    out.insert(out.end(), bytes.begin(), bytes.end());
  }

  std::size_t blockOf(std::int64_t layer, RowSet set) const {
    const auto found = std::find_if(
        m_layout.blocks.begin(), m_layout.blocks.end(),
        [&](const UnitBlock& block) { return block.layer == layer && groupNameOf(block) == nameOf(set); });
    if (found == m_layout.blocks.end()) throw Error(ErrorKind::Internal, "no such block in the units");
    return found - m_layout.blocks.begin();
  }

  std::size_t headNumber(std::size_t block, std::int64_t head) const {
    const auto& heads = m_layout.blocks[block].heads;
    return std::find(heads.begin(), heads.end(), head) - heads.begin();
  }

  TextScores scoresIn(std::size_t unit, std::int64_t layer) const {
    const auto [queries, sums] = m_reader.index(unit).scores(m_layout, layer);
    TextScores scores;
    scores.heads.resize(sums.bytes / sizeof(ScoreSums));
    m_reader.read(unit, queries, &scores.queries);
    m_reader.read(unit, sums, scores.heads.data());
    return scores;
  }

  const FinishedUnits& m_finished;
  const UnitLayout& m_layout;
  mutable UnitReader m_reader;
  std::size_t m_examples;  // units; that of the probe follows
};

}  // namespace

void sealCapture(const FinishedUnits& finished, const std::filesystem::path& out, Progress& progress) {
  if (finished.units.size() != finished.info.examples.size() + (finished.probe.empty() ? 0 : 1))
    throw Error(ErrorKind::Internal, "not every example has its unit");
  writeCapture(UnitsContent(finished), out, progress);
}

}  // namespace plastiscope
