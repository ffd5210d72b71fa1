#include "core/analysis/placement.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/bin_plasticity.h"

namespace plastiscope {

namespace {

// Un-rotated rows and the rotations to move them.
struct UnrotatedHead {
  const PositionRotation& rotation;
  RotationSteps querySteps, keySteps;
  Matrix query, key;  // un-rotated

  explicit UnrotatedHead(const PlasticityInput& input)
      : rotation(*input.place.rotation),
        querySteps(rotation, input.query),
        keySteps(rotation, input.key),
        query(unrotatedRows(input.query, querySteps)),
        key(unrotatedRows(input.key, keySteps)) {}
};

// Moves keys to other positions.
class KeyMover {
 public:
  KeyMover(const PositionRotation& rotation, const BinPairs& pairs) : m_step(rotation), m_pairs(pairs) {}
  // Writes row `key` of the bin's keys moved by `tokens` to `out`.
  void moved(std::int32_t key, double tokens, double* out) const {
    const Matrix& keys = m_pairs.keys();
    m_step.clear();
    m_step.add(m_pairs.examples()[key], tokens);
    m_step.apply(0, keys.row(key), out);
  }
  double position(std::int32_t key) const { return static_cast<double>(m_pairs.positions()[key]); }

 private:
  mutable RotationSteps m_step;
  const BinPairs& m_pairs;
};

// The value for all texts if i = 0, else of resample i - 1.
double valueAt(const SampledValue& of, std::size_t i) {
  return i == 0 ? of.value : of.resampled[i - 1];
}

// Computes a value from the complete data and from every resample with the same function.
template <typename Function>
SampledValue combined(std::size_t resamples, const Function& function) {
  SampledValue result;
  result.value = function(std::size_t{0});
  for (std::size_t r = 1; r <= resamples; ++r) result.resampled.push_back(function(r));
  return result;
}

// One bin's queries, texts and chosen pairs.
struct BinContentRows {
  std::vector<std::int64_t> rows;
  std::vector<TextQueries> texts;
  ChosenPairs chosen;
  BinSpace space;  // the chosen pairs may refer to its sources
};

class BinReader {
 public:
  BinReader(const PlasticityInput& input, const AnalysisSettings& settings)
      : m_input(input),
        m_queries(input.query, input.grid),
        m_selection(input.keyOrder, input.place, input.frame, input.grid, settings) {}
  BinContentRows read(std::int64_t bin) const {
    BinContentRows content;
    const Rational tau = m_input.grid.midpoint(bin);
    content.rows = gatheredByText(m_input.query, m_queries.rowsOf(bin), content.texts);
    content.space = m_selection.spaceOf(bin, tau);
    content.chosen = m_selection.choose(content.space, bin, tau);
    return content;
  }
  // The first position that queries at the midpoint of the bin see.
  double firstVisible(std::int64_t bin) const {
    const std::int64_t window = m_input.place.attentionWindow;
    if (window <= 0) return 0;
    return std::max(0.0, std::floor(m_input.grid.midpoint(bin).value() - static_cast<double>(window)) + 1);
  }

