#include "core/compare/text_inference.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/analysis/columns.h"
#include "core/base/foreign_text.h"
#include "core/base/random.h"
#include "core/base/table.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

constexpr double kCoverage = 0.95, kEquivalenceLevel = 0.05;
constexpr const char* kAbsolute = "abs_";

// The table; null if it is missing or damaged.
const Table* tableOf(const AnalysisFile& analysis, const char* name) {
  return analysis.leftOut.contains(name) ? nullptr : analysis.find(name);
}

std::optional<std::size_t> groupAt(const Table& table, std::size_t row, std::size_t groups) {
  const double group = numberAt(table, "group", row);
  return group >= 0 && group < static_cast<double>(groups) ? std::optional(static_cast<std::size_t>(group))
                                                           : std::nullopt;
}

double middleOf(const std::vector<double>& values, bool median) {
  return median ? medianOfPresent(values) : meanOfPresent(values);
}

// The interaction of heads and the groups of a set: V_both.
double interaction(const std::vector<TextDifference>& heads, std::size_t set) {
  const std::size_t groups = heads.front().sets[set].apart.size();
  const auto h = static_cast<double>(heads.size()), k = static_cast<double>(groups);
  std::vector<double> ofHead(heads.size()), ofGroup(groups);
  double all = 0;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    for (std::size_t j = 0; j < groups; ++j) {
      const double pseudo = heads[i].sets[set].pseudo(j);
      ofHead[i] += pseudo / k;
      ofGroup[j] += pseudo / h;
      all += pseudo / (h * k);
    }
  }
  double squares = 0;
  for (std::size_t i = 0; i < heads.size(); ++i)
    for (std::size_t j = 0; j < groups; ++j)
      squares += std::pow(heads[i].sets[set].pseudo(j) - ofHead[i] - ofGroup[j] + all, 2);
  return squares / ((h - 1) * (k - 1)) / (h * k);
}

void addHeads(TextDifference& difference, const std::vector<double>& values,
              const std::vector<TextDifference>& heads) {
  std::int64_t count = 0;
  const double mean = meanOfPresent(values, &count);
  if (heads.size() < 2) difference.sets.clear();
  if (!difference.known()) return;
  difference.headsFreedom = static_cast<double>(count - 1);
  difference.headsVariance =
      squaredDeviations(values, mean) / difference.headsFreedom / static_cast<double>(count);
  for (std::size_t set = 0; set < difference.sets.size(); ++set) {
    difference.bothVariance += interaction(heads, set);
    difference.bothFreedom +=
        static_cast<double>((heads.size() - 1) * (difference.sets[set].apart.size() - 1));
  }
}

struct Variance {
  double total = 0, freedom = 0;
};

Variance varianceOf(const TextDifference& difference) {
  double total = 0, squares = 0;  // for Satterthwaite: sum of V^2 / freedom
  const auto add = [&](double variance, double freedom) {
    total += variance;
    squares += variance * variance / freedom;
  };
  for (const TextDifference::Set& set : difference.sets) {
    double sum = 0;
    for (std::size_t j = 0; j < set.apart.size(); ++j) sum += set.weight[j] * set.apart[j] * set.apart[j];
    add(sum / static_cast<double>(set.apart.size()), static_cast<double>(set.apart.size() - 1));
  }
  if (difference.headsFreedom > 0) {
    const double least = std::max(total, difference.headsVariance);
    add(difference.headsVariance, difference.headsFreedom);
    add(-difference.bothVariance, difference.bothFreedom);
    total = std::max(total, least);
  }
  return {total, total > 0 ? total * total / squares : 1};
}

}  // namespace

TextGroups dealtTexts(std::vector<std::string> texts, std::vector<std::size_t> group) {
  std::vector<double> weight;
  for (const std::size_t one : group) {
    weight.resize(std::max(weight.size(), one + 1));
    ++weight[one];
  }
  for (double& size : weight) {
    if (size == 0) return {};
    size = static_cast<double>(group.size()) / size - 1;
  }
  return {std::move(texts), std::move(group), std::move(weight)};
}

TextGroups textGroups(const AnalysisFile& analysis) {
  const Table* table = tableOf(analysis, "texts");
  std::vector<std::string> texts;
  std::vector<std::size_t> groups;
  for (std::size_t row = 0; table != nullptr && row < table->rows(); ++row) {
    const auto group = groupAt(*table, row, table->rows());
    if (!group) return {};
    texts.push_back(textAt(*table, "id", row) + "\n" + textAt(*table, "sha256", row));
    groups.push_back(*group);
  }
  return dealtTexts(std::move(texts), std::move(groups));
}

