#pragma once
// Heads in groups: by layer, depth, kind of layer, class, key head (method.md section 6).
#include <string>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

// Rows of heads.csv that belong together, under one name.
struct HeadsGroup {
  std::string name;
  std::int64_t number = 0;  // the name, where it is a number
  std::vector<std::size_t> rows;
};

// In ascending order of the number.
std::vector<HeadsGroup> groupsByNumber(const std::vector<std::int64_t>& numberOfRow);
// In order of first appearance.
std::vector<HeadsGroup> groupsByName(const std::vector<std::string>& nameOfRow);

// min(9, floor(10 layer / (layers - 1))); 0 for a model of one layer.
std::int64_t depthDecile(std::int64_t layer, std::int64_t layers);

// Appends for every measured column (real numbers) of the heads table its mean over each group, beside it
// COLUMN_heads, how many heads had a value, and where its tail is heavy its median.
void addGroupMeans(Table& table, const Table& heads, const std::vector<HeadsGroup>& groups);

// One-way analysis of variance of a value over groups: how much of its variance lies between them.
struct GroupVariance {
  std::int64_t groups = 0, heads = 0;  // groups with at least two heads that have the value, and those heads
  double within = 0, between = 0;      // variance components; between may come out below 0
  double intraclass = 0;               // ICC(1)
};
GroupVariance groupVariance(const std::vector<double>& values, const std::vector<HeadsGroup>& groups);

}  // namespace plastiscope
