#pragma once
// Groups heads by layer, depth, kind of layer, class and key head (method.md, Summaries over heads).
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

// Rows of heads.csv in one named group.
struct HeadsGroup {
  std::string name;
  std::int64_t number = 0;  // the name, if it is a number
  std::vector<std::size_t> rows;
};

// In ascending order of the number.
std::vector<HeadsGroup> groupsByNumber(const std::vector<std::int64_t>& numberOfRow);
// In order of first appearance.
std::vector<HeadsGroup> groupsByName(const std::vector<std::string>& nameOfRow);

// min(9, floor(10 layer / (layers - 1))); 0 for a model of one layer.
std::int64_t depthDecile(std::int64_t layer, std::int64_t layers);

// For every measured column (real numbers) of the heads table, appends the mean over each group, the number
// of heads with a value (COLUMN_heads), and the median if the column is heavy-tailed.
void addGroupMeans(Table& table, const Table& heads, const std::vector<HeadsGroup>& groups);

// Columns of heads.csv whose heads are counted by sign in the table model; with intervals also by interval:
// heads whose interval lies above or below 0.
inline constexpr const char* kSignedColumns[] = {"bias_strength", "r_q", "r_k", "ap_drop", "ap_aligned_drop"};
void addSignCounts(Table& model, const Table& heads, bool byInterval);

// Heads of heads.csv that share a key head, in order of layer and key head.
struct KeyGroup {
  std::int64_t layer = 0, kvHead = 0;
  HeadsGroup heads;
};
std::vector<KeyGroup> keyGroups(const Table& heads);

// Analysis of variance over key groups: the share of a value's variance between them. Within layers: groups
// nested in layers, so that only deviations from the layer's mean count, with G - layers degrees of freedom
// between groups.
struct GroupVariance {
  std::int64_t groups = 0, heads = 0;  // groups with at least two heads that have a value, and their heads
  double within = 0, between = 0;      // variance components; between may be negative
  double intraclass = 0;               // ICC(1)
};
GroupVariance groupVariance(const std::vector<double>& values, const std::vector<KeyGroup>& groups,
                            bool withinLayers = false);

// Permutation p: the share of exchanges of heads among the key groups of their layer in which groups differ
// at least as much. Uses every exchange if there are at most 10,000, else as many random ones and the
// observed one. Missing if no layer has two groups with two heads each.
double exchangeP(const std::vector<double>& values, const std::vector<KeyGroup>& groups, std::uint64_t seed);

}  // namespace plastiscope
