#include "core/analysis/disagreement.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/matrix_kernels.h"
#include "core/base/table.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kPairsPerKey = 4;  // from so many on, scores of keys are formed instead of pairs'

// rows [count, columns] -> [columns, padded count]
Matrix transposedRows(const Matrix& rows, std::ptrdiff_t paddedCount) {
  Matrix turned = Matrix::Zero(rows.cols(), paddedCount);
  turned.leftCols(rows.rows()) = rows.transpose();
  return turned;
}

}  // namespace

Disagreement::Disagreement(const Matrix& queries, std::vector<TextQueries> texts)
    : m_texts(std::move(texts)),
      m_queries(queries.rows()),
      m_transposed(transposedRows(queries, productRows(queries.rows()))) {}

void Disagreement::setKeys(const Matrix& keys, std::int64_t pairs, EqualKeys equal) {
  m_keys = &keys;
  m_equal = equal;
  m_keyScores.resize(0, 0);
  m_turnedKeys = transposedRows(keys, productColumns(keys.rows()));
  if (pairs < kPairsPerKey * keys.rows()) return;
  m_keyScores = Matrix::Zero(m_transposed.cols(), m_turnedKeys.cols());
  addProducts(blockOf(m_transposed), blockOf(m_turnedKeys), m_keyScores.data());
}

void Disagreement::fillScores(std::span<const KeyPair> pairs) {
  const std::ptrdiff_t columns = productColumns(static_cast<std::ptrdiff_t>(pairs.size()));
  const auto differences = [&pairs](const Matrix& of, Eigen::Index rows, Matrix& out) {
    for (Eigen::Index row = 0; row < rows; ++row) {
      const double* values = of.row(row).data();
      double* to = out.row(row).data();
      for (std::size_t p = 0; p < pairs.size(); ++p) to[p] = values[pairs[p].first] - values[pairs[p].second];
    }
  };
  if (m_keyScores.size() > 0) {
    m_scores.resize(m_transposed.cols(), columns);
    differences(m_keyScores, m_queries, m_scores);
    return;
  }
  m_deltas = Matrix::Zero(m_turnedKeys.rows(), columns);
  differences(m_turnedKeys, m_turnedKeys.rows(), m_deltas);
  m_scores = Matrix::Zero(m_transposed.cols(), columns);
  addProducts(blockOf(m_transposed), blockOf(m_deltas), m_scores.data());
}

void Disagreement::evaluate(std::span<const KeyPair> pairs, double* pp) {
  m_pairs = pairs.size();
  fillScores(pairs);
  m_counts.assign(m_texts.size() * m_pairs, 0);
  m_within.resize(m_counts.size());
  m_all = {0, 0, std::vector<double>(m_pairs, 0), std::vector<double>(m_pairs, 0)};
  Eigen::Index q = 0;
  for (std::size_t e = 0; e < m_texts.size(); ++e) {
    double *const counts = m_counts.data() + e * m_pairs, *const within = m_within.data() + e * m_pairs;
    for (const Eigen::Index end = q + m_texts[e].queries; q < end; ++q) {
      const double* scores = m_scores.row(q).data();
      for (std::size_t p = 0; p < m_pairs; ++p)
        counts[p] += (scores[p] > 0 ? 0.5 : 0.0) + (scores[p] >= 0 ? 0.5 : 0.0);
    }
    const auto n = static_cast<double>(m_texts[e].queries);
    for (std::size_t p = 0; p < m_pairs; ++p) within[p] = counts[p] * (n - counts[p]);
    addText(e, 1, m_all);
  }
  m_missing.assign(m_pairs, false);
  for (std::size_t p = 0; m_equal == EqualKeys::Missing && p < m_pairs; ++p) {
    m_missing[p] =
        2 * m_all.first[p] == m_all.queries && m_keys->row(pairs[p].first) == m_keys->row(pairs[p].second);
  }
  value(m_all, pp);
}

void Disagreement::addText(std::size_t text, double weight, Counts& counts) const {
  const double n = weight * static_cast<double>(m_texts[text].queries), square = weight * std::abs(weight);
  counts.queries += n;
  counts.squares += n * std::abs(n);
  const double *const c = m_counts.data() + text * m_pairs, *const within = m_within.data() + text * m_pairs;
  for (std::size_t p = 0; p < m_pairs; ++p) {
    counts.first[p] += weight * c[p];
    counts.inside[p] += square * within[p];
  }
}

void Disagreement::value(const Counts& counts, double* pp) const {
  const double n = counts.queries, pairsOfTexts = n * n - counts.squares;
  const double factor = pairsOfTexts > 0 ? 4 / pairsOfTexts : kMissing;
  for (std::size_t p = 0; p < m_pairs; ++p)
    pp[p] = factor * (counts.first[p] * (n - counts.first[p]) - counts.inside[p]);
  for (std::size_t p = 0; p < m_pairs; ++p) {
    if (m_missing[p]) pp[p] = kMissing;
  }
}

void Disagreement::reweigh(std::span<const double> weights, double* pp) const {
  Counts counts{0, 0, std::vector<double>(m_pairs, 0), std::vector<double>(m_pairs, 0)};
  for (std::size_t e = 0; e < m_texts.size(); ++e) {
    if (weights[e] != 0) addText(e, weights[e], counts);
  }
  value(counts, pp);
}

void Disagreement::leaveOut(std::span<const std::size_t> texts, double* pp) const {
  Counts counts = m_all;
  for (const std::size_t text : texts) addText(text, -1, counts);
  value(counts, pp);
}

}  // namespace plastiscope
