// planes.csv: complement planes and how they turn with position; slopes.csv: the bias seen by single queries
// (method.md section 3).
#include <cmath>

#include "core/analysis/tables/head_table.h"
#include "core/analysis/tables/rope_pair.h"
#include "core/analysis/tables/table_list.h"

namespace plastiscope {

namespace {

std::string activeText(double r2, double threshold) {
  return std::isnan(r2) ? "" : r2 >= threshold ? "true" : "false";
}

// 0, the quarters and the last position of the window, each once.
Integers slopePositions(std::int64_t window) {
  Integers positions;
  for (const std::int64_t t : {std::int64_t{0}, window / 4, window / 2, 3 * window / 4, window - 1}) {
    if (positions.empty() || t > positions.back()) positions.push_back(t);
  }
  return positions;
}

}  // namespace

double nearestRopePair(const TableContext& context, std::int64_t layer, double omega) {
  const auto rope = context.rope.find(layer);
  if (rope == context.rope.end() || std::isnan(omega)) return kMissing;
  const std::vector<double>& frequencies = rope->second.frequencies;
  double nearest = kMissing, least = 0;
  for (std::size_t pair = 0; pair < frequencies.size(); ++pair) {
    const double distance = std::abs(frequencies[pair] - std::abs(omega));
    if (pair > 0 && distance >= least) continue;
    nearest = static_cast<double>(pair);
    least = distance;
  }
  return nearest;
}

Table planesTable(const TableInput& input) {
  HeadTable table("planes");
  Integers number;
  Numbers share, omega, r2, pair;
  Texts active;
  for (const HeadResult& head : input.heads) {
    std::int64_t plane = 0;
    for (const PlaneResult& result : head.extras.planes) {
      table.startRow(head);
      number.push_back(plane++);
      share.push_back(result.varianceShare);
      omega.push_back(result.turning.omega);
      r2.push_back(result.turning.r2);
      pair.push_back(nearestRopePair(input.context, head.place.layer, result.turning.omega));
      active.push_back(activeText(result.turning.r2, input.context.settings.activeOmegaR2));
    }
  }
  return table.finish({{"plane", number},
                       {"variance_share", share},
                       {"omega", omega},
                       {"omega_r2", r2},
                       {"rope_pair", pair},
                       {"active", active}});
}

Table slopesTable(const TableInput& input) {
  HeadTable table("slopes");
  Integers position;
  Numbers slope;
  for (const HeadResult& head : input.heads) {
    const RotationResult& r = head.rotation;
    for (const std::int64_t t : slopePositions(head.window)) {
      table.startRow(head);
      position.push_back(t);
      slope.push_back((r.interceptQuery + r.alphaQuery * static_cast<double>(t)) * r.alphaKey);
    }
  }
  return table.finish({{"position", position}, {"slope", slope}});
}

}  // namespace plastiscope
