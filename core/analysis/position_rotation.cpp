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

RotationSteps::RotationSteps(const PositionRotation& rotation, const VectorRows& rows) : m_rotation(rotation) {
  const std::size_t pairs = rotation.frequenciesOf(0).size();
  m_cosine.reserve(rows.position.size() * pairs);
  m_sine.reserve(rows.position.size() * pairs);
  for (std::size_t row = 0; row < rows.position.size(); ++row)
    add(rows.example[row], static_cast<double>(rows.position[row]));
}

void RotationSteps::add(std::int64_t text, double tokens) {
  for (const double frequency : m_rotation.frequenciesOf(text)) {
    m_cosine.push_back(std::cos(frequency * tokens));
    m_sine.push_back(std::sin(frequency * tokens));
  }
}

void RotationSteps::clear() {
  m_cosine.clear();
  m_sine.clear();
}

void RotationSteps::turn(std::size_t step, double* row, double direction) const {
  const std::size_t pairs = m_rotation.frequenciesOf(0).size();
  const double *const cosine = m_cosine.data() + step * pairs, *const sine = m_sine.data() + step * pairs;
  const std::size_t stride = m_rotation.interleaved ? 2 : 1, apart = m_rotation.interleaved ? 1 : pairs;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    double &first = row[stride * pair], &second = row[stride * pair + apart];
    const double x = first, s = direction * sine[pair];
    first = x * cosine[pair] - second * s;
    second = second * cosine[pair] + x * s;
  }
}

Matrix unrotatedRows(const VectorRows& rows, const RotationSteps& steps) {
  Matrix moved = rows.vectors;
  for (Eigen::Index i = 0; i < moved.rows(); ++i) steps.undo(static_cast<std::size_t>(i), moved.row(i).data());
  return moved;
}

}  // namespace plastiscope
