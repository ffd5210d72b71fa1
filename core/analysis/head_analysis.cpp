#include "core/analysis/head_analysis.h"

namespace plastiscope {

namespace {

HeadResult emptyResult(const HeadPlace& place, const KindRows& query, const KeySide& key) {
  HeadResult result;
  result.place = place;
  result.headDim = query.headDim();
  result.queryRows = query.rows();
  result.keyRows = key.rows.rows();
  return result;
}

void addPlasticity(HeadResult& result, const CaptureFrame& frame, const KindRows& query,
                   const KeySide& key, const BinGrid& grid, const AnalysisSettings& settings, const Progress& progress,
                   const PairWatcher& onPairs = {}) {
  const PlasticityInput input{result.place, frame, query, key.rows, key.order, result.model, grid, onPairs};
  result.plasticity = plasticityOf(input, settings, progress);
  result.summary = summarise(result.plasticity.bins, frame.window, settings);
  if (settings.decomposition != "on") return;
  PlasticityInput unwatched = input;
  unwatched.onPairs = {};
  const auto dropOf = [&](DriftChange change) {
    return summarise(plasticityOf(unwatched, settings, progress, change).bins, frame.window, settings).drop;
  };
  result.decomposition = {dropOf(DriftChange::NoPosition), dropOf(DriftChange::ContentFrozen)};
}

}  // namespace

KeySide::KeySide(KindRows keys) : rows(std::move(keys)), moments(momentsOf(rows)), order(orderKeys(rows)) {}

HeadResult analyzeHead(const HeadPlace& place, const CaptureFrame& frame, const KindRows& query,
                       const KeySide& key, const BinGrid& grid, const AnalysisSettings& settings,
                       const Progress& progress) {
  HeadResult result = emptyResult(place, query, key);
  const Moments moments = momentsOf(query);
  result.pca = pcaOf(query, key.rows, moments, key.moments, settings);
  progress.throwIfStopped();
  result.rotation = rotationOf(query, key.rows, moments, key.moments, frame, settings);
  progress.throwIfStopped();
  result.model = queryModelOf(query, moments);
  ContentSpread spread(key, result.model, grid.bins());
  addPlasticity(result, frame, query, key, grid, settings, progress,
                [&spread](std::int64_t bin, std::span<const KeyPair> pairs, const double* pp) {
                  spread.add(bin, pairs, pp);
                });
  addExtras(result, {frame, query, key, grid, settings, spread, progress});
  return result;
}

HeadResult analyzeHeadPlasticity(const HeadPlace& place, const CaptureFrame& frame, const KindRows& query,
                                 const KeySide& key, const BinGrid& grid, const AnalysisSettings& settings,
                                 const Progress& progress) {
  HeadResult result = emptyResult(place, query, key);
  result.model = queryModelOf(query, momentsOf(query));
  addPlasticity(result, frame, query, key, grid, settings, progress);
  return result;
}

}  // namespace plastiscope
