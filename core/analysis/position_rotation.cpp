#include "core/analysis/position_rotation.h"

#include <cmath>

namespace plastiscope {

double PositionRotation::temperature(double position) const {
  if (temperatureBeta == 0) return 1;
  return 1 + temperatureBeta * std::log(1 + std::floor((position + temperatureOffset) / temperatureLength));
}

std::span<const double> PositionRotation::frequenciesOf(std::int64_t text) const {
  if (frequencies.empty()) return {};
  return frequencies.size() == 1 ? frequencies.front() : frequencies.at(static_cast<std::size_t>(text));
}

RotationStep::RotationStep(const PositionRotation& rotation, std::int64_t text, double tokens)
    : m_interleaved(rotation.interleaved) {
  for (const double frequency : rotation.frequenciesOf(text)) {
    m_cosine.push_back(std::cos(frequency * tokens));
    m_sine.push_back(std::sin(frequency * tokens));
  }
}

void RotationStep::turn(double* row, double direction) const {
  const std::size_t pairs = m_cosine.size();
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    double& first = row[m_interleaved ? 2 * pair : pair];
    double& second = row[m_interleaved ? 2 * pair + 1 : pair + pairs];
    const double x = first, sine = direction * m_sine[pair];
    first = x * m_cosine[pair] - second * sine;
    second = second * m_cosine[pair] + x * sine;
  }
}

std::vector<RotationStep> stepsTo(const VectorRows& rows, const PositionRotation& rotation) {
  std::vector<RotationStep> steps;
  steps.reserve(rows.position.size());
  for (std::size_t row = 0; row < rows.position.size(); ++row)
    steps.emplace_back(rotation, rows.example[row], static_cast<double>(rows.position[row]));
  return steps;
}

Matrix unrotatedRows(const VectorRows& rows, const std::vector<RotationStep>& steps) {
  Matrix moved = rows.vectors;
  for (Eigen::Index i = 0; i < moved.rows(); ++i) steps[static_cast<std::size_t>(i)].undo(moved.row(i).data());
  return moved;
}

}  // namespace plastiscope
