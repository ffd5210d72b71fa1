#pragma once
// How often two queries of different texts disagree on the order of two keys (resources/help/aligned.md): a
// plasticity that assumes no distribution and has no bias from few queries or few texts.
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
  static constexpr std::size_t kMaxPairs = 1024;  // valued at a time

  // queries [n, head_dim], gathered by text.
  Disagreement(const Matrix& queries, std::vector<TextQueries> texts);
  // Equal keys tie for every query: their PP is 1, or missing.
  enum class EqualKeys { Missing, Tie };
  // keys [keys, head_dim], which must outlive their use; `pairs`: how many of them will be valued.
  void setKeys(const Matrix& keys, std::int64_t pairs, EqualKeys equal = EqualKeys::Missing);

  // PP of pairs of rows of the keys; missing = NaN. At most kMaxPairs.
  void evaluate(std::span<const KeyPair> pairs, double* pp);

  // Of the pairs evaluated last, when the queries of text e count weights[e] times ([texts]; copies of a text
  // never pair with each other). Missing where fewer than two texts count.
  void reweigh(std::span<const double> weights, double* pp) const;
  // The same without some texts, by their places in texts().
  void leaveOut(std::span<const std::size_t> texts, double* pp) const;

  const std::vector<TextQueries>& texts() const { return m_texts; }

 private:
  void fillScores(std::span<const KeyPair> pairs);
  // How many queries count, and on which side they stand.
  struct Counts {
    double queries = 0, squares = 0;     // n; sum of n_e^2
    std::vector<double> first, inside;  // [pairs] c; sum of c_e (n_e - c_e)
  };
  void value(const Counts& counts, double* pp) const;
  void addText(std::size_t text, double weight, Counts& counts) const;

  std::vector<TextQueries> m_texts;
  const Matrix* m_keys = nullptr;
  EqualKeys m_equal = EqualKeys::Missing;
  Eigen::Index m_queries;
  Matrix m_transposed;  // [head_dim, padded queries]
  Matrix m_turnedKeys;  // [head_dim, padded keys]
  Matrix m_keyScores;   // [padded queries, padded keys]; empty where pairs are scored one by one
  Matrix m_deltas;      // [head_dim, padded pairs]
  Matrix m_scores;      // [padded queries, padded pairs]: q . (k_i - k_j)
  std::size_t m_pairs = 0;
  std::vector<bool> m_missing;             // [pairs] equal keys
  std::vector<double> m_counts, m_within;  // [texts, pairs]: c_e, c_e (n_e - c_e)
  Counts m_all;
};

}  // namespace plastiscope