TextValue overHeads(const std::vector<TextValue>& heads, bool median) {
  std::vector<double> all, known;
  std::vector<const TextValue*> those;
  for (const TextValue& head : heads) {
    all.push_back(head.value);
    if (!head.known()) continue;
    known.push_back(head.value);
    those.push_back(&head);
  }
  TextValue over{middleOf(all, median)};
  if (those.empty()) return over;
  over.texts = those.front()->texts;
  for (std::size_t j = 0; j < over.texts->weight.size(); ++j) {
    std::vector<double> without;
    for (const TextValue* head : those) without.push_back(head->value - head->apart[j]);
    over.apart.push_back(middleOf(known, median) - middleOf(without, median));
  }
  return over;
}

TextReplicates::TextReplicates(std::shared_ptr<const AnalysisFile> analysis)
    : m_analysis(std::move(analysis)), m_texts(std::make_shared<const TextGroups>(textGroups(*m_analysis))) {
  m_table = m_texts->known() ? tableOf(*m_analysis, "jackknife") : nullptr;
  if (m_table == nullptr) return;
  constexpr auto kNone = static_cast<std::size_t>(-1);
  std::map<std::pair<double, double>, std::vector<std::size_t>> places;  // by layer and head
  for (std::size_t row = 0; row < m_table->rows(); ++row) {
    const auto group = groupAt(*m_table, row, m_texts->weight.size());
    auto& rows = places[{numberAt(*m_table, "layer", row), numberAt(*m_table, "head", row)}];
    rows.resize(m_texts->weight.size(), kNone);
    if (group) rows[*group] = row;
  }
  for (const HeadName& head : headsOf(*m_analysis)) {
    auto& rows = places[{static_cast<double>(head.layer), static_cast<double>(head.head)}];
    if (std::ranges::count(rows, kNone) > 0) rows.clear();
    m_rows.push_back(std::move(rows));
  }
}

bool TextReplicates::has(const std::string& metric) const {
  return m_table != nullptr &&
         (m_table->find(metric) != nullptr ||
          (metric.starts_with(kAbsolute) && m_table->find(metric.substr(4)) != nullptr));
}

std::vector<TextValue> TextReplicates::heads(const std::string& metric) const {
  const Table& heads = requiredTable(*m_analysis, "heads");
  const bool absolute = metric.starts_with(kAbsolute) && heads.find(metric) == nullptr;
  const std::string column = absolute ? metric.substr(4) : metric;
  const std::string plain = heads.find(column + kPlainEnding) != nullptr ? column + kPlainEnding : column;
  const auto size = [absolute](double value) { return absolute ? std::fabs(value) : value; };
  const Column* stored = m_table != nullptr ? m_table->find(column) : nullptr;
  const auto* without = stored != nullptr ? std::get_if<std::vector<double>>(&stored->values) : nullptr;
  std::vector<TextValue> values;
  for (std::size_t h = 0; h < heads.rows(); ++h) {
    TextValue& value = values.emplace_back(TextValue{size(numberAt(heads, column, h)), {}, m_texts});
    const double whole = size(numberAt(heads, plain, h));  // not corrected for bias, like the replicates
    for (std::size_t j = 0; without != nullptr && j < m_rows[h].size(); ++j)
      value.apart.push_back(whole - size((*without)[m_rows[h][j]]));
    if (std::ranges::any_of(value.apart, [](double apart) { return std::isnan(apart); })) value.apart.clear();
  }
  return values;
}

std::vector<TextValue> TextReplicates::profile() const {
  const Table *table = tableOf(*m_analysis, "jackknife_profile"),
              *profile = tableOf(*m_analysis, "profile_aligned");
  if (table == nullptr || profile == nullptr || !m_texts->known()) return {};
  std::map<double, std::vector<double>> ofBin, without;
  for (std::size_t row = 0; row < profile->rows(); ++row)
    ofBin[numberAt(*profile, "bin", row)].push_back(numberAt(*profile, "ap_aligned", row));
  for (std::size_t row = 0; row < table->rows(); ++row) {
    std::vector<double>& bin = without[numberAt(*table, "bin", row)];
    bin.resize(m_texts->weight.size(), kMissing);
    if (const auto group = groupAt(*table, row, bin.size()))
      bin[*group] = numberAt(*table, "ap_aligned", row);
  }
  std::vector<TextValue> values;
  for (const auto& [bin, ofHeads] : ofBin) {
    TextValue& value = values.emplace_back(TextValue{meanOfPresent(ofHeads), without[bin], m_texts});
    for (double& apart : value.apart) apart = value.value - apart;
    if (std::ranges::any_of(value.apart, [](double apart) { return std::isnan(apart); })) value.apart.clear();
  }
  return values;
}

