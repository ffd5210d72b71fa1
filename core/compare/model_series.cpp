#include "core/compare/model_series.h"

#include <algorithm>
#include <tuple>

#include "core/compare/measures.h"

namespace plastiscope {

namespace {

BarData modelBars(const Comparison& comparison) {
  BarData data;
  data.place = "model";
  for (const ComparedModel& model : comparison.models) {
    data.places.push_back(comparedName(model));
    data.windows.push_back(model.facts.window);
  }
  return data;
}

BarSeries barSeriesOf(const ComparedColumn& column, bool whiskers) {
  BarSeries series;
  series.name = column.metric.column;
  series.title = column.metric.label;
  series.value = column.middle;
  series.intervals = column.intervals;
  for (std::size_t m = 0; m < column.spread.size(); ++m) {
    series.heads.push_back(column.spread[m].count);
    if (!whiskers) continue;
    series.low.push_back(column.spread[m].p25);
    series.high.push_back(column.spread[m].p75);
  }
  return series;
}

BarData componentBars(const ComponentsData& data) {
  BarData bars;
  bars.published = data.published;
  bars.place = "component";
  for (std::size_t i = 0; i < data.explainedVariance.size(); ++i)
    bars.places.push_back({"PC" + std::to_string(i), ""});
  return bars;
}

// Label "mean r" for several heads, "r" for one; published values are means.
std::string overHeads(const ComponentsData& data, const std::string& label) {
  return data.heads == 1 && data.published.empty() ? label : "mean " + label;
}

double cellOf(const std::vector<double>& values, std::size_t place) {
  return place < values.size() ? values[place] : kMissing;
}

}  // namespace

BarData makeModelBars(const Comparison& comparison, const std::string& metric) {
  const ComparedColumn column = comparedColumn(comparison, metric);
  BarData data = modelBars(comparison);
  data.metric = column.metric;
  data.over = column.over;
  data.colours = BarColours::Families;
  data.series.push_back(barSeriesOf(column, true));
  if (column.median) data.levels = {1};
  return data;
}

BarData makeSignalBars(const Comparison& comparison) {
  BarData data = modelBars(comparison);
  data.metric = signalMetric();
  data.colours = BarColours::Kinds;
  for (const char* name : {"abs_r_q_a", "abs_r_k_a"}) {
    const ComparedColumn column = comparedColumn(comparison, name);
    data.over = column.over;
    data.series.push_back(barSeriesOf(column, false));
  }
  const AnalysisSettings settings = settingsOf(*comparison.models.front().analysis);
  data.levels = {settings.taxonomyLow, settings.taxonomyHigh};
  return data;
}

MetricInfo signalMetric() {
  MetricInfo metric;
  metric.column = "abs_r";
  metric.label = "mean |<i>r</i>| on <i>a</i>";
  metric.range = {0.0, 1.0};
  return metric;
}

BarData componentSignalBars(const ComponentsData& data) {
  BarData bars = componentBars(data);
  bars.metric.column = "r";
  bars.metric.label = overHeads(data, "<i>r</i> with position");
  bars.colours = BarColours::Kinds;
  bars.series = {{"r_q", "queries", data.rQuery, {}, {}, {}}, {"r_k", "keys", data.rKey, {}, {}, {}}};
  bars.levels = {data.low, data.high};
  return bars;
}

BarData componentVarianceBars(const ComponentsData& data) {
  BarData bars = componentBars(data);
  bars.metric.column = "explained_variance_ratio";
  bars.metric.label = overHeads(data, "explained variance");
  bars.percent = true;
  bars.series = {{"explained_variance_ratio", "", data.explainedVariance, {}, {}, {}}};
  return bars;
}

Table tableOf(const BarData& data) {
  TableBuilder table("bars",
                     {texts(data.place), texts("series"), numbers("value"), numbers("low"), numbers("high"),
                      numbers("heads"), numbers("value_low"), numbers("value_high"), texts("interval_over")});
  for (const BarSeries& series : data.series) {
    for (std::size_t i = 0; i < data.places.size(); ++i) {
      const double heads = i < series.heads.size() ? static_cast<double>(series.heads[i]) : kMissing;
      const Interval interval = i < series.intervals.size() ? series.intervals[i] : Interval();
      table.row({data.places[i].name, series.name, series.value[i], cellOf(series.low, i),
                 cellOf(series.high, i), heads, interval.low, interval.high, overName(interval, data.over)});
    }
  }
  return table.take();
}

// ---- Sequences of models

namespace {

TrajectorySeries trajectorySeriesOf(const Comparison& comparison, const std::string& name, bool published) {
  const ComparedColumn column = comparedColumn(comparison, name);
  TrajectorySeries series;
  series.metric = column.median ? describeMeasure(name + "_median") : column.metric;
  series.median = column.median;
  series.over = column.over;
  series.middle = column.middle;
  series.intervals = column.intervals;
  for (std::size_t m = 0; m < comparison.models.size(); ++m) {
    series.sd.push_back(column.median ? kMissing : column.spread[m].sd);
    series.heads.push_back(column.spread[m].count);
    const auto& reference = comparison.models[m].reference;
    series.published.push_back(published && reference ? referenceNumber(reference->id, name)
                                                      : ReferenceCurve());
    for (double& x : series.published.back().x) x = static_cast<double>(m);
  }
  return series;
}

}  // namespace

ReferenceCurve TrajectorySeries::publishedCurve() const {
  ReferenceCurve all;
  for (std::size_t i = 0; i < published.size(); ++i) {
    all.x.push_back(static_cast<double>(i));
    all.y.push_back(published[i].empty() ? kMissing : published[i].y.front());
  }
  const bool any = std::any_of(published.begin(), published.end(),
                               [](const ReferenceCurve& curve) { return !curve.empty(); });
  return any ? all : ReferenceCurve();
}

std::vector<std::string> checkpointMetrics() {
  return {"ap_first20", "ap_last20", "bias_strength"};
}

std::vector<std::string> signalMetrics() {
  return {"r_q", "r_k"};
}

std::vector<std::size_t> phaseStarts(const std::vector<ComparedName>& models,
                                     const std::vector<std::int64_t>& windows) {
  std::vector<std::size_t> starts;
  const bool run = std::all_of(models.begin(), models.end(), [&models](const ComparedName& model) {
    return model.family == models.front().family;
  });
  if (!run) return starts;
  for (std::size_t i = 1; i < windows.size(); ++i) {
    if (windows[i] != windows[i - 1]) starts.push_back(i);
  }
  return starts;
}

bool isRun(const Comparison& comparison) {
  const StudyFacts& first = comparison.models.front().facts;
  return std::ranges::all_of(comparison.models, [&first](const ComparedModel& model) {
    const StudyFacts& facts = model.facts;
    return std::tie(facts.architecture, facts.layers, facts.queryHeads, facts.keyHeads, facts.headDim) ==
           std::tie(first.architecture, first.layers, first.queryHeads, first.keyHeads, first.headDim);
  });
}

TrajectoryData makeTrajectory(const Comparison& comparison, const std::vector<std::string>& metrics,
                              bool published) {
  TrajectoryData data;
  data.run = isRun(comparison);
  for (const ComparedModel& model : comparison.models) {
    data.models.push_back(comparedName(model));
    data.windows.push_back(model.facts.window);
    data.examples.push_back(exampleCount(*model.analysis));
  }
  for (const std::string& column : metrics)
    data.series.push_back(trajectorySeriesOf(comparison, column, published));
  return data;
}

Table tableOf(const TrajectoryData& data) {
  TableBuilder table("trajectory",
                     {integers("index"), texts("model"), texts("metric"), numbers("mean"), numbers("sd"),
                      numbers("heads"), numbers("mean_low"), numbers("mean_high"), texts("interval_over")});
  for (const TrajectorySeries& series : data.series) {
    for (std::size_t i = 0; i < data.models.size(); ++i) {
      const double heads = series.heads.empty() ? kMissing : static_cast<double>(series.heads[i]);
      const Interval interval = i < series.intervals.size() ? series.intervals[i] : Interval();
      table.row({static_cast<std::int64_t>(i), data.models[i].name, series.metric.column, series.middle[i],
                 series.sd[i], heads, interval.low, interval.high, overName(interval, series.over)});
    }
    for (std::size_t i = 0; i < series.published.size(); ++i) {
      if (series.published[i].empty()) continue;
      table.row({static_cast<std::int64_t>(i), data.models[i].name + ", published", series.metric.column,
                 series.published[i].y.front(), kMissing, kMissing, kMissing, kMissing, std::string()});
    }
  }
  return table.take();
}

}  // namespace plastiscope
