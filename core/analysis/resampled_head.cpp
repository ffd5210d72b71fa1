#include "core/analysis/resampled_head.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/analysis/bins.h"
#include "core/analysis/row_kernels.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMaxSums = 1 << 22;  // doubles of sums per example at a time

// Numbers in triangle row i, and before it.
Eigen::Index widthOf(Eigen::Index i, Eigen::Index dim) {
  return dim + 2 - i;
}
Eigen::Index placeOf(Eigen::Index i, Eigen::Index dim) {
  return i * (dim + 2) - i * (i - 1) / 2;
}

}  // namespace

ResampledMoments::ResampledMoments(const VectorRows& rows, const Resamples& resamples)
    : m_rows(rows), m_resamples(resamples), m_order(rows.position.size()), m_whole(momentsOf(rows)) {
  std::iota(m_order.begin(), m_order.end(), std::size_t{0});
  std::stable_sort(m_order.begin(), m_order.end(),
                   [&](std::size_t a, std::size_t b) { return rows.example[a] < rows.example[b]; });
  const Eigen::Index dim = rows.headDim();
  m_sums = Matrix::Zero(resamples.count(), placeOf(dim, dim));
  Matrix weights = Matrix::Zero(resamples.examples, productRows(resamples.count()));
  for (std::int64_t r = 0; r < resamples.count(); ++r) {
    for (std::int64_t e = 0; e < resamples.examples; ++e) weights(e, r) = resamples.times[r][e];
  }
  for (Eigen::Index from = 0; from < dim;) {
    Eigen::Index to = from + 1;
    while (to < dim && (placeOf(to + 1, dim) - placeOf(from, dim)) * resamples.examples <= kMaxSums) ++to;
    sumTriangleRows(from, to, weights);
    from = to;
  }
}

void ResampledMoments::sumTriangleRows(Eigen::Index from, Eigen::Index to, const Matrix& weights) {
  const Eigen::Index dim = m_rows.headDim(), begin = placeOf(from, dim), width = placeOf(to, dim) - begin;
  Matrix sums = Matrix::Zero(m_resamples.examples, productColumns(width));
  Eigen::RowVectorXd z(dim + 2);
  for (const std::size_t row : m_order) {
    z.head(dim) = m_rows.vectors.row(row) - m_whole.mean.transpose();
    z[dim] = static_cast<double>(m_rows.position[row]) - m_whole.meanT;
    z[dim + 1] = 1;
    auto target = sums.row(m_rows.example[row]);
    for (Eigen::Index i = from; i < to; ++i)
      target.segment(placeOf(i, dim) - begin, widthOf(i, dim)) += z[i] * z.tail(widthOf(i, dim));
  }
  Matrix totals = Matrix::Zero(weights.cols(), sums.cols());
  addProducts(blockOf(weights), blockOf(sums), totals.data());
  m_sums.middleCols(begin, width) = totals.topLeftCorner(m_sums.rows(), width);
}

Moments ResampledMoments::of(std::int64_t resample) const {
  const auto& times = m_resamples.times[resample];
  const Eigen::Index dim = m_rows.headDim();
  Moments moments;
  std::int64_t sumT = 0;
  for (const std::size_t row : m_order) {
    const std::int64_t weight = times[m_rows.example[row]];
    moments.n += weight;
    sumT += weight * m_rows.position[row];
  }
  if (moments.n == 0) return twoPass(times);
  const auto n = static_cast<double>(moments.n);
  moments.meanT = static_cast<double>(sumT) / n;
  for (const std::size_t row : m_order) {
    const double t = static_cast<double>(m_rows.position[row]) - moments.meanT;
    moments.varianceT += times[m_rows.example[row]] * t * t;
  }
  moments.varianceT /= n;
  Matrix second(dim, dim);
  Vector shift(dim), withT(dim);
  for (Eigen::Index i = 0; i < dim; ++i) {
    const auto sums = m_sums.row(resample).segment(placeOf(i, dim), widthOf(i, dim)) / n;
    second.row(i).tail(dim - i) = sums.head(dim - i);
    withT[i] = sums[dim - i];
    shift[i] = sums[dim - i + 1];
  }
  moments.mean = m_whole.mean + shift;
  moments.covariance = Matrix(second.selfadjointView<Eigen::Upper>()) - shift * shift.transpose();
  moments.covarianceT = withT - shift * (moments.meanT - m_whole.meanT);
  // If nearly all of a variance lies between examples, the difference has lost its digits.
  for (Eigen::Index i = 0; i < dim; ++i) {
    const double whole = m_whole.covariance(i, i);
    if (!isConstant(whole, m_whole.mean[i]) && !(moments.covariance(i, i) > 1e-4 * whole))
      return twoPass(times);
  }
  return moments;
}