 private:
  const PlasticityInput& m_input;
  BinnedQueries m_queries;
  PairSelection m_selection;
};

std::vector<std::int64_t> validBins(const AlignedPlasticity& aligned) {
  std::vector<std::int64_t> valid;
  for (std::size_t b = 0; b < aligned.bins.size(); ++b) {
    if (!std::isnan(aligned.bins[b].ap)) valid.push_back(static_cast<std::int64_t>(b));
  }
  return valid;
}

// ---- Means and spread of un-rotated rows

// Means over even- and odd-numbered texts.
struct HalfMeans {
  Vector even, odd;
  bool known = false;
};

HalfMeans halfMeans(const VectorRows& rows, const Matrix& unrotated, std::span<const std::int64_t> which) {
  Vector sums[2] = {Vector::Zero(unrotated.cols()), Vector::Zero(unrotated.cols())};
  double counts[2] = {0, 0};
  for (const std::int64_t row : which) {
    const auto half = static_cast<std::size_t>(rows.example[row] % 2);
    sums[half] += unrotated.row(row).transpose();
    counts[half] += 1;
  }
  if (counts[0] == 0 || counts[1] == 0) return {};
  return {sums[0] / counts[0], sums[1] / counts[1], true};
}

UnrotatedBin unrotatedBin(const VectorRows& rows, const Matrix& unrotated,
                          std::span<const std::int64_t> which, const HalfMeans& first) {
  UnrotatedBin bin;
  bin.rows = std::ssize(which);
  if (which.empty()) return bin;
  const Matrix block = gatheredRows(unrotated, which);
  bin.meanNorm = block.rowwise().norm().mean();
  const Matrix centred = block.rowwise() - block.colwise().mean();
  if (which.size() > 1) {
    const Matrix covariance = centred.transpose() * centred / static_cast<double>(which.size() - 1);
    bin.totalVariance = covariance.trace();
    const double squares = covariance.squaredNorm();
    if (squares > 0) bin.participation = bin.totalVariance * bin.totalVariance / squares;
  }
  const HalfMeans means = halfMeans(rows, unrotated, which);
  if (!means.known || !first.known) return bin;
  const double square = (means.even - first.even).dot(means.odd - first.odd);
  bin.meanDrift = std::copysign(std::sqrt(std::abs(square)), square);
  return bin;
}

}  // namespace

Placement placementOf(const PlasticityInput& input, const AnalysisSettings& settings,
                      const AlignedPlasticity& aligned, const Resamples& resamples,
                      const Progress& progress) {
  Placement result;
  result.bins = validBins(aligned);
  if (result.bins.empty()) return result;
  const UnrotatedHead head(input);
  const BinReader reader(input, settings);
  const std::size_t count = result.bins.size();
  const Resamples none;
  result.ap.resize(count, static_cast<Eigen::Index>(count));
  std::map<std::pair<std::size_t, std::size_t>, SampledValue> corners;
  for (std::size_t u = 0; u < count; ++u) {
    progress.throwIfStopped();
    const std::int64_t bin = result.bins[u];
    const BinContentRows content = reader.read(bin);
    const BinPairs pairs(input.key, input.keyOrder, content.chosen);
    const KeyMover mover(head.rotation, pairs);
    const double from = reader.firstVisible(bin), length = input.grid.start(bin) - from;
    for (std::size_t v = 0; v < count; ++v) {
      const std::int64_t place = result.bins[v];
      const double placeFrom = reader.firstVisible(place), placeLength = input.grid.start(place) - placeFrom;
      Matrix keys(pairs.keys().rows(), pairs.keys().cols());
      for (std::int32_t k = 0; k < static_cast<std::int32_t>(keys.rows()); ++k) {
        const double moved = placeFrom + std::round((mover.position(k) - from) * placeLength / length);
        mover.moved(k, moved - mover.position(k), keys.row(k).data());
      }
      const bool corner = (u == 0 || u + 1 == count) && (v == 0 || v + 1 == count);
      const Resamples& of = corner ? resamples : none;
      const Matrix queries = alignedQueries(input.query, head.query, head.rotation, content.rows,
                                            input.grid.midpoint(place).value());
      const auto estimator = makeBinEstimator(settings.alignedEstimator, queries, content.texts, of);
      BinMean mean = binMean(*estimator, pairs, keys, of);
      result.ap(static_cast<Eigen::Index>(u), static_cast<Eigen::Index>(v)) = mean.ap;
      if (corner) corners[{u, v}] = {mean.ap, std::move(mean.resampled)};
    }
  }
  const BinnedQueries queries(input.query, input.grid), keys(input.key, input.grid);
  const std::int64_t first = result.bins.front();
  const HalfMeans firstQuery = halfMeans(input.query, head.query, queries.rowsOf(first)),
                  firstKey = halfMeans(input.key, head.key, keys.rowsOf(first));
  for (std::int64_t bin = 0; bin < input.grid.bins(); ++bin) {
    result.query.push_back(unrotatedBin(input.query, head.query, queries.rowsOf(bin), firstQuery));
    result.key.push_back(unrotatedBin(input.key, head.key, keys.rowsOf(bin), firstKey));
  }
  const std::size_t n = count - 1;
  const auto t = [&corners](std::size_t u, std::size_t v, std::size_t i) {
    return valueAt(corners.at({u, v}), i);
  };
  result.placement = combined(resamples.times.size(), [&](std::size_t i) {
    return ((t(0, 0, i) - t(0, n, i)) + (t(n, 0, i) - t(n, n, i))) / 2;
  });
  result.content = combined(resamples.times.size(), [&](std::size_t i) {
    return ((t(0, 0, i) - t(n, 0, i)) + (t(0, n, i) - t(n, n, i))) / 2;
  });
  result.ends = combined(resamples.times.size(), [&](std::size_t i) { return t(0, 0, i) - t(n, n, i); });
  return result;
}

// ---- Position or salience

namespace {

// Moves both keys of every pair to the mean of their positions.
Matrix keysAtOnePosition(const KeyMover& mover, std::span<const KeyPair> local, Eigen::Index headDim) {
  Matrix keys(2 * std::ssize(local), headDim);
  for (std::size_t p = 0; p < local.size(); ++p) {
    const auto row = static_cast<Eigen::Index>(2 * p);
    const double first = mover.position(local[p].first), second = mover.position(local[p].second);
    const double middle = (first + second) / 2;
    mover.moved(local[p].first, middle - first, keys.row(row).data());
    mover.moved(local[p].second, middle - second, keys.row(row + 1).data());
  }
  return keys;
}

// Puts one vector of every pair at both positions.
Matrix oneKeyAtBoth(const KeyMover& mover, std::span<const KeyPair> local, bool ofFirst,
                    Eigen::Index headDim) {
  Matrix keys(2 * std::ssize(local), headDim);
  for (std::size_t p = 0; p < local.size(); ++p) {
    const auto row = static_cast<Eigen::Index>(2 * p);
    const std::int32_t kept = ofFirst ? local[p].first : local[p].second;
    const double at = mover.position(kept);
    mover.moved(kept, mover.position(local[p].first) - at, keys.row(row).data());
    mover.moved(kept, mover.position(local[p].second) - at, keys.row(row + 1).data());
  }
  return keys;
}

// Means of bins for all texts and every resample, averaged with equal weights of bins.
class BinAverage {
 public:
  explicit BinAverage(std::size_t resamples) : m_values(resamples + 1) {}
  void add(const BinMean& mean) {
    m_values[0].push_back(mean.ap);
    for (std::size_t r = 0; r < mean.resampled.size(); ++r) m_values[r + 1].push_back(mean.resampled[r]);
  }
  double of(std::size_t i) const { return meanOfPresent(m_values[i]); }

