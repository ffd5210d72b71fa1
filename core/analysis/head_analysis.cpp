#include "core/analysis/head_analysis.h"

#include <cmath>

#include "core/analysis/content_spread.h"
#include "core/analysis/orientation.h"

namespace plastiscope {

namespace {

HeadResult emptyResult(const HeadPlace& place, const CaptureFrame& frame, const KindRows& query,
                       const KeySide& key) {
  HeadResult result;
  result.place = place;
  result.window = frame.window;
  result.headDim = query.headDim();
  result.queryRows = query.rows();
  result.keyRows = key.rows.rows();
  return result;
}

void addPlasticity(HeadResult& result, const PlasticityInput& input, const ReflectedHead& reflected,
                   const AnalysisSettings& settings, const Progress& progress) {
  const std::int64_t window = input.frame.window;
  result.plasticity = plasticityOf(input, reflected, settings, progress);
  result.summary = summarise(result.plasticity.bins, window, settings);
  if (settings.decomposition != "on") return;
  PlasticityInput unwatched = input;
  unwatched.onPairs = {};
  const auto dropOf = [&](DriftChange change) {
    return summarise(plasticityOf(unwatched, reflected, settings, progress, change).bins, window, settings)
        .drop;
  };
  result.decomposition = {dropOf(DriftChange::NoPosition), dropOf(DriftChange::ContentFrozen)};
}

// In the basis that the settings ask for; `reflected` and result.model are of the rows as captured.
void addPlasticity(HeadResult& result, const CaptureFrame& frame, const KindRows& query, const KeySide& key,
                   const BinGrid& grid, const ReflectedHead& reflected, const AnalysisSettings& settings,
                   const Progress& progress, const PairWatcher& onPairs = {}) {
  if (settings.orientation != "legacy") {
    addPlasticity(result, {result.place, frame, query, key.rows, key.order, result.model, grid, onPairs},
                  reflected, settings, progress);
    return;
  }
  const Vector signs = legacySigns(key.rows, captureBuckets(frame));
  const KindRows turnedQuery = turned(query, signs), turnedKey = turned(key.rows, signs);
  const QueryModel model = queryModelOf(turnedQuery, momentsOf(turnedQuery));
  PairWatcher captured;  // the content of the turned basis is another one
  if (onPairs) {
    captured = [&onPairs](std::int64_t bin, std::span<const KeyPair> pairs, const PairValues& values) {
      onPairs(bin, pairs, {values.pp, values.mean, values.variance});
    };
  }
  addPlasticity(result, {result.place, frame, turnedQuery, turnedKey, key.order, model, grid, captured},
                ReflectedHead(turnedQuery, turnedKey, key.order, model, grid), settings, progress);
}

QueryModel modelOf(const KindRows& query, const Moments& moments, const AnalysisSettings& settings) {
  QueryModel model = queryModelOf(query, moments);
  const bool none = !model.weights.empty() && std::isnan(model.weights[0]);  // then all are missing
  if (none && settings.weightsConstant == "uniform")
    model.weights.assign(model.weights.size(), 1 / static_cast<double>(model.weights.size()));
  return model;
}

}  // namespace

KeySide::KeySide(KindRows keys) : rows(std::move(keys)), moments(momentsOf(rows)), order(orderKeys(rows)) {}

HeadResult analyzeHead(const HeadPlace& place, const CaptureFrame& frame, const KindRows& query,
                       const KeySide& key, const BinGrid& grid, const AnalysisSettings& settings,
                       const Progress& progress) {
  return analyzeHeadStages(place, frame, query, key, grid, settings, progress, {}, kMissing);
}

HeadResult analyzeHeadStages(const HeadPlace& place, const CaptureFrame& frame, const KindRows& query,
                             const KeySide& key, const BinGrid& grid, const AnalysisSettings& settings,
                             const Progress& progress, const AnalysisStages& wanted, double biasWindow) {
  HeadResult result = emptyResult(place, frame, query, key);
  const Moments moments = momentsOf(query);
  result.rotation.biasWindow = biasWindow;
  if (wanted.geometry) {
    result.pca = pcaOf(query, key.rows, moments, key.moments, settings);
    progress.throwIfStopped();
    result.rotation = rotationOf(query, key.rows, moments, key.moments, frame, settings);
    progress.throwIfStopped();
  }
  if (wanted.geometry) addGeometryExtras(result, {frame, query, moments, key, settings});
  progress.throwIfStopped();
  if (wanted.plasticity) {
    result.model = modelOf(query, moments, settings);
    const ReflectedHead reflected(query, key.rows, key.order, result.model, grid);
    ContentSpread spread(reflected);
    addPlasticity(result, frame, query, key, grid, reflected, settings, progress,
                  [&spread](std::int64_t bin, std::span<const KeyPair> pairs, const PairValues& values) {
                    spread.add(bin, pairs, values);
                  });
    addDiagnostics(result, {frame, query, key, grid, settings, reflected, spread.mean(), progress});
  }
  return result;
}

HeadResult analyzeHeadPlasticity(const HeadPlace& place, const CaptureFrame& frame, const KindRows& query,
                                 const KeySide& key, const BinGrid& grid, const AnalysisSettings& settings,
                                 const Progress& progress) {
  HeadResult result = emptyResult(place, frame, query, key);
  result.model = modelOf(query, momentsOf(query), settings);
  const ReflectedHead reflected(query, key.rows, key.order, result.model, grid);
  addPlasticity(result, frame, query, key, grid, reflected, settings, progress);
  return result;
}

}  // namespace plastiscope
