#include "core/analysis/pca.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/random.h"

namespace plastiscope {

namespace {

constexpr Eigen::Index kSmall = 24;     // decomposed fully up to this size
constexpr Eigen::Index kMaxSteps = 72;  // of the Lanczos method
constexpr Eigen::Index kCheckEvery = 8;

Eigenpair wholeDecomposition(const Matrix& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
  const Eigen::Index last = symmetric.rows() - 1;
  return {solver.eigenvalues()[last], solver.eigenvectors().col(last)};
}

Vector startVector(Eigen::Index size) {
  Vector start(size);
  for (Eigen::Index i = 0; i < size; ++i)
    start[i] = static_cast<double>(mix64(static_cast<std::uint64_t>(i) + 1) >> 11) * 0x1p-53 - 0.5;
  return start.normalized();
}

}  // namespace

Eigenpair leadingEigenpair(const Matrix& symmetric) {
  const Eigen::Index size = symmetric.rows();
  if (size <= kSmall) return wholeDecomposition(symmetric);
  const Eigen::Index most = std::min(size, kMaxSteps);
  Eigen::MatrixXd basis(size, most + 1);
  Vector diagonal(most), off(most);
  basis.col(0) = startVector(size);
  for (Eigen::Index k = 0; k < most; ++k) {
    Vector next = symmetric * basis.col(k);
    diagonal[k] = next.dot(basis.col(k));
    for (int pass = 0; pass < 2; ++pass)
      next -= basis.leftCols(k + 1) * (basis.leftCols(k + 1).transpose() * next);
    off[k] = next.norm();
    const bool ended = !(off[k] > 1e-15 * std::abs(diagonal[0]));
    if (ended || (k + 1) % kCheckEvery == 0 || k + 1 == most) {
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
      solver.computeFromTridiagonal(diagonal.head(k + 1), off.head(k));
      const double value = solver.eigenvalues()[k];
      const Vector weights = solver.eigenvectors().col(k);
      if (std::abs(off[k] * weights[k]) <= 1e-14 * std::abs(value))
        return {value, Vector(basis.leftCols(k + 1) * weights).normalized()};
      if (ended) break;
    }
    basis.col(k + 1) = next / off[k];
  }
  return wholeDecomposition(symmetric);
}

namespace {

struct TaxonomyRule {
  const char* name;
  bool (*holds)(double q, double k, double low, double high);  // q = |r_q|, k = |r_k|
};

// Applied in order; heads without a matching rule are mixed.
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

// The moments of the rows used for the components.
Moments momentsFor(const Moments& query, const Moments& key, const std::string& rows) {
  if (rows == "query") return query;
  if (rows == "key") return key;
  const auto total = static_cast<double>(query.n + key.n);
  return pooled(query, key, static_cast<double>(query.n) / total, static_cast<double>(key.n) / total);
}

double authorsShare(const std::vector<double>& explained, const std::vector<double>& r) {
  double sum = 0;
  for (std::size_t j = 0; j < r.size(); ++j) sum += std::isnan(r[j]) ? 0 : explained[j] * r[j] * r[j];
  return sum;
}

// S^-1 gap; directions without variance get a tiny one, so that they dominate.
Vector normalOf(const Matrix& scatter, const Vector& gap, double total) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(scatter);
  const Vector spread = solver.eigenvalues().cwiseMax(1e-12 * total);
  return solver.eigenvectors() * (solver.eigenvectors().transpose() * gap).cwiseQuotient(spread);
}

// Counts rows with (x - mean + offset).normal > 0, those on the boundary half.
double countAbove(const VectorRows& rows, const Vector& mean, const Vector& normal, double offset) {
  const Vector along = centredAlong(rows, mean, normal);
  double count = 0;
  for (const double value : along) count += value + offset > 0 ? 1 : value + offset == 0 ? 0.5 : 0;
  return count;
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

std::vector<std::string> taxonomyClasses(const std::string& rule) {
  std::vector<std::string> names;
  const auto append = [&names](const auto& rules) {
    for (const TaxonomyRule& one : rules) names.emplace_back(one.name);
  };
  rule == "notes" ? append(kNotesRules) : append(kThesisRules);
  names.emplace_back("mixed");
  return names;
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

namespace {

// Statistics of queries and keys along a component.
struct ComponentLines {
  LineStats query, key;
};

// Adds all values of component j with the given share of the variance.
void addComponent(PcaResult& pca, Eigen::Index j, double share, const ComponentLines& along,
                  const AnalysisSettings& settings) {
  const auto& [query, key] = along;
  const bool isNoise = share <= 1e-12;
  const double rQuery = isNoise ? kMissing : correlationOf(query, settings),
               rKey = isNoise ? kMissing : correlationOf(key, settings);
  const double sign = componentSign(pca.components.col(j), rQuery, rKey, settings.pcaSign);
  pca.components.col(j) *= sign;
  pca.explainedVarianceRatio.push_back(share);
  pca.rQuery.push_back(sign * rQuery);
  pca.rKey.push_back(sign * rKey);
  if (j > 0) return;
  pca.meanGap = sign * (query.mean - key.mean);
  const double spread = query.variance + key.variance;
  if (spread > 0) pca.fisher = pca.meanGap * pca.meanGap / spread;
}

// Common start of both computations of components: the shares, and the covariance of the rows if there is a
// PCA.
std::optional<Moments> beginPca(PcaResult& pca, const Moments& query, const Moments& key,
                                const std::string& rows) {
  pca.linFracQuery = linearShare(query);
  pca.linFracKey = linearShare(key);
  if (query.n < 2 || key.n < 2) return std::nullopt;
  Moments pool = momentsFor(query, key, rows);
  if (!(pool.trace() > 1e-24 * pool.meanSquare())) return std::nullopt;
  return pool;
}

}  // namespace

double correlationOf(const LineStats& stats, const AnalysisSettings& settings) {
  const double r = stats.pearson();
  return std::isnan(r) && settings.correlationConstant == "zero" ? 0 : r;
}

PcaResult pcaOf(const MeasuredRows& query, const MeasuredRows& key, const AnalysisSettings& settings) {
  PcaResult pca;
  const std::optional<Moments> pool = beginPca(pca, query.moments, key.moments, settings.pcaRows);
  if (!pool) return pca;
  const double trace = pool->trace();

  const std::int64_t dim = query.rows.headDim(), count = std::min({settings.components, pool->n, dim});
  const std::int64_t looked = std::max(count, std::min<std::int64_t>(2, dim));  // accuracy needs two
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(pool->covariance);
  const auto varianceOf = [&](std::int64_t j) { return std::max(0.0, solver.eigenvalues()[dim - 1 - j]); };
  pca.components = solver.eigenvectors().rightCols(looked).rowwise().reverse();
  const std::int64_t told = looked < 2 || varianceOf(1) <= 1e-12 * trace ? 1 : 2;  // number with variance
  pca.qkAccuracy = discriminantAccuracy(query, key, pca.components.leftCols(told));
  pca.components.conservativeResize(dim, count);
  pca.mean = pool->mean;
  for (std::int64_t j = 0; j < count; ++j) {
    const Vector component = pca.components.col(j);
    addComponent(pca, j, varianceOf(j) / trace,
                 {lineStatsAlong(query.rows, query.moments, component),
                  lineStatsAlong(key.rows, key.moments, component)},
                 settings);
  }
  pca.pooledAuthorQuery = authorsShare(pca.explainedVarianceRatio, pca.rQuery);
  pca.pooledAuthorKey = authorsShare(pca.explainedVarianceRatio, pca.rKey);
  pca.taxonomy = taxonomyClass(pca.rQuery[0], pca.rKey[0], settings);
  return pca;
}

PcaResult leadingComponentOf(const Moments& queryMoments, const Moments& keyMoments,
                             const AnalysisSettings& settings) {
  PcaResult pca;
  const std::optional<Moments> pool = beginPca(pca, queryMoments, keyMoments, settings.pcaRows);
  if (!pool) return pca;
  const Eigenpair leading = leadingEigenpair(pool->covariance);
  pca.components = leading.vector;
  addComponent(
      pca, 0, std::max(0.0, leading.value) / pool->trace(),
      {lineStatsAlong({}, queryMoments, leading.vector), lineStatsAlong({}, keyMoments, leading.vector)},
      settings);
  pca.taxonomy = taxonomyClass(pca.rQuery[0], pca.rKey[0], settings);
  return pca;
}

double discriminantAccuracy(const MeasuredRows& query, const MeasuredRows& key, const Matrix& directions) {
  const auto queries = static_cast<double>(query.moments.n), keys = static_cast<double>(key.moments.n);
  if (queries < 2 || keys < 2 || directions.cols() == 0) return kMissing;
  const Vector gap = directions.transpose() * (query.moments.mean - key.moments.mean);
  const Matrix scatter = directions.transpose() *
                         (queries * query.moments.covariance + keys * key.moments.covariance) * directions;
  const double total = scatter.trace() + (queries + keys) * gap.squaredNorm();
  if (!((queries + keys) * gap.squaredNorm() > 1e-24 * total)) return kMissing;
  const Vector normal = normalOf(scatter, gap, total);
  const Vector direction = directions * normal;
  const double half = gap.dot(normal) / 2;  // from the midpoint of the means to either
  const double right = countAbove(query.rows, query.moments.mean, direction, half) +
                       countAbove(key.rows, key.moments.mean, -direction, half);
  return right / (queries + keys);
}

}  // namespace plastiscope
