#include "core/compare/comparison_tables.h"

#include <array>
#include <cmath>
#include <map>

#include "core/analysis/ap_summary.h"
#include "core/analysis/columns.h"
#include "core/analysis/head_groups.h"
#include "core/compare/compared_losses.h"
#include "core/compare/measures.h"

namespace plastiscope {

namespace {

std::vector<Cell> factCells(const ComparedModel& model) {
  const StudyFacts& facts = model.facts;
  return {model.name,
          facts.model,
          facts.architecture,
          model.family,
          model.reference ? model.reference->id : std::string(),
          facts.window,
          facts.bucketSize,
          static_cast<std::int64_t>(model.heads.size()),
          facts.headDim,
          facts.layers};
}

// Values of the layers of a model, at relative depth 0..1; layers without one are left out.
struct DepthCurve {
  std::vector<double> x, y;
  // Interpolates linearly between layers; missing outside of them.
  double at(double depth) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] == depth) return y[i];
      if (i > 0 && x[i - 1] < depth && depth < x[i])
        return y[i - 1] + (y[i] - y[i - 1]) * (depth - x[i - 1]) / (x[i] - x[i - 1]);
    }
    return kMissing;
  }
};

using HeadsOfLayers = std::map<std::int64_t, std::vector<std::size_t>>;

HeadsOfLayers headsByLayer(const ComparedModel& model) {
  HeadsOfLayers groups;
  for (std::size_t h = 0; h < model.heads.size(); ++h) groups[model.heads[h].layer].push_back(h);
  return groups;
}

// `first`, then every measure with its number of values.
std::vector<Column> withMeasures(std::vector<Column> first, const std::vector<Measure>& measures,
                                 const std::string& countEnding) {
  for (const Measure& one : measures) {
    first.push_back(numbers(one.column));
    first.push_back(integers(one.column + countEnding));
  }
  return first;
}

// A row of such a table.
template <typename MeasuredOf>
void addMeasures(TableBuilder& table, std::vector<Cell> cells, const std::vector<Measure>& measures,
                 const MeasuredOf& measuredOf) {
  for (const Measure& one : measures) {
    const Measured measured = measuredOf(one);
    cells.emplace_back(measured.value);
    cells.emplace_back(measured.heads);
  }
  table.row(cells);
}

DepthCurve depthCurve(const ComparedModel& model, const Measure& one, const HeadsOfLayers& layers) {
  DepthCurve curve;
  const double last = static_cast<double>(model.facts.layers - 1);
  for (const auto& [layer, heads] : layers) {
    const double value = measure(model, one, heads).value;
    if (!std::isfinite(value)) continue;
    curve.x.push_back(last > 0 ? static_cast<double>(layer) / last : 0);
    curve.y.push_back(value);
  }
  return curve;
}

}  // namespace

std::span<const ComparisonTable> comparisonTables() {
  static constexpr ComparisonTable kTables[] = {
      {"models", "one row per input: mean, SD and quartiles over heads of every metric", modelsTable},
      {"families", "means over the models of a family", familiesTable},
      {"depth", "means over heads by depth decile", depthTable},
      {"relative_depth", "layer means on a common grid of relative depth", relativeDepthTable},
      {"trajectory", "every metric along the inputs, with its change", trajectoryTable},
      {"paired_heads", "values of the heads that all inputs have", pairedHeadsTable},
      {"paired", "differences over those heads, with interval, tests and correlation", pairedTable},
      {"paired_heads_tests", "aligned plasticity of those heads, tested one by one", pairedHeadTestsTable},
      {"profiles", "plasticity over query position", profilesTable},
      {"equal_positions", "plasticity at equal positions in tokens", equalPositionsTable},
      {"bumps", "dip, recovery and collapse of the profile", recoveryTable},
      {"map_difference", "difference of the maps, cell by cell", mapDifferenceTable},
      {"loss", "loss and perplexity of inputs captured with --loss, against the first of them", lossTable},
      {"settings_differences", "settings in which the inputs differ", settingsDifferencesTable},
  };
  return kTables;
}

Table modelsTable(const Comparison& comparison) {
  std::vector<Column> columns = {texts("model"),          texts("model_name"), texts("architecture"),
                                 texts("family"),         texts("reference"),  integers("window"),
                                 integers("bucket_size"), integers("heads"),   integers("head_dim"),
                                 integers("layers")};
  for (const std::string& metric : comparison.metrics) {
    for (const char* part : {"", "_sd", "_p25", "_p75"}) columns.push_back(numbers(metric + part));
    if (isHeavyTailed(metric)) columns.push_back(numbers(metric + kMedianEnding));
    columns.push_back(integers(metric + kHeadsEnding));
  }
  TableBuilder table("models", columns);
  for (const ComparedModel& model : comparison.models) {
    std::vector<Cell> cells = factCells(model);
    for (std::size_t m = 0; m < comparison.metrics.size(); ++m) {
      const Spread spread = spreadOf(model.values[m]);
      for (const double value : {spread.mean, spread.sd, spread.p25, spread.p75}) cells.emplace_back(value);
      if (isHeavyTailed(comparison.metrics[m])) cells.emplace_back(spread.median);
      cells.emplace_back(spread.count);
    }
    table.row(cells);
  }
  return table.take();
}

