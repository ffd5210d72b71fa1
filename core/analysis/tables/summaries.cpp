// layers.csv, depth.csv, facets.csv, taxonomy.csv, groups.csv, coordination.csv and model.csv: heads by
// layer, depth, kind of layer, class and key head (method.md, Summaries over heads).
#include <algorithm>

#include "core/analysis/head_groups.h"
#include "core/analysis/pca.h"
#include "core/analysis/tables/definitions.h"

namespace plastiscope {

namespace {

Numbers chosenValues(const Numbers& values, const HeadsGroup& group) {
  Numbers chosen;
  for (const std::size_t row : group.rows) chosen.push_back(values[row]);
  return chosen;
}

// Numbers of the groups, then their numbers of heads.
std::vector<ColumnValues> numbersAndSizes(const std::vector<HeadsGroup>& groups) {
  Integers numbers, heads;
  for (const HeadsGroup& group : groups) {
    numbers.push_back(group.number);
    heads.push_back(asInteger(group.rows.size()));
  }
  return {numbers, heads};
}

std::vector<HeadsGroup> layerGroups(const TableInput& input) {
  return groupsByNumber(input.perHead.integers("layer"));
}

std::vector<HeadsGroup> depthGroups(const TableInput& input) {
  const Integers& layer = input.perHead.integers("layer");
  std::int64_t layers = input.context.layers;
  if (layers <= 0) layers = layer.empty() ? 0 : *std::max_element(layer.begin(), layer.end()) + 1;
  Integers decileOfRow;
  for (const std::int64_t one : layer) decileOfRow.push_back(depthDecile(one, layers));
  return groupsByNumber(decileOfRow);
}

template <std::vector<HeadsGroup> (*groupsOf)(const TableInput&)>
AnalysisTable groupMeans(const char* name, const char* rows, const char* text) {
  return summaryTable(
      name, rows, text, [](const TableInput& input) { return numbersAndSizes(groupsOf(input)); },
      [](const TableInput& input, Table& table) { addGroupMeans(table, input.perHead, groupsOf(input)); });
}

constexpr const char* kCorrelations[] = {"r_q", "r_k", "r_q_a", "r_k_a"};

std::vector<ColumnValues> modelValues(const TableInput& input) {
  std::vector<ColumnValues> values = {Integers{asInteger(input.perHead.rows())}};
  for (const char* name : kCorrelations)
    values.emplace_back(Numbers{meanSizeOfPresent(input.perHead.numbers(name))});
  return values;
}

void appendModelMeans(const TableInput& input, Table& table) {
  HeadsGroup all;
  for (std::size_t row = 0; row < input.perHead.rows(); ++row) all.rows.push_back(row);
  addGroupMeans(table, input.perHead, {all});
  addSignCounts(table, input.perHead, false);
}

// A facet by which heads are split; gives one name per row of heads.csv.
struct Facet {
  const char* name;
  Texts (*valueOf)(const Table& heads);
};

Texts layerKinds(const Table& heads) {
  Texts values;
  for (const std::string& rope : heads.texts("rope"))
    values.emplace_back(rope == yesNo(true) ? "rope" : "nope");
  return values;
}

Texts attentionKinds(const Table& heads) {
  return heads.texts("attention");
}

Texts classesOfHeads(const Table& heads) {
  return heads.texts("taxonomy");
}

// Number of captured query heads that share the key head.
Texts groupSizes(const Table& heads) {
  Texts values(heads.rows());
  for (const KeyGroup& group : keyGroups(heads))
    for (const std::size_t row : group.heads.rows) values[row] = std::to_string(group.heads.rows.size());
  return values;
}

constexpr Facet kFacets[] = {{"layer_kind", layerKinds},
                             {"attention", attentionKinds},
                             {"taxonomy", classesOfHeads},
                             {"kv_group_size", groupSizes}};

std::vector<HeadsGroup> sortedGroups(const Texts& values) {
  std::vector<HeadsGroup> groups = groupsByName(values);
  std::sort(groups.begin(), groups.end(),
            [](const HeadsGroup& a, const HeadsGroup& b) { return a.name < b.name; });
  return groups;
}

std::vector<ColumnValues> facetsValues(const TableInput& input) {
  Texts facets, values, metrics;
  Integers heads, present;
  Numbers means, deviations;
  for (const Facet& facet : kFacets) {
    for (const HeadsGroup& group : sortedGroups(facet.valueOf(input.perHead))) {
      for (const Column& column : input.perHead.columns) {
        const auto* numbers = std::get_if<Numbers>(&column.values);
        if (numbers == nullptr) continue;
        const Numbers chosen = chosenValues(*numbers, group);
        std::int64_t count = 0;
        facets.emplace_back(facet.name);
        values.push_back(group.name);
        heads.push_back(asInteger(group.rows.size()));
        metrics.push_back(column.name);
        means.push_back(meanOfPresent(chosen, &count));
        deviations.push_back(sampleDeviation(chosen));
        present.push_back(count);
      }
    }
  }
  return {facets, values, heads, metrics, means, deviations, present};
}

std::vector<ColumnValues> taxonomyValues(const TableInput& input) {
  const Texts& classOfRow = input.perHead.texts("taxonomy");
  const auto countOf = [&](const std::string& name) {
    return static_cast<std::int64_t>(std::count(classOfRow.begin(), classOfRow.end(), name));
  };
  Texts names = taxonomyClasses(input.context.settings.taxonomy);
  const std::int64_t defined = asInteger(classOfRow.size()) - countOf("undefined");
  Integers heads;
  Numbers share;
  for (const std::string& name : names) {
    heads.push_back(countOf(name));
    share.push_back(defined == 0 ? kMissing
                                 : static_cast<double>(heads.back()) / static_cast<double>(defined));
  }
  names.emplace_back("undefined");  // counted separately, in no share
  heads.push_back(countOf("undefined"));
  share.push_back(kMissing);
  return {names, heads, share};
}

constexpr const char* kGroupMetrics[] = {"bias_strength",  "ap_overall", "ap_drop", "plane_var_fraction",
                                         "alpha_q",        "mu_q_a",     "r_q_a",   "ap_aligned",
                                         "ap_aligned_drop"};

std::vector<ColumnValues> groupsValues(const TableInput& input) {
  Integers layer, kvHead, heads;
  for (const KeyGroup& group : keyGroups(input.perHead)) {
    layer.push_back(group.layer);
    kvHead.push_back(group.kvHead);
    heads.push_back(asInteger(group.heads.rows.size()));
  }
  return {layer, kvHead, heads};
}

void appendGroupSpread(const TableInput& input, Table& table) {
  const std::vector<KeyGroup> groups = keyGroups(input.perHead);
  for (const std::string metric : kGroupMetrics) {
    Numbers means, deviations;
    for (const KeyGroup& group : groups) {
      const Numbers chosen = chosenValues(input.perHead.numbers(metric), group.heads);
      means.push_back(meanOfPresent(chosen));
      deviations.push_back(sampleDeviation(chosen));
    }
    table.columns.push_back({metric + kMeanEnding, means});
    table.columns.push_back({metric + kSpreadEnding, deviations});
  }
}

std::vector<ColumnValues> coordinationValues(const TableInput& input) {
  const std::vector<KeyGroup> groups = keyGroups(input.perHead);
  Texts metrics;
  Integers counts, heads;
  Numbers within, between, intraclass, withinLayers, p;
  for (const char* metric : kGroupMetrics) {
    const Numbers& values = input.perHead.numbers(metric);
    const GroupVariance variance = groupVariance(values, groups);
    metrics.emplace_back(metric);
    counts.push_back(variance.groups);
    heads.push_back(variance.heads);
    within.push_back(variance.within);
    between.push_back(variance.between);
    intraclass.push_back(variance.intraclass);
    withinLayers.push_back(groupVariance(values, groups, true).intraclass);
    p.push_back(exchangeP(values, groups, input.context.settings.seed));
  }
  return {metrics, counts, heads, within, between, intraclass, withinLayers, p};
}

}  // namespace

std::vector<std::size_t> facetRows(const Table& heads, std::string_view name, const std::string& value) {
  std::vector<std::size_t> rows;
  for (const Facet& facet : kFacets) {
    if (facet.name != name) continue;
    const Texts values = facet.valueOf(heads);
    for (std::size_t row = 0; row < values.size(); ++row)
      if (values[row] == value) rows.push_back(row);
  }
  return rows;
}

AnalysisTable layersDefinition() {
  AnalysisTable table = groupMeans<layerGroups>(
      "layers", "one row per layer", "Means over the heads of a layer: every measured column of heads.csv.");
  table.add(
      {givenColumn("layer", explainedIn("heads")),
       givenColumn("heads", {"Heads", "", "", "Summaries", kNoRange, "Captured query heads in the row."})});
  return table;
}

AnalysisTable depthDefinition() {
  AnalysisTable table = groupMeans<depthGroups>(
      "depth", "one row per tenth of the depth",
      "Means over the heads of a tenth of the model's depth: every measured column of heads.csv.");
  table.add({givenColumn("decile", {"Tenth of the depth", "", "", "Summaries", kNoRange,
                                    "Tenth of the model's depth, from 0 at the first layer to 9.",
                                    "min(9, ⌊10 layer / (layers − 1)⌋)"}),
             givenColumn("heads", explainedIn("layers"))});
  return table;
}

AnalysisTable facetsDefinition() {
  AnalysisTable table = summaryTable(
      "facets", "one row per facet, value and metric",
      "Heads by kind of layer, kind of attention, class and size of their key group.", facetsValues);
  table.add(
      {givenColumn(
           "facet",
           {"Facet", "", "", "Summaries", kNoRange,
            "Grouping of the heads: layer_kind (rope or nope), attention, taxonomy or kv_group_size."}),
       givenColumn("value", {"Value", "", "", "Summaries", kNoRange, "Value of the facet."}),
       givenColumn("heads", {"Heads", "", "", "Summaries", kNoRange,
                             "Captured query heads that have the value of the facet."}),
       givenColumn("metric", {"Metric", "", "", "Summaries", kNoRange, "Column of heads.csv."}),
       givenColumn("mean", {"Mean", "", "", "Summaries", kNoRange,
                            "Mean of the metric over the heads that have it.", "", "", "As the metric."}),
       givenColumn("sd",
                   {"Standard deviation", "", "", "Summaries", kNoRange,
                    "Spread of the metric over the heads that have it; empty below two.", "divisor n − 1"}),
       givenColumn("metric_heads", {"Heads with a value", "", "", "Summaries", kNoRange,
                                    "Heads over which mean and spread are taken."})});
  return table;
}

AnalysisTable taxonomyDefinition() {
  AnalysisTable table =
      summaryTable("taxonomy", "one row per class", "How many heads fall into each class.", taxonomyValues);
  table.add(
      {givenColumn("class", {"Class", "", "", "Principal components", kNoRange,
                             "Class of the chosen rule, and undefined for heads without one."}),
       givenColumn("heads", {"Heads", "", "", "Summaries", kNoRange, "Captured query heads of the class."}),
       givenColumn("share", {"Share", "", "", "Principal components", kShare,
                             "Share of the heads that have a class; undefined heads are in no share.",
                             "heads / heads with a class"})});
  return table;
}

AnalysisTable groupsDefinition() {
  AnalysisTable table = summaryTable("groups", "one row per key head",
                                     "Query heads that share a key head: their mean and spread.",
                                     groupsValues, appendGroupSpread);
  table.add({givenColumn("layer", explainedIn("heads")), givenColumn("kv_head", explainedIn("heads")),
             givenColumn("heads", explainedIn("layers"))});
  return table;
}

AnalysisTable coordinationDefinition() {
  AnalysisTable table = summaryTable(
      "coordination", "one row per metric",
      "How much of a metric's variance over heads lies between key groups and how much within them.",
      coordinationValues);
  table.add(
      {givenColumn("metric", explainedIn("facets")),
       givenColumn("groups", {"Key groups", "", "", "Summaries", kNoRange,
                              "Key heads of which at least two query heads have the metric."}),
       givenColumn(
           "heads",
           {"Heads", "", "", "Summaries", kNoRange,
            "Query heads of the groups that count: at least two heads of the group have the metric."}),
       givenColumn("within_variance",
                   {"Variance within groups", "", "", "Summaries", kNoRange,
                    "Variance of the metric among query heads that share a key head.",
                    "MSW = Σ_g Σ_i (x_gi − x̄_g)² / (N − G)", "In the metric's unit, squared."}),
       givenColumn(
           "between_variance",
           {"Variance between groups", "", "", "Summaries", kNoRange, "Variance component of the key groups.",
            "(MSB − MSW) / n₀, n₀ = (N − Σ n_g² / N) / (G − 1)",
            "Groups of different layers differ by layer too. In the metric's unit, squared.",
            "Negative: groups differ less than chance would make them."}),
       givenColumn("intraclass_correlation",
                   {"Coordination, ICC(1)", "", "", "Summaries", kSignedShare,
                    "Share of the variance that lies between key groups: 1 when heads of a group are the "
                    "same, 0 when sharing keys says nothing.",
                    "(MSB − MSW) / (MSB + (n₀ − 1) MSW)", "Groups of different layers differ by layer too.",
                    "Positive: heads of one group are alike."}),
       givenColumn("intraclass_correlation_within_layers",
                   {"Coordination within layers", "", "", "Summaries", kSignedShare,
                    "The same from deviations from the mean of the layer: groups are compared with the other "
                    "groups of their layer only.",
                    "ICC(1) of groups nested in layers, with G − layers degrees of freedom between groups",
                    "", "Positive: heads of one group are more alike than heads of one layer."}),
       givenColumn(
           "p_within_layers",
           {"p within layers", "", "", "Summaries", kShare,
            "Share of the exchanges of heads among the key groups of their layer in which groups differ "
            "at least as much; missing where no layer has two groups with two heads each.",
            "all exchanges up to 10,000, else so many by the setting seed and the observed one",
            "Not corrected for the number of metrics."})});
  return table;
}

AnalysisTable modelDefinition() {
  AnalysisTable table =
      summaryTable("model", "one row", "Means over all heads: every measured column of heads.csv.",
                   modelValues, appendModelMeans);
  const auto meanSize = [](const char* name, const char* title, const char* label, const char* of) {
    return givenColumn((kSizeBeginning + std::string(name)).c_str(),
                       {title, label, "", "Summaries", kShare,
                        "Mean over heads of the size of r, in which rising and falling heads do not cancel.",
                        of, "Never 0: noise alone makes |r| about 0.8 / √(rows)."});
  };
  table.add(
      {givenColumn("heads", explainedIn("layers")),
       meanSize("r_q", "|r| of queries on PC0", "mean |<i>r</i><sub>Q</sub>|", "mean |r_q|"),
       meanSize("r_k", "|r| of keys on PC0", "mean |<i>r</i><sub>K</sub>|", "mean |r_k|"),
       meanSize("r_q_a", "|r| of queries on a", "mean |<i>r</i><sub>Q</sub><sup>a</sup>|", "mean |r_q_a|"),
       meanSize("r_k_a", "|r| of keys on a", "mean |<i>r</i><sub>K</sub><sup>a</sup>|", "mean |r_k_a|")});
  return table;
}

}  // namespace plastiscope
