#pragma once
// Computes intervals and tests of differences with the texts as replicates, for statements about other texts
// of the same kind. Uses an analysis' values without each group of its texts (tables texts and jackknife).
//
// With G texts in K groups of m_j, w_j = G / m_j - 1 and a_j = T - T_j (T of all texts, T_j without group j),
// the delete-a-group jackknife has the variance sum w_j a_j^2 / K and the pseudo-values T + w_j a_j (Tukey
// 1958; for groups Busing, Meijer and van der Leeden 1999).
// - Captures of the same texts: the jackknife of the difference, each group left out of both, and Student's t
//   with K - 1 degrees of freedom.
// - Captures of different texts: the sum of both variances; degrees of freedom of Welch and Satterthwaite.
//   Partly overlapping texts count as different: the interval is too wide if both vary together.
// - Texts and heads crossed (statements about other heads): V = V_texts + V_heads - V_both. V_heads is the
//   variance over the H heads of their differences / H. V_both is the interaction of heads and groups, which
//   V_texts and V_heads both contain: the mean square of the head x group pseudo-values without their row and
//   column means, / (H K) (two-way analysis of variance). V is at least the larger of V_texts and V_heads.
// - Equivalence: two one-sided t tests (Schuirmann 1987) of a difference beyond the margin on either side.
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/statistics.h"
#include "core/store/analysis_file.h"

namespace plastiscope {

// Texts of an analysis and the groups that a jackknife leaves out.
struct TextGroups {
  std::vector<std::string> texts;  // id and SHA-256
  std::vector<std::size_t> group;  // [texts]
  std::vector<double> weight;      // [groups] w_j; tests need two groups or more
  bool known() const { return weight.size() > 1; }
  bool operator==(const TextGroups&) const = default;
};
TextGroups dealtTexts(std::vector<std::string> texts, std::vector<std::size_t> group);
TextGroups textGroups(const AnalysisFile& analysis);  // not known without the table texts

// A value and its differences from the values without each group of texts.
struct TextValue {
  double value = kMissing;
  std::vector<double> apart = {};                // [groups] a_j; empty: not known
  std::shared_ptr<const TextGroups> texts = {};  // never null if `apart` is known
  bool known() const { return !apart.empty(); }
};
// `measure` applied to sums over texts: of all groups, and without each.
template <std::size_t N>
TextValue valueOfSums(const std::vector<std::array<double, N>>& groups,
                      std::shared_ptr<const TextGroups> texts,
                      double (*measure)(const std::array<double, N>&)) {
  std::array<double, N> all{};
  for (const auto& group : groups)
    for (std::size_t i = 0; i < N; ++i) all[i] += group[i];
  TextValue value{measure(all), {}, std::move(texts)};
  for (const auto& group : groups) {
    std::array<double, N> rest = all;
    for (std::size_t i = 0; i < N; ++i) rest[i] -= group[i];
    value.apart.push_back(value.value - measure(rest));
    if (!std::isfinite(value.apart.back())) return {value.value};
  }
  return value;
}

// The ratio of two sums over texts, each a group of its own. `sums`: numerator and denominator of each text.
TextValue ratioOverTexts(const std::vector<std::array<double, 2>>& sums);
TextValue meanOverTexts(const std::vector<double>& texts);

// Mean (or median) over heads; heads with unknown `apart` count only in the value.
TextValue overHeads(const std::vector<TextValue>& heads, bool median = false);

// The values of an analysis without each group of texts.
class TextReplicates {
 public:
  explicit TextReplicates(std::shared_ptr<const AnalysisFile> analysis);
  const std::shared_ptr<const TextGroups>& texts() const { return m_texts; }
  bool has(const std::string& metric) const;                      // includes abs_METRIC of a signed metric
  std::vector<TextValue> heads(const std::string& metric) const;  // [heads of heads.csv]
  // Means over heads of aligned bins; empty without them.
  std::vector<TextValue> profile() const;

 private:
  std::shared_ptr<const AnalysisFile> m_analysis;
  std::shared_ptr<const TextGroups> m_texts;
  const Table* m_table = nullptr;                // jackknife
  std::vector<std::vector<std::size_t>> m_rows;  // [heads][groups] of the table; empty: some are missing
};

// A difference and its components of variance.
struct TextDifference {
  double value = kMissing;
  struct Set {
    std::vector<double> weight, apart;  // [groups]
    double part = 0;                    // contribution to the difference
    double pseudo(std::size_t group) const { return part + weight[group] * apart[group]; }
  };
  std::vector<Set> sets = {};  // one: same texts; two: different texts; empty: not known
  double headsVariance = 0, bothVariance = 0, headsFreedom = 0, bothFreedom = 0;  // for crossed differences
  bool known() const { return !sets.empty(); }
};
TextDifference differenceOf(const TextValue& first, const TextValue& other);
TextDifference differenceFromZero(const TextValue& value);
// Difference of the means over paired heads, in order. `crossed`: also for statements about other heads; not
// known below two heads.
TextDifference differenceOverHeads(const std::vector<TextValue>& first, const std::vector<TextValue>& other,
                                   bool crossed = false);

struct TextTest {
  double difference = kMissing;
  Interval interval = {};         // 95 %
  double p = kMissing;            // two-sided, of the null hypothesis of no difference
  double adjustedP = kMissing;    // max-T, if one of several tests
  double equivalentP = kMissing;  // of the equivalence test; missing without a margin
  // "different" if the interval excludes 0, else "equivalent within 0.02" if the equivalence test is
  // significant at 5 %, else "no difference shown"; "": untested.
  std::string verdict = {};
};
inline constexpr const char *kDifferent = "different", *kNoDifferenceShown = "no difference shown";
TextTest testOf(const TextDifference& difference, std::optional<double> margin = {});
// Tests several differences of the same two captures, adjusted for each other. `margins`: one for each.
std::vector<TextTest> testAll(const std::vector<TextDifference>& differences,
                              const std::vector<std::optional<double>>& margins, std::uint64_t seed);

}  // namespace plastiscope
