#include "core/analysis/disagreement.h"

#include <algorithm>
#include <cmath>

#include "core/base/table.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kPairsPerKey = 4;     // from so many on, scores of keys are formed instead of pairs'
constexpr Eigen::Index kScoredQueries = 32;  // whose scores stay in the cache

}  // namespace

Disagreement::Disagreement(const Matrix& queries, std::vector<TextQueries> texts)
    : m_texts(std::move(texts)), m_queries(padded(queries)) {}

void Disagreement::setKeys(const Matrix& keys, std::int64_t pairs, EqualKeys equal) {
  m_keys = padded(keys);
  m_equal = equal;
  m_scoresKeys = pairs >= kPairsPerKey * keys.rows();
}

// m_scores of queries [from, from + rows).
void Disagreement::scoreRows(const Matrix& queries, Eigen::Index from, Eigen::Index rows) {
  const auto pairs = static_cast<Eigen::Index>(m_pairs.size());
  m_scores.resize(rows, pairs);
  if (!m_scoresKeys) {
    blockProducts(blockOf(queries, from, rows), blockOf(m_deltas, 0, pairs), m_scores.data());
    return;
  }
  m_products.resize(rows, m_keys.rows());
  blockProducts(blockOf(queries, from, rows), blockOf(m_keys), m_products.data());
  for (Eigen::Index q = 0; q < rows; ++q) {
    const double* scores = m_products.row(q).data();
    double* out = m_scores.row(q).data();
    for (std::size_t p = 0; p < m_pairs.size(); ++p)
      out[p] = scores[m_pairs[p].first] - scores[m_pairs[p].second];
  }
}

// ofTexts: [texts, pairs] queries of each text on the side of the first key.
void Disagreement::count(const Matrix& queries, std::vector<double>& ofTexts) {
  const std::size_t pairs = m_pairs.size();
  ofTexts.assign(m_texts.size() * pairs, 0);
  std::size_t text = 0;
  std::int64_t left = m_texts.empty() ? 0 : m_texts.front().queries;
  for (Eigen::Index from = 0; from < queries.rows(); from += kScoredQueries) {
    const Eigen::Index rows = std::min(kScoredQueries, queries.rows() - from);
    scoreRows(queries, from, rows);
    for (Eigen::Index q = 0; q < rows; ++q) {
      while (left == 0) left = m_texts[++text].queries;
      addPreferences(m_scores.row(q).data(), pairs, ofTexts.data() + text * pairs);
      --left;
    }
  }
}

void Disagreement::evaluate(std::span<const KeyPair> pairs, double* pp) {
  m_pairs.assign(pairs.begin(), pairs.end());
  if (!m_scoresKeys) {
    if (m_deltas.rows() < std::ssize(pairs)) m_deltas.resize(std::ssize(pairs), m_keys.cols());
    for (std::size_t p = 0; p < pairs.size(); ++p)
      m_deltas.row(static_cast<Eigen::Index>(p)) = m_keys.row(pairs[p].first) - m_keys.row(pairs[p].second);
  }
  count(m_queries, m_counts);
  m_all.queries = m_all.squares = 0;
  m_all.first.assign(pairs.size(), 0);
  m_all.inside.assign(pairs.size(), 0);
  for (std::size_t e = 0; e < m_texts.size(); ++e) addText(e, 1, m_all);
  m_missing.assign(pairs.size(), false);
  for (std::size_t p = 0; m_equal == EqualKeys::Missing && p < pairs.size(); ++p) {
    m_missing[p] =
        2 * m_all.first[p] == m_all.queries && m_keys.row(pairs[p].first) == m_keys.row(pairs[p].second);
  }
  value(m_all, pp);
}

void Disagreement::evaluateOther(const Matrix& queries, double* pp) {
  count(padded(queries), m_other);
  m_counts.swap(m_other);
  m_some.queries = m_some.squares = 0;
  m_some.first.assign(m_pairs.size(), 0);
  m_some.inside.assign(m_pairs.size(), 0);
  for (std::size_t e = 0; e < m_texts.size(); ++e) addText(e, 1, m_some);
  m_counts.swap(m_other);
  value(m_some, pp);
}

// A negative weight takes the text out again.
void Disagreement::addText(std::size_t text, double weight, Counts& counts) const {
  const auto n = static_cast<double>(m_texts[text].queries);
  counts.queries += weight * n;
  const double square = weight * std::abs(weight);
  counts.squares += square * n * n;
  const double* const c = m_counts.data() + text * m_pairs.size();
  double *const first = counts.first.data(), *const inside = counts.inside.data();
  for (std::size_t p = 0; p < m_pairs.size(); ++p) {
    first[p] += weight * c[p];
    inside[p] += square * c[p] * (n - c[p]);
  }
}

void Disagreement::value(const Counts& counts, double* pp) const {
  const double n = counts.queries, pairsOfTexts = n * n - counts.squares;
  const double factor = pairsOfTexts > 0 ? 4 / pairsOfTexts : kMissing;
  const double *const first = counts.first.data(), *const inside = counts.inside.data();
  for (std::size_t p = 0; p < m_pairs.size(); ++p) pp[p] = factor * (first[p] * (n - first[p]) - inside[p]);
  for (std::size_t p = 0; p < m_pairs.size(); ++p) {
    if (m_missing[p]) pp[p] = kMissing;
  }
}

void Disagreement::reweigh(std::span<const double> weights, double* pp) {
  m_some.queries = m_some.squares = 0;
  m_some.first.assign(m_pairs.size(), 0);
  m_some.inside.assign(m_pairs.size(), 0);
  for (std::size_t e = 0; e < m_texts.size(); ++e) {
    if (weights[e] != 0) addText(e, weights[e], m_some);
  }
  value(m_some, pp);
}

void Disagreement::leaveOut(std::span<const std::size_t> texts, double* pp) {
  m_some = m_all;
  for (const std::size_t text : texts) addText(text, -1, m_some);
  value(m_some, pp);
}

}  // namespace plastiscope
