#pragma once
// Intervals and tests of differences with the texts as replicates: what would come out with other texts of
// the same kind. Everything is made of an analysis' values without each group of its texts (tables texts and
// jackknife).
//
// With G texts in K groups of m_j, w_j = G / m_j - 1 and a_j = T - T_j (T of all texts, T_j without group j),
// the delete-a-group jackknife has the variance sum w_j a_j^2 / K and the pseudo-values T + w_j a_j (Tukey
// 1958; for groups Busing, Meijer and van der Leeden 1999).
// - Captures of the same texts: the jackknife of the difference, each group left out of both, and Student's t
//   with K - 1 degrees of freedom.
// - Of different texts: the variances of both are added; degrees of freedom of Welch and Satterthwaite. Lists
//   of texts that overlap in part count as different ones: too wide where both vary together.
// - Texts and heads crossed (statements about other heads): V = V_texts + V_heads - V_both. V_heads is the
//   variance over the H heads of their differences / H. V_both is the interaction of heads and groups: the
//   mean square of head x group pseudo-values without their row and column means, / (H K), which V_texts and
//   V_heads both contain (two-way analysis of variance). V is never below the larger of both.
// - Equivalence: two one-sided t tests (Schuirmann 1987) of a difference beyond the margin on either side.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/statistics.h"
#include "core/compare/multiple_tests.h"
#include "core/store/analysis_file.h"

namespace plastiscope {

// Texts of an analysis and the groups in which a jackknife leaves them out.
struct TextGroups {
  std::vector<std::string> texts;   // [texts] id and SHA-256
  std::vector<std::int64_t> group;  // [texts]
  std::vector<double> weight;       // [groups] w_j
  bool known() const { return weight.size() > 1; }
  bool operator==(const TextGroups&) const = default;
};
// Without a table of texts, or with texts in fewer than two groups: not known.
TextGroups textGroups(const AnalysisFile& analysis);

// A value, and how far it lies from what it is without each group of texts.
struct TextValue {
  double value = kMissing;
  std::vector<double> apart;                       // [groups] a_j; empty: not known
  std::shared_ptr<const TextGroups> texts = {};    // null: not known
  bool known() const { return !apart.empty(); }
};

// The values of the heads of an analysis without each group of texts.
class TextReplicates {
 public:
  explicit TextReplicates(std::shared_ptr<const AnalysisFile> analysis);
  const std::shared_ptr<const TextGroups>& texts() const { return m_texts; }
  bool has(const std::string& metric) const;  // also abs_METRIC of a signed one
  // [heads of heads.csv][groups] a_j; a head is empty where a value is missing. Empty without the metric.
  std::vector<std::vector<double>> of(const std::string& metric) const;

 private:
  std::shared_ptr<const AnalysisFile> m_analysis;
  std::shared_ptr<const TextGroups> m_texts;
  const Table* m_table = nullptr;                    // jackknife
  std::vector<std::vector<std::size_t>> m_rows = {};  // [heads][groups] of the table; empty: some are missing
};

// Of the mean over heads (or the median), from their values and distances; heads without distances count in
// the value alone. `heads`: indices.
TextValue overHeads(std::span<const double> values, const std::vector<std::vector<double>>& apart,
                    const std::vector<std::size_t>& heads, const std::shared_ptr<const TextGroups>& texts,
                    bool median = false);
// The mean over heads of jackknife_profile.csv, for each aligned bin; empty without it.
std::vector<TextValue> profileReplicates(const AnalysisFile& analysis, const std::shared_ptr<const TextGroups>& texts);

// A difference, and what makes it vary.
struct TextDifference {
  double value = kMissing;
  struct Set {
    std::vector<double> weight, apart;  // [groups]
    double mean = 0;                    // its part of the difference
  };
  std::vector<Set> sets;  // one: the same texts; two: different ones; empty: not known
  double headsVariance = 0, bothVariance = 0, headsFreedom = 0, bothFreedom = 0;  // of addHeads()
  bool known() const { return !sets.empty(); }
};
TextDifference differenceOf(const TextValue& first, const TextValue& other);
// The mean of those of single heads, with the same sets of texts.
TextDifference meanOverHeads(const std::vector<TextDifference>& ofHeads);
// Makes it a statement about other heads: of the differences of single heads. Not known below two heads.
void addHeads(TextDifference& difference, const std::vector<TextDifference>& ofHeads);
// For maxTAdjusted(): of differences with the same sets of texts.
std::vector<GroupValues> groupValues(const std::vector<TextDifference>& differences);

struct TextTest {
  double difference = kMissing, standardError = kMissing, freedom = kMissing;
  Interval interval;                 // 95 %
  double p = kMissing;               // two-sided, of no difference
  double adjustedP = kMissing;       // max-T, where it is one of several
  double equivalentP = kMissing;     // of a difference beyond the margin; missing without one
  std::string verdict;               // "different", "equivalent within 0.02", "no difference shown"; "": untested
};
inline constexpr const char *kDifferent = "different", *kNoDifferenceShown = "no difference shown";
TextTest testOf(const TextDifference& difference, std::optional<double> margin = {});
// "different" where the interval leaves out 0, else "equivalent within 0.02" where the equivalence test says so
// at 5 %, else "no difference shown".
std::string verdictOf(const Interval& interval, double equivalentP, std::optional<double> margin);

// The same with p adjusted for all of them. Those that are not known stay untested. `margins`: one for each.
std::vector<TextTest> testAll(const std::vector<TextDifference>& differences,
                              const std::vector<std::optional<double>>& margins, std::uint64_t seed);
std::vector<TextTest> testAll(const std::vector<TextDifference>& differences, std::optional<double> margin,
                              std::uint64_t seed);

}  // namespace plastiscope
