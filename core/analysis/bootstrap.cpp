#include "core/analysis/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>

#include "core/analysis/columns.h"
#include "core/analysis/head_groups.h"
#include "core/analysis/resampled_head.h"
#include "core/analysis/tables.h"
#include "core/analysis/tables/definitions.h"
#include "core/base/error.h"

namespace plastiscope {

namespace {

void requireExamples(const VectorRows& rows, const Resamples& resamples) {
  for (const std::int64_t example : rows.example) {
    if (example >= 0 && example < resamples.examples) continue;
    throw InputError("a row of example " + std::to_string(example) + ": expected fewer than " +
                     std::to_string(resamples.examples) + " examples");
  }
}

// Keeps only the estimates, because the bins of all heads and resamples are too many to store.
std::vector<Estimate> profileEstimates(const std::vector<std::vector<BinResult>>& resampled,
                                       const Estimator& estimator) {
  std::vector<Estimate> estimates;
  for (std::size_t bin = 0; !resampled.empty() && bin < resampled.front().size(); ++bin) {
    std::vector<double> values;
    for (const auto& bins : resampled) values.push_back(bins[bin].ap);
    estimates.push_back(estimator.of(values));
  }
  return estimates;
}

// [sampled column][result]; empty for columns that the results lack, or for all but those over texts.
std::vector<std::vector<double>> sampledValues(const std::vector<HeadResult>& results, bool overTexts) {
  const TableContext none;
  std::vector<std::vector<double>> all;
  for (const TableColumn& column : analysisTable("heads").columns) {
    const auto* value = std::get_if<double (*)(Row)>(&column.value);
    if (value == nullptr || !column.hasInterval) continue;  // as in sampledColumns()
    std::vector<double>& values = all.emplace_back();
    const bool there = column.wanted == nullptr || std::ranges::any_of(results, column.wanted);
    if (!there || (overTexts && !column.ofTexts)) continue;
    for (const HeadResult& result : results) values.push_back((*value)({result, none, 0, column.number}));
  }
  return all;
}

void addAlignedBins(HeadSamples& samples, const AlignedPlasticity& aligned, const Estimator& estimator) {
  for (std::size_t bin = 0; bin < aligned.bins.size(); ++bin) {
    std::vector<double>& values = samples.alignedBins.emplace_back();
    for (const std::vector<double>& resample : aligned.resampled) values.push_back(resample[bin]);
    samples.alignedProfile.push_back(estimator.of(values, Bias::None));
  }
}

// Adds two columns after the value column `name`; intervalAt(row) gives the interval of a row with a value.
void addInterval(Table& table, const std::string& name,
                 const std::function<Interval(std::size_t row)>& intervalAt) {
  if (table.find(name) == nullptr) return;
  const std::vector<double> values = table.numbers(name);
  std::vector<double> low, high;
  for (std::size_t row = 0; row < values.size(); ++row) {
    const Interval interval = std::isnan(values[row]) ? Interval() : intervalAt(row);
    low.push_back(interval.low);
    high.push_back(interval.high);
  }
  table.columns.push_back({name + kLowEnding, std::move(low)});
  table.columns.push_back({name + kHighEnding, std::move(high)});
}

Bias biasOf(const std::string& column) {
  return isOverTexts(column) ? Bias::None : Bias::Removed;
}

// Whether a sampled column gets an interval.
bool isWanted(const std::vector<HeadSamples>& samples, std::size_t column, bool overTexts) {
  return !samples.front().values[column].empty() && (!overTexts || isOverTexts(sampledColumns()[column]));
}

// A statistic over the heads of a group, in every resample.
template <typename Statistic>
std::vector<double> overHeads(const std::vector<HeadSamples>& samples, const std::vector<std::size_t>& heads,
                              std::size_t column, const Statistic& statistic) {
  std::vector<double> values;
  for (std::size_t r = 0; r < samples.front().values[column].size(); ++r) {
    std::vector<double> each;
    for (const std::size_t head : heads) each.push_back(samples[head].values[column][r]);
    values.push_back(statistic(each));
  }
  return values;
}

void addGroupIntervals(Table& table, const std::vector<std::vector<std::size_t>>& groups,
                       const std::vector<HeadSamples>& samples, const Estimator& estimator, bool overTexts) {
  const std::vector<std::string>& names = sampledColumns();
  const auto mean = [](const std::vector<double>& values) { return meanOfPresent(values); };
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (!isWanted(samples, c, overTexts)) continue;
    addInterval(table, names[c], [&](std::size_t row) {
      return estimator.of(overHeads(samples, groups[row], c, mean), biasOf(names[c])).interval;
    });
    addInterval(table, kSizeBeginning + names[c], [&](std::size_t row) {
      return estimator.of(overHeads(samples, groups[row], c, meanSizeOfPresent)).interval;
    });
    if (isHeavyTailed(names[c])) {
      addInterval(table, names[c] + kMedianEnding, [&](std::size_t row) {
        return estimator.of(overHeads(samples, groups[row], c, medianOfPresent)).interval;
      });
    }
  }
}

// Intervals of the intraclass correlation of each metric, over all heads and within layers.
void addCoordinationIntervals(Table& table, const std::vector<KeyGroup>& groups,
                              const std::vector<HeadSamples>& samples, const Estimator& estimator) {
  std::vector<std::size_t> all(samples.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::vector<std::string> metrics = table.texts("metric");
  for (const bool withinLayers : {false, true}) {
    addInterval(
        table, withinLayers ? "intraclass_correlation_within_layers" : "intraclass_correlation",
        [&](std::size_t row) {
          const auto& names = sampledColumns();
          const auto column = std::ranges::find(names, metrics[row]) - names.begin();
          const auto intraclass = [&](const std::vector<double>& values) {
            return groupVariance(values, groups, withinLayers).intraclass;
          };
          return estimator.of(overHeads(samples, all, static_cast<std::size_t>(column), intraclass)).interval;
        });
  }
}

// Intervals of the mean of each metric over the heads of each facet.
void addFacetIntervals(Table& facets, const Table& heads, const std::vector<HeadSamples>& samples,
                       const Estimator& estimator, bool overTexts) {
  const auto names = facets.texts("facet"), values = facets.texts("value"), metrics = facets.texts("metric");
  const std::vector<std::string>& columns = sampledColumns();
  const auto mean = [](const std::vector<double>& of) { return meanOfPresent(of); };
  std::vector<std::size_t> members;
  addInterval(facets, "mean", [&](std::size_t row) -> Interval {
    if (row == 0 || names[row] != names[row - 1] || values[row] != values[row - 1])
      members = facetRows(heads, names[row], values[row]);
    const auto column = static_cast<std::size_t>(std::ranges::find(columns, metrics[row]) - columns.begin());
    if (column == columns.size() || !isWanted(samples, column, overTexts)) return {};
    return estimator.of(overHeads(samples, members, column, mean), biasOf(metrics[row])).interval;
  });
}

// Estimates in the row order of a profile: head after head, each with all bins.
std::vector<Estimate> inOrder(const std::vector<HeadSamples>& samples,
                              std::vector<Estimate> HeadSamples::*profile) {
  std::vector<Estimate> all;
  for (const HeadSamples& head : samples)
    all.insert(all.end(), (head.*profile).begin(), (head.*profile).end());
  return all;
}

// Rows of heads by layer, or all of them.
std::vector<std::vector<std::size_t>> headGroups(const Table& heads, bool byLayer) {
  std::map<std::int64_t, std::vector<std::size_t>> groups;
  const auto& layers = heads.integers("layer");
  for (std::size_t row = 0; row < layers.size(); ++row) groups[byLayer ? layers[row] : 0].push_back(row);
  std::vector<std::vector<std::size_t>> list;
  for (auto& [layer, rows] : groups) list.push_back(std::move(rows));
  return list;
}

}  // namespace

HeadSamples bootstrapHead(const HeadInput& head, const Resamples& resamples) {
  const auto& [place, frame, query, key, grid, settings, progress, texts] = head;
  requireExamples(query, resamples);
  requireExamples(key.rows, resamples);
  const ResampledMoments queryMoments(query, resamples), keyMoments(key.rows, resamples);
  std::vector<HeadResult> results(static_cast<std::size_t>(resamples.count()));
  std::vector<QueryModel> models;
  const VectorRows none;  // the moments suffice
  for (std::size_t r = 0; r < results.size(); ++r) {
    progress.throwIfStopped();
    const auto resample = static_cast<std::int64_t>(r);
    const Moments queries = queryMoments.of(resample), keys = keyMoments.of(resample);
    results[r].pca = leadingComponentOf(queries, keys, settings);
    results[r].rotation = rotationOf({none, queries}, {none, keys}, frame, settings);
    results[r].model = queryModelOf(query, queries, timesOfRows(query, resamples.times[r]));
    models.push_back(results[r].model);
  }
  const QueryModel noModel;  // every resample has its own
  const PlasticityInput input{place, frame, query, key.rows, key.order, noModel, grid};
  const auto bins = resampledBins(input, settings, resamples, models, progress);
  const Estimator estimator(resamples);
  HeadResult sampled;
  sampled.window = frame.window;
  addAligned(sampled, head, resamples);
  for (std::size_t r = 0; r < results.size(); ++r) {
    results[r].summary = summarise(bins[r], frame.window, settings);
    setResampled(results[r], sampled, r, settings);
  }
  HeadSamples samples{sampledValues(results, false), profileEstimates(bins, estimator), {}, {}};
  addAlignedBins(samples, sampled.aligned, estimator);
  return samples;
}

void addLossIntervals(std::vector<Table>& tables, const std::vector<LossSummary>& ofTexts,
                      const Resamples& groups) {
  Table* table = findTable(tables, "loss");
  if (table == nullptr || ofTexts.empty()) return;
  std::vector<std::vector<double>> values;  // [row][resample]
  for (const std::vector<std::int32_t>& times : groups.times) {
    LossSummary kept(ofTexts.front().window);
    for (std::size_t e = 0; e < ofTexts.size(); ++e)
      if (times[e] > 0) kept.add(ofTexts[e]);
    std::size_t row = 0;
    forParts(kept, [&](const char*, std::int64_t, std::int64_t, const LossMean& mean) {
      if (row == values.size()) values.emplace_back();
      values[row++].push_back(mean.nll());
    });
  }
  const Estimator estimator(groups);
  addInterval(*table, "nll", [&](std::size_t row) { return estimator.of(values[row], Bias::None).interval; });
}

HeadSamples alignedSamples(const HeadResult& result, const AnalysisSettings& settings,
                           const Resamples& groups) {
  const Estimator estimator(groups);
  std::vector<HeadResult> results(groups.times.size());
  for (std::size_t r = 0; r < results.size(); ++r) setResampled(results[r], result, r, settings);
  HeadSamples samples{sampledValues(results, true), {}, {}, {}};
  addAlignedBins(samples, result.aligned, estimator);
  return samples;
}

std::vector<std::vector<double>> diagnosticsSamples(const HeadInput& input, const HeadResult& whole,
                                                    const Resamples& groups) {
  AnalysisSettings settings = input.settings;
  settings.queries = "binned";
  settings.placement = settings.salience = settings.decomposition = settings.projections = "off";
  std::vector<HeadResult> results = {whole};
  for (std::size_t r = 1; r < groups.times.size(); ++r) {
    const auto kept = [&groups, r](const VectorRows& rows) {
      std::vector<std::int64_t> which;
      for (std::size_t i = 0; i < rows.example.size(); ++i)
        if (groups.times[r][rows.example[i]] > 0) which.push_back(static_cast<std::int64_t>(i));
      return rowsAt(rows, which);
    };
    const VectorRows query = kept(input.query);
    const HeadKeys key(kept(input.key.rows));
    results.push_back(
        analyzeHead({input.place, input.frame, query, key, input.grid, settings, input.progress}));
  }
  std::vector<std::vector<double>> all;
  const TableContext none;
  for (const TableColumn& column : analysisTable("diagnostics").columns) {
    const auto* value = std::get_if<double (*)(Row)>(&column.value);
    if (value == nullptr) continue;
    std::vector<double>& values = all.emplace_back();
    for (const HeadResult& result : results) values.push_back((*value)({result, none, 0, column.number}));
  }
  return all;
}

void correctHeads(std::vector<HeadResult>& heads, const std::vector<HeadSamples>& samples,
                  const Estimator& estimator, const AnalysisSettings& settings) {
  for (std::size_t h = 0; h < heads.size(); ++h) {
    HeadResult& head = heads[h];
    for (std::size_t c = 0; c < samples[h].values.size(); ++c)
      head.corrected.push_back(estimator.of(samples[h].values[c], biasOf(sampledColumns()[c])).corrected);
    std::vector<BinResult>& bins = head.plasticity.bins;
    for (std::size_t b = 0; b < bins.size(); ++b) bins[b].ap = samples[h].profile[b].corrected;
    head.summary = summarise(bins, head.window, settings);
  }
}

void addPlain(std::vector<Table>& tables, const std::vector<HeadResult>& plain) {
  const Table heads = headsTable(plain);
  for (const Table& before : {heads, layersTable(heads), modelTable(heads)}) {
    Table* table = findTable(tables, before.name);
    for (const std::string& name : sampledColumns()) {
      for (const std::string& column : {name, name + kMedianEnding}) {
        if (before.find(column) != nullptr)
          table->columns.push_back({column + kPlainEnding, before.numbers(column)});
      }
    }
  }
  std::vector<double> ap;
  for (const HeadResult& head : plain) {
    for (const BinResult& bin : head.plasticity.bins) ap.push_back(bin.ap);
  }
  findTable(tables, "profile")->columns.push_back({std::string("ap") + kPlainEnding, std::move(ap)});
}

void addIntervals(std::vector<Table>& tables, const std::vector<HeadSamples>& samples,
                  const Estimator& estimator, bool overTexts) {
  Table* heads = findTable(tables, "heads");
  if (heads == nullptr || samples.empty()) return;
  const std::vector<std::string>& names = sampledColumns();
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (!isWanted(samples, c, overTexts)) continue;
    addInterval(*heads, names[c], [&](std::size_t row) {
      return estimator.of(samples[row].values[c], biasOf(names[c])).interval;
    });
  }
  for (const auto& [name, column, profile] :
       {std::tuple("profile", "ap", &HeadSamples::profile),
        std::tuple("profile_aligned", "ap_aligned", &HeadSamples::alignedProfile)}) {
    const std::vector<Estimate> estimates = inOrder(samples, profile);
    Table* table = findTable(tables, name);
    if (table == nullptr || estimates.empty() || (overTexts && profile == &HeadSamples::profile)) continue;
    addInterval(*table, column, [&](std::size_t row) { return estimates[row].interval; });
  }
  if (Table* diagnostics = findTable(tables, "diagnostics"); diagnostics != nullptr && !overTexts) {
    std::size_t number = 0;
    for (const TableColumn& column : analysisTable("diagnostics").columns) {
      if (!std::holds_alternative<double (*)(Row)>(column.value)) continue;
      if (number < samples.front().diagnostics.size())
        addInterval(*diagnostics, column.info.column,
                    [&](std::size_t row) { return estimator.of(samples[row].diagnostics[number]).interval; });
      ++number;
    }
  }
  if (Table* layers = findTable(tables, "layers"))
    addGroupIntervals(*layers, headGroups(*heads, true), samples, estimator, overTexts);
  if (Table* model = findTable(tables, "model")) {
    addGroupIntervals(*model, headGroups(*heads, false), samples, estimator, overTexts);
    addSignCounts(*model, *heads, true);
  }
  if (Table* coordination = findTable(tables, "coordination"))
    addCoordinationIntervals(*coordination, keyGroups(*heads), samples, estimator);
  if (Table* facets = findTable(tables, "facets"))
    addFacetIntervals(*facets, *heads, samples, estimator, overTexts);
}

