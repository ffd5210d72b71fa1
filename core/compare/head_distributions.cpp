#include "core/compare/head_distributions.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/columns.h"
#include "core/analysis/head_groups.h"
#include "core/analysis/statistics.h"
#include "core/compare/correlation.h"
#include "core/compare/measures.h"
#include "core/views/components_data.h"

namespace plastiscope {

namespace {

double pearsonOfModels(const std::vector<HeadScatterModel>& models) {
  std::vector<double> x, y;
  for (const HeadScatterModel& model : models) {
    x.insert(x.end(), model.x.begin(), model.x.end());
    y.insert(y.end(), model.y.begin(), model.y.end());
  }
  return x.size() < 3 ? kMissing : pearsonOf(x, y);
}

// Correlations use their whole scale; other metrics the range of their values, with a margin.
std::pair<double, double> rangeOfAxis(const MetricInfo& metric, const std::vector<HeadScatterModel>& models,
                                      std::vector<double> HeadScatterModel::*axis) {
  if (metric.range == std::pair{-1.0, 1.0}) return {-1.05, 1.05};
  Extent extent;
  for (const HeadScatterModel& model : models) extent.add(model.*axis);
  if (!extent.known()) return {0, 1};
  const auto [low, high] = extent;
  const double room = high > low ? 0.05 * (high - low) : std::max(0.5, std::fabs(high) / 2);
  return {low - room, high + room};
}

std::vector<double> levelsOf(const Comparison& comparison, const std::string& metric) {
  if (metric != "r_q" && metric != "r_k") return {};
  const AnalysisSettings settings = settingsOf(*comparison.models.front().analysis);
  return {settings.taxonomyLow, settings.taxonomyHigh, -settings.taxonomyLow, -settings.taxonomyHigh};
}

constexpr int kBins = 40;
constexpr double kTail = 0.005;  // share of heads cut off at each end

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

// ---- By depth, and shares of a whole

namespace {

ComparedDepth depthOf(const ComparedModel& model, const std::vector<double>& values,
                      const std::string& metric, IntervalOver over) {
  const double last = static_cast<double>(model.facts.layers - 1);
  ComparedDepth depth;
  depth.model = comparedName(model);
  depth.means = layerMeans(*model.analysis, model.heads, values, metric, over);
  depth.examples = exampleCount(*model.analysis);
  for (std::size_t i = 0; i < depth.means.layer.size(); ++i) {
    depth.depth.push_back(last > 0 ? static_cast<double>(depth.means.layer[i]) / last : 0);
    depth.heads += depth.means.heads[i];
  }
  return depth;
}

}  // namespace

ComparedDepths compareDepths(const Comparison& comparison, const std::string& metric, bool published) {
  const std::size_t index = comparison.metric(metric);
  ComparedDepths data;
  data.metric = describeMetric(metric);
  data.median = usesMedian(metric);
  data.over = commonIntervals(comparison, metric, layerIntervals);
  for (const ComparedModel& model : comparison.models) {
    data.models.push_back(depthOf(model, model.values[index], metric, data.over));
    if ((published || model.published) && model.reference)
      data.models.back().published = referenceDepth(model.reference->id, metric);
  }
  return data;
}

DepthMapData makeDepthMap(const Comparison& comparison, const std::string& metric) {
  const ComparedColumn column = comparedColumn(comparison, metric);
  DepthMapData data;
  data.metric = column.metric;
  data.median = column.median;
  for (std::size_t m = 0; m < comparison.models.size(); ++m) {
    const ComparedModel& model = comparison.models[m];
    DepthMapRow& row = data.rows.emplace_back(DepthMapRow{comparedName(model)});
    row.value.fill(kMissing);
    for (const auto& [decile, heads] : headsByDecile(model)) {
      std::vector<double> values;
      for (const std::size_t head : heads) values.push_back(column.values[m][head]);
      const Spread spread = spreadOf(values);
      row.value.at(decile) = column.median ? spread.median : spread.mean;
      row.heads.at(decile) = spread.count;
    }
  }
  return data;
}

ComparedShares compareTaxonomy(const Comparison& comparison) {
  ComparedShares data = taxonomyParts();
  for (const ComparedModel& model : comparison.models) {
    std::vector<double> shares;
    std::int64_t all = 0;
    if (model.published) {
      shares = publishedClassShares(PublishedTable(kPublishedClasses), model.reference->id);
    } else {
      const TaxonomyData taxonomy = makeTaxonomy(*model.analysis);
      for (const TaxonomyClass& one : taxonomy.classes) all += one.heads;
      for (const TaxonomyClass& one : taxonomy.classes)
        shares.push_back(all > 0 ? static_cast<double>(one.heads) / static_cast<double>(all) : kMissing);
    }
    data.models.push_back(comparedName(model));
    data.share.push_back(std::move(shares));
    data.heads.push_back(all);
  }
  return data;
}

ComparedShares taxonomyParts() {
  ComparedShares parts;
  parts.id = "taxonomy";
  for (const TaxonomyClass& one : taxonomyClasses()) {
    parts.names.push_back(one.name);
    parts.titles.push_back(one.title);
  }
  return parts;
}

std::vector<double> publishedClassShares(const PublishedTable& table, const std::string& model) {
  std::vector<double> shares;
  for (const TaxonomyClass& one : taxonomyClasses()) shares.push_back(table.value("frac_" + one.name, model));
  return shares;
}

ComparedShares varianceParts() {
  return {"variance", {"a", "b", "complement"}, {"a, position", "b, separation", "complement"}, {}, {}, {},
          {}};
}

ComparedShares compareVariance(const Comparison& comparison) {
  ComparedShares data = varianceParts();
  for (const ComparedModel& model : comparison.models) {
    std::int64_t heads = 0;
    const auto share = [&](const char* column) {
      return model.published ? publishedMiddle(model, column) : meanOfPresent(model.column(column), &heads);
    };
    const double a = share("var_frac_a"), b = share("var_frac_b");
    data.models.push_back(comparedName(model));
    data.share.push_back({a, b, 1 - a - b});
    data.heads.push_back(heads);
  }
  return data;
}

Table tableOf(const ComparedDepths& data) {
  const bool published = std::any_of(data.models.begin(), data.models.end(),
                                     [](const ComparedDepth& model) { return !model.published.empty(); });
  const auto whole = published ? numbers : integers;  // integer columns have no missing values
  const auto cell = [published](std::int64_t value) {
    return published ? Cell(static_cast<double>(value)) : Cell(value);
  };
  const std::string& column = data.metric.column;
  TableBuilder table("compare-depth", {texts("model"), whole("layer"), numbers("relative_depth"),
                                       whole("heads"), numbers(column), numbers(column + kLowEnding),
                                       numbers(column + kHighEnding), texts("interval_over")});
  for (const ComparedDepth& model : data.models) {
    const LayerMeans& means = model.means;
    for (std::size_t i = 0; i < means.layer.size(); ++i) {
      table.row({model.model.name, cell(means.layer[i]), model.depth[i], cell(means.heads[i]),
                 means.centre[i], means.low[i], means.high[i],
                 overName({means.low[i], means.high[i]}, means.over)});
    }
    for (std::size_t i = 0; i < model.published.x.size(); ++i)
      table.row({model.model.name + ", published", kMissing, model.published.x[i], kMissing,
                 model.published.y[i], kMissing, kMissing, std::string()});
  }
  return table.take();
}

Table tableOf(const DepthMapData& data) {
  TableBuilder table(
      "depth-map", {texts("model"), integers("depth_decile"), numbers("heads"), numbers(data.metric.column)});
  for (const DepthMapRow& row : data.rows) {
    for (std::size_t d = 0; d < kDepthDeciles; ++d) {
      const double heads = data.published.empty() ? static_cast<double>(row.heads[d]) : kMissing;
      table.row({row.model.name, static_cast<std::int64_t>(d), heads, row.value[d]});
    }
  }
  return table.take();
}

Table tableOf(const ComparedShares& data) {
  TableBuilder table("compare-" + data.id,
                     {texts("model"), texts("part"), numbers("share"), numbers("heads")});
  for (std::size_t m = 0; m < data.models.size(); ++m) {
    const double heads = data.heads.empty() ? kMissing : static_cast<double>(data.heads[m]);
    for (std::size_t part = 0; part < data.names.size(); ++part)
      table.row({data.models[m].name, data.names[part], data.share[m][part], heads});
  }
  return table.take();
}

}  // namespace plastiscope
