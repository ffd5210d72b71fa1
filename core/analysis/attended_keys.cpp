#include "core/analysis/attended_keys.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "core/analysis/attention_weights.h"
#include "core/analysis/reach.h"
#include "core/analysis/resamples.h"

namespace plastiscope {

namespace {

constexpr std::size_t kStrongest = 3;

double varianceOf(const Eigen::ArrayXd& values) {
  return (values - values.mean()).square().mean();
}

// The axes' parts of all scores of a text: scale (q . axis) (k . axis).
struct ScoreAxes {
  Vector queryA, queryB, keyA, keyB;  // empty: not known

  ScoreAxes(const AttendedRows& rows, double scale) {
    if (rows.a.empty() || rows.b.empty()) return;
    const std::int64_t width = rows.queries.cols();
    using Floats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto keys =
        Eigen::Map<const Floats>(rows.keys.data(), std::ssize(rows.keyPosition), width).cast<double>();
    const Eigen::Map<const Vector> a(rows.a.data(), width), b(rows.b.data(), width);
    queryA = scale * (rows.queries * a);
    queryB = scale * (rows.queries * b);
    keyA = keys * a;
    keyB = keys * b;
  }
  void add(std::int64_t query, std::int64_t begin, std::span<const double> scores,
           std::array<double, kScoreParts>& variance) const {
    if (keyA.size() == 0) return;
    const auto count = static_cast<Eigen::Index>(scores.size());
    const Eigen::ArrayXd a = queryA[query] * keyA.segment(begin, count).array(),
                         b = queryB[query] * keyB.segment(begin, count).array();
    variance[0] += varianceOf(a);
    variance[1] += varianceOf(b);
    variance[2] += varianceOf(Eigen::Map<const Eigen::ArrayXd>(scores.data(), count) - a - b);
  }
};

// `weights`: of the keys from `begin` on.
AttendedQuery addQuery(const AttendedRows& rows, std::int64_t position, std::size_t begin,
                       std::span<const double> weights, AttendedSums& sums) {
  const std::size_t fifth = fifthOf(position, rows.window), distances = distanceClass(rows.window) + 1;
  const double share = 1 / static_cast<double>(weights.size());
  AttendedQuery query{rows.text, position, std::ssize(weights), {}, {}};
  std::vector<double> profile(kKeyTypes * distances);
  const auto add = [&](std::size_t key, const AttendedKeySums& more) {
    const std::size_t distance = distanceClass(position - rows.keyPosition[key]);
    const std::array<std::size_t, kKeyGroupings> classes = {
        static_cast<std::size_t>(rows.place[key]), static_cast<std::size_t>(rows.type[key]), distance,
        static_cast<std::size_t>(rows.token[key])};
    for (std::size_t grouping = 0; grouping < kKeyGroupings; ++grouping) {
      auto& group = sums.groups[grouping];
      if (group.size() <= classes[grouping]) group.resize(classes[grouping] + 1);
      AttendedKeySums& sum = group[classes[grouping]][fifth];
      sum.attention += more.attention;
      sum.keys += more.keys;
      sum.top += more.top;
    }
    profile[classes[1] * distances + distance] += more.attention;
  };
  for (std::size_t i = 0; i < weights.size(); ++i) add(begin + i, {weights[i], share, 0});
  query.profile.assign(profile.begin(), profile.end());
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t few = std::min(kStrongest, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(few),
                            [&](std::size_t x, std::size_t y) {
                              return weights[x] > weights[y] || (weights[x] == weights[y] && x < y);
                            });
  for (std::size_t i = 0; i < few; ++i)
    query.strongest.push_back({rows.keyPosition[begin + order[i]], weights[order[i]]});
  add(begin + order.front(), {0, 0, 1});
  return query;
}

// The part of the window, from 0, that holds a position.
std::size_t partOf(std::int64_t position, std::int64_t window, std::size_t parts) {
  const auto count = static_cast<std::int64_t>(parts);
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(position * count / std::max<std::int64_t>(1, window), 0, count - 1));
}

}  // namespace

