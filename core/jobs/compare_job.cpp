#include "core/jobs/compare_job.h"

#include <cmath>

#include "core/base/error.h"
#include "core/base/path_text.h"
#include "core/compare/compared_profiles.h"
#include "core/compare/measures.h"
#include "core/jobs/parallel.h"
#include "core/jobs/study_job.h"
#include "core/views/study_notes.h"

namespace plastiscope {

namespace {

// Adds mean AP over the length ranges of benchmarks that the window covers completely.
void addLengths(PredictorRow& predictor, const PositionProfile& profile) {
  for (const LengthRange& range : lengthRanges()) {
    const std::string ranges = range.ranges;
    if ((ranges != "longbench_pro" && ranges != "ruler") || range.to > profile.window()) continue;
    const double ap = profile.mean(range).ap;
    if (std::isfinite(ap)) predictor.lengths.push_back({ranges, range.from, range.to, ap});
  }
}

}  // namespace

Comparison compareFiles(const CompareRequest& request, int threads, Progress& progress) {
  if (!request.names.empty() && request.names.size() != request.files.size()) {
    throw UsageError("expected one name an input, found " + std::to_string(request.names.size()) +
                     " names for " + std::to_string(request.files.size()) + " inputs");
  }
  std::vector<ComparisonInput> inputs;
  for (std::size_t i = 0; i < request.files.size(); ++i) {
    progress.throwIfStopped();
    const auto study = openStudy(request.files[i], AnalysisSettings(), threads, progress);
    inputs.push_back(
        {request.names.empty() ? "" : request.names[i], pathText(request.files[i]), study->analysis});
  }
  ComparisonOptions options = request.options;
  if (!request.group.empty())
    options.group =
        parseGroups({request.group}, request.files.front(), requiredTable(*inputs.front().analysis, "heads"))
            .front();
  Comparison comparison = makeComparison(inputs, options);
  sortModels(comparison, request.order);
  for (const std::string& warning : comparisonWarnings(comparison)) progress.warned(warning);
  return comparison;
}

PredictorTable predictorsOf(const Comparison& comparison) {
  PredictorTable table;
  table.source = "own analyses";
  const std::vector<Measure> measures = measuresOf(comparison);
  for (const Measure& one : measures) table.columns.push_back(one.column);
  for (const ComparedModel& model : comparison.models) {
    PredictorRow predictor{model.name, {model.facts.model}, {}, {}};
    if (model.reference) predictor.aliases.push_back(model.reference->id);
    for (const Measure& one : measures)
      predictor.values.push_back(measure(model, one, allHeads(model)).value);
    addLengths(predictor, PositionProfile(*model.analysis));
    predictor.family = model.family;
    table.rows.push_back(std::move(predictor));
  }
  return table;
}

OwnModels ownModels(const Comparison& comparison) {
  OwnModels own{predictorsOf(comparison), {}};
  for (const ComparedModel& model : comparison.models) own.families.push_back(comparedName(model).family);
  return own;
}

std::vector<Deviation> compareWithReference(const Comparison& comparison, const std::string& referenceId) {
  std::optional<ReferenceModel> given;
  if (!referenceId.empty()) given = requiredReferenceModel(referenceId);
  std::vector<Deviation> all;
  for (std::size_t i = 0; i < comparison.models.size(); ++i) {
    const std::optional<ReferenceModel>& reference = given ? given : comparison.models[i].reference;
    if (!reference) continue;
    for (Deviation& one : deviationsOf(comparison, i, *reference)) all.push_back(std::move(one));
  }
  return all;
}

std::vector<HeadDrift> measureDrift(const std::filesystem::path& first, const std::filesystem::path& second,
                                    int threads, Progress& progress) {
  const auto a = openCapture(first), b = openCapture(second);
  const std::vector<RowPlace> places = driftPlaces(*a, *b);
  std::vector<HeadDrift> heads(places.size());
  UnitCounter counter(progress, "drift", "head", places.size());
  parallelFor(places.size(), threads, [&](std::size_t i) {
    progress.throwIfStopped();
    heads[i] = driftOf(*a, *b, places[i]);
    counter.finished();
  });
  return heads;
}

}  // namespace plastiscope
