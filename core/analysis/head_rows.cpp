#include "core/analysis/head_rows.h"

#include <algorithm>
#include <bit>

namespace plastiscope {

namespace {

// A number is finite when not all bits of its exponent are set; told without a branch a number.
bool allFinite(std::span<const float> vector) {
  constexpr std::uint32_t kExponent = 0x7F800000;
  std::uint32_t found = 0;
  for (const float value : vector)
    found |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(value) & kExponent) == kExponent);
  return found == 0;
}

}  // namespace

KindRows finiteRows(const RawRows& raw, std::vector<DroppedRow>& dropped) {
  const auto dim = static_cast<std::size_t>(raw.headDim);
  std::vector<std::size_t> kept;
  kept.reserve(raw.position.size());
  for (std::size_t row = 0; row < raw.position.size(); ++row) {
    if (allFinite(raw.vectors.subspan(row * dim, dim))) {
      kept.push_back(row);
    } else {
      dropped.push_back({raw.example[row], raw.position[row]});
    }
  }
  KindRows rows;
  rows.vectors.resize(static_cast<Eigen::Index>(kept.size()), raw.headDim);
  rows.position.reserve(kept.size());
  rows.example.reserve(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto vector = raw.vectors.subspan(kept[i] * dim, dim);
    std::copy(vector.begin(), vector.end(), rows.vectors.row(static_cast<Eigen::Index>(i)).data());
    rows.position.push_back(raw.position[kept[i]]);
    rows.example.push_back(raw.example[kept[i]]);
  }
  return rows;
}

}  // namespace plastiscope
