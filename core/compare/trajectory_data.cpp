#include "core/compare/trajectory_data.h"

#include <algorithm>

#include "core/compare/spread.h"
#include "core/compare/table_builder.h"

namespace plastiscope {

namespace {

TrajectorySeries seriesOf(const Comparison& comparison, const std::string& column) {
  const std::size_t index = comparison.metric(column);
  TrajectorySeries series;
  series.metric = describeMetric(column);
  for (const ComparedModel& model : comparison.models) {
    const Spread spread = spreadOf(model.values[index]);
    series.mean.push_back(spread.mean);
    series.sd.push_back(spread.sd);
    series.heads.push_back(spread.count);
  }
  return series;
}

}  // namespace

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

TrajectoryData makeTrajectory(const Comparison& comparison, const std::vector<std::string>& metrics) {
  TrajectoryData data;
  for (const ComparedModel& model : comparison.models) {
    data.models.push_back(comparedName(model));
    data.windows.push_back(model.facts.window);
  }
  for (const std::string& column : metrics) data.series.push_back(seriesOf(comparison, column));
  return data;
}

Table tableOf(const TrajectoryData& data) {
  TableBuilder table("trajectory", {integers("index"), texts("model"), texts("metric"), numbers("mean"),
                                    numbers("sd"), numbers("heads")});
  for (const TrajectorySeries& series : data.series) {
    for (std::size_t i = 0; i < data.models.size(); ++i) {
      const double heads = series.heads.empty() ? kMissing : static_cast<double>(series.heads[i]);
      table.row({static_cast<std::int64_t>(i), data.models[i].name, series.metric.column, series.mean[i],
                 series.sd[i], heads});
    }
  }
  return table.take();
}

}  // namespace plastiscope
