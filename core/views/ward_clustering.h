#pragma once
// Ward's hierarchical clustering.
#include <cstddef>
#include <span>
#include <vector>

namespace plastiscope {

// Two clusters become one. Below the number of points: a point; else that number plus the index of an earlier
// merge. `height`: the root of twice the increase of the sum of squares, as scipy's linkage(..., "ward") has
// it.
struct ClusterMerge {
  std::size_t first = 0, second = 0;
  double height = 0;
};

// Of points with `dimensions` finite coordinates each, [points * dimensions]: one merge less than points,
// each after those that it is made of. By chains of nearest neighbours (Murtagh 1983), which finds Ward's
// tree in quadratic time and linear memory.
std::vector<ClusterMerge> wardClustering(std::span<const double> points, std::size_t dimensions);

}  // namespace plastiscope
