#include "core/analysis/head_extras.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/ap_summary.h"
#include "core/analysis/head_analysis.h"

namespace plastiscope {

namespace {

// Products of a query and a key coordinate that the comparison of two variance modes may cost a head where
// the setting diagnostics is auto: about the time of everything else.
constexpr double kAutoProducts = 1 << 26;

std::vector<std::int64_t> pooledPositions(const KindRows& query, const KindRows& key) {
  std::vector<std::int64_t> positions = query.position;
  positions.insert(positions.end(), key.position.begin(), key.position.end());
  return positions;
}

// Raw coordinates of queries, then keys.
Vector pooledAlong(const KindRows& query, const KindRows& key, const Vector& axis) {
  Vector x(query.rows() + key.rows());
  x << query.vectors * axis, key.vectors * axis;
  return x;
}

void addTurnings(HeadResult& result, const GeometryExtrasInput& input) {
  const RotationResult& rotation = result.rotation;
  if (rotation.b.size() == 0) return;
  const std::int64_t wanted = wantedPlanes(input.settings.planes, input.frame.window);
  if (wanted == 0) return;
  const KindRows& key = input.key.rows;
  TurningSearch search(pooledPositions(input.query, key), input.frame.window);
  const Moments pool = rotationPool(input.queryMoments, input.key.moments, input.settings);
  const Complement complement = complementOf(pool, rotation.a, rotation.b);
  result.extras.planes = planesOf(complement, input.query, key, wanted, search);
  result.extras.diagnostics.planeTurning =
      search.strongest(pooledAlong(input.query, key, rotation.a), pooledAlong(input.query, key, rotation.b));
}

// Bn / sqrt(v_content) (method.md 7.5).
double biasSnrOf(const HeadResult& result, double contentVariance) {
  return contentVariance > 0 ? result.rotation.biasWindow / std::sqrt(contentVariance) : kMissing;
}

// Whether comparing two modes on the head's pairs is cheap enough to be done unasked.
bool isCheap(const HeadResult& result) {
  double products = 0;
  for (const BinResult& bin : result.plasticity.bins) {
    if (bin.valid) products += static_cast<double>(bin.pairsUsed) * static_cast<double>(bin.queries);
  }
  return products * static_cast<double>(result.headDim) <= kAutoProducts;
}

// AP_overall of both modes over the pairs of the analysis.
double fullMinusEmpirical(const HeadResult& result, const DiagnosticsInput& input) {
  const auto overallOf = [&](const char* variance) {
    AnalysisSettings settings = input.settings;
    settings.variance = variance;
    const PlasticityInput plasticity{result.place,    input.frame,  input.query, input.key.rows,
                                     input.key.order, result.model, input.grid};
    const auto bins = plasticityOf(plasticity, input.reflected, settings, input.progress).bins;
    return summarise(bins, input.frame.window, settings).overall;
  };
  return overallOf("full") - overallOf("empirical");
}

}  // namespace

void addGeometryExtras(HeadResult& result, const GeometryExtrasInput& input) {
  addTurnings(result, input);
  if (input.settings.projections == "on") {
    const auto raw = chosenDimensions(input.settings.vectorDimensions, result.headDim);
    result.extras.projections = {raw, projectionsOf(input.query, result.rotation, result.pca, raw),
                                 projectionsOf(input.key.rows, result.rotation, result.pca, raw)};
  }
}

void addDiagnostics(HeadResult& result, const DiagnosticsInput& input) {
  if (!result.model.present) return;
  Diagnostics& diagnostics = result.extras.diagnostics;
  diagnostics.biasSnr = biasSnrOf(result, input.contentVariance);
  addShapes(diagnostics, input.query, input.reflected, result.model);
  diagnostics.scalar = scalarPredictability(input.query, input.reflected, result.model);
  const std::string& wish = input.settings.diagnostics;
  if (wish == "all" || (wish == "auto" && isCheap(result)))
    diagnostics.fullMinusEmpirical = fullMinusEmpirical(result, input);
}

}  // namespace plastiscope