TextValue ratioOverTexts(const std::vector<std::array<double, 2>>& sums) {
  std::vector<std::size_t> each(sums.size());
  std::iota(each.begin(), each.end(), std::size_t{0});
  return valueOfSums<2>(sums, std::make_shared<const TextGroups>(dealtTexts({}, each)),
                        [](const std::array<double, 2>& of) { return of[0] / of[1]; });
}

TextValue meanOverTexts(const std::vector<double>& texts) {
  std::vector<std::array<double, 2>> sums;
  for (const double value : texts) sums.push_back({value, 1});
  return ratioOverTexts(sums);
}

TextDifference differenceFromZero(const TextValue& value) {
  TextDifference difference{value.value};
  if (value.known()) difference.sets = {{value.texts->weight, value.apart, value.value}};
  return difference;
}

TextDifference differenceOf(const TextValue& first, const TextValue& other) {
  TextDifference difference{other.value - first.value};
  if (!first.known() || !other.known() || !std::isfinite(difference.value)) return difference;
  TextDifference::Set a{first.texts->weight, first.apart, -first.value},
      b{other.texts->weight, other.apart, other.value};
  const bool same = first.texts == other.texts || *first.texts == *other.texts;
  for (std::size_t j = 0; j < a.apart.size(); ++j) {
    a.apart[j] = -a.apart[j];
    if (same) b.apart[j] += a.apart[j];
  }
  if (same)
    b.part = difference.value;
  else
    difference.sets.push_back(std::move(a));
  difference.sets.push_back(std::move(b));
  return difference;
}

TextDifference differenceOverHeads(const std::vector<TextValue>& first, const std::vector<TextValue>& other,
                                   bool crossed) {
  std::vector<double> values;
  std::vector<TextValue> before, after;
  std::vector<TextDifference> heads;
  for (std::size_t h = 0; h < first.size(); ++h) {
    TextDifference head = differenceOf(first[h], other[h]);
    values.push_back(head.value);
    if (!head.known()) continue;
    before.push_back(first[h]);
    after.push_back(other[h]);
    heads.push_back(std::move(head));
  }
  TextDifference mean = differenceOf(overHeads(before), overHeads(after));
  mean.value = meanOfPresent(values);
  if (crossed) addHeads(mean, values, heads);
  return mean;
}

TextTest testOf(const TextDifference& difference, std::optional<double> margin) {
  TextTest test{difference.value};
  if (!difference.known()) return test;
  const auto [variance, freedom] = varianceOf(difference);
  const double error = std::sqrt(variance), half = error * studentQuantile(freedom, kCoverage);
  const auto tail = [error, freedom = freedom](double distance) {
    if (error > 0) return studentTail(distance / error, freedom);
    return distance > 0 ? 0.0 : distance < 0 ? 1.0 : 0.5;
  };
  test.interval = {difference.value - half, difference.value + half};
  test.p = 2 * tail(std::fabs(difference.value));
  if (margin) test.equivalentP = std::max(tail(*margin + difference.value), tail(*margin - difference.value));
  const bool differs = test.interval.low > 0 || test.interval.high < 0;
  test.verdict = differs                                 ? kDifferent
                 : test.equivalentP <= kEquivalenceLevel ? "equivalent within " + numberText(*margin)
                                                         : kNoDifferenceShown;
  return test;
}