Table familiesTable(const Comparison& comparison) {
  const std::vector<Measure> measures = measuresOf(comparison);
  std::vector<std::string> families;
  std::map<std::string, std::vector<const ComparedModel*>> members;
  for (const ComparedModel& model : comparison.models) {
    if (members[model.family].empty()) families.push_back(model.family);
    members[model.family].push_back(&model);
  }
  TableBuilder table("families", withMeasures({texts("family"), integers("models")}, measures, "_models"));
  for (const std::string& family : families) {
    const auto& models = members[family];
    addMeasures(table, {family, static_cast<std::int64_t>(models.size())}, measures, [&](const Measure& one) {
      std::vector<double> values;
      for (const ComparedModel* model : models)
        values.push_back(measure(*model, one, allHeads(*model)).value);
      const Spread spread = spreadOf(values);
      return Measured{spread.mean, spread.count};
    });
  }
  return table.take();
}

Table depthTable(const Comparison& comparison) {
  const std::vector<Measure> measures = measuresOf(comparison);
  TableBuilder table("depth", withMeasures({texts("model"), integers("depth_decile"), integers("heads")},
                                           measures, kHeadsEnding));
  for (const ComparedModel& model : comparison.models) {
    for (const auto& [decile, heads] : headsByDecile(model)) {
      addMeasures(table, {model.name, decile, static_cast<std::int64_t>(heads.size())}, measures,
                  [&, &heads = heads](const Measure& one) { return measure(model, one, heads); });
    }
  }
  return table.take();
}

Table relativeDepthTable(const Comparison& comparison) {
  const std::vector<Measure> measures = measuresOf(comparison);
  std::vector<Column> columns = {texts("model"), numbers("relative_depth")};
  for (const Measure& one : measures) columns.push_back(numbers(one.column));
  TableBuilder table("relative_depth", columns);
  const int points = comparison.options.depthPoints;
  for (const ComparedModel& model : comparison.models) {
    const HeadsOfLayers layers = headsByLayer(model);
    std::vector<DepthCurve> curves;
    for (const Measure& one : measures) curves.push_back(depthCurve(model, one, layers));
    for (int point = 0; point < points; ++point) {
      const double depth = points > 1 ? static_cast<double>(point) / (points - 1) : 0;
      std::vector<Cell> cells = {model.name, depth};
      for (const DepthCurve& curve : curves) cells.emplace_back(curve.at(depth));
      table.row(cells);
    }
  }
  return table.take();
}

Table trajectoryTable(const Comparison& comparison) {
  TableBuilder table(
      "trajectory",
      {integers("index"), texts("model"), texts("metric"), numbers("mean"), numbers("sd"), numbers("p25"),
       numbers("p75"), numbers("median"), integers("heads"), numbers("change_first"),
       numbers("change_previous"), numbers("change_first_low"), numbers("change_first_high"),
       numbers("change_previous_low"), numbers("change_previous_high"), texts("interval_over")});
  for (std::size_t m = 0; m < comparison.metrics.size(); ++m) {
    double first = kMissing, previous = kMissing;
    // Interval of the change since another input.
    const auto intervalSince = [&](std::size_t from, std::size_t to) {
      const ComparedModel &a = comparison.models[from], &b = comparison.models[to];
      const std::string& metric = comparison.metrics[m];
      if (from == to || hasOtherBins(a, b, metric)) return Interval();
      return testOf(
                 differenceOf(overHeads(a.replicates->heads(metric)), overHeads(b.replicates->heads(metric))))
          .interval;
    };
    for (std::size_t i = 0; i < comparison.models.size(); ++i) {
      const Spread spread = spreadOf(comparison.models[i].values[m]);
      if (i == 0) first = spread.mean;
      const bool later = i > 0;
      const Interval sinceFirst = intervalSince(0, i), sincePrevious = intervalSince(later ? i - 1 : 0, i);
      table.row({static_cast<std::int64_t>(i), comparison.models[i].name, comparison.metrics[m], spread.mean,
                 spread.sd, spread.p25, spread.p75, spread.median, spread.count,
                 later ? spread.mean - first : kMissing, later ? spread.mean - previous : kMissing,
                 sinceFirst.low, sinceFirst.high, sincePrevious.low, sincePrevious.high,
                 overName(sincePrevious, IntervalOver::ByTexts)});
      previous = spread.mean;
    }
  }
  return table.take();
}

Table recoveryTable(const Comparison& comparison) {
  std::vector<Column> columns = {texts("model")};
  for (int k = 1; k <= 10; ++k) columns.push_back(numbers("d" + std::to_string(k)));
  for (const char* name : {"dip", "recovery", "collapse"}) columns.push_back(numbers(name));
  columns.push_back(texts("recovers"));
  TableBuilder table("bumps", columns);
  for (const ComparedModel& model : comparison.models) {
    std::array<double, 10> deciles{};
    std::vector<Cell> cells = {model.name};
    for (std::size_t k = 0; k < deciles.size(); ++k) {
      deciles[k] = meanOfPresent(model.column("ap_decile_" + std::to_string(k + 1)));
      cells.emplace_back(deciles[k]);
    }
    const MidContextRecovery recovery = midContextRecovery(deciles);
    for (const double value : {recovery.dip, recovery.recovery, recovery.collapse}) cells.emplace_back(value);
    cells.emplace_back(recovery.known() ? yesNo(recovery.recovers()) : std::string());
    table.row(cells);
  }
  return table.take();
}

}  // namespace plastiscope
