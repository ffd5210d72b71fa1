#include "core/compare/head_scatter_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/compare/by_family.h"
#include "core/compare/correlation.h"
#include "core/compare/measures.h"
#include "core/compare/table_builder.h"

namespace plastiscope {

namespace {

double pearsonOfModels(const std::vector<HeadScatterModel>& models) {
  std::vector<double> x, y;
  for (const HeadScatterModel& model : models) {
    x.insert(x.end(), model.x.begin(), model.x.end());
    y.insert(y.end(), model.y.begin(), model.y.end());
  }
  return x.size() < 3 ? std::numeric_limits<double>::quiet_NaN() : pearsonOf(x, y);
}

// Correlations on their whole scale; other metrics as far as they reach, with room.
std::pair<double, double> rangeOfAxis(const MetricInfo& metric, const std::vector<HeadScatterModel>& models,
                                      std::vector<double> HeadScatterModel::*axis) {
  if (metric.range == std::pair{-1.0, 1.0}) return {-1.05, 1.05};
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const HeadScatterModel& model : models) {
    for (const double value : model.*axis) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (low > high) return {0, 1};
  const double room = high > low ? 0.05 * (high - low) : std::max(0.5, std::fabs(high) / 2);
  return {low - room, high + room};
}

std::vector<double> levelsOf(const Comparison& comparison, const std::string& metric) {
  if (metric != "r_q" && metric != "r_k") return {};
  const AnalysisSettings settings = settingsOf(*comparison.models.front().analysis);
  return {settings.taxonomyLow, settings.taxonomyHigh, -settings.taxonomyLow, -settings.taxonomyHigh};
}

}  // namespace

std::size_t HeadScatterData::heads() const {
  std::size_t count = 0;
  for (const HeadScatterModel& model : models) count += model.heads.size();
  return count;
}

HeadScatterData makeHeadScatter(const Comparison& comparison, const std::string& x, const std::string& y) {
  const ComparedColumn across = comparedColumn(comparison, x), up = comparedColumn(comparison, y);
  HeadScatterData data;
  data.x = across.metric;
  data.y = up.metric;
  for (std::size_t m = 0; m < comparison.models.size(); ++m) {
    const ComparedModel& from = comparison.models[m];
    HeadScatterModel model;
    model.model = comparedName(from);
    for (std::size_t h = 0; h < from.heads.size(); ++h) {
      if (!std::isfinite(across.values[m][h]) || !std::isfinite(up.values[m][h])) continue;
      model.heads.push_back(from.heads[h]);
      model.x.push_back(across.values[m][h]);
      model.y.push_back(up.values[m][h]);
    }
    data.models.push_back(std::move(model));
  }
  data.xRange = rangeOfAxis(data.x, data.models, &HeadScatterModel::x);
  data.yRange = rangeOfAxis(data.y, data.models, &HeadScatterModel::y);
  data.xLevels = levelsOf(comparison, x);
  data.yLevels = levelsOf(comparison, y);
  data.r = pearsonOfModels(data.models);
  return data;
}

std::vector<HeadScatterData> byFamily(const HeadScatterData& data) {
  std::vector<HeadScatterData> families = splitByFamily(data);
  for (HeadScatterData& family : families) family.r = pearsonOfModels(family.models);
  return families;
}

Table tableOf(const HeadScatterData& data) {
  TableBuilder table("head-scatter", {texts("model"), texts("family"), integers("layer"), integers("head"),
                                      numbers(data.x.column), numbers(data.y.column)});
  for (const HeadScatterModel& model : data.models) {
    for (std::size_t i = 0; i < model.heads.size(); ++i) {
      table.row({model.model.name, model.model.family, model.heads[i].layer, model.heads[i].head, model.x[i],
                 model.y[i]});
    }
  }
  return table.take();
}

}  // namespace plastiscope
