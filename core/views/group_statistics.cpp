#include "core/views/group_statistics.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/base/orders.h"
#include "core/store/table_columns.h"
#include "core/views/metric_info.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

constexpr std::uint64_t kHeadOrders = 0x686561646F7264u, kKeyHeadOrders = 0x6B6579686F7264u,
                        kGroupResamples = 0x67727072657361u;  // keys of random numbers
constexpr int kResamples = 2000;
constexpr double kShownP = 0.05;

// A head that takes part.
struct ComparedHead {
  std::size_t row = 0;  // of the table
  bool inside = false;  // in the group
  std::size_t stratum = 0;
  std::pair<std::int64_t, std::int64_t> keyHead;  // layer, key head
};
using ComparedHeads = std::vector<ComparedHead>;

// Per stratum: sums and numbers of the heads of a set, and of all heads. Strata without heads on both sides
// are left out.
class SetSums {
 public:
  explicit SetSums(std::size_t strata) : m_parts(strata) {}
  void clear() { std::ranges::fill(m_parts, Part()); }
  void clearInside() {
    for (Part& part : m_parts) part.inside = part.insideHeads = 0;
  }
  void add(std::size_t stratum, double value) {
    m_parts[stratum].all += value;
    m_parts[stratum].heads += 1;
  }
  void addInside(std::size_t stratum, double value) {
    m_parts[stratum].inside += value;
    m_parts[stratum].insideHeads += 1;
  }
  double mean() const { return mean(true); }
  // Mean of the heads outside; each stratum has the weight of its heads inside.
  double otherMean() const { return mean(false); }
  double difference() const { return mean() - otherMean(); }

 private:
  struct Part {
    double inside = 0, insideHeads = 0, all = 0, heads = 0;
  };
  double mean(bool inside) const {
    double sum = 0, heads = 0;
    for (const Part& part : m_parts) {
      const double outside = part.heads - part.insideHeads;
      if (part.insideHeads == 0 || outside == 0) continue;
      sum += inside ? part.inside : (part.all - part.inside) / outside * part.insideHeads;
      heads += part.insideHeads;
    }
    return heads > 0 ? sum / heads : kMissing;
  }
  std::vector<Part> m_parts;
};

void addHead(SetSums& sums, const ComparedHead& head, double value) {
  sums.add(head.stratum, value);
  if (head.inside) sums.addInside(head.stratum, value);
}

std::size_t strataOf(const ComparedHeads& heads) {
  std::size_t most = 0;
  for (const ComparedHead& head : heads) most = std::max(most, head.stratum);
  return most + 1;
}

// Heads with values, without strata that have only one side.
ComparedHeads comparable(const ComparedHeads& heads) {
  std::vector<std::array<std::int64_t, 2>> sides(heads.empty() ? 0 : strataOf(heads));
  for (const ComparedHead& head : heads) ++sides[head.stratum][head.inside ? 1 : 0];
  ComparedHeads kept = heads;
  std::erase_if(kept, [&](const ComparedHead& head) {
    return sides[head.stratum][0] == 0 || sides[head.stratum][1] == 0;
  });
  return kept;
}

// The heads that the options compare.
ComparedHeads chosenHeads(const Table& table, const HeadGroup& group, const GroupOptions& options) {
  const std::vector<HeadName> names = headsOf(table);
  const NumberColumn keyHead(table, "kv_head");
  const auto isIn = [](const HeadGroup& set, const HeadName& name) {
    return std::ranges::binary_search(set.heads, name);
  };
  ComparedHeads heads;
  std::size_t members = 0;
  for (std::size_t row = 0; row < names.size(); ++row) {
    const bool inside = isIn(group, names[row]);
    members += inside ? 1 : 0;
    if (options.against == GroupAgainst::Group && isIn(*options.other, names[row]) == inside) continue;
    const std::size_t stratum =
        options.against == GroupAgainst::Layers ? static_cast<std::size_t>(names[row].layer) : 0;
    heads.push_back({row, inside, stratum, {names[row].layer, keyHead.index(row)}});
  }
  if (members == 0) throw UsageError("no head of group \"" + group.name + "\" is in this study");
  if (!comparable(heads).empty()) return heads;
  if (options.against == GroupAgainst::Layers)
    throw UsageError("group \"" + group.name +
                     "\" leaves no other heads in its layers to compare with: compare it with the rest");
  throw UsageError(options.against == GroupAgainst::Group
                       ? "groups \"" + group.name + "\" and \"" + options.other->name +
                             "\" have no heads of their own to compare"
                       : "group \"" + group.name + "\" leaves no other heads to compare with");
}

