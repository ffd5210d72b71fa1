#include "core/store/seal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/half.h"
#include "core/base/hash.h"
#include "core/store/capture_writer.h"
#include "core/store/schema.h"

namespace plastiscope {
namespace fs = std::filesystem;

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
  ~UnitReader() {
    for (const Unit& unit : m_units) {
      if (unit.fd >= 0) ::close(unit.fd);
    }
  }
  UnitReader(const UnitReader&) = delete;
  UnitReader& operator=(const UnitReader&) = delete;

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
    int fd = -1;
    std::uint64_t next = 0;  // offset of the next byte
    Sha256 hash;
  };

  void skipHeader(std::size_t number) {
    std::vector<std::byte> header(m_units[number].index->blockStart.front());
    readNext(number, header);
  }

  void readNext(std::size_t number, std::span<std::byte> out) {
    Unit& unit = m_units[number];
    if (unit.fd < 0)
      unit.fd = uninterrupted([&] { return ::open(unit.index->file.c_str(), O_RDONLY | O_CLOEXEC); });
    const bool complete = unit.fd >= 0 && readFully(unit.fd, unit.next, out);
    if (number >= kMaxOpenFiles && unit.fd >= 0) ::close(std::exchange(unit.fd, -1));
    if (!complete) failIncomplete(number);
    unit.hash.add(out);
    unit.next += out.size();
  }

  static bool readFully(int fd, std::uint64_t offset, std::span<std::byte> out) {
    while (!out.empty()) {
      const ssize_t got = ::pread(fd, out.data(), out.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      offset += static_cast<std::uint64_t>(got);
      out = out.subspan(static_cast<std::size_t>(got));
    }
    return true;
  }

  // Reports this unit together with all others that are missing or truncated.
  [[noreturn]] void failIncomplete(std::size_t number) const {
    std::vector<std::int64_t> damaged;
    for (std::size_t i = 0; i < m_units.size(); ++i) {
      std::error_code code;
      const bool whole = fs::file_size(m_units[i].index->file, code) == m_units[i].index->fileBytes && !code;
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
      : m_finished(finished), m_layout(finished.layout), m_reader(finished.units) {}

  const CaptureInfo& info() const override { return m_finished.info; }
  const StoredTexts* texts() const override { return m_finished.texts; }

  RowIndex index(std::int64_t layer, RowSet set) const override {
    const std::size_t block = blockOf(layer, set);
    RowIndex all;
    for (std::size_t unit = 0; unit < m_reader.size(); ++unit) {
      const UnitIndex& index = m_reader.index(unit);
      const std::size_t before = all.position.size(), rows = static_cast<std::size_t>(index.rows[block]);
      all.position.resize(before + rows);
      all.bucket.resize(before + rows);
      all.example.resize(before + rows, static_cast<std::int32_t>(unit));
      m_reader.read(unit, index.positions(block), all.position.data() + before);
      m_reader.read(unit, index.buckets(block), all.bucket.data() + before);
    }
    return all;
  }

  Storage storage(const RowPlace& place) const override {
    const std::size_t block = blockOf(place.layer, place.set), number = headNumber(block, place.head);
    for (std::size_t unit = 0; unit < m_reader.size(); ++unit) {
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
    for (std::size_t unit = 0; unit < m_reader.size(); ++unit) {
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
    }
    return all;
  }

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
    const auto found =
        std::find_if(m_layout.blocks.begin(), m_layout.blocks.end(), [&](const UnitBlock& block) {
          return block.layer == layer &&
                 groupNameOf(block) == schema::kRowSets[static_cast<std::size_t>(set)];
        });
    if (found == m_layout.blocks.end()) throw Error(ErrorKind::Internal, "no such block in the units");
    return static_cast<std::size_t>(found - m_layout.blocks.begin());
  }

  std::size_t headNumber(std::size_t block, std::int64_t head) const {
    const auto& heads = m_layout.blocks[block].heads;
    return static_cast<std::size_t>(std::find(heads.begin(), heads.end(), head) - heads.begin());
  }

  const FinishedUnits& m_finished;
  const UnitLayout& m_layout;
  mutable UnitReader m_reader;
};

}  // namespace

void sealCapture(const FinishedUnits& finished, const std::filesystem::path& out, Progress& progress) {
  if (finished.units.size() != finished.info.examples.size())
    throw Error(ErrorKind::Internal, "not every example has its unit");
  writeCapture(UnitsContent(finished), out, progress);
}

}  // namespace plastiscope
