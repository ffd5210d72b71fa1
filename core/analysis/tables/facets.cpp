// depth.csv, facets.csv, taxonomy.csv: heads by depth, by kind of layer and by class (method.md sections 2,
// 6).
#include "core/analysis/facets.h"

#include <algorithm>

#include "core/analysis/tables/head_table.h"
#include "core/analysis/tables/table_list.h"

namespace plastiscope {

namespace {

std::int64_t layersOf(const TableInput& input) {
  if (input.context.layers > 0) return input.context.layers;
  const Integers& layer = input.perHead.integers("layer");
  return layer.empty() ? 0 : *std::max_element(layer.begin(), layer.end()) + 1;
}

// What heads may be split by; each gives one name a row of heads.csv.
struct Facet {
  const char* name;
  Texts (*valueOf)(const TableInput&);
};

Texts layerKinds(const TableInput& input) {
  Texts values;
  for (const HeadResult& head : input.heads) values.emplace_back(head.place.rope ? "rope" : "nope");
  return values;
}

Texts attentionKinds(const TableInput& input) {
  return input.perHead.texts("attention");
}

Texts classes(const TableInput& input) {
  return input.perHead.texts("taxonomy");
}

// Captured query heads that share the key head.
Texts groupSizes(const TableInput& input) {
  std::map<std::pair<std::int64_t, std::int64_t>, int> size;
  for (const HeadResult& head : input.heads) ++size[{head.place.layer, head.place.kvHead}];
  Texts values;
  for (const HeadResult& head : input.heads)
    values.push_back(std::to_string(size[{head.place.layer, head.place.kvHead}]));
  return values;
}

constexpr Facet kFacets[] = {{"layer_kind", layerKinds},
                             {"attention", attentionKinds},
                             {"taxonomy", classes},
                             {"kv_group_size", groupSizes}};

std::vector<HeadsGroup> sortedGroups(const Texts& values) {
  std::vector<HeadsGroup> groups = groupsByName(values);
  std::sort(groups.begin(), groups.end(),
            [](const HeadsGroup& a, const HeadsGroup& b) { return a.name < b.name; });
  return groups;
}

}  // namespace

Table depthTable(const TableInput& input) {
  Integers decileOfRow, deciles, counts;
  for (const std::int64_t layer : input.perHead.integers("layer"))
    decileOfRow.push_back(depthDecile(layer, layersOf(input)));
  const std::vector<HeadsGroup> groups = groupsByNumber(decileOfRow);
  for (const HeadsGroup& group : groups) {
    deciles.push_back(group.number);
    counts.push_back(static_cast<std::int64_t>(group.rows.size()));
  }
  Table table{"depth", {{"decile", deciles}, {"heads", counts}}};
  addGroupMeans(table, input.perHead, groups);
  return table;
}

Table facetsTable(const TableInput& input) {
  Texts facets, values, metrics;
  Integers heads, present;
  Numbers means, deviations;
  for (const Facet& facet : kFacets) {
    for (const HeadsGroup& group : sortedGroups(facet.valueOf(input))) {
      for (const Column& column : input.perHead.columns) {
        const auto* numbers = std::get_if<Numbers>(&column.values);
        if (numbers == nullptr) continue;
        Numbers chosen;
        for (const std::size_t row : group.rows) chosen.push_back((*numbers)[row]);
        std::int64_t count = 0;
        facets.emplace_back(facet.name);
        values.push_back(group.name);
        heads.push_back(static_cast<std::int64_t>(group.rows.size()));
        metrics.push_back(column.name);
        means.push_back(meanOfPresent(chosen, &count));
        deviations.push_back(sampleDeviation(chosen));
        present.push_back(count);
      }
    }
  }
  return {"facets",
          {{"facet", facets},
           {"value", values},
           {"heads", heads},
           {"metric", metrics},
           {"mean", means},
           {"sd", deviations},
           {"metric_heads", present}}};
}

Table taxonomyTable(const TableInput& input) {
  const Texts& classOfRow = input.perHead.texts("taxonomy");
  const auto countOf = [&](const std::string& name) {
    return static_cast<std::int64_t>(std::count(classOfRow.begin(), classOfRow.end(), name));
  };
  Texts names = taxonomyClasses(input.context.settings.taxonomy);
  const std::int64_t defined = static_cast<std::int64_t>(classOfRow.size()) - countOf("undefined");
  Integers heads;
  Numbers share;
  for (const std::string& name : names) {
    heads.push_back(countOf(name));
    share.push_back(defined == 0 ? kMissing
                                 : static_cast<double>(heads.back()) / static_cast<double>(defined));
  }
  names.emplace_back("undefined");  // counted apart, in no share
  heads.push_back(countOf("undefined"));
  share.push_back(kMissing);
  return {"taxonomy", {{"class", names}, {"heads", heads}, {"share", share}}};
}

}  // namespace plastiscope
