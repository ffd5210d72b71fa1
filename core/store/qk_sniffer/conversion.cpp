#include "core/store/qk_sniffer/conversion.h"

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/path_text.h"
#include "core/parquet/qk_table.h"
#include "core/store/capture_output.h"
#include "core/store/capture_parts.h"
#include "core/store/output_place.h"
#include "core/store/qk_sniffer/import_info.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

// ---- import

void warnOfRepeats(const QkIndex& index, Progress& progress) {
  std::size_t rows = 0;
  for (const auto& [file, repeats] : index.repeats) rows += repeats.rows.size();
  if (rows == 0) return;
  const auto& [file, repeats] = *index.repeats.begin();
  progress.warned(withCommas(rows) + (rows == 1 ? " row is" : " rows are") +
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
    const fs::path file = m_folder.path / qkFolderName(place) / "data.parquet";
    const QkSharedRows& shared = m_index.shared.at({place.layer, place.set});
    if (!shared.order.empty() || m_index.repeats.contains(file)) return sortedVectors(file, shared, block);
    std::size_t rows = 0;
    readQkVectors(file, m_info.headDim, [&](std::span<const float> values) {
      rows += values.size() / m_info.headDim;
      block(std::as_bytes(values));
    });
    requireRows(file, shared, rows);
  }

 private:
  // Checks that the file did not change between the passes.
  void requireRows(const fs::path& file, const QkSharedRows& shared, std::size_t rows) const {
    if (rows == shared.rows.position.size()) return;
    throw InputError(
        {file, "column vector", std::to_string(shared.rows.position.size()) + " rows", std::to_string(rows)});
  }

  // Reads the whole head into memory to sort its rows or drop repeated ones.
  void sortedVectors(const fs::path& file, const QkSharedRows& shared,
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
  return heads;
}

double vectorBytes(const CaptureInfo& info) {
  double bytes = 0;
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    const double query = 1.0 * layer.queryHeads.size() * layer.queryRows,
                 key = 1.0 * layer.keyHeads.size() * layer.keyRows;
    bytes += (query + key) * info.headDimOf(layer) * sizeof(float);
  }
  return bytes;
}

// ---- export

struct HeadId {
  const CaptureLayerInfo* layer;
  std::int64_t head;
  RowSet kind;    // Query or Key: the folder's name
  RowSet stored;  // the stored set of its vectors
};

// Layers ascending, queries before keys, heads ascending.
std::vector<HeadId> placesOf(const CaptureInfo& info, bool preRope) {
  std::vector<HeadId> places;
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    for (const RowSet kind : {RowSet::Query, RowSet::Key}) {
      const RowSet twin = kind == RowSet::Query ? RowSet::QueryPreRope : RowSet::KeyPreRope;
      for (const std::int64_t head : headsOf(layer, kind))
        places.push_back({&layer, head, kind, preRope ? twin : kind});
    }
  }
  return places;
}

// Ids as stored in the layout; they must be distinct.
std::vector<std::int32_t> storedIds(const CaptureFile& capture) {
  std::map<std::int32_t, std::string> seen;
  std::vector<std::int32_t> ids;
  for (const CaptureExampleInfo& example : capture.info().examples) {
    ids.push_back(storedExampleId(example.seedId));
    const auto [entry, isNew] = seen.try_emplace(ids.back(), example.id);
    if (isNew) continue;
    throw InputError(
        {capture.path(), "examples", "ids that differ in the 32 bits that the qk-sniffer layout keeps",
         "\"" + entry->second + "\" and \"" + example.id + "\", both " + std::to_string(ids.back())});
  }
  return ids;
}

class Export {
 public:
  Export(const CaptureFile& capture, std::string point, bool preRope)
      : m_capture(capture),
        m_info(capture.info()),
        m_point(std::move(point)),
        m_places(placesOf(m_info, preRope)),
        m_ids(storedIds(capture)) {
    for (const HeadId& place : m_places)
      m_folders.push_back(qkFolderName({place.layer->layer, place.head, place.kind}));
  }