Moments ResampledMoments::twoPass(const std::vector<std::int32_t>& times) const {
  std::vector<std::int64_t> repeated;
  for (const std::size_t row : m_order) {
    const auto weight = times[m_rows.example[row]];
    repeated.insert(repeated.end(), static_cast<std::size_t>(weight), static_cast<std::int64_t>(row));
  }
  return momentsOf(rowsAt(m_rows, repeated));
}

namespace {

constexpr std::int64_t kListedPairs = 4096;  // pairs listed at a time

constexpr std::int64_t kLeastQueries = 2;  // needed for a variance

// One resample of a head with its own query model.
struct Resample {
  const std::vector<std::int32_t>& times;  // [example]
  const BinnedQueries& queries;
  const QueryModel& model;
};

// The bins of a resample before evaluation. `whole`: for a jackknife, whose bins stay valid as long as they
// can be evaluated; else null.
std::vector<BinResult> framesOf(const PlasticityInput& input, const ResampledWork& work,
                                const Resample& resample, const std::vector<BinResult>* whole) {
  const AnalysisSettings& settings = work.settings;
  std::vector<BinResult> bins;
  for (std::int64_t b = 0; b < input.grid.bins(); ++b) {
    BinResult& bin = bins.emplace_back(binFrame(input, resample.queries.rowsOf(b), b, settings));
    bin.pairs = work.pairs.eligiblePairs(b, resample.times);
    const bool enough = whole == nullptr
                            ? bin.queries >= settings.minQueries && bin.pairs >= settings.minPairs
                            : (*whole)[b].valid && bin.queries >= kLeastQueries;
    bin.valid = resample.model.present && bin.pairs > 0 && enough;
  }
  return bins;
}

// `input.model`: of the resample.
void valueBins(const PlasticityInput& input, const ResampledWork& work,
               const std::vector<std::int32_t>& times, std::vector<BinResult>& bins) {
  const ResampledPairs& pairs = work.pairs;
  const HouseholderHead head(input.query, {input.key, input.keyOrder}, input.model, input.grid,
                             timesOfRows(input.query, times));
  const BinDrifts drifts(head.content, input.model, DriftRule(work.settings, DriftChange::None));
  BinValuation valuation(input, head, work.settings, work.progress,
                         {.weight = [&](const KeyPair& pair) { return pairs.weightOf(pair, times); }});
  for (std::size_t b = 0; b < bins.size(); ++b) {
    if (!bins[b].valid) continue;
    const auto bin = static_cast<std::int64_t>(b);
    valuation.value(bin, pairs.chosen(bin), drifts.of(bin, bins[b].tau), bins[b]);
  }
}

// The same in the basis of orientation = legacy, whose signs depend on the resample's keys.
void valueLegacyBins(const PlasticityInput& input, const ResampledWork& work, const Resample& resample,
                     std::vector<BinResult>& bins) {
  const Vector signs =
      legacySigns(input.key, captureBuckets(input.frame), timesOfRows(input.key, resample.times));
  const VectorRows query = withSigns(input.query, signs), key = withSigns(input.key, signs);
  const VectorRows repeated = rowsAt(query, resample.queries.allRows());
  const QueryModel model = queryModelOf(repeated, momentsOf(repeated));
  valueBins({input.place, input.frame, query, key, input.keyOrder, model, input.grid}, work, resample.times,
            bins);
}

// For a jackknife: takes tau of the whole for every bin, and its AP for bins without a value, so that leaving
// out a group never removes a bin from a mean or moves it to another range of the window.
void keepBins(const std::vector<BinResult>& whole, std::vector<BinResult>& bins) {
  for (std::size_t b = 0; b < bins.size(); ++b) {
    bins[b].tau = whole[b].tau;
    if (!std::isnan(bins[b].ap)) continue;
    bins[b].ap = whole[b].ap;
    bins[b].cells = whole[b].cells;
  }
}

}  // namespace

std::vector<std::int32_t> timesOfRows(const VectorRows& rows, const std::vector<std::int32_t>& times) {
  std::vector<std::int32_t> each;
  for (const std::int64_t example : rows.example) each.push_back(times[example]);
  return each;
}

