// components.csv, axes.csv, planes.csv, slopes.csv, projections.csv, component_weights.csv and
// component_weights_pairs.csv: directions of a head and the coordinates on them (method.md, Principal
// components, Planar rotation and Component weights).
#include <cmath>

#include "core/analysis/tables/definitions.h"
#include "core/base/query_or_key.h"

namespace plastiscope {

namespace {

// axes.csv lists a and b, each when the head has it, then the components, dimension after dimension.
struct AxisEntry {
  std::string axis;
  std::int64_t dimension = 0;
  double value = 0;
};

std::size_t axisEntries(const HeadResult& head) {
  return static_cast<std::size_t>(head.rotation.a.size() + head.rotation.b.size() +
                                  head.pca.components.size());
}

AxisEntry axisEntry(Row row) {
  const RotationResult& rotation = row.head.rotation;
  auto at = static_cast<std::int64_t>(row.index);
  if (at < rotation.a.size()) return {"a", at, rotation.a[at]};
  at -= rotation.a.size();
  if (at < rotation.b.size()) return {"b", at, rotation.b[at]};
  at -= rotation.b.size();
  const Matrix& components = row.head.pca.components;
  const std::int64_t component = at / components.rows(), dimension = at % components.rows();
  return {"pc" + std::to_string(component), dimension, components(dimension, component)};
}

std::string activeText(Row row) {
  const double r2 = row.head.extras.planes[row.index].rotation.r2;
  return std::isnan(r2) ? "" : yesNo(r2 >= row.context.settings.activeOmegaR2);
}

// 0, the quarters and the last position of the window, without repeats.
Integers slopePositions(std::int64_t window) {
  Integers positions;
  for (const std::int64_t t : {std::int64_t{0}, window / 4, window / 2, 3 * window / 4, window - 1}) {
    if (positions.empty() || t > positions.back()) positions.push_back(t);
  }
  return positions;
}

double slopeAt(const RotationResult& rotation, std::int64_t t) {
  return (rotation.interceptQuery + rotation.alphaQuery * static_cast<double>(t)) * rotation.alphaKey;
}

struct ProjectedRow {
  const RowProjections& rows;
  std::size_t row = 0;
  QueryOrKey kind = QueryOrKey::Query;

  std::int64_t example() const { return rows.example[row]; }
  std::int64_t position() const { return rows.position[row]; }
  double on(Vector RowProjections::*axis) const {
    const Vector& values = rows.*axis;
    return values.size() == 0 ? kMissing : values[row];
  }
};

std::size_t projectedRows(const HeadResult& head) {
  if (!head.extras.projections) return 0;
  return head.extras.projections->query.position.size() + head.extras.projections->key.position.size();
}

// Rows: the queries, then the keys.
ProjectedRow projectedRow(Row row) {
  const HeadProjections& of = *row.head.extras.projections;
  const std::size_t queries = of.query.position.size();
  if (row.index < queries) return {of.query, row.index, QueryOrKey::Query};
  return {of.key, row.index - queries, QueryOrKey::Key};
}

// x0, x7, ...: the raw dimensions chosen by the settings.
void appendRawDimensions(const TableInput& input, Table& table) {
  std::vector<std::int64_t> dimensions;
  std::vector<Numbers> raw;
  for (const HeadResult& head : input.heads) {
    if (!head.extras.projections) continue;
    if (raw.empty()) {
      dimensions = head.extras.projections->rawDimensions;
      raw.resize(dimensions.size());
    }
    for (const RowProjections* rows : {&head.extras.projections->query, &head.extras.projections->key}) {
      for (Eigen::Index row = 0; row < rows->raw.rows(); ++row) {
        for (std::size_t c = 0; c < raw.size(); ++c)
          raw[c].push_back(rows->raw(row, static_cast<Eigen::Index>(c)));
      }
    }
  }
  for (std::size_t c = 0; c < raw.size(); ++c)
    table.columns.push_back({"x" + std::to_string(dimensions[c]), std::move(raw[c])});
}

const RopePairs* ropeOf(Row row) {
  const auto found = row.context.rope.find(row.head.place.layer);
  return found == row.context.rope.end() ? nullptr : &found->second;
}

std::size_t rotatedPairs(Row row) {
  const std::size_t headDim = row.head.model.weights.size();
  const RopePairs* rope = ropeOf(row);
  return headDim == 0 ? 0 : rope != nullptr ? rope->frequencies.size() : headDim / 2;
}

// RoPE pair of a dimension, by rotate-half if not known; missing outside the rotated part.
std::int64_t pairOf(std::size_t dimension, std::size_t headDim, const RopePairs* rope) {
  const std::size_t half = rope != nullptr ? rope->frequencies.size() : headDim / 2;
  const auto first = static_cast<std::size_t>(rope != nullptr ? rope->first : 0);
  if (dimension < first || dimension >= first + 2 * half) return -1;
  dimension -= first;
  const bool interleaved = rope != nullptr && rope->interleaved;
  return static_cast<std::int64_t>(interleaved ? dimension / 2 : dimension % half);
}

double weightOfPair(Row row) {
  const Numbers& weights = row.head.model.weights;
  double sum = 0;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    if (pairOf(c, weights.size(), ropeOf(row)) == asInteger(row.index)) sum += weights[c];
  }
  return sum;
}

double frequencyOfPair(Row row) {
  const RopePairs* rope = ropeOf(row);
  return rope != nullptr ? rope->frequencies[row.index] : kMissing;
}

}  // namespace

