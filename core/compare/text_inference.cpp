#include "core/compare/text_inference.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/columns.h"
#include "core/base/foreign_text.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

constexpr double kCoverage = 0.95, kEquivalenceLevel = 0.05;
constexpr const char* kAbsolute = "abs_";

// Null where there is none, or it is damaged.
const Table* tableOf(const AnalysisFile& analysis, const char* name) {
  return analysis.leftOut.contains(name) ? nullptr : analysis.find(name);
}

// A group that has a place; nothing for others.
std::optional<std::size_t> groupAt(const Table& table, std::size_t row, std::size_t groups) {
  const double group = numberAt(table, "group", row);
  return group >= 0 && group < static_cast<double>(groups) ? std::optional(static_cast<std::size_t>(group))
                                                          : std::nullopt;
}

bool isComplete(const std::vector<double>& values) {
  return std::ranges::none_of(values, [](double value) { return std::isnan(value); });
}

double jackknifeVariance(const TextDifference::Set& set) {
  double sum = 0;
  for (std::size_t j = 0; j < set.apart.size(); ++j) sum += set.weight[j] * set.apart[j] * set.apart[j];
  return sum / static_cast<double>(set.apart.size());
}

// Variances that add, each with its degrees of freedom.
struct VarianceSum {
  double total = 0, squares = 0;  // sum of V^2 / freedom
  void add(double variance, double freedom) {
    total += variance;
    squares += variance * variance / freedom;
  }
  double freedom() const { return total * total / squares; }
};

VarianceSum varianceOf(const TextDifference& difference) {
  VarianceSum sum;
  for (const TextDifference::Set& set : difference.sets)
    sum.add(jackknifeVariance(set), static_cast<double>(set.apart.size() - 1));
  if (difference.headsFreedom <= 0) return sum;
  const double least = std::max(sum.total, difference.headsVariance);
  sum.add(difference.headsVariance, difference.headsFreedom);
  if (difference.bothFreedom > 0) sum.add(-difference.bothVariance, difference.bothFreedom);
  sum.total = std::max(sum.total, least);
  return sum;
}

// The mean square of heads x groups pseudo-values without their row and column means, / (H K).
double interaction(const std::vector<TextDifference>& heads, std::size_t set) {
  const std::size_t groups = heads.front().sets[set].apart.size();
  std::vector<double> ofGroup(groups, 0.0), ofHead;
  double all = 0;
  const auto count = static_cast<double>(heads.size()), n = static_cast<double>(groups);
  const auto pseudo = [&](std::size_t h, std::size_t j) {
    const TextDifference::Set& own = heads[h].sets[set];
    return own.mean + own.weight[j] * own.apart[j];
  };
  for (std::size_t h = 0; h < heads.size(); ++h) {
    double mean = 0;
    for (std::size_t j = 0; j < groups; ++j) {
      mean += pseudo(h, j) / n;
      ofGroup[j] += pseudo(h, j) / count;
    }
    ofHead.push_back(mean);
    all += mean / count;
  }
  double squares = 0;
  for (std::size_t h = 0; h < heads.size(); ++h) {
    for (std::size_t j = 0; j < groups; ++j) {
      const double rest = pseudo(h, j) - ofHead[h] - ofGroup[j] + all;
      squares += rest * rest;
    }
  }
  return squares / ((count - 1) * (n - 1)) / (count * n);
}

}  // namespace

TextGroups textGroups(const AnalysisFile& analysis) {
  TextGroups groups;
  const Table* table = tableOf(analysis, "texts");
  if (table == nullptr) return groups;
  const std::size_t texts = table->rows();
  std::vector<double> size(texts, 0.0);
  for (std::size_t row = 0; row < texts; ++row) {
    const auto group = groupAt(*table, row, texts);
    if (!group) return {};
    groups.texts.push_back(textAt(*table, "id", row) + "\n" + textAt(*table, "sha256", row));
    groups.group.push_back(static_cast<std::int64_t>(*group));
    ++size[*group];
  }
  while (!size.empty() && size.back() == 0) size.pop_back();
  if (std::ranges::count(size, 0.0) > 0) return {};
  for (const double m : size) groups.weight.push_back(static_cast<double>(texts) / m - 1);
  return groups;
}

TextReplicates::TextReplicates(std::shared_ptr<const AnalysisFile> analysis)
    : m_analysis(std::move(analysis)),
      m_texts(std::make_shared<const TextGroups>(textGroups(*m_analysis))) {
  m_table = m_texts->known() ? tableOf(*m_analysis, "jackknife") : nullptr;
  if (m_table == nullptr) return;
  constexpr auto kNone = static_cast<std::size_t>(-1);
  const std::size_t groups = m_texts->weight.size();
  std::map<HeadName, std::vector<std::size_t>> places;
  for (std::size_t row = 0; row < m_table->rows(); ++row) {
    const auto group = groupAt(*m_table, row, groups);
    const double layer = numberAt(*m_table, "layer", row), head = numberAt(*m_table, "head", row);
    if (!group || !std::isfinite(layer) || !std::isfinite(head)) continue;
    auto& rows = places[{static_cast<std::int64_t>(layer), static_cast<std::int64_t>(head)}];
    rows.resize(groups, kNone);
    rows[*group] = row;
  }
  for (const HeadName& head : headsOf(*m_analysis)) {
    std::vector<std::size_t>& rows = m_rows.emplace_back(std::move(places[head]));
    if (std::ranges::count(rows, kNone) > 0) rows.clear();
  }
}

