#include "core/analysis/diagnostics.h"

#include <cmath>

#include "core/analysis/order_statistics.h"
#include "core/analysis/shape.h"

namespace plastiscope {

namespace {

std::span<const double> spanOf(const Vector& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

double meanSize(const Vector& values) {
  const Vector sizes = values.cwiseAbs();
  return sumOf(spanOf(sizes)) / static_cast<double>(values.size());
}

}  // namespace

void addShapes(Diagnostics& diagnostics, const KindRows& query, const QueryModel& model) {
  if (!model.present) return;
  const Matrix reflected = model.reflected(query.vectors);
  Vector residual = reflected.col(0);
  const double level = residual.mean();
  for (Eigen::Index i = 0; i < residual.size(); ++i) {
    const auto t = static_cast<double>(query.position[static_cast<std::size_t>(i)]);
    residual[i] -= model.alphaPosition + model.betaPosition * t;
  }
  const Shape drift = shapeOf(spanOf(residual), level);
  diagnostics.skewness = drift.skewness;
  diagnostics.excessKurtosis = drift.excessKurtosis;
  std::vector<double> skewness, kurtosis;
  const std::vector<Shape> shapes = columnShapes(reflected);
  for (std::size_t c = 1; c < shapes.size(); ++c) {
    const Shape& shape = shapes[c];
    skewness.push_back(std::abs(shape.skewness));
    kurtosis.push_back(std::abs(shape.excessKurtosis));
  }
  diagnostics.contentSkewness = medianOfPresent(skewness);
  diagnostics.contentKurtosis = medianOfPresent(kurtosis);
}

ScalarPredictability scalarPredictability(const KindRows& query, const QueryModel& model) {
  ScalarPredictability result;
  if (!model.present || model.betaPosition == 0) return result;  // no direction to project on
  const Vector s = query.vectors * (model.beta / model.betaNorm);
  Vector octave(s.size());
  for (Eigen::Index i = 0; i < s.size(); ++i)
    octave[i] = std::log2(static_cast<double>(query.position[static_cast<std::size_t>(i)]) + 1);
  const LineStats line = lineStats(spanOf(octave), spanOf(s));  // octave as a line over s
  const double r = line.pearson();
  if (std::isnan(r)) return result;
  result.r2 = r * r;
  const Vector deviation = octave.array() - line.mean;
  result.meanError = meanSize(deviation);
  result.error = meanSize(deviation - Vector(line.slope() * (s.array() - line.meanT)));
  if (result.meanError > 0) result.ratio = result.error / result.meanError;
  return result;
}

}  // namespace plastiscope