// Units whose labels (inside or outside, for each of their heads) are exchanged: key heads, or single heads.
// Key heads exchange within their stratum, and within those of as many heads where one is partly inside.
class Exchange {
 public:
  Exchange(const ComparedHeads& heads, bool byKeyHead) {
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::size_t>> units;
    for (std::size_t i = 0; i < heads.size(); ++i) {
      const auto single = std::pair<std::int64_t, std::int64_t>(0, i);
      units[byKeyHead ? heads[i].keyHead : single].push_back(i);
    }
    std::set<std::size_t> mixed;  // strata with a unit that is partly inside
    for (const auto& [name, members] : units) {
      const std::vector<bool> labels = labelsOf(heads, members);
      if (std::ranges::count(labels, labels.front()) != std::ssize(labels))
        mixed.insert(heads[members.front()].stratum);
    }
    using Class = std::pair<std::size_t, std::size_t>;  // stratum, heads; 0 = any number
    std::map<Class, std::map<std::vector<bool>, std::vector<std::vector<std::size_t>>>> classes;
    for (auto& [name, members] : units) {
      const std::size_t stratum = heads[members.front()].stratum;
      std::vector<bool> labels = labelsOf(heads, members);
      if (!mixed.contains(stratum)) labels.resize(1);
      classes[{stratum, mixed.contains(stratum) ? labels.size() : 0}][labels].push_back(std::move(members));
    }
    for (auto& [key, byLabels] : classes) {
      m_orders.emplace_back();
      m_units.emplace_back();
      m_labels.emplace_back();
      for (auto& [labels, members] : byLabels) {
        for (auto& each : members) {
          m_orders.back().push_back(m_labels.back().size());
          m_units.back().push_back(std::move(each));
        }
        m_labels.back().push_back(labels);
      }
    }
  }

  const Orders& orders() const { return m_orders; }
  // Calls use(head) for every head that is inside.
  template <typename Use>
  void forEach(const Orders& orders, const Use& use) const {
    for (std::size_t c = 0; c < m_units.size(); ++c) {
      for (std::size_t u = 0; u < m_units[c].size(); ++u) {
        const std::vector<bool>& labels = m_labels[c][orders[c][u]];
        for (std::size_t i = 0; i < m_units[c][u].size(); ++i) {
          if (labels.size() == 1 ? labels[0] : labels[i]) use(m_units[c][u][i]);
        }
      }
    }
  }

 private:
  static std::vector<bool> labelsOf(const ComparedHeads& heads, const std::vector<std::size_t>& members) {
    std::vector<bool> labels;
    for (const std::size_t i : members) labels.push_back(heads[i].inside);
    return labels;
  }
  Orders m_orders;                                             // [classes][units], an index into the labels
  std::vector<std::vector<std::vector<std::size_t>>> m_units;  // [classes][units] heads
  std::vector<std::vector<std::vector<bool>>> m_labels;        // [classes][labels][heads, or 1 for all]
};

// Metrics that are known for the same heads: they share random orders.
struct MetricSet {
  ComparedHeads heads;
  std::vector<std::size_t> contrasts;       // indices
  std::vector<std::vector<double>> values;  // [contrasts][heads]
};

