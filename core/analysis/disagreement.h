#pragma once
// Measures how often two queries of different texts disagree on the order of two keys
// (resources/help/aligned.md): an estimator of plasticity without distributional assumption and without bias
// from few queries or texts.
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/matrix.h"
#include "core/analysis/pair_kernels.h"

namespace plastiscope {

// Queries of one text in a bin.
struct TextQueries {
  std::int64_t text = 0, queries = 0;
};

// With c_e of the n_e queries of text e on the side of the first key (0.5 for a tie), c and n their sums:
//   PP = 4 (c (n - c) - sum_e c_e (n_e - c_e)) / (n^2 - sum_e n_e^2),
// twice the share of ordered pairs of queries of different texts that disagree. It may exceed 1.
class Disagreement {
 public:
  static constexpr std::size_t kMaxPairs = 1024;  // evaluated at a time
  // Equal keys tie for every query: their PP is 1, or missing.
  enum class EqualKeys { Missing, Tie };

  // `queries` [n, head_dim], sorted by text; queries and keys must outlive it.
  Disagreement(const Matrix& queries, std::vector<TextQueries> texts);
  // `keys` [keys, head_dim]; `pairs`: number of pairs that will be evaluated.
  void setKeys(const Matrix& keys, std::int64_t pairs, EqualKeys equal = EqualKeys::Missing);

  // PP of pairs of rows of the keys; missing = NaN. At most kMaxPairs.
  void evaluate(std::span<const KeyPair> pairs, double* pp);
  // PP of the same pairs for other queries [n, head_dim] of the same texts.
  void evaluateOther(const Matrix& queries, double* pp);

  // PP of the last evaluated pairs if the queries of text e count weights[e] times ([texts]; copies of a text
  // never pair with each other). Missing if fewer than two texts count.
  void reweigh(std::span<const double> weights, double* pp);
  // PP without some texts, given as indices of texts().
  void leaveOut(std::span<const std::size_t> texts, double* pp);

  const std::vector<TextQueries>& texts() const { return m_texts; }

 private:
  // Counts of queries by preferred key.
  struct Counts {
    double queries = 0, squares = 0;    // n; sum of n_e^2
    std::vector<double> first, inside;  // [pairs] c; sum of c_e (n_e - c_e)
    void clear(std::size_t pairs);
    void add(double weight, double queriesOfText, const std::int32_t* twice);
  };
  // Counts over all texts; `keep`: stores those of each text in m_counts.
  void count(const Matrix& queries, bool keep, Counts& counts);
  void fillColumns(std::ptrdiff_t count, const auto& valueOf);
  void scoreRows(const Matrix& queries, Eigen::Index from, Eigen::Index rows);
  void addQuery(const Matrix& queries, Eigen::Index query, Eigen::Index place, std::int32_t* twice) const;
  void value(const Counts& counts, double* pp) const;

  std::vector<TextQueries> m_texts;
  const Matrix& m_queries;
  const Matrix* m_keys = nullptr;
  bool m_scoresKeys = false;  // for many pairs per key: scores of keys, else of their differences
  EqualKeys m_equal = EqualKeys::Missing;
  std::vector<KeyPair> m_pairs;
  std::vector<bool> m_missing;  // [pairs] equal keys
  // In float32, which determines the sign of all scores but near ties.
  std::vector<float> m_rows;     // block of queries, [queries, head_dim]
  std::vector<float> m_columns;  // keys or their differences, [head_dim, m_padded]
  std::ptrdiff_t m_padded = 0;
  std::vector<float> m_products, m_scores;  // of a block of queries: with m_columns; with differences of keys
  double m_longest = 0;                     // largest norm of the keys
  std::vector<std::int32_t> m_twice;        // [texts, pairs]: 2 c_e
  Counts m_all, m_some;
};

}  // namespace plastiscope
