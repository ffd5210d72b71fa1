#include "core/analysis/head_analysis.h"

#include <cmath>

#include "core/analysis/bins.h"

namespace plastiscope {

namespace {

// Mean variance of a pair's score difference due to content: v_content of method.md, Diagnostics.
class ContentSpread {
 public:
  // `head` must outlive it.
  explicit ContentSpread(const HouseholderHead& head) : m_head(head) {}
  // Adds evaluated pairs of a bin except those with missing PP. Computes the content if the mode does not
  // give it.
  void add(std::int64_t bin, std::span<const KeyPair> pairs, const PairValues& values);
  double mean() const;  // missing without pairs

 private:
  const double* contentOf(std::int64_t bin, std::span<const KeyPair> pairs);

  const HouseholderHead& m_head;
  std::vector<double> m_content, m_ignored;
  std::vector<double> m_sums;  // one per call
  std::int64_t m_pairs = 0;
};

const double* ContentSpread::contentOf(std::int64_t bin, std::span<const KeyPair> pairs) {
  const Matrix& keys = m_head.keys.reflected;
  const Vector& variance = m_head.content.bins[static_cast<std::size_t>(bin)].variance;
  Vector spread = Vector::Zero(keys.cols());
  spread.segment(1, variance.size() - 1) = variance.tail(variance.size() - 1);
  m_content.resize(pairs.size());
  m_ignored.resize(pairs.size());
  weightedDifferences(blockOf(keys), pairs, {spread.data(), spread.data()},
                      {m_content.data(), m_ignored.data()});
  return m_content.data();
}

void ContentSpread::add(std::int64_t bin, std::span<const KeyPair> pairs, const PairValues& values) {
  const double* content = values.content != nullptr ? values.content : contentOf(bin, pairs);
  double sum = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (std::isnan(values.pp[p])) continue;
    sum += content[p];
    ++m_pairs;
  }
  m_sums.push_back(sum);
}

double ContentSpread::mean() const {
  return m_pairs == 0 ? kMissing : sumOf(m_sums) / static_cast<double>(m_pairs);
}

HeadResult emptyResult(const HeadId& place, const CaptureFrame& frame, const VectorRows& query,
                       const HeadKeys& key) {
  HeadResult result;
  result.place = place;
  result.window = frame.window;
  result.headDim = query.headDim();
  result.queryRows = query.rows();
  result.keyRows = key.rows.rows();
  return result;
}

void addPlasticity(HeadResult& result, const PlasticityInput& input, const HouseholderHead& reflected,
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

// Uses the basis chosen by the settings; `reflected` and result.model are of the rows as captured.
void addPlasticity(HeadResult& result, const HeadInput& input, const HouseholderHead& reflected,
                   const PairWatcher& onPairs) {
  const auto& [place, frame, query, key, grid, settings, progress, texts] = input;
  if (settings.orientation != "legacy") {
    addPlasticity(result, {place, frame, query, key.rows, key.order, result.model, grid, onPairs}, reflected,
                  settings, progress);
    return;
  }
  const Vector signs = legacySigns(key.rows, captureBuckets(frame));
  const VectorRows signedQuery = withSigns(query, signs), signedKey = withSigns(key.rows, signs);
  const QueryModel model = queryModelOf(signedQuery, momentsOf(signedQuery));
  // The content must be that of the captured basis, not of the signed one.
  const PairWatcher captured = [&onPairs](std::int64_t bin, std::span<const KeyPair> pairs,
                                          const PairValues& values) {
    onPairs(bin, pairs, {values.pp, values.mean, values.variance});
  };
  addPlasticity(result, {place, frame, signedQuery, signedKey, key.order, model, grid, captured},
                HouseholderHead(signedQuery, {signedKey, key.order}, model, grid), settings, progress);
}

QueryModel modelOf(const VectorRows& query, const Moments& moments, const AnalysisSettings& settings) {
  QueryModel model = queryModelOf(query, moments);
  const bool none = !model.weights.empty() && std::isnan(model.weights[0]);  // then all weights are missing
  if (none && settings.weightsConstant == "uniform")
    model.weights.assign(model.weights.size(), 1 / static_cast<double>(model.weights.size()));
  return model;
}

}  // namespace

HeadKeys::HeadKeys(VectorRows keys)
    : rows(std::move(keys)), moments(momentsOf(rows)), order(orderKeys(rows)) {}

void addAligned(HeadResult& result, const HeadInput& input, const Resamples& resamples) {
  const auto& [place, frame, query, key, grid, settings, progress, texts] = input;
  const QueryModel none;
  const BinGrid own = alignedGrid(settings, frame, grid);
  const PlasticityInput rows{place, frame, query, key.rows, key.order, none, own};
  result.aligned = alignedPlasticityOf(rows, settings, resamples, progress);
  if (!result.aligned.missing.empty()) return;
  if (settings.placement == "on")
    result.placement = placementOf(rows, settings, result.aligned, resamples, progress);
  if (settings.salience == "on")
    result.salience = salienceOf(rows, settings, result.aligned, resamples, progress);
}

void setResampled(HeadResult& of, const HeadResult& result, std::size_t resample,
                  const AnalysisSettings& settings) {
  of.dense = resample < result.attentionResampled.size();
  if (of.dense) of.attention = result.attentionResampled[resample];
  if (resample >= result.aligned.resampled.size()) return;
  of.aligned.summary = resampledSummary(result.aligned, resample, result.window, settings);
  const auto take = [resample](SampledValue& value, const SampledValue& from) {
    if (resample < from.resampled.size()) value.value = from.resampled[resample];
  };
  if (result.placement) {
    Placement& placement = of.placement.emplace();
    take(placement.placement, result.placement->placement);
    take(placement.content, result.placement->content);
    take(placement.ends, result.placement->ends);
  }
  if (result.salience) {
    Salience& salience = of.salience.emplace();
    take(salience.same, result.salience->same);
    take(salience.one, result.salience->one);
    take(salience.position, result.salience->position);
    take(salience.salience, result.salience->salience);
  }
}

HeadResult analyzeHead(const HeadInput& input) {
  return analyzeHeadStages(input, {}, kMissing);
}

HeadResult analyzeHeadStages(const HeadInput& input, const AnalysisStages& wanted, double biasWindow) {
  const auto& [place, frame, query, key, grid, settings, progress, texts] = input;
  HeadResult result = emptyResult(place, frame, query, key);
  const Moments moments = momentsOf(query);
  result.rotation.biasWindow = biasWindow;
  if (wanted.geometry) {
    const MeasuredRows queries{query, moments}, keys{key.rows, key.moments};
    result.pca = pcaOf(queries, keys, settings);
    progress.throwIfStopped();
    result.rotation = rotationOf(queries, keys, frame, settings);
    progress.throwIfStopped();
    addGeometryExtras(result, input, moments);
  }
  progress.throwIfStopped();
  if (wanted.plasticity) {
    result.model = modelOf(query, moments, settings);
    const HouseholderHead reflected(query, {key.rows, key.order}, result.model, grid);
    ContentSpread spread(reflected);
    addPlasticity(result, input, reflected,
                  [&spread](std::int64_t bin, std::span<const KeyPair> pairs, const PairValues& values) {
                    spread.add(bin, pairs, values);
                  });
    addDiagnostics(result, input, reflected, spread.mean());
    progress.throwIfStopped();
    addAligned(result, input, texts == nullptr ? Resamples() : *texts);
  }
  return result;
}

}  // namespace plastiscope
