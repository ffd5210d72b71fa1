#include "core/views/components_data.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/pca.h"
#include "core/base/error.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMaxDimensions = 1 << 20;

// Mean over rows of one numeric column, by the index in another (component or dimension).
void addMeansBy(std::vector<MeanOf>& means, const Table& table, const char* by, const char* column,
                const std::vector<RowRun>& rows) {
  const NumberColumn index(table, by), value(table, column);
  for (const RowRun& run : rows) {
    for (std::size_t row = run.first; row < run.end; ++row) {
      const auto place = static_cast<std::size_t>(index.index(row, kMaxDimensions));
      if (place >= means.size()) means.resize(place + 1);
      means[place].add(value[row]);
    }
  }
}

std::vector<double> valuesOf(const std::vector<MeanOf>& means) {
  std::vector<double> values;
  for (const MeanOf& mean : means) values.push_back(mean.value());
  return values;
}

std::int64_t headsIn(const AnalysisFile& analysis, const HeadScope& scope) {
  std::size_t count = 0;
  for (const RowRun& run : rowsIn(scope, analysis, requiredTable(analysis, "heads")))
    count += run.end - run.first;
  return static_cast<std::int64_t>(count);
}

// RoPE pairs of the rotated dimensions: (i, i + n/2) or neighbours (2i, 2i + 1).
void pairDimensions(ComponentWeightsData& data, const StudyFacts& facts) {
  const auto size = static_cast<std::int64_t>(data.weight.size());
  const std::int64_t rotated = facts.ropeDim > 0 && facts.ropeDim <= size ? facts.ropeDim : size;
  data.pairs = rotated / 2;
  data.pairOf.assign(data.weight.size(), -1);
  const std::int64_t first = std::min(facts.ropeFirst, size - rotated);
  for (std::int64_t i = 0; i < data.pairs * 2; ++i) {
    data.pairOf[static_cast<std::size_t>(first + i)] = facts.ropeInterleaved ? i / 2 : i % data.pairs;
  }
  std::vector<double> sums(static_cast<std::size_t>(data.pairs), 0);
  for (std::size_t i = 0; i < data.weight.size(); ++i) {
    if (data.pairOf[i] >= 0 && std::isfinite(data.weight[i])) {
      sums[static_cast<std::size_t>(data.pairOf[i])] += data.weight[i];
    }
  }
  for (std::size_t p = 0; p < sums.size(); ++p) {
    if (sums[p] <= data.strongestShare) continue;
    data.strongestShare = sums[p];
    data.strongestPair = static_cast<std::int64_t>(p);
  }
}

}  // namespace

ComponentsData makeComponents(const AnalysisFile& analysis, const HeadScope& scope) {
  return poolComponents({&analysis}, scope);
}

ComponentsData poolComponents(const std::vector<const AnalysisFile*>& analyses, const HeadScope& scope) {
  ComponentsData data;
  std::vector<MeanOf> variance, rQuery, rKey;
  data.heads = 0;
  for (const AnalysisFile* analysis : analyses) {
    requireScope(*analysis, scope);
    const Table& table = requiredTable(*analysis, "components");
    const std::vector<RowRun> rows = rowsIn(scope, *analysis, table);
    addMeansBy(variance, table, "component", "explained_variance_ratio", rows);
    addMeansBy(rQuery, table, "component", "r_q", rows);
    addMeansBy(rKey, table, "component", "r_k", rows);
    data.heads += headsIn(*analysis, scope);
  }
  data.explainedVariance = valuesOf(variance);
  data.rQuery = valuesOf(rQuery);
  data.rKey = valuesOf(rKey);
  const AnalysisSettings settings = settingsOf(*analyses.front());
  data.low = settings.taxonomyLow;
  data.high = settings.taxonomyHigh;
  data.scopeText = scope.text();
  return data;
}

ComponentWeightsData makeComponentWeights(const AnalysisFile& analysis, const StudyFacts& facts,
                                          const HeadScope& scope) {
  requireScope(analysis, scope);
  ComponentWeightsData data;
  std::vector<MeanOf> weights;
  const Table& table = requiredTable(analysis, "component_weights");
  addMeansBy(weights, table, "dimension", "weight", rowsIn(scope, analysis, table));
  data.weight = valuesOf(weights);
  data.heads = headsIn(analysis, scope);
  data.scopeText = scope.text();
  pairDimensions(data, facts);
  return data;
}

std::vector<TaxonomyClass> taxonomyClasses() {
  return {{"position_dominated", "position-dominated", 0},
          {"q_positional", "Q-positional", 0},
          {"k_positional", "K-positional", 0},
          {"content_focused", "content-focused", 0},
          {"mixed", "mixed", 0}};
}

namespace {

// Classifies the middle of the box, its edges, its corner and a point between by the rule of the analysis.
std::vector<TaxonomyRegion> taxonomyRegions(const std::vector<TaxonomyClass>& classes,
                                            const AnalysisSettings& settings) {
  const double low = settings.taxonomyLow, high = settings.taxonomyHigh;
  const double middle = (low + high) / 2, outside = (high + 1) / 2;
  std::vector<TaxonomyRegion> regions;
  for (const auto& [rQuery, rKey] :
       {std::pair(0.0, 0.0), std::pair(outside, outside), std::pair(outside, 0.0), std::pair(middle, middle),
        std::pair(0.0, outside)}) {
    const std::string name = taxonomyClass(rQuery, rKey, settings);
    const auto found = std::ranges::find(classes, name, &TaxonomyClass::name);
    const auto place = static_cast<std::size_t>(found - classes.begin());
    if (found != classes.end() && std::ranges::count(regions, place, &TaxonomyRegion::classIndex) == 0)
      regions.push_back({rQuery, rKey, place});
  }
  return regions;
}

}  // namespace

TaxonomyData makeTaxonomy(const AnalysisFile& analysis, const HeadScope& scope) {
  const HeadScope heads{std::nullopt, scope.layer};
  requireScope(analysis, heads);
  TaxonomyData data;
  data.classes = taxonomyClasses();
  const AnalysisSettings settings = settingsOf(analysis);
  data.low = settings.taxonomyLow;
  data.high = settings.taxonomyHigh;
  data.regions = taxonomyRegions(data.classes, settings);
  const Table& table = requiredTable(analysis, "heads");
  const HeadColumns names(table);
  const auto& classNames = textColumn(table, "taxonomy");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!heads.holds(names[row])) continue;
    std::size_t place = 0;
    while (place < data.classes.size() && data.classes[place].name != classNames[row]) ++place;
    const double rQuery = numberAt(table, "r_q", row), rKey = numberAt(table, "r_k", row);
    if (place == data.classes.size() || !std::isfinite(rQuery) || !std::isfinite(rKey)) {
      ++data.undefined;
      continue;
    }
    ++data.classes[place].heads;
    data.points.push_back({names[row], rQuery, rKey, place});
  }
  return data;
}

}  // namespace plastiscope
