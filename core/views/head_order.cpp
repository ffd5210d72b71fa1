#include "core/views/head_order.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/joined.h"
#include "core/views/metric_info.h"
#include "core/views/ward_clustering.h"

namespace plastiscope {

namespace {

// The first five measure plasticity.
constexpr std::array kCompared = {"ap_quintile_1", "ap_quintile_2", "ap_quintile_3",
                                  "ap_quintile_4", "ap_quintile_5", "bias_window",
                                  "r_q_a",         "r_k_a",         "separation_strength"};
constexpr std::size_t kPlasticities = 5;

// 0 for the lowest to 1 for the highest; equal values get the mean of their ranks.
std::vector<double> ranksOf(const Table& heads, const std::string& column) {
  std::vector<double> values, sorted;
  for (std::size_t row = 0; row < heads.rows(); ++row) {
    values.push_back(numberAt(heads, column, row));
    if (std::isfinite(values.back())) sorted.push_back(values.back());
  }
  std::ranges::sort(sorted);
  const auto last = static_cast<double>(std::max<std::size_t>(2, sorted.size()) - 1);
  for (double& value : values) {
    const auto [first, end] = std::ranges::equal_range(sorted, value);
    const double middle = static_cast<double>((first - sorted.begin()) + (end - sorted.begin()) - 1) / 2;
    value = std::isfinite(value) && sorted.size() > 1 ? middle / last : 0.5;
  }
  return values;
}

}  // namespace

std::string similarityText() {
  return "AP in the five quintiles, " + describeMetric("bias_window").label + ", " +
         describeMetric("r_q_a").label + ", " + describeMetric("r_k_a").label + " and " +
         describeMetric("separation_strength").label;
}

std::vector<HeadName> headsBySimilarity(const AnalysisFile& analysis, ApKind plasticity) {
  const Table& table = requiredTable(analysis, "heads");
  const std::size_t count = table.rows(), dimensions = kCompared.size();
  std::vector<double> points(count * dimensions);
  for (std::size_t k = 0; k < dimensions; ++k) {
    const std::vector<double> ranks = ranksOf(table, columnAs(plasticity, kCompared.at(k)));
    for (std::size_t i = 0; i < count; ++i) points[i * dimensions + k] = ranks[i];
  }
  const std::vector<ClusterMerge> merges = wardClustering(points, dimensions);
  struct Branch {
    double plasticity = 0, heads = 0;
    double mean() const { return plasticity / heads; }
  };
  std::vector<Branch> branches;
  for (std::size_t i = 0; i < count; ++i) {
    Branch leaf{0, 1};
    for (std::size_t k = 0; k < kPlasticities; ++k) leaf.plasticity += points[i * dimensions + k];
    branches.push_back(leaf);
  }
  for (const ClusterMerge& merge : merges) {
    const Branch &a = branches[merge.first], &b = branches[merge.second];
    branches.push_back({a.plasticity + b.plasticity, a.heads + b.heads});
  }
  const std::vector<HeadName> names = headsOf(analysis);
  std::vector<HeadName> order;
  std::vector<std::size_t> open;
  if (count > 0) open.push_back(branches.size() - 1);
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    if (node < count) {
      order.push_back(names[node]);
      continue;
    }
    auto [first, second] = std::pair(merges[node - count].first, merges[node - count].second);
    if (branches[second].mean() < branches[first].mean()) std::swap(first, second);
    open.push_back(second);
    open.push_back(first);
  }
  return order;
}

}  // namespace plastiscope
