#include "core/compare/published_figures.h"

#include <cmath>
#include <set>

#include "core/analysis/columns.h"
#include "core/analysis/statistics.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/compare/measures.h"
#include "core/views/components_data.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kPrintedCell = 8192;  // tokens per cell of a printed map
constexpr double kLow = 0.3, kHigh = 0.7;    // the classes' thresholds in the thesis

constexpr PublishedModels kPrimary = PublishedModels::Primary, kCheckpoints = PublishedModels::Checkpoints;

// Quartiles over the heads of the checkpoints.
struct PublishedQuartiles {
  const char *metric, *low, *high;
};
constexpr PublishedQuartiles kQuartiles[] = {
    {"abs_r_k_a", "abs_r_k_a_p25", "abs_r_k_a_p75"},
    {"separation_strength", "separation_p25", "separation_p75"},
    {"bias_strength", "bias_p25", "bias_p75"},
    {"plane_var_fraction", "plane_p25", "plane_p75"},
};

ComparedName publishedName(const ReferenceModel& model) {
  return {model.id, model.family};
}

// Finds the published number of a metric; separation has a different name for each choice of the b axis.
const PublishedNumber& publishedNumberOf(PublishedModels models, const std::string& metric) {
  const std::string own = metric == "separation_strength" ? metric + "_eigenvector" : metric;
  for (const PublishedNumber& number : publishedNumbers()) {
    const bool ofCheckpoints = std::string_view(number.table).starts_with("smollm3_");
    if (own == number.metric && ofCheckpoints == (models == kCheckpoints)) return number;
  }
  throw UsageError("the thesis' data hold no " + metric + " of " +
                   (models == kPrimary ? "its eleven models" : "the checkpoints of SmolLM3"));
}

std::vector<double> publishedColumn(const PublishedTable& table, const char* column,
                                    const std::vector<ReferenceModel>& models) {
  std::vector<double> values;
  for (const ReferenceModel& model : models) values.push_back(table.value(column, model.id));
  return values;
}

std::string sourceOf(const PublishedNumber& number, const PublishedTable& table,
                     const std::vector<ReferenceModel>& models) {
  return *number.source == '\0' ? table.sources(models) : number.source;
}

template <typename Data>
void nameModels(Data& data, std::vector<ComparedName> Data::*names,
                const std::vector<ReferenceModel>& models) {
  for (const ReferenceModel& model : models) {
    (data.*names).push_back(publishedName(model));
    data.windows.push_back(model.window);
  }
}

}  // namespace

MapData publishedMap(const std::string& modelId) {
  const ReferenceModel model = requiredReferenceModel(modelId);
  const Table table = referenceTable("heatmaps");
  MapData map;
  map.window = model.window;
  map.cell = kPrintedCell;
  map.columns = map.rows = (map.window + map.cell - 1) / map.cell;
  map.mean.assign(static_cast<std::size_t>(map.columns * map.rows), kMissing);
  map.count.assign(map.mean.size(), 0);
  map.minCount = 0;
  map.scopeText = model.title;
  for (const std::size_t row : rowsOfModel(table, model.id)) {
    const double pp = table.numbers("pp")[row];
    if (std::isnan(pp)) continue;
    if (map.published.empty()) map.published = table.texts("source")[row];
    const auto distance = static_cast<std::int64_t>(table.numbers("distance_cell")[row]),
               midpoint = static_cast<std::int64_t>(table.numbers("midpoint_cell")[row]);
    if (distance >= map.columns || midpoint >= map.rows) continue;
    map.mean[map.index(distance, midpoint)] = pp;
    map.count[map.index(distance, midpoint)] = 1;
  }
  return map;
}

ComponentWeightsData publishedWeights(const std::string& modelId) {
  const Table table = referenceTable("component_weights_peaks");
  ComponentWeightsData data;
  data.scopeText = requiredReferenceModel(modelId).title + ", mean over heads";
  const auto dim = static_cast<std::size_t>(
      referenceValue(referenceTable("models"), "head_dim", {{"model", requiredReferenceModel(modelId).id}}));
  data.weight.assign(dim, kMissing);
  data.pairs = static_cast<std::int64_t>(dim / 2);
  for (std::size_t i = 0; i < dim; ++i) data.pairOf.push_back(static_cast<std::int64_t>(i) % data.pairs);
  data.published = joinedSources(table.texts("source"));
  for (const std::size_t row : rowsOfModel(table, modelId)) {
    const auto dimension = static_cast<std::size_t>(table.numbers("dimension")[row]);
    if (dimension < dim) data.weight[dimension] = table.numbers("mean_share")[row];
  }
  return data;
}

ComponentsData publishedComponents() {
  const Table table = referenceTable("pca_components");
  ComponentsData data;
  for (const double percent : table.numbers("ev_percent")) data.explainedVariance.push_back(percent / 100);
  data.rQuery = table.numbers("mean_r_q");
  data.rKey = table.numbers("mean_r_k");
  data.scopeText = "all heads";
  data.published = joinedSources(table.texts("source"));
  return data;
}

DepthMapData publishedDepthMap(PublishedModels models, const std::string& metric) {
  DepthMapData data;
  data.metric = describeMeasure(metric);
  std::vector<std::string> sources;
  for (const ReferenceModel& model : publishedModels(models)) {
    const ReferenceCurve curve = referenceDepth(model.id, metric);
    DepthMapRow row;
    row.model = publishedName(model);
    row.value.fill(kMissing);
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      row.value.at(static_cast<std::size_t>(curve.x[i] * static_cast<double>(kDepthDeciles))) = curve.y[i];
    sources.push_back(curve.source);
    data.rows.push_back(row);
  }
  data.published = joinedSources(sources);
  return data;
}

