#pragma once
// Mean variance that content gives the score difference of a pair: v_content of method.md 7.5.
#include <span>
#include <vector>

#include "core/analysis/pair_kernels.h"
#include "core/analysis/reflected_head.h"

namespace plastiscope {

class ContentSpread {
 public:
  // `head` must outlive it.
  explicit ContentSpread(const ReflectedHead& head) : m_head(head) {}
  // Pairs that a bin values; those with a missing PP are left out. The content is worked out where the mode
  // does not tell it.
  void add(std::int64_t bin, std::span<const KeyPair> pairs, const PairValues& values);
  double mean() const;  // missing without pairs

 private:
  const double* contentOf(std::int64_t bin, std::span<const KeyPair> pairs);

  const ReflectedHead& m_head;
  std::vector<double> m_content, m_ignored;
  std::vector<double> m_sums;  // one a call
  std::int64_t m_pairs = 0;
};

}  // namespace plastiscope
