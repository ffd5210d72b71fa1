#include "core/compare/bar_data.h"

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
  series.intervals = column.intervals;
  for (std::size_t m = 0; m < column.values.size(); ++m) {
    const Spread spread = spreadOf(column.values[m]);
    series.value.push_back(column.middle(m));
    series.heads.push_back(spread.count);
    if (!whiskers) continue;
    series.low.push_back(spread.p25);
    series.high.push_back(spread.p75);
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

}  // namespace plastiscope