 private:
  std::vector<std::vector<double>> m_values;  // [1 + resamples][bins]
};

std::vector<std::int64_t> distancesBelow(std::int64_t window) {
  std::vector<std::int64_t> distances = {0};
  for (std::int64_t distance = 1; distance < window; distance *= 2) distances.push_back(distance);
  return distances;
}

// The mean field: scores of the mean un-rotated query and key.
class MeanField {
 public:
  MeanField(const PlasticityInput& input, const UnrotatedHead& head)
      : m_rotation(head.rotation),
        m_query(head.query.colwise().mean()),
        m_key(head.key.colwise().mean()),
        m_scale(input.frame.scoreScale > 0 ? input.frame.scoreScale
                                           : 1 / std::sqrt(static_cast<double>(input.query.headDim()))) {}
  // Score of a key `distance` tokens before the query, with the frequencies of the text.
  double at(double distance, std::int64_t text) const {
    Eigen::RowVectorXd key(m_key.size());
    RotationSteps step(m_rotation);
    step.add(text, distance);
    step.undo(0, m_key, key.data());
    return m_scale * m_query.dot(key);
  }
  double scale() const { return m_scale; }
  const Eigen::RowVectorXd& query() const { return m_query; }
  const Eigen::RowVectorXd& key() const { return m_key; }