  void write(const fs::path& folder, Progress& progress) {
    HeadProgress heads(progress, "export", m_places.size());
    ProgressState state{"export", 0, static_cast<double>(m_places.size()), "head", -1, -1};
    for (std::size_t i = 0; i < m_places.size(); ++i) {
      heads.throwIfStopped();
      writeHead(m_places[i], folder / m_folders[i]);
      ++state.done;
      heads.advanced(state);
    }
    const Json metadata = captureMetadata(m_info, m_point);
    writeFileAtomically(folder / "_saver_state.json",
                        saverStateText(m_info.modelName, metadata, m_bucketCounts));
    writeFileAtomically(folder / "README.md",
                        qkReadmeText(m_info.modelName, metadata, m_folders, m_bucketCounts));
    writeFileAtomically(folder / kCaptureFactsFile, captureFactsText(m_info, m_point));
  }

 private:
  void writeHead(const HeadId& place, const fs::path& folder) {
    const CapturedRows rows = m_capture.rows({place.layer->layer, place.head, place.stored});
    std::vector<std::int32_t> ids;
    ids.reserve(rows.example.size());
    for (const std::int32_t example : rows.example) ids.push_back(m_ids[example]);
    for (const std::int32_t bucket : rows.bucket) ++m_bucketCounts[bucket];
    requireWritableFolderOf(folder / "data.parquet");
    const QkTable table{rows.bucket, ids, rows.position, rows.vectors, rows.headDim, windowOf(*place.layer)};
    writeFileAtomically(folder / "data.parquet", encodeQkTable(table));
  }

  static std::optional<std::int32_t> windowOf(const CaptureLayerInfo& layer) {
    if (layer.window <= 0) return std::nullopt;
    return static_cast<std::int32_t>(
        std::min<std::int64_t>(layer.window, std::numeric_limits<std::int32_t>::max()));
  }

  const CaptureFile& m_capture;
  const CaptureInfo& m_info;
  std::string m_point;
  std::vector<HeadId> m_places;
  std::vector<std::string> m_folders;
  std::vector<std::int32_t> m_ids;  // by example
  std::map<std::int64_t, std::int64_t> m_bucketCounts;
};

}  // namespace

void importQkSniffer(const QkImportRequest& request, Progress& progress) {
  const OutputLock lock(request.out);
  const QkFolder folder = openQkFolder(request.folder);
  const QkIndex index = readQkIndex(folder, progress);
  CaptureInfo info = importedInfo(request, folder, index, progress);
  if (index.tokenStrings)
    progress.warned("the column token_str is ignored: captures do not hold token texts");
  info.created = nowIso8601();
  requireDisk(request.out, vectorBytes(info), "the capture needs");
  progress.started("import", canonicalJson(info.settings));
  HeadProgress heads(progress, "import", headCount(info));
  writeCapture(QkContent(std::move(info), folder, index), request.out, heads);
  warnOfRepeats(index, progress);
}

void exportQkSniffer(const QkExportRequest& request, Progress& progress) {
  const auto capture = openCapture(request.capture);
  const CaptureInfo& info = capture->info();
  warnOfPart(info, progress);
  if (request.preRope && info.point != "both") {
    throw UsageError("--pre-rope: this capture holds only vectors of the point " + info.point);
  }
  const bool both = info.point == "both";
  const std::string point = !both ? info.point : request.preRope ? "pre-rope" : "post-rope";
  if (both && !request.preRope)
    progress.warned("only the vectors after RoPE are exported; --pre-rope exports those before RoPE");
  Export work(*capture, point, request.preRope);
  requireDisk(request.out, vectorBytes(info), "the export may need");
  progress.started("export", canonicalJson(info.settings));
  writeFolderAtomically(request.out, [&](const fs::path& folder) { work.write(folder, progress); });
}

}  // namespace plastiscope
