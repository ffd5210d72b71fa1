#include "core/store/qk_sniffer/qk_import.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/memory.h"
#include "core/base/path_text.h"
#include "core/parquet/qk_table.h"
#include "core/store/capture_output.h"
#include "core/store/qk_sniffer/import_info.h"
#include "core/store/schema.h"

namespace plastiscope {

namespace {

void warnOfRepeats(const QkIndex& index, Progress& progress) {
  std::size_t rows = 0;
  for (const auto& [file, repeats] : index.repeats) rows += repeats.rows.size();
  if (rows == 0) return;
  const auto& [file, repeats] = *index.repeats.begin();
  progress.warned(withCommas(static_cast<long long>(rows)) + (rows == 1 ? " row is" : " rows are") +
                  " repeated with the same values, and taken once; the first is row " +
                  std::to_string(repeats.rows.front().first) + " of " + pathText(file));
}

// The data set as content of a new capture; reads vectors when they are written.
class QkContent : public CaptureContent {
 public:
  QkContent(CaptureInfo info, const QkFolder& folder, const QkIndex& index)
      : m_info(std::move(info)), m_folder(folder), m_index(index) {}

  const CaptureInfo& info() const override { return m_info; }
  RowIndex index(std::int64_t layer, RowSet set) const override {
    return m_index.shared.at({layer, set}).rows;
  }
  Storage storage(const RowPlace&) const override { return {false, false}; }

  void vectors(const RowPlace& place,
               const std::function<void(std::span<const std::byte>)>& block) const override {
    const std::filesystem::path file = m_folder.path / qkFolderName(place) / "data.parquet";
    const QkSharedRows& shared = m_index.shared.at({place.layer, place.set});
    if (!shared.order.empty() || m_index.repeats.contains(file)) return sortedVectors(file, shared, block);
    std::size_t rows = 0;
    readQkVectors(file, m_info.headDim, [&](std::span<const float> values) {
      rows += values.size() / static_cast<std::size_t>(m_info.headDim);
      block(std::as_bytes(values));
    });
    requireRows(file, shared, rows);
  }

 private:
  // Checks that the file did not change between the passes.
  void requireRows(const std::filesystem::path& file, const QkSharedRows& shared, std::size_t rows) const {
    if (rows == shared.rows.position.size()) return;
    throw InputError(
        {file, "column vector", std::to_string(shared.rows.position.size()) + " rows", std::to_string(rows)});
  }

  // Reads the whole head into memory to sort its rows or drop repeated ones.
  void sortedVectors(const std::filesystem::path& file, const QkSharedRows& shared,
                     const std::function<void(std::span<const std::byte>)>& block) const {
    const auto found = m_index.repeats.find(file);
    const QkRepeats repeats = found == m_index.repeats.end() ? QkRepeats() : found->second;
    const std::size_t dim = static_cast<std::size_t>(m_info.headDim), kept = shared.rows.position.size(),
                      needed = (kept + repeats.rows.size()) * dim * sizeof(float);
    if (needed > availableMemoryBytes() / 2) {
      throw ResourceError(pathText(file) + ": rows are unordered or repeated, and sorting them needs " +
                          byteText(needed) + " of memory");
    }
    std::vector<float> all;
    all.reserve(needed / sizeof(float));
    readQkVectors(file, m_info.headDim, [&](std::span<const float> values) {
      all.insert(all.end(), values.begin(), values.end());
    });
    requireRows(file, shared, all.size() / dim - repeats.rows.size());
    const auto vector = [&](std::size_t row) { return std::span(all).subspan(row * dim, dim); };
    for (const auto& [row, first] : repeats.rows) {
      if (std::ranges::equal(vector(row), vector(first))) continue;
      throw InputError({file, "row " + std::to_string(row),
                        "the vector of row " + std::to_string(first) + ", of the same example and position",
                        "another vector"});
    }
    for (std::size_t i = 0; i < kept; ++i) {
      const std::size_t row = shared.order.empty() ? i : shared.order[i];
      block(std::as_bytes(vector(repeats.kept.empty() ? row : repeats.kept[row])));
    }
  }

  CaptureInfo m_info;
  const QkFolder& m_folder;
  const QkIndex& m_index;
};

double headCount(const CaptureInfo& info) {
  std::size_t heads = 0;
  for (const CaptureLayerInfo& layer : info.layerInfos)
    heads += layer.queryHeads.size() + layer.keyHeads.size();
  return static_cast<double>(heads);
}

void requireDisk(const CaptureInfo& info, const std::filesystem::path& out) {
  double bytes = 0;
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    const auto query = static_cast<double>(layer.queryHeads.size()) * static_cast<double>(layer.queryRows);
    const auto key = static_cast<double>(layer.keyHeads.size()) * static_cast<double>(layer.keyRows);
    bytes += (query + key) * static_cast<double>(info.headDim) * sizeof(float);
  }
  const auto free = freeDiskBytes(out);
  if (bytes <= static_cast<double>(free)) return;
  throw ResourceError(pathText(out) + ": the capture needs " +
                      byteText(static_cast<unsigned long long>(bytes)) + " of disk, " + byteText(free) +
                      " are free");
}

}  // namespace

void importQkSniffer(const QkImportRequest& request, Progress& progress) {
  const OutputLock lock(request.out);
  const QkFolder folder = openQkFolder(request.folder);
  const QkIndex index = readQkIndex(folder, progress);
  CaptureInfo info = importedInfo(request, folder, index, progress);
  if (index.tokenStrings)
    progress.warned("the column token_str is ignored: captures do not hold token texts");
  info.created = nowIso8601();
  requireDisk(info, request.out);
  progress.started("import", canonicalJson(info.settings));
  HeadProgress heads(progress, "import", headCount(info));
  writeCapture(QkContent(std::move(info), folder, index), request.out, heads);
  warnOfRepeats(index, progress);
}

}  // namespace plastiscope
