#include "core/analysis/planes.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <unsupported/Eigen/FFT>

#include "core/analysis/pca.h"
#include "core/base/parsed_number.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kAutoPoints = std::int64_t{1} << 17;
constexpr double kTie = 1 + 1e-10;  // a later peak must exceed rounding

std::int64_t powerOfTwoFrom(std::int64_t least) {
  std::int64_t power = 1;
  while (power < least) power *= 2;
  return power;
}

// Centred coordinates of the queries, then of the keys.
Vector along(const VectorRows& query, const VectorRows& key, const Complement& complement,
             Eigen::Index column) {
  const Vector direction = complement.directions.col(column);
  Vector x(query.rows() + key.rows());
  x << centredAlong(query, complement.mean, direction), centredAlong(key, complement.mean, direction);
  return x;
}

}  // namespace

Matrix perpendicularBasis(const Matrix& axes) {
  const Eigen::Index dim = axes.rows();
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(axes);
  const Eigen::MatrixXd whole = qr.householderQ() * Eigen::MatrixXd::Identity(dim, dim);
  return whole.rightCols(dim - axes.cols());
}

Complement complementOf(const Moments& pool, const Vector& a, const Vector& b) {
  if (a.size() <= 2) return {};
  Matrix axes(a.size(), 2);
  axes << a, b;
  const Matrix basis = perpendicularBasis(axes);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(basis.transpose() * pool.covariance * basis);
  Complement complement{(basis * solver.eigenvectors()).rowwise().reverse(), solver.eigenvalues().reverse(),
                        pool.mean, pool.trace()};
  for (Eigen::Index i = 0; i < complement.directions.cols(); ++i)
    complement.directions.col(i) *= largestCoordinateSign(complement.directions.col(i));
  return complement;
}

std::int64_t Periodogram::transformLength(std::int64_t window) {
  return 4 * powerOfTwoFrom(window);
}

Periodogram::Periodogram(const std::vector<std::int64_t>& positions, std::int64_t window)
    : m_quarter(powerOfTwoFrom(window)), m_rows(static_cast<double>(positions.size())), m_place(positions) {
  std::sort(m_place.begin(), m_place.end());
  m_place.erase(std::unique(m_place.begin(), m_place.end()), m_place.end());
  for (const std::int64_t t : positions) {
    m_placeOfRow.push_back(
        static_cast<std::size_t>(std::lower_bound(m_place.begin(), m_place.end(), t) - m_place.begin()));
  }
  const double step = -2 * std::numbers::pi / static_cast<double>(4 * m_quarter);
  for (const std::int64_t t : m_place) m_shift.push_back(std::polar(1.0, step * static_cast<double>(t)));
}

RotationFrequency Periodogram::strongest(const Vector& x, const Vector& y) {
  std::vector<std::complex<double>> sums(m_place.size());
  for (std::size_t row = 0; row < m_placeOfRow.size(); ++row) {
    const auto i = static_cast<Eigen::Index>(row);
    const double length = std::hypot(x[i], y[i]);
    sums[m_placeOfRow[row]] += length > 0 ? std::complex(x[i] / length, y[i] / length) : 1.0;
  }
  Eigen::FFT<double> fft;
  m_transform.resize(m_quarter);
  std::vector<double> power(static_cast<std::size_t>(4 * m_quarter));
  for (std::int64_t r = 0; r < 4; ++r) {
    m_signal.assign(m_quarter, 0);
    for (std::size_t i = 0; i < m_place.size(); ++i) {
      m_signal[m_place[i]] = sums[i];
      sums[i] *= m_shift[i];
    }
    if (m_quarter == 1) {
      m_transform = m_signal;  // the library has no plan for one point
    } else {
      fft.fwd(m_transform.data(), m_signal.data(), m_quarter);
    }
    for (std::size_t j = 0; j < m_transform.size(); ++j)
      power[4 * j + static_cast<std::size_t>(r)] = std::norm(m_transform[j]);
  }
  std::size_t best = 0;
  for (std::size_t k = 1; k < power.size(); ++k) {
    if (power[k] > power[best] * kTie) best = k;
  }
  const auto k = static_cast<double>(best), length = static_cast<double>(power.size());
  const double turns = 2 * best <= power.size() ? k / length : k / length - 1;
  return {2 * std::numbers::pi * turns, std::min(1.0, power[best] / (m_rows * m_rows))};
}

std::vector<PlaneResult> planesOf(const Complement& complement, const VectorRows& query,
                                  const VectorRows& key, std::int64_t wanted, Periodogram& search) {
  std::vector<PlaneResult> planes;
  const std::int64_t count = std::min<std::int64_t>(wanted, complement.variances.size() / 2);
  const double total = complement.variances.sum(), noise = complement.noise();
  for (std::int64_t plane = 0; plane < count; ++plane) {
    const Eigen::Index first = 2 * plane, second = first + 1;
    PlaneResult result;
    if (total > noise) {
      const double own =
          std::max(0.0, complement.variances[first]) + std::max(0.0, complement.variances[second]);
      result.varianceShare = own / total;
    }
    if (complement.variances[second] > noise) {
      result.rotation =
          search.strongest(along(query, key, complement, first), along(query, key, complement, second));
    }
    planes.push_back(result);
  }
  return planes;
}

std::int64_t wantedPlanes(const std::string& setting, std::int64_t window) {
  if (setting == "all") return std::numeric_limits<std::int64_t>::max();
  if (setting == "auto") return kAutoPoints / Periodogram::transformLength(window);
  return parsedNumber<std::int64_t>(setting).value_or(0);
}

}  // namespace plastiscope
