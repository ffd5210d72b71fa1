// groups.csv and coordination.csv: do query heads that share a key head behave alike?
#include "core/analysis/facets.h"
#include "core/analysis/tables/head_table.h"
#include "core/analysis/tables/table_list.h"

namespace plastiscope {

namespace {

constexpr const char* kMetrics[] = {"bias_strength", "ap_overall", "ap_drop", "plane_var_fraction",
                                    "alpha_q",       "mu_q_a",     "r_q_a"};

struct KeyGroup {
  std::int64_t layer = 0, kvHead = 0;
  HeadsGroup heads;
};

std::vector<KeyGroup> keyGroups(const std::vector<HeadResult>& heads) {
  std::map<std::pair<std::int64_t, std::int64_t>, KeyGroup> byPlace;
  for (std::size_t row = 0; row < heads.size(); ++row) {
    const HeadPlace& place = heads[row].place;
    KeyGroup& group = byPlace[{place.layer, place.kvHead}];
    group.layer = place.layer;
    group.kvHead = place.kvHead;
    group.heads.rows.push_back(row);
  }
  std::vector<KeyGroup> groups;
  for (auto& [place, group] : byPlace) groups.push_back(std::move(group));
  return groups;
}

}  // namespace

Table groupsTable(const TableInput& input) {
  const std::vector<KeyGroup> groups = keyGroups(input.heads);
  Integers layer, kvHead, heads;
  for (const KeyGroup& group : groups) {
    layer.push_back(group.layer);
    kvHead.push_back(group.kvHead);
    heads.push_back(static_cast<std::int64_t>(group.heads.rows.size()));
  }
  Table table{"groups", {{"layer", layer}, {"kv_head", kvHead}, {"heads", heads}}};
  for (const char* metric : kMetrics) {
    const Numbers& values = input.perHead.numbers(metric);
    Numbers means, deviations;
    for (const KeyGroup& group : groups) {
      Numbers chosen;
      for (const std::size_t row : group.heads.rows) chosen.push_back(values[row]);
      means.push_back(meanOfPresent(chosen));
      deviations.push_back(sampleDeviation(chosen));
    }
    table.columns.push_back({std::string(metric) + "_mean", means});
    table.columns.push_back({std::string(metric) + "_sd", deviations});
  }
  return table;
}

Table coordinationTable(const TableInput& input) {
  std::vector<HeadsGroup> groups;
  for (KeyGroup& group : keyGroups(input.heads)) groups.push_back(std::move(group.heads));
  Texts metrics;
  Integers counts, heads;
  Numbers within, between, intraclass;
  for (const char* metric : kMetrics) {
    const GroupVariance variance = groupVariance(input.perHead.numbers(metric), groups);
    metrics.emplace_back(metric);
    counts.push_back(variance.groups);
    heads.push_back(variance.heads);
    within.push_back(variance.within);
    between.push_back(variance.between);
    intraclass.push_back(variance.intraclass);
  }
  return {"coordination",
          {{"metric", metrics},
           {"groups", counts},
           {"heads", heads},
           {"within_variance", within},
           {"between_variance", between},
           {"intraclass_correlation", intraclass}}};
}

}  // namespace plastiscope
