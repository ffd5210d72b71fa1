#include "core/analysis/head_analysis.h"

#include <cmath>

#include "core/analysis/moments.h"
#include "core/analysis/row_choice.h"
#include "core/analysis/statistics.h"
#include "core/base/error.h"

namespace plastiscope {

namespace {

std::span<const double> spanOf(const Vector& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

double meanSize(const Vector& values) {
  const Vector sizes = values.cwiseAbs();
  return sumOf(spanOf(sizes)) / static_cast<double>(values.size());
}

// Query positions in the order of reflected.content.drift.
Vector positionsOf(const VectorRows& query, const HouseholderHead& reflected) {
  const auto rows = reflected.queries.allRows();
  Vector positions(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) positions[i] = static_cast<double>(query.position[rows[i]]);
  return positions;
}

Vector coordinate(const VectorRows& rows, const Vector& axis) {
  return axis.size() == 0 ? Vector() : Vector(rows.vectors * axis);
}

Vector component(const VectorRows& rows, const PcaResult& pca, Eigen::Index j) {
  if (j >= pca.components.cols()) return {};
  return centredAlong(rows, pca.mean, pca.components.col(j));
}

// With diagnostics = auto, limit of products of query and key coordinates for comparing two variance modes:
// about the time of everything else.
constexpr double kAutoProducts = 1 << 26;

std::vector<std::int64_t> pooledPositions(const VectorRows& query, const VectorRows& key) {
  std::vector<std::int64_t> positions = query.position;
  positions.insert(positions.end(), key.position.begin(), key.position.end());
  return positions;
}

// Raw coordinates of queries, then keys.
Vector pooledAlong(const VectorRows& query, const VectorRows& key, const Vector& axis) {
  Vector x(query.rows() + key.rows());
  x << query.vectors * axis, key.vectors * axis;
  return x;
}

void addRotationFrequencies(HeadResult& result, const HeadInput& input, const Moments& queryMoments) {
  const RotationResult& rotation = result.rotation;
  if (rotation.b.size() == 0) return;
  const std::int64_t wanted = wantedPlanes(input.settings.planes, input.frame.window);
  if (wanted == 0) return;
  const VectorRows& key = input.key.rows;
  Periodogram search(pooledPositions(input.query, key), input.frame.window);
  const Moments pool = rotationPool(queryMoments, input.key.moments, input.settings);
  const Complement complement = complementOf(pool, rotation.a, rotation.b);
  result.extras.planes = planesOf(complement, input.query, key, wanted, search);
  result.extras.diagnostics.planeRotation =
      search.strongest(pooledAlong(input.query, key, rotation.a), pooledAlong(input.query, key, rotation.b));
}

// Bn / sqrt(v_content) (method.md, Diagnostics).
double biasSnrOf(const HeadResult& result, double contentVariance) {
  return contentVariance > 0 ? result.rotation.biasWindow / std::sqrt(contentVariance) : kMissing;
}

// Whether comparing two modes on the head's pairs is within the limit.
bool isCheap(const HeadResult& result) {
  double products = 0;
  for (const BinResult& bin : result.plasticity.bins) {
    if (bin.valid) products += static_cast<double>(bin.pairsUsed) * static_cast<double>(bin.queries);
  }
  return products * static_cast<double>(result.headDim) <= kAutoProducts;
}

// Difference of AP_overall between both modes over the pairs of the analysis.
double fullMinusEmpirical(const HeadResult& result, const HeadInput& input,
                          const HouseholderHead& reflected) {
  const auto overallOf = [&](const char* variance) {
    AnalysisSettings settings = input.settings;
    settings.variance = variance;
    const PlasticityInput plasticity{result.place,    input.frame,  input.query, input.key.rows,
                                     input.key.order, result.model, input.grid};
    const auto bins = plasticityOf(plasticity, reflected, settings, input.progress).bins;
    return summarise(bins, input.frame.window, settings).overall;
  };
  return overallOf("full") - overallOf("empirical");
}

void addHigherMoments(Diagnostics& diagnostics, const VectorRows& query, const HouseholderHead& reflected,
                      const QueryModel& model) {
  const QueryContent& content = reflected.content;
  const Vector expected = model.alphaPosition + model.betaPosition * positionsOf(query, reflected).array();
  const Vector residual = content.drift - expected;
  const HigherMoments drift = higherMomentsOf(spanOf(residual), content.mean[0]);
  diagnostics.skewness = drift.skewness;
  diagnostics.excessKurtosis = drift.excessKurtosis;
  std::vector<double> skewness, kurtosis;
  for (Eigen::Index c = 1; c < content.mean.size(); ++c) {
    const HigherMoments moments = higherMomentsOf(content.powers, c, content.mean[c]);
    skewness.push_back(std::abs(moments.skewness));
    kurtosis.push_back(std::abs(moments.excessKurtosis));
  }
  diagnostics.contentSkewness = medianOfPresent(skewness);
  diagnostics.contentKurtosis = medianOfPresent(kurtosis);
}

ScalarPredictability scalarPredictability(const VectorRows& query, const HouseholderHead& reflected,
                                          const QueryModel& model) {
  ScalarPredictability result;
  if (model.betaPosition == 0) return result;  // no direction to project on
  const Vector& s = reflected.content.drift;   // the reflection takes beta / |beta| to coordinate 1
  const Vector t = positionsOf(query, reflected);
  Vector octave(s.size());
  for (Eigen::Index i = 0; i < s.size(); ++i) octave[i] = std::log2(t[i] + 1);
  const LineStats line = lineStats(spanOf(octave), spanOf(s));  // octave as a line over s
  const double r = line.pearson();
  if (std::isnan(r)) return result;
  result.r2 = r * r;
  const Vector deviation = octave.array() - line.mean;
  result.meanError = meanSize(deviation);
  result.error = meanSize(deviation - Vector(line.slope() * (s.array() - line.meanT)));
  if (result.meanError > 0) result.ratio = result.error / result.meanError;
  return result;
}

// Projects the rows of one kind: a and b raw, pc0 and pc1 centred on the mean of the components' rows.
RowProjections projectionsOf(const VectorRows& rows, const RotationResult& rotation, const PcaResult& pca,
                             const std::vector<std::int64_t>& rawDimensions) {
  RowProjections result{rows.example,
                        rows.position,
                        coordinate(rows, rotation.a),
                        coordinate(rows, rotation.b),
                        component(rows, pca, 0),
                        component(rows, pca, 1),
                        Matrix(rows.rows(), static_cast<Eigen::Index>(rawDimensions.size()))};
  for (std::size_t i = 0; i < rawDimensions.size(); ++i)
    result.raw.col(i) = rows.vectors.col(rawDimensions[i]);
  return result;
}

// Parses the setting vector_dimensions: none, all, or a list such as 0-3,9. UsageError for anything else,
// also for a dimension that the head does not have.
std::vector<std::int64_t> chosenDimensions(const std::string& setting, std::int64_t headDim) {
  if (setting == "none") return {};
  std::vector<std::int64_t> list;
  const std::string ranges = setting == "all" ? "0-" + std::to_string(headDim - 1) : setting;
  for (const std::string& part : listParts(ranges + ",")) {
    const auto range = numberRange(part, "-");
    if (!range || range->second >= headDim) {
      throw UsageError("vector_dimensions: expected dimensions below " + std::to_string(headDim) +
                       ", such as 0-3,9, found \"" + part + "\"");
    }
    for (std::int64_t dimension = range->first; dimension <= range->second; ++dimension)
      list.push_back(dimension);
  }
  return list;
}

// Adds planes and projections to a result with components and axes.
void addGeometryExtras(HeadResult& result, const HeadInput& input, const Moments& queryMoments) {
  addRotationFrequencies(result, input, queryMoments);
  if (input.settings.projections == "on") {
    const auto raw = chosenDimensions(input.settings.vectorDimensions, result.headDim);
    result.extras.projections = {raw, projectionsOf(input.query, result.rotation, result.pca, raw),
                                 projectionsOf(input.key.rows, result.rotation, result.pca, raw)};
  }
}

// Adds diagnostics to a result with plasticity and bias_window. `contentVariance`: v_content of the head's
// pairs.
void addDiagnostics(HeadResult& result, const HeadInput& input, const HouseholderHead& reflected,
                    double contentVariance) {
  if (!result.model.present) return;
  Diagnostics& diagnostics = result.extras.diagnostics;
  diagnostics.biasSnr = biasSnrOf(result, contentVariance);
  addHigherMoments(diagnostics, input.query, reflected, result.model);
  diagnostics.scalar = scalarPredictability(input.query, reflected, result.model);
  const std::string& wish = input.settings.diagnostics;
  if (wish == "all" || (wish == "auto" && isCheap(result)))
    diagnostics.fullMinusEmpirical = fullMinusEmpirical(result, input, reflected);
}

// Mean variance of a pair's score difference due to content: v_content of method.md, Diagnostics.
class ContentSpread {
 public:
  // `head` must outlive it.
  explicit ContentSpread(const HouseholderHead& head) : m_head(head) {}
  // Adds evaluated pairs of a bin except those with missing PP. Computes the content if the mode does not
  // give it.
  void add(std::int64_t bin, std::span<const KeyPair> pairs, const PairValues& values) {
    const double* content = values.content != nullptr ? values.content : contentOf(bin, pairs);
    double sum = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      if (std::isnan(values.pp[p])) continue;
      sum += content[p];
      ++m_pairs;
    }
    m_sums.push_back(sum);
  }

  // Missing without pairs.
  double mean() const { return m_pairs == 0 ? kMissing : sumOf(m_sums) / static_cast<double>(m_pairs); }

 private:
  const double* contentOf(std::int64_t bin, std::span<const KeyPair> pairs) {
    const Matrix& keys = m_head.keys.reflected;
    const Vector& variance = m_head.content.bins[bin].variance;
    Vector spread = Vector::Zero(keys.cols());
    spread.segment(1, variance.size() - 1) = variance.tail(variance.size() - 1);
    m_content.resize(pairs.size());
    m_ignored.resize(pairs.size());
    weightedDifferences(blockOf(keys), pairs, {spread.data(), spread.data()},
                        {m_content.data(), m_ignored.data()});
    return m_content.data();
  }

  const HouseholderHead& m_head;
  std::vector<double> m_content, m_ignored;
  std::vector<double> m_sums;  // one per call
  std::int64_t m_pairs = 0;
};

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
  of.scored = resample < result.attentionResampled.size();
  if (of.scored) of.attention = result.attentionResampled[resample];
  const auto take = [resample](SampledValue& value, const SampledValue& from) {
    if (resample < from.resampled.size()) value.value = from.resampled[resample];
  };
  if (result.softmax) {
    SoftmaxPositions& softmax = of.softmax.emplace();
    take(softmax.plasticity, result.softmax->plasticity);
    take(softmax.correlation, result.softmax->correlation);
  }
  if (resample >= result.aligned.resampled.size()) return;
  of.aligned.summary = resampledSummary(result.aligned, resample, result.window, settings);
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
