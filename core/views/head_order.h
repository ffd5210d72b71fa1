#pragma once
// In which order the heads of a grid stand.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/views/study_facts.h"

namespace plastiscope {

// Layers: each head at its own place. Value: the heads of each layer from the lowest to the highest value of
// the grid's metric. Similar: heads that are alike beside each other, in reading order.
enum class HeadOrder { Layers, Value, Similar };
constexpr std::array<const char*, 3> namesOf(HeadOrder) {
  return {"layers", "value", "similar"};
}

// What a cell of the grid stands for: a head, the mean of the heads that share one key head, the mean of a
// layer.
enum class HeadShow { Heads, KeyGroups, Layers };
constexpr std::array<const char*, 3> namesOf(HeadShow) {
  return {"heads", "kv-groups", "layers"};
}

// What makes heads alike, as it is told: the columns of heads.csv that are compared.
std::string similarityText();

// Heads in the order of the leaves of Ward's clustering of what similarityText() names, each number as its
// rank among the heads; of two branches that of the lower plasticity comes first. A missing number counts as
// the middle one.
std::vector<HeadName> headsBySimilarity(const AnalysisFile& analysis,
                                        ApKind plasticity = ApKind::Binned);

}  // namespace plastiscope