 private:
  const PositionRotation& m_rotation;
  Eigen::RowVectorXd m_query, m_key;
  double m_scale;
};

std::vector<DistanceScore> scoresByDistance(const PlasticityInput& input, const MeanField& field,
                                            const Progress& progress) {
  const std::vector<std::int64_t> distances = distancesBelow(input.frame.window);
  std::vector<DistanceScore> scores;
  for (const std::int64_t distance : distances) {
    scores.push_back({});
    scores.back().distance = distance;
    scores.back().meanField = field.at(static_cast<double>(distance), 0);
  }
  std::vector<double> measured(scores.size(), 0), expected(scores.size(), 0);
  // Mean-field values, computed once for each distance and text with its own frequencies.
  std::map<std::pair<std::int64_t, std::int64_t>, double> known;
  const std::int64_t window = input.place.attentionWindow;
  for (std::int64_t q = 0; q < input.query.rows(); ++q) {
    progress.throwIfStopped();
    const auto query = static_cast<std::size_t>(q);
    for (std::int64_t k = 0; k < input.key.rows(); ++k) {
      const auto key = static_cast<std::size_t>(k);
      const std::int64_t distance = input.query.position[query] - input.key.position[key];
      if (input.query.example[query] != input.key.example[key] || distance < 0) continue;
      if (window > 0 && distance >= window) continue;
      const auto range = static_cast<std::size_t>(
          std::upper_bound(distances.begin(), distances.end(), distance) - distances.begin() - 1);
      ++scores[range].pairs;
      measured[range] += field.scale() * input.query.vectors.row(q).dot(input.key.vectors.row(k));
      const std::int64_t text = input.place.rotation->frequencies.size() > 1 ? input.query.example[query] : 0;
      const auto [place, fresh] = known.try_emplace({text, distance}, 0);
      if (fresh) place->second = field.at(static_cast<double>(distance), text);
      expected[range] += place->second;
    }
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i].pairs == 0) continue;
    scores[i].measured = measured[i] / static_cast<double>(scores[i].pairs);
    scores[i].meanFieldMean = expected[i] / static_cast<double>(scores[i].pairs);
  }
  return scores;
}

// Var(R(t) m) / Var(x), and the part of it that is linear in t.
PositionShare positionShare(const VectorRows& rows, const RotationSteps& steps,
                            const Eigen::RowVectorXd& mean) {
  PositionShare share;
  if (rows.rows() < 2) return share;
  VectorRows placed{Matrix(rows.vectors.rows(), rows.vectors.cols()), rows.position, rows.example};
  for (Eigen::Index i = 0; i < placed.vectors.rows(); ++i) {
    steps.apply(static_cast<std::size_t>(i), mean, placed.vectors.row(i).data());
  }
  const Moments all = momentsOf(rows), position = momentsOf(placed);
  if (!(all.trace() > 0)) return share;
  share.variance = position.trace() / all.trace();
  if (position.varianceT > 0)
    share.linear = position.covarianceT.squaredNorm() / position.varianceT / all.trace();
  return share;
}

}  // namespace

Salience salienceOf(const PlasticityInput& input, const AnalysisSettings& settings,
                    const AlignedPlasticity& aligned, const Resamples& resamples, const Progress& progress) {
  Salience result;
  const std::vector<std::int64_t> bins = validBins(aligned);
  if (!aligned.missing.empty()) return result;
  const UnrotatedHead head(input);
  const BinReader reader(input, settings);
  const std::size_t count = resamples.times.size();
  BinAverage both(count), same(count), first(count), second(count);
  for (const std::int64_t bin : bins) {
    progress.throwIfStopped();
    const BinContentRows content = reader.read(bin);
    const BinPairs pairs(input.key, input.keyOrder, content.chosen);
    const KeyMover mover(head.rotation, pairs);
    const Eigen::Index dim = input.key.headDim();
    const Matrix queries = alignedQueries(input.query, head.query, head.rotation, content.rows,
                                          input.grid.midpoint(bin).value());
    const auto estimator = makeBinEstimator(settings.alignedEstimator, queries, content.texts, resamples);
    both.add(binMean(*estimator, pairs, pairs.keys(), resamples));
    const auto add = [&](BinAverage& average, const PairKeys& keysOf) {
      average.add(binMeanOfMovedPairs(*estimator, pairs, keysOf, resamples));
    };
    add(same, [&](std::span<const KeyPair> local) { return keysAtOnePosition(mover, local, dim); });
    add(first, [&](std::span<const KeyPair> local) { return oneKeyAtBoth(mover, local, true, dim); });
    add(second, [&](std::span<const KeyPair> local) { return oneKeyAtBoth(mover, local, false, dim); });
  }
  const auto one = [&](std::size_t i) { return (first.of(i) + second.of(i)) / 2; };
  result.same = combined(count, [&](std::size_t i) { return same.of(i); });
  result.one = combined(count, one);
  result.position = combined(
      count, [&](std::size_t i) { return ((1 - one(i)) + (1 - both.of(i)) - (1 - same.of(i))) / 2; });
  result.salience = combined(
      count, [&](std::size_t i) { return ((1 - same.of(i)) + (1 - both.of(i)) - (1 - one(i))) / 2; });
  const MeanField field(input, head);
  result.scores = scoresByDistance(input, field, progress);
  result.query = positionShare(input.query, head.querySteps, field.query());
  result.key = positionShare(input.key, head.keySteps, field.key());
  return result;
}

}  // namespace plastiscope
