#pragma once
// Ward's hierarchical clustering.
#include <cstddef>
#include <span>
#include <vector>

namespace plastiscope {

// Merge of two clusters. Index below the number of points: a point; else that number plus the index of an
// earlier merge. `height`: the square root of twice the increase of the sum of squares, as in scipy's
// linkage(..., "ward").
struct ClusterMerge {
  std::size_t first = 0, second = 0;
  double height = 0;
};

// Clusters points with `dimensions` finite coordinates each, [points * dimensions]. Returns points - 1
// merges, each after the merges it contains. Uses nearest-neighbour chains (Murtagh 1983): Ward's tree in
// quadratic time and linear memory.
std::vector<ClusterMerge> wardClustering(std::span<const double> points, std::size_t dimensions);

}  // namespace plastiscope
