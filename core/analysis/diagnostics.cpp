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

// Positions of the queries in the order of their coordinates.
Vector positionsOf(const KindRows& query, const ReflectedHead& reflected) {
  const auto rows = reflected.queries.allRows();
  Vector positions(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    positions[static_cast<Eigen::Index>(i)] =
        static_cast<double>(query.position[static_cast<std::size_t>(rows[i])]);
  return positions;
}

}  // namespace

void addShapes(Diagnostics& diagnostics, const KindRows& query, const ReflectedHead& reflected,
               const QueryModel& model) {
  const QueryContent& content = reflected.content;
  const Vector expected = model.alphaPosition + model.betaPosition * positionsOf(query, reflected).array();
  const Vector residual = content.drift - expected;
  const Shape drift = shapeOf(spanOf(residual), content.mean[0]);
  diagnostics.skewness = drift.skewness;
  diagnostics.excessKurtosis = drift.excessKurtosis;
  std::vector<double> skewness, kurtosis;
  for (Eigen::Index c = 1; c < content.mean.size(); ++c) {
    const Shape shape = shapeOf(content.powers, c, content.mean[c]);
    skewness.push_back(std::abs(shape.skewness));
    kurtosis.push_back(std::abs(shape.excessKurtosis));
  }
  diagnostics.contentSkewness = medianOfPresent(skewness);
  diagnostics.contentKurtosis = medianOfPresent(kurtosis);
}

ScalarPredictability scalarPredictability(const KindRows& query, const ReflectedHead& reflected,
                                          const QueryModel& model) {
  ScalarPredictability result;
  if (model.betaPosition == 0) return result;  // no direction to project on
  const Vector& s = reflected.content.drift;   // the reflection takes beta / |beta| to coordinate 1
  const Vector t = positionsOf(query, reflected);
  Vector octave(s.size());
  for (Eigen::Index i = 0; i < s.size(); ++i) octave[i] = std::log2(t[i] + 1);
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
