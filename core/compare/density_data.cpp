#include "core/compare/density_data.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/statistics.h"
#include "core/compare/by_family.h"
#include "core/compare/measures.h"
#include "core/compare/table_builder.h"

namespace plastiscope {

namespace {

constexpr int kBins = 40;
constexpr double kTail = 0.005;  // of all heads, at each end

std::vector<double> edgesOf(const ComparedColumn& column) {
  std::vector<double> all;
  for (const auto& values : column.values)
    std::copy_if(values.begin(), values.end(), std::back_inserter(all),
                 [](double value) { return std::isfinite(value); });
  std::sort(all.begin(), all.end());
  double low = all.empty() ? 0 : percentileOf(all, kTail),
         high = all.empty() ? 1 : percentileOf(all, 1 - kTail);
  if (!(high > low)) low -= 0.5, high += 0.5;
  std::vector<double> edges;
  for (int i = 0; i <= kBins; ++i) edges.push_back(low + (high - low) * i / kBins);
  edges.back() = high;
  return edges;
}

DensityModel densityOf(const ComparedName& name, const std::vector<double>& values,
                       const std::vector<double>& edges) {
  DensityModel model{name, std::vector<double>(edges.size() - 1, 0), 0, 0};
  const double low = edges.front(), high = edges.back(), width = (high - low) / kBins;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    ++model.heads;
    if (value < low || value > high) {
      ++model.outside;
      continue;
    }
    const auto bin = static_cast<std::size_t>((value - low) / width);
    model.density[std::min<std::size_t>(bin, kBins - 1)] += 1;
  }
  for (double& density : model.density) density /= std::max(1.0, static_cast<double>(model.heads)) * width;
  return model;
}

}  // namespace

DensityData makeDensity(const Comparison& comparison, const std::string& metric) {
  const ComparedColumn column = comparedColumn(comparison, metric);
  DensityData data;
  data.metric = column.metric;
  data.edges = edgesOf(column);
  for (std::size_t m = 0; m < comparison.models.size(); ++m) {
    data.models.push_back(densityOf(comparedName(comparison.models[m]), column.values[m], data.edges));
    for (const double density : data.models.back().density) data.highest = std::max(data.highest, density);
  }
  return data;
}

std::vector<DensityData> byFamily(const DensityData& data) {
  return splitByFamily(data);
}

Table tableOf(const DensityData& data) {
  TableBuilder table("density", {texts("model"), texts("family"), numbers("from"), numbers("to"),
                                 numbers("density"), integers("heads")});
  for (const DensityModel& model : data.models) {
    for (std::size_t i = 0; i < model.density.size(); ++i)
      table.row({model.model.name, model.model.family, data.edges[i], data.edges[i + 1], model.density[i],
                 model.heads});
  }
  return table.take();
}

}  // namespace plastiscope