AnalysisTable componentsDefinition() {
  AnalysisTable table =
      tableOfHeads({"components", "one row per head and component",
                    "Principal components of a head's queries and keys together, the largest first.",
                    AnalysisStage::Geometry,
                    [](Row r) -> std::size_t { return r.head.pca.explainedVarianceRatio.size(); }});
  table.add({integerColumn("component", [](Row r) { return asInteger(r.index); },
                           {"Component", "", "", "Principal components", kNoRange,
                            "Number of the component, from 0, the largest variance first."}),
             realColumn("explained_variance_ratio",
                        [](Row r) { return r.head.pca.explainedVarianceRatio[r.index]; },
                        {"Share of variance", "", "", "Principal components", kShare,
                         "Share of the pooled variance on the component.", "λ_j / Σ λ",
                         "With pca_rows query or key, of that kind alone."})});
  table.add(ofBothKinds(
      "r_{q}", [](Row r) { return r.head.pca.rQuery[r.index]; },
      [](Row r) { return r.head.pca.rKey[r.index]; },
      {"r of {queries}", "<i>r</i><sub>{Q}</sub>", "", "Principal components", kSignedShare,
       "Correlation of the {queries}' coordinate on the component with their position.",
       "Pearson({Q}·v_j, t_{Q})", kSignOnly, kBySignRule}));
  return table;
}

AnalysisTable axesDefinition() {
  AnalysisTable table =
      tableOfHeads({"axes", "one row per head, axis and dimension",
                    "The axes themselves: a, b and the components as unit vectors in the head's dimensions.",
                    AnalysisStage::Geometry, [](Row r) -> std::size_t { return axisEntries(r.head); }});
  table.add(
      {wordColumn("axis", [](Row r) { return axisEntry(r).axis; },
                  {"Axis", "", "", "Place", kNoRange, "Name of the axis: a, b, pc0, pc1 and so on."}),
       integerColumn("dimension", [](Row r) { return axisEntry(r).dimension; },
                     {"Dimension", "", "", "Place", kNoRange, "Dimension of the head as captured, from 0."}),
       realColumn(
           "value", [](Row r) { return axisEntry(r).value; },
           {"Coordinate", "", "", "Principal components", kSignedShare,
            "Coordinate of the unit vector along the dimension.", "", "", "By the sign rule of the axis."})});
  return table;
}