namespace {

// ---- Several tests

// Values of groups of texts [groups * tests]; the statistics of tests are sums over sets of texts of their
// means.
using GroupValues = std::vector<double>;

constexpr std::size_t kMaxExhaustiveGroups = 12, kRandomFlips = 10000;
constexpr std::uint64_t kFlipPurpose = 0x666C6970;  // "flip"
constexpr double kTie = 1e-9;                       // relative tolerance for rounding

// |t| of every test with these signs of the groups.
std::vector<double> flippedStatistics(const std::vector<GroupValues>& sets, std::size_t tests,
                                      const std::vector<double>& signs) {
  std::vector<double> statistic(tests), variance(tests);
  auto sign = signs.begin();
  for (const GroupValues& set : sets) {
    std::vector<double> sum(tests), squares(tests);
    for (auto value = set.begin(); value != set.end(); ++sign) {
      for (std::size_t test = 0; test < tests; ++test, ++value) {
        sum[test] += *sign * *value;
        squares[test] += *value * *value;
      }
    }
    const auto n = static_cast<double>(set.size() / tests);
    for (std::size_t test = 0; test < tests; ++test) {
      const double mean = sum[test] / n;
      statistic[test] += mean;
      variance[test] += std::max(0.0, squares[test] / n - mean * mean) / (n - 1);
    }
  }
  for (std::size_t test = 0; test < tests; ++test) {
    const double size = std::fabs(statistic[test]);
    statistic[test] = size > 0 ? size / std::sqrt(variance[test]) : 0;
  }
  return statistic;
}

void centre(GroupValues& set, std::size_t tests) {
  std::vector<double> mean(tests);
  const auto groups = static_cast<double>(set.size() / tests);
  for (std::size_t i = 0; i < set.size(); ++i) mean[i % tests] += set[i] / groups;
  for (std::size_t i = 0; i < set.size(); ++i) set[i] -= mean[i % tests];
}

// Single-step max-T (Westfall and Young 1993): the share of sign flips whose largest |t| over all tests is at
// least the |t| of a test, t = sum of means / sqrt(sum of (mean of squares - mean^2) / (groups - 1)). With
// one set of texts its values are flipped, with several their distances from the mean of their set (a wild
// bootstrap with Rademacher weights). Uses every flip up to 12 groups, else 10,000 random ones keyed by
// `seed`, and the observed values as one more. Missing with fewer than two groups.
std::vector<double> maxTAdjusted(std::vector<GroupValues> sets, std::size_t tests, std::uint64_t seed) {
  if (std::ranges::any_of(sets, [&](const GroupValues& set) { return set.size() < 2 * tests; }))
    return std::vector<double>(tests, kMissing);
  std::size_t groups = 0;
  for (const GroupValues& set : sets) groups += set.size() / tests;
  std::vector<double> signs(groups, 1.0);
  const std::vector<double> observed = flippedStatistics(sets, tests, signs);
  for (GroupValues& set : sets) {
    if (sets.size() > 1) centre(set, tests);
  }
  const bool all = groups <= kMaxExhaustiveGroups;
  const std::size_t flips = all ? std::size_t{1} << (groups - 1) : kRandomFlips;
  PairGenerator generator(combine(combine(kSeedStart, mix64(seed)), mix64(kFlipPurpose)));
  std::vector<double> reached(tests, all ? 0.0 : 1.0);
  for (std::size_t flip = 0; flip < flips; ++flip) {
    std::uint64_t bits = flip;
    for (std::size_t group = 0; group < groups; ++group) {
      if (!all && group % 64 == 0) bits = generator.next();
      signs[group] = (bits >> (group % 64) & 1U) != 0 ? -1 : 1;
    }
    const double largest = std::ranges::max(flippedStatistics(sets, tests, signs));
    for (std::size_t test = 0; test < tests; ++test)
      if (largest >= observed[test] * (1 - kTie)) ++reached[test];
  }
  for (double& count : reached) count /= static_cast<double>(all ? flips : flips + 1);
  return reached;
}

}  // namespace

std::vector<TextTest> testAll(const std::vector<TextDifference>& differences,
                              const std::vector<std::optional<double>>& margins, std::uint64_t seed) {
  std::vector<TextTest> tests;
  std::vector<std::size_t> known;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    tests.push_back(testOf(differences[i], margins[i]));
    if (differences[i].known()) known.push_back(i);
  }
  if (known.empty()) return tests;
  std::vector<GroupValues> sets(differences[known.front()].sets.size());
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (std::size_t j = 0; j < differences[known.front()].sets[s].apart.size(); ++j)
      for (const std::size_t i : known) sets[s].push_back(differences[i].sets[s].pseudo(j));
  }
  const std::vector<double> adjusted = maxTAdjusted(std::move(sets), known.size(), seed);
  for (std::size_t i = 0; i < known.size(); ++i)
    tests[known[i]].adjustedP = std::max(tests[known[i]].p, adjusted[i]);
  return tests;
}

}  // namespace plastiscope
