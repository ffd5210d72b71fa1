#include "core/analysis/orientation.h"

#include <map>

namespace plastiscope {

Vector legacySigns(const KindRows& keys, const BinGrid& captureBuckets, std::span<const std::int32_t> times) {
  struct Bucket {
    double rows = 0;
    Eigen::RowVectorXd sum;
  };
  std::map<std::int64_t, Bucket> buckets;
  for (Eigen::Index i = 0; i < keys.rows(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    const double weight = times.empty() ? 1 : times[row];
    if (weight == 0) continue;
    Bucket& bucket = buckets[captureBuckets.binOf(keys.position[row])];
    if (bucket.rows == 0) bucket.sum = Eigen::RowVectorXd::Zero(keys.headDim());
    bucket.rows += weight;
    bucket.sum += weight * keys.vectors.row(i);
  }
  Eigen::RowVectorXd total = Eigen::RowVectorXd::Zero(keys.headDim());
  for (const auto& [number, bucket] : buckets) total += bucket.sum / bucket.rows;
  return total.unaryExpr([](double mean) { return mean < 0 ? -1.0 : 1.0; }).transpose();
}

KindRows turned(const KindRows& rows, const Vector& signs) {
  return {rows.vectors * signs.asDiagonal(), rows.position, rows.example};
}

}  // namespace plastiscope
