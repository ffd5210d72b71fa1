#include "core/analysis/attention_weights.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace plastiscope {

std::vector<std::int64_t> spacedQueries(std::int64_t from, std::int64_t to,
                                        const std::function<bool(std::int64_t)>& chosen, std::int64_t count) {
  std::vector<std::int64_t> all, positions;
  for (std::int64_t query = from; query < to; ++query) {
    if (!chosen || chosen(query)) all.push_back(query);
  }
  const std::int64_t few = std::min(std::ssize(all), count);
  for (std::int64_t k = 0; k < few; ++k) positions.push_back(all[(2 * k + 1) * std::ssize(all) / (2 * few)]);
  return positions;
}

Matrix widenedRows(std::span<const float> rows, std::int64_t width, std::span<const std::int64_t> which) {
  Matrix widened(std::ssize(which), width);
  for (std::size_t i = 0; i < which.size(); ++i) {
    const float* row = rows.data() + which[i] * width;
    std::copy(row, row + width, widened.row(static_cast<Eigen::Index>(i)).data());
  }
  return widened;
}

void scoreKeys(Matrix queries, std::span<const float> keys, std::int64_t from, std::int64_t to,
               const AttentionScoreRule& rule, Matrix& scores) {
  using Floats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  constexpr std::int64_t kKeysAtOnce = 1024;  // of which the widened copies stay in the cache
  queries *= rule.scale;
  scores.resize(queries.rows(), to - from);
  for (std::int64_t key = from; key < to; key += kKeysAtOnce) {
    const std::int64_t count = std::min(kKeysAtOnce, to - key);
    const Eigen::Map<const Floats> block(keys.data() + key * queries.cols(), count, queries.cols());
    scores.middleCols(key - from, count).noalias() = queries * block.cast<double>().eval().transpose();
  }
  if (rule.softcap > 0) scores = (scores.array() / rule.softcap).tanh() * rule.softcap;
}

double softmax(std::span<double> scores) {
  const double highest = *std::ranges::max_element(scores);
  double sum = 0, weighted = 0;
  for (double& score : scores) {
    const double shifted = score - highest;
    score = std::exp(shifted);
    sum += score;
    weighted += score * shifted;
  }
  for (double& score : scores) score /= sum;
  return weighted / sum - std::log(sum);
}

}  // namespace plastiscope