// [contrasts] Share of the orders whose difference is at least as large, either way; missing if nothing can
// be exchanged.
std::vector<double> permutationPs(const MetricSet& set, const GroupOptions& options, bool byKeyHead) {
  const Exchange exchange(set.heads, byKeyHead);
  const std::size_t count = set.contrasts.size();
  if (countOrders(exchange.orders()) <= 1) return std::vector<double>(count, kMissing);
  const std::size_t strata = strataOf(set.heads);
  std::vector<double> observed, ps;
  std::vector<std::int64_t> extreme(count, 0);
  std::vector<SetSums> sums(count, SetSums(strata));
  std::vector<double> rounding(count, 0);
  for (std::size_t m = 0; m < count; ++m) {
    for (std::size_t i = 0; i < set.heads.size(); ++i) {
      sums[m].add(set.heads[i].stratum, set.values[m][i]);
      rounding[m] = std::max(rounding[m], 1e-12 * std::abs(set.values[m][i]));
    }
  }
  std::int64_t visited = 0;
  const OrderDraws draws{options.seed, byKeyHead ? kKeyHeadOrders : kHeadOrders, options.permutations};
  shareOfOrders(exchange.orders(), draws, [&](const Orders& orders) {
    for (SetSums& each : sums) each.clearInside();
    exchange.forEach(orders, [&](std::size_t i) {
      for (std::size_t m = 0; m < count; ++m) sums[m].addInside(set.heads[i].stratum, set.values[m][i]);
    });
    for (std::size_t m = 0; m < count; ++m) {
      const double size = std::abs(sums[m].difference());
      if (visited == 0) observed.push_back(size);  // the first order is the given one
      extreme[m] += size >= observed[m] - rounding[m] ? 1 : 0;
    }
    ++visited;
    return true;
  });
  for (const std::int64_t each : extreme)
    ps.push_back(static_cast<double>(each) / static_cast<double>(visited));
  return ps;
}

// [contrasts] Resamples key heads: those with heads of the group, and the others of each stratum; missing for
// groups of one key head.
std::vector<Interval> bootstrapIntervals(const MetricSet& set, std::uint64_t seed) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < set.heads.size(); ++i) members[set.heads[i].keyHead].push_back(i);
  std::map<std::size_t, std::vector<const std::vector<std::size_t>*>> pools;  // 0: the group; 1 + stratum
  for (const auto& [name, heads] : members) {
    const bool touched = std::ranges::any_of(heads, [&](std::size_t i) { return set.heads[i].inside; });
    pools[touched ? 0 : 1 + set.heads[heads.front()].stratum].push_back(&heads);
  }
  std::vector<Interval> intervals(set.contrasts.size());
  if (pools[0].size() < 2) return intervals;
  std::vector<std::vector<double>> drawn(set.contrasts.size());
  std::vector<SetSums> sums(set.contrasts.size(), SetSums(strataOf(set.heads)));
  for (int draw = 0; draw < kResamples; ++draw) {
    PairGenerator generator = drawGenerator(seed, kGroupResamples, static_cast<std::uint64_t>(draw));
    for (SetSums& each : sums) each.clear();
    for (const auto& [key, pool] : pools) {
      for (std::size_t n = 0; n < pool.size(); ++n) {
        for (const std::size_t i : *pool[generator.below(pool.size())]) {
          for (std::size_t m = 0; m < sums.size(); ++m) addHead(sums[m], set.heads[i], set.values[m][i]);
        }
      }
    }
    for (std::size_t m = 0; m < sums.size(); ++m) drawn[m].push_back(sums[m].difference());
  }
  for (std::size_t m = 0; m < sums.size(); ++m) intervals[m] = percentileInterval(drawn[m]);
  return intervals;
}

// Pooled standard deviation within the two sets.
double deviationWithin(const MetricSet& set, const std::vector<double>& values) {
  std::array<std::vector<double>, 2> sides;
  for (std::size_t i = 0; i < values.size(); ++i) sides[set.heads[i].inside ? 1 : 0].push_back(values[i]);
  if (values.size() < 3) return kMissing;
  const double squares = squaredDeviations(sides[0], meanOfPresent(sides[0])) +
                         squaredDeviations(sides[1], meanOfPresent(sides[1]));
  return std::sqrt(squares / static_cast<double>(values.size() - 2));
}

void describe(const MetricSet& set, std::vector<GroupContrast>& contrasts) {
  std::set<std::pair<std::int64_t, std::int64_t>> keyHeads;
  std::int64_t inside = 0;
  for (const ComparedHead& head : set.heads) {
    if (!head.inside) continue;
    keyHeads.insert(head.keyHead);
    ++inside;
  }
  for (std::size_t m = 0; m < set.contrasts.size(); ++m) {
    GroupContrast& contrast = contrasts[set.contrasts[m]];
    contrast.heads = inside;
    contrast.others = std::ssize(set.heads) - inside;
    contrast.keyHeads = std::ssize(keyHeads);
    SetSums sums(strataOf(set.heads));
    for (std::size_t i = 0; i < set.heads.size(); ++i) addHead(sums, set.heads[i], set.values[m][i]);
    contrast.mean = sums.mean();
    contrast.otherMean = sums.otherMean();
    contrast.difference = sums.difference();
    const double deviation = deviationWithin(set, set.values[m]);
    if (deviation > 0) contrast.effect = contrast.difference / deviation;
  }
}