void keepTextIntervals(std::vector<Table>& tables, const std::vector<Table>& earlier) {
  for (Table& table : tables) {
    const Table* before = findTable(earlier, table.name);
    if (before == nullptr || before->rows() != table.rows()) continue;
    for (const Column& column : before->columns) {
      for (const std::string ending : {kLowEnding, kHighEnding}) {
        if (!column.name.ends_with(ending) || table.find(column.name) != nullptr) continue;
        const std::string base = column.name.substr(0, column.name.size() - ending.size());
        if (table.find(base) != nullptr) table.columns.push_back(column);
      }
    }
  }
  for (const char* name : {"jackknife", "jackknife_profile"}) {
    const Table* before = findTable(earlier, name);
    if (before != nullptr && findTable(tables, name) == nullptr) tables.push_back(*before);
  }
  const Table* heads = findTable(tables, "heads");
  if (Table* model = findTable(tables, "model"); model != nullptr && heads != nullptr)
    addSignCounts(*model, *heads, true);
}

Table withoutEstimates(Table table) {
  std::vector<std::string> added;
  for (const Column& column : table.columns) {
    for (const char* ending : {kLowEnding, kHighEnding, kPlainEnding}) added.push_back(column.name + ending);
  }
  std::erase_if(table.columns,
                [&](const Column& column) { return std::ranges::count(added, column.name) > 0; });
  return table;
}

void addHeadSpread(std::vector<Table>& tables) {
  const Table* heads = findTable(tables, "heads");
  Table* model = findTable(tables, "model");
  if (heads == nullptr || model == nullptr) return;
  for (const std::string& name : sampledColumns()) {
    if (heads->find(name) == nullptr) continue;
    std::int64_t n = 0;
    const std::vector<double>& values = heads->numbers(name);
    meanOfPresent(values, &n);
    const double sd = sampleDeviation(values);
    model->columns.push_back({name + kSpreadEnding, std::vector<double>{sd}});
    model->columns.push_back({name + "_se", std::vector<double>{sd / std::sqrt(static_cast<double>(n))}});
  }
}

}  // namespace plastiscope