AnalysisTable planesDefinition() {
  AnalysisTable table = tableOfHeads(
      {"planes", "one row per head and plane",
       "The space outside the plane {a, b}, split into planes, and how fast each rotates with position.",
       AnalysisStage::Geometry, [](Row r) -> std::size_t { return r.head.extras.planes.size(); }});
  table.add(
      {integerColumn("plane", [](Row r) { return asInteger(r.index); },
                     {"Plane", "", "", "Complement planes", kNoRange,
                      "Plane of the complement, from 0, the largest variance first."}),
       realColumn("variance_share", [](Row r) { return r.head.extras.planes[r.index].varianceShare; },
                  {"Share of variance", "", "", "Complement planes", kShare,
                   "Share of the variance outside {a, b} that lies in the plane.",
                   "(λ_1 + λ_2) / Σ λ of the complement"}),
       realColumn("omega", [](Row r) { return r.head.extras.planes[r.index].rotation.omega; },
                  {"Rotation frequency", "<i>ω</i>", "rad / token", "Complement planes", kNoRange,
                   "Frequency at which the angle in the plane goes along with position best.",
                   "frequency of the highest peak of Σ exp(iθ_n) exp(−iωt_n), θ of (u₁·x, u₂·x)",
                   "Directions of equal variance are arbitrary.",
                   "Positive: from u₁ towards u₂, whose largest coordinates are positive."}),
       realColumn("omega_r2", [](Row r) { return r.head.extras.planes[r.index].rotation.r2; },
                  {"Agreement", "<i>R</i><sup>2</sup><sub>ω</sub>", "", "Complement planes", kShare,
                   "How well the angle follows that frequency; 1 = exactly.", "(|Z| / n)² at the peak",
                   "Noise gives about ln(M) / n, M = 4 × the next power of two of the window."}),
       realColumn("rope_pair",
                  [](Row r) { return nearestRopePair(r, r.head.extras.planes[r.index].rotation.omega); },
                  {"Nearest RoPE pair", "", "", "Complement planes", kNoRange,
                   "RoPE pair whose frequency is nearest; empty without RoPE or where it is not known.",
                   "argmin over pairs of | |ω| − frequency |",
                   "Nearest does not mean near: compare omega with rope_frequency."}),
       wordColumn("active", [](Row r) { return activeText(r); },
                  {"Active", "", "", "Complement planes", kNoRange,
                   "Whether the plane rotates with position: true or false.", "omega_r2 ≥ active_omega_r2",
                   "The threshold is a setting, 0.25 unless given."})});
  return table;
}

AnalysisTable slopesDefinition() {
  AnalysisTable table = tableOfHeads(
      {"slopes", "one row per head and position", "The position bias that a query at one position sees.",
       AnalysisStage::Geometry, [](Row r) -> std::size_t { return slopePositions(r.head.window).size(); }});
  table.add(
      {integerColumn("position", [](Row r) { return slopePositions(r.head.window)[r.index]; },
                     {"Query position", "", "tokens", "Place", kNoRange,
                      "Position of the query: the start, the quarters and the end of the window."}),
       realColumn("slope",
                  [](Row r) { return slopeAt(r.head.rotation, slopePositions(r.head.window)[r.index]); },
                  {"Bias at the position", "", "score / token", "Position bias", kNoRange,
                   "Slope of the score over key position that a query at this position sees.",
                   "(intercept_Q + α_Q · position) · α_K", kPerToken, kRecency})});
  return table;
}

