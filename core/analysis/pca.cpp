#include "core/analysis/pca.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/statistics.h"

namespace plastiscope {

namespace {

struct TaxonomyRule {
  const char* name;
  bool (*holds)(double q, double k, double low, double high);  // q = |r_q|, k = |r_k|
};

// Tried in order; what no rule takes is mixed.
constexpr TaxonomyRule kThesisRules[] = {
    {"position_dominated", [](double q, double k, double, double high) { return q > high && k > high; }},
    {"q_positional", [](double q, double k, double, double high) { return q > high && k <= high; }},
    {"content_focused", [](double q, double k, double low, double) { return q < low && k < low; }},
};
constexpr TaxonomyRule kNotesRules[] = {
    {"position_dominated", [](double q, double k, double, double high) { return q > high && k > high; }},
    {"q_positional", [](double q, double k, double low, double high) { return q > high && k < low; }},
    {"k_positional", [](double q, double k, double low, double high) { return q < low && k > high; }},
    {"content_focused", [](double q, double k, double low, double) { return q < low && k < low; }},
};

// |Cov(x, t)|^2 / (Var(t) tr Cov(x)): the share of a kind's variance that is linear in position.
double linearShare(const Moments& moments) {
  if (moments.n < 2 || moments.trace() <= 1e-24 * moments.meanSquare() ||
      isConstant(moments.varianceT, moments.meanT)) {
    return kMissing;
  }
  return moments.covarianceT.squaredNorm() / (moments.varianceT * moments.trace());
}

// Coordinates of the rows on each component, beside their positions.
std::vector<LineStats> coordinates(const KindRows& rows, const Moments& moments, const Matrix& components) {
  const Matrix projections = centredProjections(rows, moments.mean, components);
  const std::vector<double> t = asDoubles(rows.position);
  std::vector<LineStats> stats;
  for (Eigen::Index j = 0; j < components.cols(); ++j) {
    const Vector x = projections.col(j);
    const double origin = moments.mean.dot(components.col(j));
    stats.push_back(lineStats({x.data(), static_cast<std::size_t>(x.size())}, t, origin));
  }
  return stats;
}

double authorsShare(const std::vector<double>& explained, const std::vector<double>& r) {
  double sum = 0;
  for (std::size_t j = 0; j < r.size(); ++j) sum += std::isnan(r[j]) ? 0 : explained[j] * r[j] * r[j];
  return sum;
}

}  // namespace

std::string taxonomyClass(double rQuery, double rKey, const AnalysisSettings& settings) {
  if (std::isnan(rQuery) || std::isnan(rKey)) return "undefined";
  const auto classOf = [&](const auto& rules) -> std::string {
    for (const TaxonomyRule& rule : rules) {
      if (rule.holds(std::abs(rQuery), std::abs(rKey), settings.taxonomyLow, settings.taxonomyHigh))
        return rule.name;
    }
    return "mixed";
  };
  return settings.taxonomy == "notes" ? classOf(kNotesRules) : classOf(kThesisRules);
}

double largestCoordinateSign(const Vector& direction) {
  Eigen::Index largest = 0;
  for (Eigen::Index i = 1; i < direction.size(); ++i) {
    if (std::abs(direction[i]) > std::abs(direction[largest])) largest = i;
  }
  return direction[largest] < 0 ? -1 : 1;
}

double componentSign(const Vector& component, double rQuery, double rKey, const std::string& rule) {
  const bool noQuery = std::isnan(rQuery), noKey = std::isnan(rKey);
  bool byQuery = std::abs(rQuery) >= std::abs(rKey);  // dominant
  if (rule == "query") byQuery = std::abs(rQuery) >= 0.05;
  const double deciding = noKey || (byQuery && !noQuery) ? rQuery : rKey;
  if (std::isnan(deciding) || deciding == 0) return largestCoordinateSign(component);
  return deciding < 0 ? -1 : 1;
}

PcaResult pcaOf(const KindRows& query, const KindRows& key, const Moments& queryMoments,
                const Moments& keyMoments, const AnalysisSettings& settings) {
  PcaResult pca;
  pca.linFracQuery = linearShare(queryMoments);
  pca.linFracKey = linearShare(keyMoments);
  const auto total = static_cast<double>(queryMoments.n + keyMoments.n);
  const std::int64_t dim = query.headDim();
  const std::int64_t count = std::min({settings.components, queryMoments.n + keyMoments.n, dim});
  if (queryMoments.n < 2 || keyMoments.n < 2) return pca;
  const Moments pool = pooled(queryMoments, keyMoments, static_cast<double>(queryMoments.n) / total,
                              static_cast<double>(keyMoments.n) / total);
  const double trace = pool.trace();
  if (!(trace > 1e-24 * pool.meanSquare())) return pca;

  const Eigen::SelfAdjointEigenSolver<Matrix> solver(pool.covariance);
  pca.components.resize(dim, count);
  for (std::int64_t j = 0; j < count; ++j) pca.components.col(j) = solver.eigenvectors().col(dim - 1 - j);
  const auto queries = coordinates(query, queryMoments, pca.components);
  const auto keys = coordinates(key, keyMoments, pca.components);
  for (std::int64_t j = 0; j < count; ++j) {
    const auto i = static_cast<std::size_t>(j);
    const double variance = std::max(0.0, solver.eigenvalues()[dim - 1 - j]);
    const bool isNoise = variance <= 1e-12 * trace;
    const double rQuery = isNoise ? kMissing : queries[i].pearson(),
                 rKey = isNoise ? kMissing : keys[i].pearson();
    const double sign = componentSign(pca.components.col(j), rQuery, rKey, settings.pcaSign);
    pca.components.col(j) *= sign;
    pca.explainedVarianceRatio.push_back(variance / trace);
    pca.rQuery.push_back(sign * rQuery);
    pca.rKey.push_back(sign * rKey);
    if (j == 0) {
      pca.meanGap = sign * (queries[i].mean - keys[i].mean);
      const double spread = queries[i].variance + keys[i].variance;
      if (spread > 0) pca.fisher = pca.meanGap * pca.meanGap / spread;
    }
  }
  pca.pooledAuthorQuery = authorsShare(pca.explainedVarianceRatio, pca.rQuery);
  pca.pooledAuthorKey = authorsShare(pca.explainedVarianceRatio, pca.rKey);
  pca.taxonomy = taxonomyClass(pca.rQuery[0], pca.rKey[0], settings);
  return pca;
}

}  // namespace plastiscope
