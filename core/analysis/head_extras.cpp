#include "core/analysis/head_extras.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/ap_summary.h"
#include "core/analysis/binned_queries.h"
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

void addTurnings(HeadResult& result, const ExtrasInput& input) {
  const RotationResult& rotation = result.rotation;
  if (rotation.b.size() == 0) return;
  const std::int64_t wanted = wantedPlanes(input.settings.planes, input.frame.window);
  if (wanted == 0) return;
  const KindRows& key = input.key.rows;
  TurningSearch search(pooledPositions(input.query, key), input.frame.window);
  result.extras.planes = planesOf(rotation.complement, input.query, key, wanted, search);
  result.extras.diagnostics.planeTurning =
      search.strongest(pooledAlong(input.query, key, rotation.a), pooledAlong(input.query, key, rotation.b));
}

// Bn / sqrt(v_content), the spread of the queries' content bin by bin (method.md 7.5).
double biasSnrOf(const HeadResult& result, const ExtrasInput& input) {
  if (!result.model.present) return kMissing;
  const BinnedQueries binned(input.query, input.grid);
  Matrix spread = Matrix::Zero(input.grid.bins(), result.headDim);
  for (std::int64_t bin = 0; bin < input.grid.bins(); ++bin) {
    if (!result.plasticity.bins[static_cast<std::size_t>(bin)].valid) continue;
    const Matrix rows = result.model.reflected(gatheredRows(input.query.vectors, binned.rowsOf(bin)));
    const Matrix centred = rows.rowwise() - rows.colwise().mean();
    spread.row(bin) = centred.colwise().squaredNorm() / static_cast<double>(rows.rows() - 1);
  }
  const double variance = input.spread->mean(spread);
  return variance > 0 ? result.rotation.biasWindow / std::sqrt(variance) : kMissing;
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
double fullMinusEmpirical(const HeadResult& result, const ExtrasInput& input) {
  const auto overallOf = [&](const char* variance) {
    AnalysisSettings settings = input.settings;
    settings.variance = variance;
    const PlasticityInput plasticity{result.place,    input.frame,  input.query, input.key.rows,
                                     input.key.order, result.model, input.grid};
    return summarise(plasticityOf(plasticity, settings, input.progress).bins, input.frame.window, settings)
        .overall;
  };
  return overallOf("full") - overallOf("empirical");
}

void addGeometry(HeadResult& result, const ExtrasInput& input) {
  addTurnings(result, input);
  if (input.settings.projections == "on") {
    const auto raw = chosenDimensions(input.settings.vectorDimensions, result.headDim);
    result.extras.projections = {raw, projectionsOf(input.query, result.rotation, result.pca, raw),
                                 projectionsOf(input.key.rows, result.rotation, result.pca, raw)};
  }
  result.rotation.complement = {};
}

void addPlasticity(HeadResult& result, const ExtrasInput& input) {
  Diagnostics& diagnostics = result.extras.diagnostics;
  diagnostics.biasSnr = biasSnrOf(result, input);
  addShapes(diagnostics, input.query, result.model);
  diagnostics.scalar = scalarPredictability(input.query, result.model);
  const std::string& wish = input.settings.diagnostics;
  if (result.model.present && (wish == "all" || (wish == "auto" && isCheap(result))))
    diagnostics.fullMinusEmpirical = fullMinusEmpirical(result, input);
}

}  // namespace

void addExtras(HeadResult& result, const ExtrasInput& input, const AnalysisParts& wanted) {
  if (wanted.geometry) addGeometry(result, input);
  input.progress.throwIfStopped();
  if (wanted.plasticity) addPlasticity(result, input);
}

}  // namespace plastiscope