AnalysisTable projectionsDefinition() {
  AnalysisTable table =
      tableOfHeads({"projections", "one row per captured row",
                    "Every query and key on the axes of its head; only with projections on.",
                    AnalysisStage::Geometry, [](Row r) -> std::size_t { return projectedRows(r.head); }});
  table.append = appendRawDimensions;
  table.wanted = [](const HeadResult& head) { return head.extras.projections.has_value(); };
  table.add(
      {wordColumn("kind", [](Row r) { return std::string(nameOf(projectedRow(r).kind)); },
                  {"Kind", "", "", "Place", kNoRange, "query or key."}),
       integerColumn("example", [](Row r) { return projectedRow(r).example(); },
                     {"Example", "", "", "Place", kNoRange, "Index of the text in the capture, from 0."}),
       integerColumn(
           "position", [](Row r) { return projectedRow(r).position(); },
           {"Position", "", "tokens", "Place", kNoRange, "Position of the row in its text, from 0."}),
       realColumn("a", [](Row r) { return projectedRow(r).on(&RowProjections::a); },
                  {"Coordinate on a", "", "activation", "Position axis", kNoRange,
                   "Coordinate on the position axis, not centred.", "a · x", "", kAlongA}),
       realColumn("b", [](Row r) { return projectedRow(r).on(&RowProjections::b); },
                  {"Coordinate on b", "", "activation", "Separation axis", kNoRange,
                   "Coordinate on the separation axis, not centred.", "b · x", "", kAlongB}),
       realColumn("pc0", [](Row r) { return projectedRow(r).on(&RowProjections::pc0); },
                  {"Coordinate on PC0", "", "activation", "Principal components", kNoRange,
                   "Coordinate on the first component, around the mean of the pool.", "v₀ · (x − mean)", "",
                   kBySignRule}),
       realColumn("pc1", [](Row r) { return projectedRow(r).on(&RowProjections::pc1); },
                  {"Coordinate on PC1", "", "activation", "Principal components", kNoRange,
                   "Coordinate on the second component, around the mean of the pool.", "v₁ · (x − mean)", "",
                   kBySignRule}),
       givenColumn("x#", {"Dimension #", "", "activation", "Place", kNoRange,
                          "The captured number of the dimension, as vector_dimensions asks for.", "", "",
                          "As captured."})});
  return table;
}

AnalysisTable componentWeightsDefinition() {
  AnalysisTable table =
      tableOfHeads({"component_weights", "one row per head and dimension",
                    "Which query dimensions carry the drift with position.", AnalysisStage::Plasticity,
                    [](Row r) -> std::size_t { return r.head.model.weights.size(); }});
  table.add(
      {integerColumn(
           "dimension", [](Row r) { return asInteger(r.index); }, explainedIn("axes")),
       realColumn(
           "weight", [](Row r) { return r.head.model.weights[r.index]; },
           {"Weight", "", "", "Query drift", kShare,
            "Share of the dimension (or of both dimensions of the pair) in what position explains of the "
            "queries.",
            "R²_j / Σ R²",
            "A weight of zero means no linear drift, not no position: fast pairs still carry position."})});
  return table;
}

AnalysisTable componentWeightsPairsDefinition() {
  AnalysisTable table =
      tableOfHeads({"component_weights_pairs", "one row per head and RoPE pair",
                    "The same weights summed over the two dimensions that RoPE rotates together.",
                    AnalysisStage::Plasticity, [](Row r) -> std::size_t { return rotatedPairs(r); }});
  table.add(
      {integerColumn("pair", [](Row r) { return asInteger(r.index); },
                     {"RoPE pair", "", "", "Place", kNoRange,
                      "Pair of dimensions that RoPE rotates together, from 0 (the fastest).", "",
                      "Rotate-half pairs (i, i + half) where the capture does not say otherwise; interleaved "
                      "pairs (2i, 2i + 1) where it does."}),
       realColumn(
           "weight", [](Row r) { return weightOfPair(r); }, explainedIn("component_weights")),
       realColumn("rope_frequency", [](Row r) { return frequencyOfPair(r); },
                  {"RoPE frequency", "", "rad / token", "RoPE", kNoRange,
                   "Angle by which RoPE rotates the pair from one position to the next; empty where it is "
                   "not known.",
                   "", "For scalings that depend on the length of a text, at the length of the window."})});
  return table;
}

}  // namespace plastiscope
