#include "core/analysis/head_extras.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/analysis/ap_summary.h"
#include "core/analysis/head_analysis.h"
#include "core/analysis/moments.h"
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
  for (std::size_t i = 0; i < rows.size(); ++i)
    positions[static_cast<Eigen::Index>(i)] =
        static_cast<double>(query.position[static_cast<std::size_t>(rows[i])]);
  return positions;
}

Vector coordinate(const VectorRows& rows, const Vector& axis) {
  return axis.size() == 0 ? Vector() : Vector(rows.vectors * axis);
}

Vector component(const VectorRows& rows, const PcaResult& pca, Eigen::Index j) {
  if (j >= pca.components.cols()) return {};
  return centredAlong(rows, pca.mean, pca.components.col(j));
}

// "3" or "0-7"
void appendRange(std::string_view part, std::int64_t headDim, std::vector<std::int64_t>& list) {
  const auto fail = [&] {
    throw UsageError("vector_dimensions: expected dimensions below " + std::to_string(headDim) +
                     ", such as 0-3,9, found \"" + std::string(part) + "\"");
  };
  const char* const end = part.data() + part.size();
  std::int64_t first = 0, last = 0;
  auto read = std::from_chars(part.data(), end, first);
  last = first;
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-')
    read = std::from_chars(read.ptr + 1, end, last);
  if (read.ec != std::errc() || read.ptr != end || first < 0 || last < first || last >= headDim) fail();
  for (std::int64_t dimension = first; dimension <= last; ++dimension) list.push_back(dimension);
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
    result.raw.col(static_cast<Eigen::Index>(i)) = rows.vectors.col(rawDimensions[i]);
  return result;
}

// Parses the setting vector_dimensions: none, all, or a list such as 0-3,9. UsageError for anything else,
// also for a dimension that the head does not have.
std::vector<std::int64_t> chosenDimensions(const std::string& setting, std::int64_t headDim) {
  std::vector<std::int64_t> list;
  if (setting == "none") return list;
  if (setting == "all") {
    for (std::int64_t dimension = 0; dimension < headDim; ++dimension) list.push_back(dimension);
    return list;
  }
  for (std::string_view rest = setting;;) {
    const std::size_t comma = rest.find(',');
    appendRange(rest.substr(0, comma), headDim, list);
    if (comma == std::string_view::npos) return list;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

void addGeometryExtras(HeadResult& result, const HeadInput& input, const Moments& queryMoments) {
  addRotationFrequencies(result, input, queryMoments);
  if (input.settings.projections == "on") {
    const auto raw = chosenDimensions(input.settings.vectorDimensions, result.headDim);
    result.extras.projections = {raw, projectionsOf(input.query, result.rotation, result.pca, raw),
                                 projectionsOf(input.key.rows, result.rotation, result.pca, raw)};
  }
}

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

}  // namespace plastiscope
