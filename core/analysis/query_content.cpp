#include "core/analysis/query_content.h"

#include <algorithm>

#include "core/analysis/padded.h"
#include "core/analysis/row_kernels.h"

namespace plastiscope {

namespace {

// Reads bin after bin; the rows of a bin stay in the cache between the passes over them.
class ContentReader {
 public:
  ContentReader(const KindRows& query, const QueryModel& model, const BinnedQueries& binned)
      : m_query(query), m_binned(binned), m_reflector(model.reflector), m_dim(query.headDim()) {
    m_length = paddedLength(m_dim);
    m_content.mean = model.reflected(Vector(model.alpha + model.beta * model.meanT));
    m_centre = padded(m_content.mean);
    m_powers = Matrix::Zero(3, m_length);
    m_content.drift.resize(static_cast<Eigen::Index>(binned.allRows().size()));
  }
  QueryContent read(std::int64_t bins) {
    for (std::int64_t bin = 0; bin < bins; ++bin) readBin(m_binned.rowsOf(bin));
    m_content.powers = {static_cast<double>(m_content.drift.size()), m_powers.leftCols(m_dim)};
    return std::move(m_content);
  }

 private:
  void readBin(std::span<const std::int64_t> which) {
    const auto count = static_cast<std::ptrdiff_t>(which.size());
    const auto n = static_cast<double>(count);
    m_rows.resize(std::max(m_rows.size(), which.size() * static_cast<std::size_t>(m_length)));
    m_squares.resize(which.size());
    reflectRows(m_query.vectors.data(), m_dim, which, m_reflector.size() > 0 ? m_reflector.data() : nullptr,
                nullptr, m_rows.data(), m_squares.data());
    Vector mean = Vector::Zero(m_length), variance = Vector::Zero(m_length);
    addColumnSums(m_rows.data(), m_length, count, mean.data());
    if (count > 0) mean /= n;
    addColumnSquares(m_rows.data(), m_length, count, mean.data(), variance.data());
    if (count > 1) variance /= n - 1;
    addColumnPowers(m_rows.data(), m_length, count, m_centre.data(), m_powers.data());
    for (std::ptrdiff_t i = 0; i < count; ++i)
      m_content.drift[m_next++] = m_rows[static_cast<std::size_t>(i * m_length)];
    m_content.bins.push_back(
        {count, mean.head(m_dim), variance.head(m_dim), count > 0 ? sumOf(m_squares) / n : 0.0});
  }

  const KindRows& m_query;
  const BinnedQueries& m_binned;
  const Vector& m_reflector;
  Eigen::Index m_dim, m_length, m_next = 0;
  Vector m_centre;
  Matrix m_powers;  // [3, length]
  std::vector<double> m_rows, m_squares;
  QueryContent m_content;
};

}  // namespace

QueryContent queryContentOf(const KindRows& query, const QueryModel& model, const BinnedQueries& binned) {
  return ContentReader(query, model, binned).read(binned.bins());
}

}  // namespace plastiscope
