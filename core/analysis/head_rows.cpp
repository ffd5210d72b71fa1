#include "core/analysis/head_rows.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/analysis/pair_enumeration.h"
#include "core/analysis/row_kernels.h"

namespace plastiscope {

VectorRows rowsAt(const VectorRows& rows, std::span<const std::int64_t> which) {
  VectorRows chosen;
  chosen.vectors.resize(which.size(), rows.headDim());
  for (std::size_t i = 0; i < which.size(); ++i) {
    const auto row = static_cast<std::size_t>(which[i]);
    chosen.vectors.row(i) = rows.vectors.row(which[i]);
    chosen.position.push_back(rows.position[row]);
    chosen.example.push_back(rows.example[row]);
  }
  return chosen;
}

VectorRows finiteRows(const RawRows& raw, std::vector<DroppedRow>& dropped) {
  const auto dim = static_cast<std::size_t>(raw.headDim);
  VectorRows rows;
  rows.vectors.resize(raw.position.size(), raw.headDim);
  rows.position.reserve(raw.position.size());
  rows.example.reserve(raw.position.size());
  for (std::size_t row = 0; row < raw.position.size(); ++row) {
    double* place = rows.vectors.row(rows.position.size()).data();
    if (widenRow(raw.vectors.subspan(row * dim, dim).data(), raw.headDim, place)) {
      rows.position.push_back(raw.position[row]);
      rows.example.push_back(raw.example[row]);
    } else {
      dropped.push_back({raw.example[row], raw.position[row]});
    }
  }
  rows.vectors.conservativeResize(static_cast<Eigen::Index>(rows.position.size()), raw.headDim);
  return rows;
}

VectorRows withoutRepeats(VectorRows rows, std::int64_t& left) {
  const auto place = [&](std::int64_t i) {
    const auto row = static_cast<std::size_t>(i);
    return std::tuple(rows.example[row], rows.position[row]);
  };
  left = 0;
  bool ascending = true;  // usual order, without repeats
  for (std::int64_t i = 1; i < rows.rows() && ascending; ++i) ascending = place(i - 1) < place(i);
  if (ascending) return rows;
  std::vector<std::int64_t> order = orderKeys(rows).row;
  left = rows.rows() - std::ssize(order);
  if (left == 0) return rows;
  std::sort(order.begin(), order.end());
  return rowsAt(rows, order);
}

VectorRows subsampledRows(VectorRows rows, const RowDraw& draw) {
  if (draw.most == 0 || rows.rows() <= draw.most) return rows;
  const std::uint64_t state =
      pairGeneratorState(draw.seed, draw.layer, draw.head, static_cast<std::int64_t>(seedOf(draw.kind)));
  return rowsAt(rows, sampleRanks(rows.rows(), draw.most, state));
}

}  // namespace plastiscope
