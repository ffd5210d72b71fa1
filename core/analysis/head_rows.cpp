#include "core/analysis/head_rows.h"

#include <algorithm>
#include <cmath>

namespace plastiscope {

KindRows finiteRows(const RawRows& raw, std::vector<DroppedRow>& dropped) {
  const auto dim = static_cast<std::size_t>(raw.headDim);
  std::vector<std::size_t> kept;
  kept.reserve(raw.position.size());
  for (std::size_t row = 0; row < raw.position.size(); ++row) {
    const auto vector = raw.vectors.subspan(row * dim, dim);
    if (std::all_of(vector.begin(), vector.end(), [](float value) { return std::isfinite(value); })) {
      kept.push_back(row);
    } else {
      dropped.push_back({raw.example[row], raw.position[row]});
    }
  }
  KindRows rows;
  rows.vectors.resize(static_cast<Eigen::Index>(kept.size()), raw.headDim);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto vector = raw.vectors.subspan(kept[i] * dim, dim);
    std::copy(vector.begin(), vector.end(), rows.vectors.row(static_cast<Eigen::Index>(i)).data());
    rows.position.push_back(raw.position[kept[i]]);
    rows.example.push_back(raw.example[kept[i]]);
  }
  return rows;
}

}  // namespace plastiscope
