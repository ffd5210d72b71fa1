#include "core/analysis/attended_keys.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/analysis/attention_weights.h"
#include "core/analysis/reach.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kQueriesTogether = 32;
constexpr std::size_t kStrongest = 3;
constexpr std::int64_t kMostGroups = 64;  // of texts, left out one after the other

double varianceOf(const Eigen::ArrayXd& values) {
  return (values - values.mean()).square().mean();
}

// One text, query by query.
class TextReader {
 public:
  TextReader(const AttendedRows& rows, const AttentionScoreRule& rule, std::int64_t text)
      : m_rows(rows), m_rule(rule), m_text(text), m_distances(distanceClass(rows.window) + 1) {
    const std::int64_t width = rows.queries.cols();
    const auto size = [this](KeyGrouping which, std::size_t classes) { groupOf(which).resize(classes); };
    size(KeyGrouping::Place, static_cast<std::size_t>(rows.places));
    size(KeyGrouping::Type, static_cast<std::size_t>(rows.types));
    size(KeyGrouping::Distance, m_distances);
    size(KeyGrouping::Token, static_cast<std::size_t>(rows.tokens));
    if (rows.a.empty() || rows.b.empty()) return;
    using Floats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Map<const Floats> keys(rows.keys.data(), std::ssize(rows.keyPosition), width);
    const Eigen::Map<const Vector> a(rows.a.data(), width), b(rows.b.data(), width);
    m_queryA = rows.queries * a;
    m_queryB = rows.queries * b;
    m_keyA = keys.cast<double>() * a;
    m_keyB = keys.cast<double>() * b;
  }

  void read(std::int64_t first, std::int64_t count, std::vector<AttendedQuery>& queries) {
    const std::int64_t from = seenFrom(first), to = seenTo(first + count - 1);
    if (from >= to) return;
    AttentionScoreRule uncapped = m_rule;
    uncapped.softcap = 0;
    scoreKeys(m_rows.queries.middleRows(first, count), m_rows.keys, from, to, uncapped, m_scores);
    for (std::int64_t query = first; query < first + count; ++query) {
      const std::int64_t begin = seenFrom(query), keys = seenTo(query) - begin;
      if (keys < 2) continue;
      const std::span<double> scores(m_scores.row(query - first).data() + (begin - from),
                                     static_cast<std::size_t>(keys));
      if (m_keyA.size() > 0) addParts(query, begin, scores);
      if (m_rule.softcap > 0)
        for (double& score : scores) score = m_rule.softcap * std::tanh(score / m_rule.softcap);
      addQuery(query, begin, scores, queries);
    }
  }

  AttendedSums take() { return std::move(m_sums); }

 private:
  std::vector<KeySumsByFifth>& groupOf(KeyGrouping which) {
    return m_sums.groups[static_cast<std::size_t>(which)];
  }
  // Indices of the keys that a query sees, [from, to).
  std::int64_t seenFrom(std::int64_t query) const {
    const std::int64_t key = firstVisibleKey(m_rows.queryPosition[query], m_rule.window, m_rule.chunked);
    return std::ranges::lower_bound(m_rows.keyPosition, key) - m_rows.keyPosition.begin();
  }
  std::int64_t seenTo(std::int64_t query) const {
    return std::ranges::upper_bound(m_rows.keyPosition, m_rows.queryPosition[query]) -
           m_rows.keyPosition.begin();
  }
  std::size_t fifthOf(std::int64_t query) const {
    return partOfWindow(m_rows.queryPosition[query], m_rows.window, kFifths);
  }

  void addParts(std::int64_t query, std::int64_t begin, std::span<const double> scores) {
    const auto count = static_cast<Eigen::Index>(scores.size());
    const Eigen::ArrayXd a = m_rule.scale * m_queryA[query] * m_keyA.segment(begin, count).array(),
                         b = m_rule.scale * m_queryB[query] * m_keyB.segment(begin, count).array(),
                         rest = Eigen::Map<const Eigen::ArrayXd>(scores.data(), count) - a - b;
    std::array<double, kScoreParts>& variance = m_sums.variance[fifthOf(query)];
    variance[0] += varianceOf(a);
    variance[1] += varianceOf(b);
    variance[2] += varianceOf(rest);
  }