bool TextReplicates::has(const std::string& metric) const {
  return m_table != nullptr &&
         (m_table->find(metric) != nullptr ||
          (metric.starts_with(kAbsolute) && m_table->find(metric.substr(4)) != nullptr));
}

std::vector<std::vector<double>> TextReplicates::of(const std::string& metric) const {
  if (!has(metric)) return {};
  const bool absolute = m_table->find(metric) == nullptr;
  const std::string column = absolute ? metric.substr(4) : metric;
  const Table& heads = requiredTable(*m_analysis, "heads");
  const std::string plain = column + kPlainEnding;  // of estimates that are corrected for bias
  const std::string& whole = heads.find(plain) != nullptr ? plain : column;
  const auto size = [absolute](double value) { return absolute ? std::fabs(value) : value; };
  const auto* without = std::get_if<std::vector<double>>(&m_table->find(column)->values);
  if (without == nullptr) return {};
  std::vector<std::vector<double>> all;
  for (std::size_t h = 0; h < m_rows.size(); ++h) {
    std::vector<double>& apart = all.emplace_back();
    const double value = size(numberAt(heads, whole, h));
    for (const std::size_t row : m_rows[h]) apart.push_back(value - size((*without)[row]));
    if (!isComplete(apart)) apart.clear();
  }
  return all;
}

TextValue overHeads(std::span<const double> values, const std::vector<std::vector<double>>& apart,
                    const std::vector<std::size_t>& heads, const std::shared_ptr<const TextGroups>& texts,
                    bool median) {
  const auto middle = [median](const std::vector<double>& of) {
    return median ? medianOfPresent(of) : meanOfPresent(of);
  };
  std::vector<double> present, complete;
  std::vector<std::size_t> those;
  for (const std::size_t h : heads) {
    present.push_back(values[h]);
    if (h >= apart.size() || apart[h].empty() || std::isnan(values[h])) continue;
    complete.push_back(values[h]);
    those.push_back(h);
  }
  TextValue value{middle(present), {}, texts};
  if (texts == nullptr || !texts->known() || those.empty()) return value;
  const double whole = middle(complete);
  for (std::size_t j = 0; j < texts->weight.size(); ++j) {
    std::vector<double> without;
    for (std::size_t i = 0; i < those.size(); ++i) without.push_back(complete[i] - apart[those[i]][j]);
    value.apart.push_back(whole - middle(without));
  }
  return value;
}

std::vector<TextValue> profileReplicates(const AnalysisFile& analysis,
                                         const std::shared_ptr<const TextGroups>& texts) {
  const Table *table = tableOf(analysis, "jackknife_profile"), *profile = tableOf(analysis, "profile_aligned");
  if (table == nullptr || profile == nullptr || texts == nullptr || !texts->known()) return {};
  std::map<double, std::vector<double>> ofBin, without;
  for (std::size_t row = 0; row < profile->rows(); ++row)
    ofBin[numberAt(*profile, "bin", row)].push_back(numberAt(*profile, "ap_aligned", row));
  for (std::size_t row = 0; row < table->rows(); ++row) {
    const auto group = groupAt(*table, row, texts->weight.size());
    auto& bin = without[numberAt(*table, "bin", row)];
    bin.resize(texts->weight.size(), kMissing);
    if (group) bin[*group] = numberAt(*table, "ap_aligned", row);
  }
  std::vector<TextValue> values;
  for (const auto& [bin, ofHeads] : ofBin) {
    TextValue& value = values.emplace_back(TextValue{meanOfPresent(ofHeads), without[bin], texts});
    for (double& one : value.apart) one = value.value - one;
    if (!isComplete(value.apart)) value.apart.clear();
  }
  return values;
}

TextDifference differenceOf(const TextValue& first, const TextValue& other) {
  TextDifference difference;
  difference.value = other.value - first.value;
  if (!first.known() || !other.known() || !std::isfinite(difference.value)) return difference;
  TextDifference::Set a{first.texts->weight, first.apart, -first.value},
      b{other.texts->weight, other.apart, other.value};
  for (double& one : a.apart) one = -one;
  if (first.texts == other.texts || *first.texts == *other.texts) {
    for (std::size_t j = 0; j < b.apart.size(); ++j) b.apart[j] += a.apart[j];
    b.mean = difference.value;
    difference.sets = {std::move(b)};
  } else {
    difference.sets = {std::move(a), std::move(b)};
  }
  return difference;
}