TrajectoryData publishedTrajectory(const std::vector<std::string>& metrics) {
  const auto models = publishedModels(kCheckpoints);
  TrajectoryData data;
  nameModels(data, &TrajectoryData::models, models);
  std::vector<std::string> sources;
  for (const std::string& metric : metrics) {
    const PublishedNumber& number = publishedNumberOf(kCheckpoints, metric);
    const PublishedTable table(number.table);
    TrajectorySeries series;
    series.metric = describeMetric(metric);
    series.middle = publishedColumn(table, number.column, models);
    series.sd.assign(models.size(), kMissing);
    data.series.push_back(std::move(series));
    sources.push_back(sourceOf(number, table, models));
  }
  data.published = joinedSources(sources);
  return data;
}

BarData publishedModelBars(PublishedModels which, const std::string& metric) {
  const auto models = publishedModels(which);
  const PublishedNumber& number = publishedNumberOf(which, metric);
  const PublishedTable table(number.table);
  BarData data;
  data.place = "model";
  data.metric = describeMeasure(usesMedian(metric) ? metric + kMedianEnding : metric);
  data.colours = BarColours::Families;
  nameModels(data, &BarData::places, models);
  data.series = {{metric, data.metric.label, publishedColumn(table, number.column, models), {}, {}, {}}};
  if (usesMedian(metric)) data.levels = {1};
  data.published = sourceOf(number, table, models);
  for (const PublishedQuartiles& quartiles : kQuartiles) {
    if (which != kCheckpoints || metric != quartiles.metric) continue;
    data.series.front().low = publishedColumn(table, quartiles.low, models);
    data.series.front().high = publishedColumn(table, quartiles.high, models);
    data.published += ", quartiles digitised";
  }
  return data;
}

BarData publishedSignalBars() {
  BarData data = publishedModelBars(kPrimary, "abs_r_q_a");
  data.series.push_back(publishedModelBars(kPrimary, "abs_r_k_a").series.front());
  data.metric = signalMetric();
  data.colours = BarColours::Kinds;
  data.levels = {kLow, kHigh};
  return data;
}

ComparedShares publishedTaxonomy() {
  const PublishedTable table(kPublishedClasses);
  ComparedShares data = taxonomyParts();
  const auto models = publishedModels(kCheckpoints);
  for (const ReferenceModel& model : models) {
    data.models.push_back(publishedName(model));
    data.share.push_back(publishedClassShares(table, model.id));
  }
  data.published = table.sources(models);
  return data;
}

ComparedShares publishedVariance() {
  const PublishedTable table("rotation_models");
  ComparedShares data = varianceParts();
  const auto models = publishedModels(kPrimary);
  for (const ReferenceModel& model : models) {
    const double a = table.value("var_frac_a", model.id), b = table.value("var_frac_b", model.id);
    data.models.push_back(publishedName(model));
    data.share.push_back({a, b, 1 - a - b});
  }
  data.published = table.sources(models);
  return data;
}

// ---- Studies for comparisons

namespace {

double modelFact(const std::string& id, const char* column) {
  const double value = referenceValue(referenceTable("models"), column, {{"model", id}});
  return value == value ? value : 0;
}

// heads.csv without rows, with the columns whose means the thesis prints.
Table emptyHeads() {
  Table heads{"heads", {integers("layer"), integers("head"), texts("taxonomy")}};
  std::set<std::string> known;
  for (const PublishedNumber& number : publishedNumbers()) {
    if (known.insert(number.metric).second) heads.columns.push_back(numbers(number.metric));
  }
  return heads;
}

}  // namespace

std::shared_ptr<const Study> publishedStudy(const std::string& input) {
  const ReferenceModel model = requiredReferenceModel(publishedIdOf(input).value_or(input));
  auto analysis = std::make_shared<AnalysisFile>();
  analysis->provenance.captureFile = publishedInput(model.id);
  const auto count = [&model](const char* column) {
    return static_cast<std::int64_t>(modelFact(model.id, column));
  };
  analysis->provenance.capture =
      Json{{"model", model.title},           {"architecture", model.family},
           {"layers", model.layers},         {"query_heads", count("q_heads")},
           {"key_heads", count("kv_heads")}, {"head_dim", count("head_dim")},
           {"window", model.window},         {"bucket_size", count("bucket_size")}};
  analysis->provenance.settings = Json::object();
  analysis->tables = {emptyHeads()};
  return std::make_shared<const Study>(
      Study{nullptr, analysis, model.title + " \u00b7 published", publishedInput(model.id), {}});
}

std::vector<AtlasEntry> publishedAtlas() {
  std::vector<AtlasEntry> atlas;
  for (const ReferenceModel& model : referenceModels()) {
    AtlasEntry entry{model, {}};
    if (!referenceProfile(model.id).empty()) entry.shown.emplace_back("profile");
    if (!referenceQuintiles(model.id).empty()) entry.shown.emplace_back("quintiles");
    if (!publishedMap(model.id).published.empty()) entry.shown.emplace_back("map");
    for (const PublishedNumber& number : publishedNumbers()) {
      if (referenceNumber(model.id, number.metric).empty()) continue;
      entry.shown.emplace_back("numbers");
      break;
    }
    if (!entry.shown.empty()) atlas.push_back(std::move(entry));
  }
  return atlas;
}

}  // namespace plastiscope
