#include "core/store/seal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/half.h"
#include "core/store/capture_writer.h"
#include "core/store/schema.h"

namespace plastiscope {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{4} << 20;  // handed to HDF5 at once
constexpr std::size_t kMostOpenFiles = 400;

// Files of the units, the first of them kept open.
class UnitReader {
 public:
  explicit UnitReader(const std::map<std::int64_t, UnitIndex>& units) {
    for (const auto& [example, index] : units) m_units.push_back(&index);
    m_open.assign(std::min(m_units.size(), kMostOpenFiles), -1);
  }
  ~UnitReader() {
    for (const int fd : m_open) {
      if (fd >= 0) ::close(fd);
    }
  }
  UnitReader(const UnitReader&) = delete;
  UnitReader& operator=(const UnitReader&) = delete;

  std::size_t size() const { return m_units.size(); }
  const UnitIndex& index(std::size_t unit) const { return *m_units[unit]; }

  void read(std::size_t unit, const UnitIndex::Range& range, void* out) {
    const bool kept = unit < m_open.size();
    int fd = kept ? m_open[unit] : -1;
    if (fd < 0) fd = uninterrupted([&] { return ::open(m_units[unit]->file.c_str(), O_RDONLY | O_CLOEXEC); });
    if (kept) m_open[unit] = fd;
    const bool complete = fd >= 0 && readFully(fd, range, static_cast<char*>(out));
    const int error = errno;
    if (!kept && fd >= 0) ::close(fd);
    if (!complete) {
      throw InputError(
          {m_units[unit]->file, "", "", std::string("the unit cannot be read: ") + std::strerror(error)});
    }
  }

 private:
  static bool readFully(int fd, const UnitIndex::Range& range, char* out) {
    std::uint64_t done = 0;
    while (done < range.bytes) {
      const ssize_t got =
          ::pread(fd, out + done, range.bytes - done, static_cast<off_t>(range.offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      done += static_cast<std::uint64_t>(got);
    }
    return true;
  }

  std::vector<const UnitIndex*> m_units;
  std::vector<int> m_open;
};

class UnitsContent : public CaptureContent {
 public:
  UnitsContent(CaptureInfo info, const StoredTexts* texts, const UnitLayout& layout,
               const std::map<std::int64_t, UnitIndex>& units)
      : m_info(std::move(info)), m_texts(texts), m_layout(layout), m_reader(units) {}

  const CaptureInfo& info() const override { return m_info; }
  const StoredTexts* texts() const override { return m_texts; }

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

  Storage storage(std::int64_t layer, RowSet set, std::int64_t head) const override {
    const std::size_t block = blockOf(layer, set), number = headNumber(block, head);
    for (std::size_t unit = 0; unit < m_reader.size(); ++unit) {
      const UnitIndex& index = m_reader.index(unit);
      if (!index.half[index.firstHead[block] + number]) return {false, m_layout.half};
    }
    return {m_layout.half, false};
  }

  void vectors(std::int64_t layer, RowSet set, std::int64_t head,
               const std::function<void(std::span<const std::byte>)>& block) const override {
    const std::size_t blockNumber = blockOf(layer, set), number = headNumber(blockNumber, head);
    const bool half = storage(layer, set, head).half;
    std::vector<std::byte> pending;
    for (std::size_t unit = 0; unit < m_reader.size(); ++unit) {
      appendRows(unit, m_reader.index(unit).vectors(m_layout, blockNumber, number), half, pending);
      if (pending.size() < kBlockBytes) continue;
      block(pending);
      pending.clear();
    }
    block(pending);
  }

 private:
  // Rows of an example that did not overflow keep their float16 values when their head is stored as float32.
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

  CaptureInfo m_info;
  const StoredTexts* m_texts;
  const UnitLayout& m_layout;
  mutable UnitReader m_reader;
};

void warnOfOverflow(const UnitsContent& content, Progress& progress) {
  for (const CaptureLayerInfo& layer : content.info().layerInfos) {
    for (const RowSet set : rowSetsOf(content.info().point)) {
      for (const std::int64_t head : headsOf(layer, set)) {
        if (!content.storage(layer.layer, set, head).overflowed) continue;
        progress.warned("layer " + std::to_string(layer.layer) + ", " +
                        schema::kRowSets[static_cast<std::size_t>(set)] + " head " + std::to_string(head) +
                        ": values above 65,504; the head is stored as float32");
      }
    }
  }
}

}  // namespace

void sealCapture(const CaptureInfo& info, const StoredTexts* texts, const UnitLayout& layout,
                 const std::map<std::int64_t, UnitIndex>& units, const std::filesystem::path& out,
                 Progress& progress) {
  if (units.size() != info.examples.size())
    throw Error(ErrorKind::Internal, "not every example has its unit");
  const UnitsContent content(info, texts, layout, units);
  warnOfOverflow(content, progress);
  writeCapture(content, out, progress);
}

}  // namespace plastiscope
