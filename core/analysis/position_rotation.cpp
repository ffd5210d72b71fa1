#include "core/analysis/position_rotation.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace plastiscope {

namespace {

template <std::size_t Stride>
void turnPairs(const double* row, std::size_t apart, std::span<const double> cosine, const double* sine,
               double direction, double* __restrict moved) {
  double* __restrict const second = moved + apart;
  for (std::size_t pair = 0; pair < cosine.size(); ++pair) {
    const double x = row[Stride * pair], y = row[Stride * pair + apart], s = direction * sine[pair];
    moved[Stride * pair] = x * cosine[pair] - y * s;
    second[Stride * pair] = y * cosine[pair] + x * s;
  }
}

}  // namespace

double PositionRotation::temperature(double position) const {
  if (temperatureBeta == 0) return 1;
  return 1 + temperatureBeta * std::log(1 + std::floor((position + temperatureOffset) / temperatureLength));
}

std::span<const double> PositionRotation::frequenciesOf(std::int64_t text) const {
  if (frequencies.empty()) return {};
  return frequencies.size() == 1 ? frequencies.front() : frequencies.at(text);
}

RotationSteps::RotationSteps(const PositionRotation& rotation, const VectorRows& rows)
    : m_rotation(rotation) {
  // Combines position fine a + b from the steps fine a and b, of which there are few.
  std::int64_t fineSteps = 64;
  for (const std::int64_t position : rows.position)
    while (fineSteps * fineSteps < position) fineSteps *= 2;
  const std::size_t pairs = rotation.frequenciesOf(0).size();
  m_cosine.reserve(rows.position.size() * pairs);
  m_sine.reserve(rows.position.size() * pairs);
  if (rotation.frequencies.size() != 1) {
    for (std::size_t row = 0; row < rows.position.size(); ++row)
      add(rows.example[row], static_cast<double>(rows.position[row]));
    return;
  }
  RotationSteps fine(rotation), coarse(rotation);
  for (std::int64_t b = 0; b < fineSteps; ++b) fine.add(0, static_cast<double>(b));
  std::map<std::int64_t, std::size_t> known;  // a -> its step in `coarse`
  for (const std::int64_t position : rows.position) {
    const auto [place, fresh] = known.try_emplace(position / fineSteps, known.size());
    if (fresh) coarse.add(0, static_cast<double>(position / fineSteps * fineSteps));
    const std::size_t a = place->second * pairs, b = static_cast<std::size_t>(position % fineSteps) * pairs;
    const std::size_t out = m_cosine.size();
    m_cosine.resize(out + pairs);
    m_sine.resize(out + pairs);
    const double *const ca = coarse.m_cosine.data() + a, *const sa = coarse.m_sine.data() + a;
    const double *const cb = fine.m_cosine.data() + b, *const sb = fine.m_sine.data() + b;
    double* __restrict const cosine = m_cosine.data() + out, * __restrict const sine = m_sine.data() + out;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      cosine[pair] = ca[pair] * cb[pair] - sa[pair] * sb[pair];
      sine[pair] = sa[pair] * cb[pair] + ca[pair] * sb[pair];
    }
  }
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

void RotationSteps::turn(std::size_t step, const RowView& x, double direction, double* moved) const {
  const std::size_t pairs = m_rotation.frequenciesOf(0).size();
  const double *const cosine = m_cosine.data() + step * pairs, *const sine = m_sine.data() + step * pairs;
  const double* const row = x.data() + m_rotation.first;
  if (m_rotation.interleaved) {
    turnPairs<2>(row, 1, {cosine, pairs}, sine, direction, moved + m_rotation.first);
  } else {
    turnPairs<1>(row, pairs, {cosine, pairs}, sine, direction, moved + m_rotation.first);
  }
  const std::size_t end = static_cast<std::size_t>(m_rotation.first) + 2 * pairs;
  std::copy(x.data(), row, moved);
  std::copy(x.data() + end, x.data() + x.size(), moved + end);
}

Matrix unrotatedRows(const VectorRows& rows, const RotationSteps& steps) {
  Matrix moved(rows.vectors.rows(), rows.vectors.cols());
  for (Eigen::Index i = 0; i < moved.rows(); ++i)
    steps.undo(static_cast<std::size_t>(i), rows.vectors.row(i), moved.row(i).data());
  return moved;
}

}  // namespace plastiscope
