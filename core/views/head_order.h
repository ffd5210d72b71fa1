#pragma once
// Order of the heads in a grid, among others by the similarity of their metrics.
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/views/study_facts.h"

namespace plastiscope {

// Merge of two clusters in Ward's hierarchical clustering. Index below the number of points: a point; else
// that number plus the index of an earlier merge. `height`: the square root of twice the increase of the sum
// of squares, as in scipy's linkage(..., "ward").
struct ClusterMerge {
  std::size_t first = 0, second = 0;
  double height = 0;
};

// Clusters points with `dimensions` finite coordinates each, [points * dimensions]. Returns points - 1
// merges, each after the merges it contains. Uses nearest-neighbour chains (Murtagh 1983): Ward's tree in
// quadratic time and linear memory.
std::vector<ClusterMerge> wardClustering(std::span<const double> points, std::size_t dimensions);

// Layers: each head at its own place. Value: within each layer from the lowest to the highest value of the
// grid's metric. Similar: similar heads beside each other, in reading order.
enum class HeadOrder { Layers, Value, Similar };
constexpr std::array<const char*, 3> namesOf(HeadOrder) {
  return {"layers", "value", "similar"};
}

// Content of a grid cell: a head, the mean of the heads that share one key head, or the mean of a layer.
enum class HeadShow { Heads, KeyGroups, Layers };
constexpr std::array<const char*, 3> namesOf(HeadShow) {
  return {"heads", "kv-groups", "layers"};
}

// Text that names the compared columns of heads.csv.
std::string similarityText();

// Heads in the leaf order of Ward's clustering over the columns of similarityText(), each number replaced by
// its rank among the heads; of two branches the one with the lower plasticity comes first. A missing number
// counts as the middle rank.
std::vector<HeadName> headsBySimilarity(const AnalysisFile& analysis, ApKind plasticity = ApKind::Binned);

}  // namespace plastiscope