std::size_t fifthOf(std::int64_t position, std::int64_t window) {
  return partOf(position, window, kFifths);
}

std::size_t distanceClass(std::int64_t distance) {
  return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(distance)));
}

void addAttended(const AttendedRows& rows, const AttentionScoreRule& rule, AttendedSums& sums,
                 std::vector<AttendedQuery>& queries, const Progress& progress) {
  constexpr std::int64_t kTogether = 32;
  const ScoreAxes axes(rows, rule.scale);
  AttentionScoreRule uncapped = rule;
  uncapped.softcap = 0;
  const auto keyFrom = [&rows](std::int64_t position) {
    return std::ranges::lower_bound(rows.keyPosition, position) - rows.keyPosition.begin();
  };
  const auto seenFrom = [&](std::int64_t query) {
    return keyFrom(firstVisibleKey(rows.queryPosition[query], rule.window, rule.chunked));
  };
  const auto seenTo = [&](std::int64_t query) { return keyFrom(rows.queryPosition[query] + 1); };
  Matrix scores;
  for (std::int64_t first = 0; first < rows.queries.rows(); first += kTogether) {
    progress.throwIfStopped();
    const std::int64_t count = std::min(kTogether, rows.queries.rows() - first), from = seenFrom(first);
    if (seenTo(first + count - 1) <= from) continue;
    scoreKeys(rows.queries.middleRows(first, count), rows.keys, from, seenTo(first + count - 1), uncapped,
              scores);
    for (std::int64_t query = first; query < first + count; ++query) {
      const std::int64_t begin = seenFrom(query), keys = seenTo(query) - begin,
                         position = rows.queryPosition[query];
      if (keys < 2) continue;
      const std::span<double> weights(scores.row(query - first).data() + (begin - from),
                                      static_cast<std::size_t>(keys));
      const std::size_t fifth = fifthOf(position, rows.window);
      axes.add(query, begin, weights, sums.variance[fifth]);
      if (rule.softcap > 0)
        for (double& score : weights) score = rule.softcap * std::tanh(score / rule.softcap);
      const double entropy = -softmax(weights);
      ++sums.queries[fifth];
      sums.entropy[fifth].add(entropy);
      const double relative = entropy / std::log(static_cast<double>(keys));
      const std::size_t step = partOf(position, rows.window, kAttendedSteps);
      sums.relative[fifth].add(relative);
      sums.relativeSteps[step].add(relative);
      if (rows.keyPosition[begin] == 0) {
        sums.first[fifth].add(weights[0]);
        sums.firstSteps[step].add(weights[0]);
      }
      queries.push_back(addQuery(rows, position, static_cast<std::size_t>(begin), weights, sums));
    }
  }
}

void setAgreement(std::vector<AttendedQuery>& queries, std::int64_t window) {
  std::array<std::vector<RunningMean>, kFifths> means;
  const auto meanOf = [&](const AttendedQuery& query) -> std::vector<RunningMean>& {
    return means[fifthOf(query.position, window)];
  };
  for (const AttendedQuery& query : queries) {
    std::vector<RunningMean>& mean = meanOf(query);
    mean.resize(query.profile.size());
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i].add(static_cast<double>(query.profile[i]));
  }
  for (AttendedQuery& query : queries) {
    query.agreement = 0;
    for (std::size_t i = 0; i < query.profile.size(); ++i)
      query.agreement += std::min(static_cast<double>(query.profile[i]), meanOf(query)[i].value());
  }
}

MeanOverTexts meanOverTexts(std::span<const RunningMean> groups) {
  const Resamples resamples = leaveOut(std::ssize(groups), std::ssize(groups));
  std::vector<double> values;
  for (const std::vector<std::int32_t>& times : resamples.times) {
    RunningMean mean;
    for (std::size_t group = 0; group < groups.size(); ++group)
      if (times[group] > 0) mean.add(groups[group]);
    values.push_back(mean.value());
  }
  return {values.front(), Estimator(resamples).of(values, Bias::None).interval};
}

}  // namespace plastiscope