std::vector<std::string> contrastedMetrics(const Table& heads, const GroupOptions& options) {
  std::vector<std::string> columns;
  if (options.metrics.empty()) {
    const auto isEnd = [](const std::string& column) {
      return column.ends_with(kLowEnding) || column.ends_with(kHighEnding);
    };
    for (const MetricInfo& metric : metricsOf(heads)) {
      if (!isEnd(metric.column)) columns.push_back(metric.column);
    }
  }
  for (const std::string& metric : options.metrics) columns.push_back(requiredMetric(heads, metric).column);
  const auto place = [&](const std::string& name) { return heads.find(name) - heads.columns.data(); };
  std::ranges::sort(columns, {}, place);
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

ComparedHeads withValues(const ComparedHeads& heads, const NumberColumn& column) {
  ComparedHeads present = heads;
  std::erase_if(present, [&](const ComparedHead& head) { return !std::isfinite(column[head.row]); });
  return comparable(present);
}

std::string countText(std::int64_t count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

}  // namespace

GroupAgainst usualAgainst(const Table& heads, const HeadGroups& groups) {
  const std::vector<HeadName> names = headsOf(heads);
  const bool layers = std::ranges::all_of(groups, [&](const HeadGroup& group) {
    return std::ranges::any_of(names, [&](const HeadName& name) {
      const bool inLayer = std::ranges::count(group.heads, name.layer, &HeadName::layer) > 0;
      return inLayer && !std::ranges::binary_search(group.heads, name);
    });
  });
  return layers ? GroupAgainst::Layers : GroupAgainst::Rest;
}

GroupStrips makeGroupStrips(const Table& heads, const HeadGroups& groups, const GroupOptions& options) {
  GroupStrips strips{requiredMetric(heads, options.metrics.at(0)).column, {}};
  const std::vector<HeadName> names = headsOf(heads);
  const NumberColumn column(heads, strips.metric);
  for (const HeadGroup& group : groups) {
    GroupStrip strip{group, groupContrasts(heads, group, options).front(), {}, {}, {}, {}};
    for (const ComparedHead& head : withValues(chosenHeads(heads, group, options), column)) {
      (head.inside ? strip.heads : strip.others).push_back(names[head.row]);
      (head.inside ? strip.values : strip.otherValues).push_back(column[head.row]);
    }
    strips.groups.push_back(std::move(strip));
  }
  return strips;
}

Table tableOf(const GroupStrips& strips) {
  TableBuilder table("groups", {texts("group"), integers("layer"), integers("head"), texts("member"),
                                numbers(strips.metric)});
  for (const GroupStrip& strip : strips.groups) {
    for (const bool member : {true, false}) {
      const std::vector<HeadName>& heads = member ? strip.heads : strip.others;
      for (std::size_t i = 0; i < heads.size(); ++i)
        table.row({strip.group.name, heads[i].layer, heads[i].head, yesNo(member),
                   (member ? strip.values : strip.otherValues)[i]});
    }
  }
  return table.take();
}

std::string comparedWith(const GroupContrast& contrast) {
  if (contrast.against == nameOf(GroupAgainst::Rest)) return "all other heads";
  return contrast.against == nameOf(GroupAgainst::Layers) ? "other heads of the same layers"
                                                          : contrast.against;
}

std::string testText(const GroupContrast& contrast) {
  if (!std::isfinite(contrast.pKeyHeads)) return "no test: no key head can be exchanged";
  return (contrast.pKeyHeads < 0.001 ? "p < 0.001" : "p = " + fixedText(contrast.pKeyHeads, 3)) + " over " +
         countText(contrast.keyHeads, "key head");
}

std::vector<GroupContrast> groupContrasts(const Table& heads, const HeadGroup& group,
                                          const GroupOptions& options) {
  const bool twoGroups = options.against == GroupAgainst::Group;
  if (twoGroups && !options.other) throw UsageError("a comparison of two groups needs the other group");
  const ComparedHeads chosen = chosenHeads(heads, group, options);
  std::vector<GroupContrast> contrasts;
  std::map<std::vector<std::size_t>, MetricSet> sets;  // by the rows that take part
  for (const std::string& metric : contrastedMetrics(heads, options)) {
    contrasts.push_back({group.name, twoGroups ? options.other->name : nameOf(options.against), metric});
    const NumberColumn column(heads, metric);
    ComparedHeads present = withValues(chosen, column);
    if (present.empty()) continue;
    std::vector<std::size_t> rows;
    std::vector<double> values;
    for (const ComparedHead& head : present) {
      rows.push_back(head.row);
      values.push_back(column[head.row]);
    }
    MetricSet& set = sets[rows];
    set.heads = std::move(present);
    set.contrasts.push_back(contrasts.size() - 1);
    set.values.push_back(std::move(values));
  }
  for (const auto& [rows, set] : sets) {
    describe(set, contrasts);
    const std::vector<double> p = permutationPs(set, options, false),
                              byKeyHead = permutationPs(set, options, true);
    const std::vector<Interval> intervals = bootstrapIntervals(set, options.seed);
    for (std::size_t m = 0; m < set.contrasts.size(); ++m) {
      GroupContrast& contrast = contrasts[set.contrasts[m]];
      contrast.p = p[m];
      contrast.pKeyHeads = byKeyHead[m];
      contrast.interval = intervals[m];
    }
  }
  std::vector<double> ps;
  for (const GroupContrast& contrast : contrasts) ps.push_back(contrast.pKeyHeads);
  const std::vector<double> rates = falseDiscoveryRates(ps);
  for (std::size_t i = 0; i < contrasts.size(); ++i) contrasts[i].q = rates[i];
  return contrasts;
}

Table tableOf(const std::vector<GroupContrast>& contrasts) {
  TableBuilder table("groups", {texts("group"), texts("against"), texts("metric"), integers("heads"),
                                integers("others"), integers("key_heads"), numbers("mean"),
                                numbers("other_mean"), numbers("difference"), numbers("low"), numbers("high"),
                                numbers("p"), numbers("p_key_heads"), numbers("q"), numbers("effect")});
  for (const GroupContrast& each : contrasts) {
    table.row({each.group, each.against, each.metric, each.heads, each.others, each.keyHeads, each.mean,
               each.otherMean, each.difference, each.interval.low, each.interval.high, each.p, each.pKeyHeads,
               each.q, each.effect});
  }
  return table.take();
}

std::string contrastSentence(const GroupContrast& contrast) {
  const MetricInfo metric = describeMetric(contrast.metric);
  std::string name = metric.title;  // "AP drop", "induction score"
  if (name.size() > 1 && std::islower(static_cast<unsigned char>(name[1])) != 0)
    name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  const std::string subject = contrast.group + " (" + countText(contrast.heads, "head") + ")";
  const std::string others = contrast.against == nameOf(GroupAgainst::Layers)
                                 ? "random heads of the same layers"
                                 : comparedWith(contrast);
  if (!std::isfinite(contrast.difference))
    return subject + ": no head has a value of " + name + " to compare with " + others + ".";
  const auto number = [&](double value) { return metricText(value, metric); };
  const std::string interval = contrast.interval.known() ? "95 % " + number(contrast.interval.low) + " to " +
                                                               number(contrast.interval.high) + "; "
                                                         : "";
  const std::string sizes = number(contrast.difference) + " (" + interval + testText(contrast) + ")";
  if (!std::isfinite(contrast.pKeyHeads))
    return subject + " and " + others + " differ in " + name + " by " + sizes + ".";
  if (contrast.pKeyHeads >= kShownP)
    return "No difference in " + name + " was found between " + subject + " and " + others + ": " + sizes +
           ".";
  return subject + " has a " + (contrast.difference > 0 ? "higher " : "lower ") + name + " than " + others +
         ": " + sizes + ".";
}

}  // namespace plastiscope