ResampledPairs::ResampledPairs(const PlasticityInput& input, const AnalysisSettings& settings)
    : m_input(input),
      m_across(settings.pairScope == "cross_example"),
      m_maxDistance(settings.maxDistance > 0 ? settings.maxDistance
                                             : std::numeric_limits<std::int64_t>::max() / 4) {
  const KeyOrder& order = input.keyOrder;
  for (std::size_t key = 0; key < order.row.size(); ++key) {
    m_example.push_back(input.key.example[order.row[key]]);
    m_examples = std::max(m_examples, m_example.back() + 1);
    if (m_across) m_byPosition.emplace_back(order.position[key], m_example.back());
  }
  std::sort(m_byPosition.begin(), m_byPosition.end());
  const PairSelection selection(order, input.place, input.frame, input.grid, settings);
  const BinnedQueries queries(input.query, input.grid);
  for (std::int64_t b = 0; b < input.grid.bins(); ++b) {
    Bin& bin = m_bins.emplace_back();
    const Rational tau = binPosition(input, queries.rowsOf(b), b, settings);
    bin.space = selection.spaceOf(b, tau);
    if (bin.space.pairs == 0) continue;
    bin.chosen = selection.choose(bin.space, b, tau);
    if (m_across) {
      const auto [from, to] = bin.space.parts[0].source->range();
      bin.from = from;
      bin.to = to;
      countWithin(bin, PairEnumeration(order, from, to, settings.maxDistance));
    } else {
      for (const BinSpace::Part& part : bin.space.parts) countWithin(bin, *part.source);
    }
  }
}

void ResampledPairs::countWithin(Bin& bin, const PairSource& source) const {
  bin.within.resize(m_examples);
  std::vector<KeyPair> pairs;
  for (std::int64_t next = 0; next < source.pairs();) {
    pairs.clear();
    next = source.appendPairs(next, kListedPairs, pairs);
    for (const KeyPair& pair : pairs) ++bin.within[m_example[pair.first]];
  }
}

std::int64_t ResampledPairs::eligiblePairs(std::int64_t number,
                                           const std::vector<std::int32_t>& times) const {
  const Bin& bin = m_bins[number];
  std::int64_t pairs = m_across && bin.space.pairs > 0 ? pairsAcross(bin, times) : 0;
  for (std::size_t e = 0; e < bin.within.size(); ++e) {
    const std::int64_t weight = times[e];
    pairs += (m_across ? weight - weight * weight : weight) * bin.within[e];
  }
  return pairs;
}

// Sum of times[e] * times[f] over all eligible pairs at different positions within the distance, including
// those within an example, which the caller corrects.
std::int64_t ResampledPairs::pairsAcross(const Bin& bin, const std::vector<std::int32_t>& times) const {
  const auto weight = [&](const auto& key) { return times[key.second]; };
  const auto begin =
      std::lower_bound(m_byPosition.begin(), m_byPosition.end(), std::pair(bin.from, std::int64_t{0}));
  const auto end = std::lower_bound(begin, m_byPosition.end(), std::pair(bin.to, std::int64_t{0}));
  std::int64_t pairs = 0,
               before = 0;  // before: weights of keys earlier than the current one, within the distance
  auto tail = begin, head = begin;  // [tail, head): those keys
  for (auto key = begin; key != end; ++key) {
    for (; head->first < key->first; ++head) before += weight(*head);
    for (; tail != head && key->first - tail->first > m_maxDistance; ++tail) before -= weight(*tail);
    pairs += before * weight(*key);
  }
  return pairs;
}

std::vector<std::vector<BinResult>> resampledBins(const PlasticityInput& input,
                                                  const AnalysisSettings& settings,
                                                  const Resamples& resamples,
                                                  const std::vector<QueryModel>& models,
                                                  const Progress& progress) {
  const ResampledPairs pairs(input, settings);
  const ResampledWork work{settings, pairs, progress};
  const bool jackknife = !resamples.leftOut.empty();
  std::vector<std::vector<BinResult>> all;
  all.reserve(models.size());
  for (std::size_t r = 0; r < models.size(); ++r) {
    progress.throwIfStopped();
    const auto& times = resamples.times[r];
    const BinnedQueries queries(input.query, input.grid, timesOfRows(input.query, times));
    const Resample resample{times, queries, models[r]};
    std::vector<BinResult>& bins =
        all.emplace_back(framesOf(input, work, resample, jackknife && r > 0 ? &all.front() : nullptr));
    if (!models[r].present || settings.queries == "aligned") continue;
    if (settings.orientation == "legacy") {
      valueLegacyBins(input, work, resample, bins);
    } else {
      valueBins({input.place, input.frame, input.query, input.key, input.keyOrder, models[r], input.grid},
                work, times, bins);
    }
  }
  for (std::size_t r = 1; jackknife && r < all.size(); ++r) keepBins(all.front(), all[r]);
  return all;
}

}  // namespace plastiscope