  // `weights`: scores of the keys from `begin` on, which become weights.
  void addQuery(std::int64_t query, std::int64_t begin, std::span<double> weights,
                std::vector<AttendedQuery>& queries) {
    const std::int64_t position = m_rows.queryPosition[query];
    const std::size_t fifth = fifthOf(query), bin = partOfWindow(position, m_rows.window, kEntropyBins);
    const auto count = static_cast<double>(weights.size());
    const double entropy = -softmax(weights);
    ++m_sums.queries[fifth];
    m_sums.entropy[bin].add(entropy);
    m_sums.relativeEntropy[bin].add(entropy / std::log(count));
    if (m_rows.keyPosition[begin] == 0) m_sums.first[bin].add(weights[0]);
    AttendedQuery seen{m_text, position, std::ssize(weights), {}, {}};
    seen.profile.assign(static_cast<std::size_t>(m_rows.types) * m_distances, 0);
    std::vector<double> profile(seen.profile.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const auto key = static_cast<std::size_t>(begin) + i;
      const std::size_t distance = distanceClass(position - m_rows.keyPosition[key]);
      forEachGroup(key, distance, fifth, [&](KeySums& sums) {
        sums.attention += weights[i];
        sums.keys += 1 / count;
      });
      profile[static_cast<std::size_t>(m_rows.type[key]) * m_distances + distance] += weights[i];
      auto& best = seen.strongest;
      if (best.size() == kStrongest && weights[i] <= best.back().weight) continue;
      const auto place =
          std::ranges::find_if(best, [&](const WeightedKey& other) { return weights[i] > other.weight; });
      best.insert(place, {m_rows.keyPosition[key], weights[i]});
      if (best.size() > kStrongest) best.pop_back();
    }
    std::ranges::copy(profile, seen.profile.begin());
    const auto top = static_cast<std::size_t>(
        std::ranges::lower_bound(m_rows.keyPosition, seen.strongest.front().position) -
        m_rows.keyPosition.begin());
    forEachGroup(top, distanceClass(position - seen.strongest.front().position), fifth,
                 [](KeySums& sums) { sums.top += 1; });
    queries.push_back(std::move(seen));
  }

  template <typename Use>
  void forEachGroup(std::size_t key, std::size_t distance, std::size_t fifth, const Use& use) {
    use(groupOf(KeyGrouping::Place)[static_cast<std::size_t>(m_rows.place[key])][fifth]);
    use(groupOf(KeyGrouping::Type)[static_cast<std::size_t>(m_rows.type[key])][fifth]);
    use(groupOf(KeyGrouping::Distance)[distance][fifth]);
    if (!m_rows.token.empty())
      use(groupOf(KeyGrouping::Token)[static_cast<std::size_t>(m_rows.token[key])][fifth]);
  }

  const AttendedRows& m_rows;
  const AttentionScoreRule& m_rule;
  std::int64_t m_text;
  std::size_t m_distances;
  Vector m_queryA, m_queryB, m_keyA, m_keyB;  // empty: axes not known
  Matrix m_scores;                            // of the queries at hand
  AttendedSums m_sums;
};

}  // namespace

std::size_t partOfWindow(std::int64_t position, std::int64_t window, std::size_t parts) {
  const auto all = static_cast<std::int64_t>(parts);
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(position * all / std::max<std::int64_t>(1, window), 0, all - 1));
}

std::size_t distanceClass(std::int64_t distance) {
  return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(distance)));
}

AttendedSums attendedSums(const AttendedRows& rows, const AttentionScoreRule& rule, std::int64_t text,
                          std::vector<AttendedQuery>& queries, const Progress& progress) {
  TextReader reader(rows, rule, text);
  const auto count = std::ssize(rows.queryPosition);
  for (std::int64_t first = 0; first < count; first += kQueriesTogether) {
    progress.throwIfStopped();
    reader.read(first, std::min(kQueriesTogether, count - first), queries);
  }
  return reader.take();
}

void setAgreement(std::vector<AttendedQuery>& queries, std::int64_t window) {
  std::array<std::vector<RunningMean>, kFifths> means;
  const auto meansOf = [&](const AttendedQuery& query) -> std::vector<RunningMean>& {
    return means[partOfWindow(query.position, window, kFifths)];
  };
  for (const AttendedQuery& query : queries) {
    std::vector<RunningMean>& mean = meansOf(query);
    mean.resize(query.profile.size());
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i].add(static_cast<double>(query.profile[i]));
  }
  for (AttendedQuery& query : queries) {
    const std::vector<RunningMean>& mean = meansOf(query);
    query.agreement = 0;
    for (std::size_t i = 0; i < mean.size(); ++i)
      query.agreement += std::min(static_cast<double>(query.profile[i]), mean[i].value());
  }
}

MeanOverTexts meanOverTexts(std::span<const RunningMean> ofTexts) {
  const Resamples resamples = leaveOut(std::ssize(ofTexts), kMostGroups);
  std::vector<double> values;
  for (const std::vector<std::int32_t>& times : resamples.times) {
    RunningMean mean;
    for (std::size_t text = 0; text < ofTexts.size(); ++text)
      if (times[text] > 0) mean.add(ofTexts[text]);
    values.push_back(mean.value());
  }
  return {values.front(), Estimator(resamples).of(values, Bias::None).interval};
}

}  // namespace plastiscope