TextDifference meanOverHeads(const std::vector<TextDifference>& ofHeads) {
  TextDifference mean;
  std::vector<double> values;
  double known = 0;
  for (const TextDifference& head : ofHeads) {
    values.push_back(head.value);
    if (!head.known()) continue;
    ++known;
    if (!mean.known()) mean.sets = head.sets;
    for (std::size_t s = 0; s < mean.sets.size() && known > 1; ++s) {
      mean.sets[s].mean += head.sets[s].mean;
      for (std::size_t j = 0; j < mean.sets[s].apart.size(); ++j)
        mean.sets[s].apart[j] += head.sets[s].apart[j];
    }
  }
  for (TextDifference::Set& set : mean.sets) {
    set.mean /= known;
    for (double& apart : set.apart) apart /= known;
  }
  mean.value = meanOfPresent(values);
  return mean;
}

void addHeads(TextDifference& difference, const std::vector<TextDifference>& ofHeads) {
  if (!difference.known()) return;
  std::vector<double> values;
  std::vector<TextDifference> known;
  for (const TextDifference& head : ofHeads) {
    values.push_back(head.value);
    if (head.known()) known.push_back(head);
  }
  std::int64_t heads = 0;
  const double mean = meanOfPresent(values, &heads);
  if (heads < 2 || known.size() < 2) {
    difference.sets.clear();
    return;
  }
  const auto count = static_cast<double>(heads);
  difference.headsVariance = squaredDeviations(values, mean) / (count - 1) / count;
  difference.headsFreedom = count - 1;
  double groups = 0;
  for (std::size_t set = 0; set < difference.sets.size(); ++set) {
    difference.bothVariance += interaction(known, set);
    groups += static_cast<double>(difference.sets[set].apart.size() - 1);
  }
  difference.bothFreedom = static_cast<double>(known.size() - 1) * groups;
}

std::vector<GroupValues> groupValues(const std::vector<TextDifference>& differences) {
  std::vector<GroupValues> sets;
  for (std::size_t s = 0; !differences.empty() && s < differences.front().sets.size(); ++s) {
    GroupValues& set = sets.emplace_back(GroupValues{differences.front().sets[s].apart.size(), {}});
    for (std::size_t j = 0; j < set.groups; ++j) {
      for (const TextDifference& difference : differences) {
        const TextDifference::Set& own = difference.sets[s];
        set.values.push_back(own.mean + own.weight[j] * own.apart[j]);
      }
    }
  }
  return sets;
}

std::string verdictOf(const Interval& interval, double equivalentP, std::optional<double> margin) {
  if (!interval.known()) return {};
  if (interval.low > 0 || interval.high < 0) return kDifferent;
  return margin && equivalentP <= kEquivalenceLevel ? "equivalent within " + numberText(*margin)
                                                    : kNoDifferenceShown;
}

TextTest testOf(const TextDifference& difference, std::optional<double> margin) {
  TextTest test;
  test.difference = difference.value;
  if (!difference.known()) return test;
  const VarianceSum variance = varianceOf(difference);
  const double error = test.standardError = std::sqrt(variance.total);
  test.freedom = error > 0 ? variance.freedom() : static_cast<double>(difference.sets[0].apart.size() - 1);
  const auto tail = [&](double distance) {  // of t = distance / error
    if (error > 0) return studentTail(distance / error, test.freedom);
    return distance > 0 ? 0.0 : distance < 0 ? 1.0 : 0.5;
  };
  const double half = error * studentQuantile(test.freedom, kCoverage);
  test.interval = {difference.value - half, difference.value + half};
  test.p = 2 * tail(std::fabs(difference.value));
  if (margin)
    test.equivalentP = std::max(tail(*margin + difference.value), tail(*margin - difference.value));
  test.verdict = verdictOf(test.interval, test.equivalentP, margin);
  return test;
}

std::vector<TextTest> testAll(const std::vector<TextDifference>& differences,
                              const std::vector<std::optional<double>>& margins, std::uint64_t seed) {
  std::vector<TextTest> tests;
  std::vector<TextDifference> known;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    tests.push_back(testOf(differences[i], margins[i]));
    if (differences[i].known()) known.push_back(differences[i]);
  }
  const std::vector<double> adjusted = maxTAdjusted(groupValues(known), known.size(), seed);
  std::size_t next = 0;
  for (TextTest& test : tests) {
    if (!std::isnan(test.p)) test.adjustedP = std::max(test.p, adjusted[next++]);
  }
  return tests;
}

std::vector<TextTest> testAll(const std::vector<TextDifference>& differences, std::optional<double> margin,
                              std::uint64_t seed) {
  return testAll(differences, std::vector<std::optional<double>>(differences.size(), margin), seed);
}

}  // namespace plastiscope
