#include "core/analysis/disagreement.h"

#include <algorithm>
#include <cmath>

#include "core/base/table.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kPairsPerScoredKey = 4;     // from this ratio on, keys are scored instead of pairs
constexpr Eigen::Index kScoredQueries = 32;  // at a time, so that their scores stay in the cache
// A score below this share of |q| times the longest difference may have the wrong sign in float32: the
// rounding error is below 2^-24 times the square root of the dimensions or a small multiple of it.
constexpr double kDoubt = 1e-5;

}  // namespace

void Disagreement::Counts::clear(std::size_t pairs) {
  queries = squares = 0;
  first.assign(pairs, 0);
  inside.assign(pairs, 0);
}

// A negative weight removes the text.
void Disagreement::Counts::add(double weight, double n, const std::int32_t* twice) {
  const double square = weight * std::abs(weight);
  queries += weight * n;
  squares += square * n * n;
  addSides(twice, first.size(), n, weight, square, first.data(), inside.data());
}

Disagreement::Disagreement(const Matrix& queries, std::vector<TextQueries> texts)
    : m_texts(std::move(texts)), m_queries(queries) {}

// m_columns[c, i] = valueOf(i, c) for i < count, then zeros.
void Disagreement::fillColumns(std::ptrdiff_t count, const auto& valueOf) {
  m_padded = (count + kFloatColumns - 1) / kFloatColumns * kFloatColumns;
  m_columns.assign(m_keys->cols() * m_padded, 0);
  for (std::ptrdiff_t from = 0; from < count; from += kFloatColumns)
    for (Eigen::Index c = 0; c < m_keys->cols(); ++c)
      for (std::ptrdiff_t i = from; i < std::min(count, from + kFloatColumns); ++i)
        m_columns[c * m_padded + i] = static_cast<float>(valueOf(i, c));
}

void Disagreement::setKeys(const Matrix& keys, std::int64_t pairs, EqualKeys equal) {
  m_keys = &keys;
  m_equal = equal;
  m_scoresKeys = pairs >= kPairsPerScoredKey * keys.rows();
  m_longest = keys.rows() == 0 ? 0 : keys.rowwise().norm().maxCoeff();
  if (m_scoresKeys) fillColumns(keys.rows(), [&](std::ptrdiff_t i, Eigen::Index c) { return keys(i, c); });
}

// Fills m_scores for queries [from, from + rows).
void Disagreement::scoreRows(const Matrix& queries, Eigen::Index from, Eigen::Index rows) {
  const Eigen::Index columns = queries.cols();
  const double* const values = queries.row(from).data();
  m_rows.assign(values, values + rows * columns);
  m_products.resize(rows * m_padded);
  floatProducts({m_rows.data(), columns, rows}, {m_columns.data(), m_padded, columns}, m_products.data());
  if (!m_scoresKeys) {
    m_scores.swap(m_products);
    return;
  }
  const auto pairs = std::ssize(m_pairs);
  m_scores.resize(rows * pairs);
  for (Eigen::Index q = 0; q < rows; ++q) {
    const float* scores = m_products.data() + q * m_padded;
    float* out = m_scores.data() + q * pairs;
    for (std::size_t p = 0; p < m_pairs.size(); ++p)
      out[p] = scores[m_pairs[p].first] - scores[m_pairs[p].second];
  }
}

// twice[p] += 2 if the query prefers the first key, 1 for a tie. `place`: row of its scores.
void Disagreement::addQuery(const Matrix& queries, Eigen::Index query, Eigen::Index place,
                            std::int32_t* twice) const {
  const float* scores = m_scores.data() + place * (m_scoresKeys ? std::ssize(m_pairs) : m_padded);
  const auto doubt = static_cast<float>(kDoubt * queries.row(query).norm() * 2 * m_longest);
  if (addPreferences(scores, m_pairs.size(), twice) > doubt) return;
  for (std::size_t p = 0; p < m_pairs.size(); ++p) {
    if (std::abs(scores[p]) > doubt) continue;
    const double score =
        queries.row(query).dot(m_keys->row(m_pairs[p].first) - m_keys->row(m_pairs[p].second));
    twice[p] += (score > 0 ? 2 : score < 0 ? 0 : 1) - (std::signbit(scores[p]) ? 0 : 2);
  }
}

void Disagreement::count(const Matrix& queries, bool keep, Counts& counts) {
  const std::size_t pairs = m_pairs.size();
  counts.clear(pairs);
  std::vector<std::int32_t> once(pairs, 0);
  if (keep) m_twice.assign(m_texts.size() * pairs, 0);
  std::int32_t* ofText = keep ? m_twice.data() : once.data();
  std::size_t text = 0;
  std::int64_t left = m_texts.empty() ? 0 : m_texts.front().queries;
  for (Eigen::Index from = 0; from < queries.rows(); from += kScoredQueries) {
    const Eigen::Index rows = std::min(kScoredQueries, queries.rows() - from);
    scoreRows(queries, from, rows);
    for (Eigen::Index q = 0; q < rows; ++q) {
      addQuery(queries, from + q, q, ofText);
      if (--left > 0) continue;
      counts.add(1, static_cast<double>(m_texts[text].queries), ofText);
      if (keep)
        ofText += pairs;
      else
        std::fill_n(ofText, pairs, 0);
      if (++text < m_texts.size()) left = m_texts[text].queries;
    }
  }
}

void Disagreement::evaluate(std::span<const KeyPair> pairs, double* pp) {
  m_pairs.assign(pairs.begin(), pairs.end());
  if (!m_scoresKeys) {
    fillColumns(std::ssize(pairs), [&](std::ptrdiff_t i, Eigen::Index c) {
      const KeyPair& pair = pairs[i];
      return (*m_keys)(pair.first, c) - (*m_keys)(pair.second, c);
    });
  }
  count(m_queries, true, m_all);
  m_missing.assign(pairs.size(), false);
  for (std::size_t p = 0; m_equal == EqualKeys::Missing && p < pairs.size(); ++p) {
    m_missing[p] =
        2 * m_all.first[p] == m_all.queries && m_keys->row(pairs[p].first) == m_keys->row(pairs[p].second);
  }
  value(m_all, pp);
}

void Disagreement::evaluateOther(const Matrix& queries, double* pp) {
  count(queries, false, m_some);
  value(m_some, pp);
}

void Disagreement::value(const Counts& counts, double* pp) const {
  const double n = counts.queries, pairsOfTexts = n * n - counts.squares;
  const double factor = pairsOfTexts > 0 ? 4 / pairsOfTexts : kMissing;
  const double *const first = counts.first.data(), *const inside = counts.inside.data();
  for (std::size_t p = 0; p < m_pairs.size(); ++p) {
    const double c = first[p];
    pp[p] = factor * (c * (n - c) - inside[p]);
  }
  for (std::size_t p = 0; p < m_pairs.size(); ++p) {
    if (m_missing[p]) pp[p] = kMissing;
  }
}

void Disagreement::reweigh(std::span<const double> weights, double* pp) {
  m_some.clear(m_pairs.size());
  for (std::size_t e = 0; e < m_texts.size(); ++e) {
    if (weights[e] != 0)
      m_some.add(weights[e], static_cast<double>(m_texts[e].queries), m_twice.data() + e * m_pairs.size());
  }
  value(m_some, pp);
}

void Disagreement::leaveOut(std::span<const std::size_t> texts, double* pp) {
  m_some = m_all;
  for (const std::size_t e : texts)
    m_some.add(-1, static_cast<double>(m_texts[e].queries), m_twice.data() + e * m_pairs.size());
  value(m_some, pp);
}

}  // namespace plastiscope
