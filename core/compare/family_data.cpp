#include "core/compare/family_data.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/order_statistics.h"
#include "core/analysis/statistics.h"
#include "core/compare/table_builder.h"
#include "core/views/taxonomy_data.h"

namespace plastiscope {

namespace {

ComparedDepth depthOf(const ComparedModel& model, const std::vector<double>& values, bool median) {
  std::map<std::int64_t, std::vector<double>> byLayer;
  for (std::size_t i = 0; i < model.heads.size(); ++i) {
    if (std::isfinite(values[i])) byLayer[model.heads[i].layer].push_back(values[i]);
  }
  const double last = static_cast<double>(model.facts.layers - 1);
  ComparedDepth depth;
  depth.model = comparedName(model);
  for (const auto& [layer, ofLayer] : byLayer) {
    depth.layer.push_back(layer);
    depth.depth.push_back(last > 0 ? static_cast<double>(layer) / last : 0);
    depth.value.push_back(median ? medianOfPresent(ofLayer) : meanOfPresent(ofLayer));
    depth.heads.push_back(static_cast<std::int64_t>(ofLayer.size()));
  }
  return depth;
}

}  // namespace

ComparedDepths compareDepths(const Comparison& comparison, const std::string& metric, bool published) {
  const std::size_t index = comparison.metric(metric);
  ComparedDepths data;
  data.metric = describeMetric(metric);
  data.median = metric == "slope_ratio";
  for (const ComparedModel& model : comparison.models) {
    data.models.push_back(depthOf(model, model.values[index], data.median));
    if (published && model.reference) data.models.back().published = ghostDepth(model.reference->id, metric);
  }
  return data;
}

ComparedShares compareTaxonomy(const Comparison& comparison) {
  ComparedShares data;
  data.id = "taxonomy";
  for (const ComparedModel& model : comparison.models) {
    const TaxonomyData taxonomy = makeTaxonomy(*model.analysis);
    std::int64_t all = 0;
    for (const TaxonomyClass& one : taxonomy.classes) all += one.heads;
    std::vector<double> shares;
    for (const TaxonomyClass& one : taxonomy.classes) {
      if (data.models.empty()) {
        data.names.push_back(one.name);
        data.titles.push_back(one.title);
      }
      shares.push_back(all > 0 ? static_cast<double>(one.heads) / static_cast<double>(all) : kMissing);
    }
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
    const double a = meanOfPresent(model.column("var_frac_a"), &heads);
    const double b = meanOfPresent(model.column("var_frac_b"));
    data.models.push_back(comparedName(model));
    data.share.push_back({a, b, 1 - a - b});
    data.heads.push_back(heads);
  }
  return data;
}

Table tableOf(const ComparedDepths& data) {
  const bool published = std::any_of(data.models.begin(), data.models.end(),
                                     [](const ComparedDepth& model) { return !model.published.empty(); });
  const auto whole = published ? numbers : integers;  // whole numbers cannot be missing
  const auto cell = [published](std::int64_t value) {
    return published ? Cell(static_cast<double>(value)) : Cell(value);
  };
  TableBuilder table("compare-depth", {texts("model"), whole("layer"), numbers("relative_depth"),
                                       whole("heads"), numbers(data.metric.column)});
  for (const ComparedDepth& model : data.models) {
    for (std::size_t i = 0; i < model.layer.size(); ++i)
      table.row(
          {model.model.name, cell(model.layer[i]), model.depth[i], cell(model.heads[i]), model.value[i]});
    for (std::size_t i = 0; i < model.published.x.size(); ++i)
      table.row(
          {model.model.name + ", published", kMissing, model.published.x[i], kMissing, model.published.y[i]});
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
