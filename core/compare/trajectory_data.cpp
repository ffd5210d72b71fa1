#include "core/compare/trajectory_data.h"

#include <algorithm>
#include <tuple>

#include "core/compare/measures.h"

namespace plastiscope {

namespace {

TrajectorySeries trajectorySeriesOf(const Comparison& comparison, const std::string& name, bool published) {
  const ComparedColumn column = comparedColumn(comparison, name);
  TrajectorySeries series;
  series.metric = column.median ? describeMeasure(name + "_median") : column.metric;
  series.median = column.median;
  series.over = column.over;
  for (std::size_t m = 0; m < comparison.models.size(); ++m) {
    const Spread spread = spreadOf(column.values[m]);
    series.middle.push_back(column.middle(m));
    series.sd.push_back(column.median ? kMissing : spread.sd);
    series.heads.push_back(spread.count);
    series.intervals.push_back(column.intervals[m]);
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
