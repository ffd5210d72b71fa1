#include "core/compare/family_data.h"

#include <algorithm>

#include "core/analysis/columns.h"
#include "core/analysis/head_groups.h"
#include "core/analysis/statistics.h"
#include "core/compare/measures.h"
#include "core/views/components_data.h"

namespace plastiscope {

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
    std::array<std::vector<double>, kDepthDeciles> byDecile;
    for (std::size_t h = 0; h < model.heads.size(); ++h) {
      const auto decile = static_cast<std::size_t>(depthDecile(model.heads[h].layer, model.facts.layers));
      byDecile.at(decile).push_back(column.values[m][h]);
    }
    DepthMapRow row;
    row.model = comparedName(model);
    for (std::size_t d = 0; d < kDepthDeciles; ++d) {
      const Spread spread = spreadOf(byDecile[d]);
      row.value[d] = column.median ? spread.median : spread.mean;
      row.heads[d] = spread.count;
    }
    data.rows.push_back(std::move(row));
  }
  return data;
}

ComparedShares compareTaxonomy(const Comparison& comparison) {
  ComparedShares data;
  data.id = "taxonomy";
  for (const TaxonomyClass& one : taxonomyClasses()) {
    data.names.push_back(one.name);
    data.titles.push_back(one.title);
  }
  for (const ComparedModel& model : comparison.models) {
    if (model.published) {
      const PublishedTable table("smollm3_pca");
      std::vector<double> shares;
      for (const TaxonomyClass& one : taxonomyClasses())
        shares.push_back(table.value("frac_" + one.name, model.reference->id));
      data.models.push_back(comparedName(model));
      data.share.push_back(std::move(shares));
      data.heads.push_back(0);
      continue;
    }
    const TaxonomyData taxonomy = makeTaxonomy(*model.analysis);
    std::int64_t all = 0;
    for (const TaxonomyClass& one : taxonomy.classes) all += one.heads;
    std::vector<double> shares;
    for (const TaxonomyClass& one : taxonomy.classes)
      shares.push_back(all > 0 ? static_cast<double>(one.heads) / static_cast<double>(all) : kMissing);
    data.models.push_back(comparedName(model));
    data.share.push_back(std::move(shares));
    data.heads.push_back(all);
  }
  return data;
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
