#pragma once
// Compares a group of heads with other heads of a study: difference of the means of any column of heads.csv,
// its interval, permutation tests and effect size (method.md, Groups of heads). Heads are the units: the
// texts are fixed, so that nothing is said about other texts.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/statistics.h"
#include "core/base/table.h"
#include "core/views/head_group.h"

namespace plastiscope {

// Rest: all other heads. Layers: random groups with as many heads (or key heads) in each layer. Group:
// another group; heads of both are left out.
enum class GroupAgainst { Rest, Layers, Group };
constexpr std::array<const char*, 3> namesOf(GroupAgainst) {
  return {"rest", "layers", "group"};
}

struct GroupContrast {
  std::string group, against;          // name; "rest", "layers" or the other group's name
  std::string metric;                  // column of heads.csv
  std::int64_t heads = 0, others = 0;  // with a value
  std::int64_t keyHeads = 0;           // key heads of the group: units of pKeyHeads
  double mean = kMissing, otherMean = kMissing, difference = kMissing;
  Interval interval = {};       // 95 %, bootstrap over key heads
  double p = kMissing;          // permutation of heads, two-sided
  double pKeyHeads = kMissing;  // permutation of key heads with all their query heads, two-sided
  double q = kMissing;          // Benjamini-Hochberg of pKeyHeads over the metrics of the call
  double effect = kMissing;     // difference / standard deviation within the two sets
};

struct GroupOptions {
  GroupAgainst against = GroupAgainst::Layers;
  std::optional<HeadGroup> other = {};  // for GroupAgainst::Group
  std::vector<std::string> metrics;     // columns; empty = all numbers of the table but ends of intervals
  std::uint64_t seed = 0;
  int permutations = 9999;
};

// Layers where each group leaves other heads in one of its layers, else Rest.
GroupAgainst usualAgainst(const Table& heads, const HeadGroups& groups);

// One contrast per metric, in the order of the columns. `heads`: the heads table of an analysis (layer, head,
// kv_head). UsageError: an unknown metric, a group without heads in the table, nothing to compare with.
std::vector<GroupContrast> groupContrasts(const Table& heads, const HeadGroup& group,
                                          const GroupOptions& options);
// Groups beside the heads that each is compared with, in one metric.
struct GroupStrip {
  HeadGroup group;
  GroupContrast contrast;
  std::vector<HeadName> heads, others;      // with a value
  std::vector<double> values, otherValues;  // [heads], [others]
};
struct GroupStrips {
  std::string metric;
  std::vector<GroupStrip> groups;
};
// `options` with one metric. UsageError as groupContrasts.
GroupStrips makeGroupStrips(const Table& heads, const HeadGroups& groups, const GroupOptions& options);
Table tableOf(const GroupStrips& strips);  // group, layer, head, member (true | false), METRIC
// Heads that a contrast compares a group with: "all other heads", "other heads of the same layers",
// "induction".
std::string comparedWith(const GroupContrast& contrast);
// "p < 0.001 over 6 key heads"; "no test" without one.
std::string testText(const GroupContrast& contrast);

// One row per contrast.
Table tableOf(const std::vector<GroupContrast>& contrasts);
// "induction (8 heads) has a higher AP drop than random heads of the same layers: 0.12 (95 % 0.05 to 0.19;
// p = 0.003 over 6 key heads)." Says that no difference was found where the test finds none.
std::string contrastSentence(const GroupContrast& contrast);

}  // namespace plastiscope
