#include "core/store/qk_sniffer/qk_export.h"

#include <limits>
#include <map>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/parquet/qk_table.h"
#include "core/store/capture_parts.h"
#include "core/store/capture_writer.h"
#include "core/store/qk_sniffer/capture_metadata.h"
#include "core/store/qk_sniffer/layout.h"
#include "core/store/qk_sniffer/saver_state.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

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

  void requireDisk(const fs::path& out) const {
    double bytes = 0;
    for (const HeadId& place : m_places) {
      const std::int64_t rows = place.kind == RowSet::Query ? place.layer->queryRows : place.layer->keyRows;
      bytes +=
          static_cast<double>(rows) * static_cast<double>(m_info.headDimOf(*place.layer)) * sizeof(float);
    }
    const auto free = freeDiskBytes(out);
    if (bytes <= static_cast<double>(free)) return;
    throw ResourceError(pathText(out) + ": the export may need " +
                        byteText(static_cast<unsigned long long>(bytes)) + " of disk, " + byteText(free) +
                        " are free");
  }

  void write(const fs::path& folder, Progress& progress) {
    HeadProgress heads(progress, "export", static_cast<double>(m_places.size()));
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
    for (const std::int32_t example : rows.example) ids.push_back(m_ids[static_cast<std::size_t>(example)]);
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
  work.requireDisk(request.out);
  progress.started("export", canonicalJson(info.settings));
  writeFolderAtomically(request.out, [&](const fs::path& folder) { work.write(folder, progress); });
}

}  // namespace plastiscope
