#include "core/analysis/head_rows.h"

#include "core/analysis/row_kernels.h"

namespace plastiscope {

KindRows finiteRows(const RawRows& raw, std::vector<DroppedRow>& dropped) {
  const auto dim = static_cast<std::size_t>(raw.headDim);
  KindRows rows;
  rows.vectors.resize(static_cast<Eigen::Index>(raw.position.size()), raw.headDim);
  rows.position.reserve(raw.position.size());
  rows.example.reserve(raw.position.size());
  for (std::size_t row = 0; row < raw.position.size(); ++row) {
    double* place = rows.vectors.row(static_cast<Eigen::Index>(rows.position.size())).data();
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

}  // namespace plastiscope
