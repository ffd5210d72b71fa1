#pragma once
// Averages the plasticity of the key pairs of one bin, over all texts and in every resample of the texts.
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/analysis/disagreement.h"
#include "core/analysis/pair_models.h"
#include "core/analysis/pair_selection.h"
#include "core/analysis/resamples.h"

namespace plastiscope {

// The pairs chosen for a bin, with their keys as rows of one matrix. `key`, `order` and `chosen` must outlive
// it.
class BinPairs {
 public:
  BinPairs(const VectorRows& key, const KeyOrder& order, const ChosenPairs& chosen);
  const ChosenPairs& chosen() const { return m_chosen; }
  const Matrix& keys() const { return m_keys; }  // [used keys, head_dim], as captured
  std::span<const std::int64_t> positions() const { return m_position; }  // of keys()
  std::span<const std::int64_t> examples() const { return m_example; }
  // Pairs [from, from + count) of a part, as rows of keys().
  std::vector<KeyPair> local(const ChosenPart& part, std::int64_t from, std::int64_t count) const;

 private:
  const ChosenPairs& m_chosen;
  std::vector<std::int32_t> m_localOf;  // [keys in order]
  Matrix m_keys;
  std::vector<std::int64_t> m_position, m_example;
  mutable std::vector<KeyPair> m_buffer;
};

// Computes the plasticity of key pairs for the queries of a bin.
class BinEstimator {
 public:
  virtual ~BinEstimator() = default;
  // Sets the keys for the next evaluations of `pairs` pairs. The keys must outlive their use.
  virtual void setKeys(const Matrix& keys, std::int64_t pairs,
                       Disagreement::EqualKeys equal = Disagreement::EqualKeys::Missing) = 0;
  virtual void evaluate(std::span<const KeyPair> pairs,
                        double* pp) = 0;  // missing (NaN) for degenerate pairs
  // PP of the last evaluated pairs for other queries [n, head_dim] of the same texts.
  virtual void evaluateOther(const Matrix& queries, double* pp) = 0;
  // PP of the last evaluated pairs in resample r.
  virtual void resample(std::size_t r, double* pp) = 0;
  virtual bool hasQueriesOf(std::size_t r) const = 0;  // whether the left-out group r - 1 has queries
};

// `queries` [n, head_dim], sorted by text, must outlive it. Names: disagreement, gaussian (setting
// aligned_estimator).
std::unique_ptr<BinEstimator> makeBinEstimator(const std::string& name, const Matrix& queries,
                                               std::vector<TextQueries> texts, const Resamples& resamples);

struct BinMean {
  double ap = kMissing, other = kMissing;  // other: of other queries
  std::int64_t parts = 0, kept = 0, dropped = 0;
  std::vector<double> resampled;  // [resample]
};

// Receives the pairs of a block and their PP.
using BlockWatcher = std::function<void(std::span<const KeyPair> local, const double* pp)>;

// The mean over the pairs of each part, then over parts. `keys`: of the pairs, at their own or moved
// positions; `other`: further queries evaluated with the same pairs, or null.
BinMean binMean(BinEstimator& estimator, const BinPairs& pairs, const Matrix& keys,
                const Resamples& resamples, const Matrix* other = nullptr, const BlockWatcher& watch = {});
// Like binMean(), but each pair of different keys has its own two key vectors: rows 2p and 2p + 1 of the
// matrix that `keysOf` returns for a block are the keys of its pair p; equal rows tie.
using PairKeys = std::function<Matrix(std::span<const KeyPair> local)>;
BinMean binMeanOfMovedPairs(BinEstimator& estimator, const BinPairs& pairs, const PairKeys& keysOf,
                            const Resamples& resamples);

}  // namespace plastiscope
