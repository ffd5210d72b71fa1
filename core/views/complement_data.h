#pragma once
// Queries and keys outside the plane {a, b}, on pairs of principal directions (method.md, Complement planes).
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/views/plane_data.h"

namespace plastiscope {

struct ComplementPair {
  std::int64_t first = 0;  // direction, from 0; the second one follows it
  double share = 0;        // share of the complement's variance
  PlaneRows query, key;    // [shown rows] position and coordinates; no centroid or arrow
};

struct ComplementData {
  HeadName head;
  std::int64_t window = 0;
  std::int64_t rows = 0, shown = 0;  // query and key rows together; shown: every nth of them
  std::vector<std::string> exampleIds;
  std::vector<ComplementPair> pairs;  // in descending variance
  double reach = 1;                   // the coordinates of 99.6 % of the shown rows lie in +-reach
  std::string missing;                // why there are no pairs; empty when there are
};

// At most `mostPairs`, and at most `mostPoints` marks in all pairs together. Needs the tables heads and axes
// and the study's capture; without an axis or a capture, `missing` has the reason.
ComplementData makeComplement(const Study& study, HeadName head, std::size_t mostPairs,
                              std::size_t mostPoints);

Table tableOf(const ComplementData& data);  // pair, share, kind, example, position, x, y

}  // namespace plastiscope
