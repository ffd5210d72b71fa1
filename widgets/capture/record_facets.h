#pragma once
// Which records of a list are wanted: chosen values of its fields, and single records left out. Plain values,
// pure functions.
#include <set>
#include <utility>

#include "widgets/capture/record_list.h"

namespace plastiscope {

struct RecordChoice {
  std::vector<std::set<int>> wanted;  // [fields] chosen values; none chosen = all
  std::set<std::size_t> left;         // records left out by hand
};

// Whether the values of a record are wanted; `except`: a field that is not asked (-1 = none).
bool passes(const RecordEntry& record, const RecordChoice& choice, int except = -1);

// Records of each value of a field that the filters of the other fields let through.
std::vector<std::int64_t> countsOf(const RecordList& list, const RecordChoice& choice, int field);

// The `--select` pairs that say the same: the filters, or a list of ids where records were left out by hand.
std::vector<std::pair<std::string, std::string>> selectionOf(const RecordList& list,
                                                             const RecordChoice& choice);

}  // namespace plastiscope
