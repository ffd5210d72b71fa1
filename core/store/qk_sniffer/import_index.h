#pragma once
// First pass over a qk-sniffer data set: bucket, example and position of every row, and what all files must
// agree on.
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/store/capture_writer.h"
#include "core/store/qk_sniffer/layout.h"

namespace plastiscope {

// What the heads of one layer and kind share.
struct QkSharedRows {
  RowIndex rows;                     // by example, then position
  std::vector<std::uint32_t> order;  // row of the file for each of them; empty: as they lie
  std::filesystem::path firstFile;   // of the lowest head, for messages
};

struct QkIndex {
  std::int64_t headDim = 0;
  std::vector<std::int32_t> exampleIds;                                        // in order of first appearance
  std::map<std::pair<std::int64_t, RowSet>, QkSharedRows> shared;              // by layer and kind
  std::map<std::int64_t, std::optional<std::int32_t>> slidingWindows;          // by layer
  std::map<std::pair<std::int64_t, RowSet>, std::vector<std::int64_t>> heads;  // ascending
  std::int32_t lastPosition = 0;                                               // over all rows
  bool tokenStrings = false;  // some file has a column token_str
  std::int64_t rows(std::int64_t layer, RowSet set) const;
  std::vector<std::int64_t> layers() const;  // with query heads, ascending
};

// Examples are in order of first appearance: layers ascending, queries before keys. InputError: heads of one
// layer and kind whose rows differ, a row twice, vectors of different lengths, several windows in a layer, no
// rows at all.
QkIndex readQkIndex(const QkFolder& folder, Progress& progress);

// InputError names file and row of the first position at or beyond `window`.
void requirePositionsBelow(const QkIndex& index, std::int64_t window);

}  // namespace plastiscope
