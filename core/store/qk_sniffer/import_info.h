#pragma once
// Facts about a qk-sniffer data set before its import, and the capture's metadata made from them.
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/model/model_spec.h"
#include "core/store/capture_writer.h"
#include "core/store/qk_sniffer/conversion.h"
#include "core/store/qk_sniffer/layout.h"
#include "core/store/qk_sniffer/metadata.h"

namespace plastiscope {

// ---- import_index.cpp: first pass over the data set: bucket, example and position of every row, and checks
// that all files agree

// Rows that the heads of one layer and kind share.
struct QkSharedRows {
  RowIndex rows;                     // by example, then position
  std::vector<std::uint32_t> order;  // index of each row in the file; empty: same order
  std::filesystem::path firstFile;   // of the lowest head, for messages
};

// Repeated rows of a file.
struct QkRepeats {
  std::vector<std::uint32_t> kept;                            // the remaining rows, in file order
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rows;  // repeated row and its first copy
};

struct QkIndex {
  std::int64_t headDim = 0;
  std::vector<std::int32_t> exampleIds;                                        // in order of first appearance
  std::map<std::pair<std::int64_t, RowSet>, QkSharedRows> shared;              // by layer and kind
  std::map<std::int64_t, std::optional<std::int32_t>> slidingWindows;          // by layer
  std::map<std::pair<std::int64_t, RowSet>, std::vector<std::int64_t>> heads;  // ascending
  std::map<std::filesystem::path, QkRepeats> repeats;  // by file; `shared` counts the kept rows
  std::int32_t lastPosition = 0;                       // over all rows
  bool tokenStrings = false;                           // whether some file has a column token_str
  std::int64_t rows(std::int64_t layer, RowSet set) const;
  std::vector<std::int64_t> layers() const;  // with query heads, ascending
};

// Reads the index. Examples are in order of first appearance: layers ascending, queries before keys.
// InputError: heads of one layer and kind whose rows differ, a row in two buckets, vectors of different
// lengths, several windows in a layer, no rows at all.
QkIndex readQkIndex(const QkFolder& folder, Progress& progress);

// InputError names file and row of the first position at or beyond `window`.
void requirePositionsBelow(const QkIndex& index, std::int64_t window);

// ---- import_info.cpp

struct ImportSources {
  // Reads the metadata files, and the model folder if one was given. The arguments must outlive it.
  ImportSources(const QkImportRequest& request, const QkFolder& folder, const QkIndex& index,
                Progress& progress);

  const QkImportRequest& request;
  const QkFolder& folder;
  const QkIndex& index;
  Progress& progress;
  SaverState state;
  CaptureFacts facts;
  std::filesystem::path modelPath;  // empty without --model
  std::optional<ModelSpec> spec;
};

inline constexpr std::int64_t kMaxImportPositions = std::numeric_limits<std::int32_t>::max();
inline constexpr const char* kUnknownFact = "unknown";

// import_model.cpp: names, counts of layers and heads, score scale. InputError if a head has no keys.
void fillModel(CaptureInfo& info, const ImportSources& from);
// Order of sources: options for facts that only they or the data set can state (window, sampler, RoPE), else
// the model folder, plastiscope.json, _saver_state.json or README.md, and last values inferred from the rows.
// Counts of heads: model folder, data set, options, largest index + 1. UsageError if window or buckets are
// not known.
CaptureInfo importedInfo(const QkImportRequest& request, const QkFolder& folder, const QkIndex& index,
                         Progress& progress);

}  // namespace plastiscope
