#pragma once
// Everything that is known about a qk-sniffer data set before it is imported, and what the capture file says
// about itself because of it.
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/model/model_spec.h"
#include "core/store/capture_writer.h"
#include "core/store/qk_sniffer/capture_metadata.h"
#include "core/store/qk_sniffer/layout.h"
#include "core/store/qk_sniffer/qk_import.h"
#include "core/store/qk_sniffer/saver_state.h"

namespace plastiscope {

// ---- import_index.cpp: first pass over the data set: bucket, example and position of every row, and what
// all files must agree on

// What the heads of one layer and kind share.
struct QkSharedRows {
  RowIndex rows;                     // by example, then position
  std::vector<std::uint32_t> order;  // row of the file for each of them; empty: as they lie
  std::filesystem::path firstFile;   // of the lowest head, for messages
};

// Of a file that holds rows twice.
struct QkRepeats {
  std::vector<std::uint32_t> kept;                            // the other rows, as they lie
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rows;  // and the row that is like it
};

struct QkIndex {
  std::int64_t headDim = 0;
  std::vector<std::int32_t> exampleIds;                                        // in order of first appearance
  std::map<std::pair<std::int64_t, RowSet>, QkSharedRows> shared;              // by layer and kind
  std::map<std::int64_t, std::optional<std::int32_t>> slidingWindows;          // by layer
  std::map<std::pair<std::int64_t, RowSet>, std::vector<std::int64_t>> heads;  // ascending
  std::map<std::filesystem::path, QkRepeats> repeats;  // by file; `shared` counts the kept rows
  std::int32_t lastPosition = 0;                                               // over all rows
  bool tokenStrings = false;  // some file has a column token_str
  std::int64_t rows(std::int64_t layer, RowSet set) const;
  std::vector<std::int64_t> layers() const;  // with query heads, ascending
};

// Examples are in order of first appearance: layers ascending, queries before keys. InputError: heads of one
// layer and kind whose rows differ, a row twice in two buckets, vectors of different lengths, several windows
// in a layer, no rows at all.
QkIndex readQkIndex(const QkFolder& folder, Progress& progress);

// InputError names file and row of the first position at or beyond `window`.
void requirePositionsBelow(const QkIndex& index, std::int64_t window);

// ---- import_info.cpp

struct ImportSources {
  // Reads what lies beside the rows, and the model folder where one was given. The arguments must outlive it.
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

inline constexpr std::int64_t kMostImportPositions = std::numeric_limits<std::int32_t>::max();
inline constexpr const char* kUnknownFact = "unknown";

// import_model.cpp: names, counts of layers and heads, score scale. InputError where a head has no keys.
void fillModel(CaptureInfo& info, const ImportSources& from);
// Order of sources: options for what only they or the data set can say (window, sampler, RoPE), else the
// model folder, plastiscope.json, _saver_state.json or README.md, and last what follows from the rows. Counts
// of heads: model folder, data set, options, largest index + 1. UsageError where the window or the buckets
// are not known.
CaptureInfo importedInfo(const QkImportRequest& request, const QkFolder& folder, const QkIndex& index,
                         Progress& progress);

}  // namespace plastiscope
