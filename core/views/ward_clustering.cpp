#include "core/views/ward_clustering.h"

#include <cmath>
#include <limits>
#include <optional>

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

}  // namespace plastiscope
