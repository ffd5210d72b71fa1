#include "core/views/head_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/base/joined.h"
#include "core/views/metric_info.h"

namespace plastiscope {

namespace {

class WardTree {
 public:
  WardTree(std::span<const double> points, std::size_t dimensions)
      : m_dimensions(dimensions),
        m_centres(points.begin(), points.end()),
        m_count(points.size() / dimensions) {
    for (std::size_t i = 0; i < m_count; ++i) m_active.push_back({i, i, 1});
  }

  std::vector<ClusterMerge> grow() {
    std::vector<std::size_t> chain;  // indices into m_active
    while (m_active.size() > 1) {
      if (chain.empty()) chain.push_back(0);
      const std::size_t last = chain.back();
      const std::optional<std::size_t> before =
          chain.size() > 1 ? std::optional(chain[chain.size() - 2]) : std::nullopt;
      const auto [nearest, distance] = nearestTo(last, before);
      if (nearest != before) {
        chain.push_back(nearest);
        continue;
      }
      chain.resize(chain.size() - 2);
      merge(nearest, last, distance, chain);
    }
    return std::move(m_merges);
  }

 private:
  struct Cluster {
    std::size_t node, place;  // place: index of its centre
    double size;
  };

  double distance(const Cluster& a, const Cluster& b) const {
    double squares = 0;
    for (std::size_t k = 0; k < m_dimensions; ++k) {
      const double step = m_centres[a.place * m_dimensions + k] - m_centres[b.place * m_dimensions + k];
      squares += step * step;
    }
    return a.size * b.size / (a.size + b.size) * squares;
  }

  // Prefers `before` among equally near clusters, so that chains end.
  std::pair<std::size_t, double> nearestTo(std::size_t cluster, std::optional<std::size_t> before) const {
    std::size_t nearest = before.value_or(0);
    double least =
        before ? distance(m_active[cluster], m_active[*before]) : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < m_active.size(); ++i) {
      if (i == cluster) continue;
      const double here = distance(m_active[cluster], m_active[i]);
      if (here < least) {
        least = here;
        nearest = i;
      }
    }
    return {nearest, least};
  }

  // The merged cluster takes the index of the first; the last of the list takes that of the second.
  void merge(std::size_t one, std::size_t other, double distance, std::vector<std::size_t>& chain) {
    const std::size_t kept = std::min(one, other), gone = std::max(one, other);
    Cluster& into = m_active[kept];
    const Cluster& from = m_active[gone];
    m_merges.push_back(
        {std::min(into.node, from.node), std::max(into.node, from.node), std::sqrt(2 * distance)});
    const double size = into.size + from.size;
    for (std::size_t k = 0; k < m_dimensions; ++k) {
      double& centre = m_centres[into.place * m_dimensions + k];
      centre = (into.size * centre + from.size * m_centres[from.place * m_dimensions + k]) / size;
    }
    into.size = size;
    into.node = m_count + m_merges.size() - 1;
    const std::size_t moved = m_active.size() - 1;
    m_active[gone] = m_active[moved];
    m_active.pop_back();
    for (std::size_t& place : chain) {
      if (place == moved) place = gone;
    }
  }

  std::size_t m_dimensions;
  std::vector<double> m_centres;
  std::size_t m_count;
  std::vector<Cluster> m_active;
  std::vector<ClusterMerge> m_merges;
};

}  // namespace

std::vector<ClusterMerge> wardClustering(std::span<const double> points, std::size_t dimensions) {
  if (dimensions == 0 || points.size() < 2 * dimensions) return {};
  return WardTree(points, dimensions).grow();
}

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
