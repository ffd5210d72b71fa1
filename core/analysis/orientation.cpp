#include "core/analysis/orientation.h"

#include <map>

namespace plastiscope {

Vector legacySigns(const KindRows& keys, const BinGrid& captureBuckets) {
  struct Bucket {
    double rows = 0;
    Eigen::RowVectorXd sum;
  };
  std::map<std::int64_t, Bucket> buckets;
  for (Eigen::Index i = 0; i < keys.rows(); ++i) {
    Bucket& bucket = buckets[captureBuckets.binOf(keys.position[static_cast<std::size_t>(i)])];
    if (bucket.rows == 0) bucket.sum = Eigen::RowVectorXd::Zero(keys.headDim());
    bucket.rows += 1;
    bucket.sum += keys.vectors.row(i);
  }
  Eigen::RowVectorXd total = Eigen::RowVectorXd::Zero(keys.headDim());
  for (const auto& [number, bucket] : buckets) total += bucket.sum / bucket.rows;
  return total.unaryExpr([](double mean) { return mean < 0 ? -1.0 : 1.0; }).transpose();
}

KindRows turned(const KindRows& rows, const Vector& signs) {
  return {rows.vectors * signs.asDiagonal(), rows.position, rows.example};
}

}  // namespace plastiscope
