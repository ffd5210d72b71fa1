#include "core/compare/reference_curve.h"

#include <cmath>

#include "core/compare/published_models.h"
#include "core/compare/reference_data.h"

namespace plastiscope {

namespace {

// Where a curve stands: a table, the column that names the model, and what x is made of.
struct ReferenceSource {
  const char* table;
  const char* key;
  const char* x;
  const char* y;
  double (*place)(double);
};

double decileMiddle(double decile) {  // from 1
  return (decile - 0.5) / 10;
}
double depthMiddle(double decile) {  // from 0
  return (decile + 0.5) / 10;
}
double same(double x) {
  return x;
}

constexpr ReferenceSource kDeciles{"plasticity_deciles", "model", "decile", "ap", decileMiddle};
constexpr ReferenceSource kQuintiles{"plasticity_quintiles", "model", "quintile", "ap", same};
constexpr ReferenceSource kDepth[] = {
    {"rotation_depth", "model", "depth_decile", "abs_r_k_a", depthMiddle},
    {"rotation_depth", "model", "depth_decile", "bias_strength", depthMiddle},
    {"pca_depth", "model", "depth_decile", "r_q", depthMiddle},
    {"pca_depth", "model", "depth_decile", "r_k", depthMiddle},
    {"smollm3_depth", "checkpoint", "depth_decile", "r_q", depthMiddle},
    {"smollm3_depth", "checkpoint", "depth_decile", "r_k", depthMiddle},
};

ReferenceModel referenceModel(std::string_view modelId) {
  for (ReferenceModel& model : referenceModels()) {
    if (model.id == modelId) return std::move(model);
  }
  return {std::string(modelId), "", std::string(modelId), 0, 0};
}

void describe(ReferenceCurve& curve, std::string_view modelId, const std::string& source) {
  const ReferenceModel model = referenceModel(modelId);
  curve.label = "thesis: " + model.title;
  curve.window = model.window;
  curve.source = source;
  curve.accuracy = accuracyOf(source);
}

ReferenceCurve readCurve(const ReferenceSource& from, std::string_view modelId) {
  const Table table = referenceTable(from.table);
  const auto &key = table.texts(from.key), &source = table.texts("source");
  const auto &x = table.numbers(from.x), &y = table.numbers(from.y);
  ReferenceCurve curve;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (key[row] != modelId || std::isnan(y[row])) continue;
    if (curve.empty()) describe(curve, modelId, source[row]);
    curve.x.push_back(from.place(x[row]));
    curve.y.push_back(y[row]);
  }
  return curve;
}

// The checkpoints have bins in tokens instead of deciles.
ReferenceCurve checkpointProfile(std::string_view modelId) {
  ReferenceCurve curve;
  const auto window = static_cast<double>(referenceModel(modelId).window);
  const Table table = referenceTable("smollm3_position");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double ap = table.numbers("ap")[row];
    if (table.texts("checkpoint")[row] != modelId || std::isnan(ap)) continue;
    if (curve.empty()) describe(curve, modelId, table.texts("source")[row]);
    const double middle = (table.numbers("position_from")[row] + table.numbers("position_to")[row]) / 2;
    curve.x.push_back(middle / window);
    curve.y.push_back(ap);
  }
  return curve;
}

}  // namespace

ReferenceCurve referenceProfile(std::string_view modelId) {
  const ReferenceCurve deciles = readCurve(kDeciles, modelId);
  return deciles.empty() ? checkpointProfile(modelId) : deciles;
}

ReferenceCurve referenceQuintiles(std::string_view modelId) {
  return readCurve(kQuintiles, modelId);
}

ReferenceCurve referenceDepth(std::string_view modelId, std::string_view column) {
  for (const ReferenceSource& source : kDepth) {
    if (column != source.y) continue;
    if (ReferenceCurve curve = readCurve(source, modelId); !curve.empty()) return curve;
  }
  return {};
}

std::vector<std::string> referenceDepthColumns() {
  return {"abs_r_k_a", "bias_strength", "r_q", "r_k"};
}

ReferenceCurve referenceNumber(std::string_view modelId, std::string_view metric) {
  ReferenceCurve curve;
  for (const PublishedNumber& number : publishedNumbers()) {
    if (metric != number.metric || !curve.empty()) continue;
    const Table table = referenceTable(number.table);
    const auto &key = table.texts(number.key), &source = table.texts("source");
    const auto& values = table.numbers(number.column);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      if (key[row] != modelId || std::isnan(values[row])) continue;
      describe(curve, modelId, *number.source == '\0' ? source[row] : number.source);
      curve.accuracy += std::string("; two runs may differ by ") + number.tolerance;
      curve.x = {0};
      curve.y = {values[row]};
    }
  }
  return curve;
}

ReferenceMap referenceMap(std::string_view modelId) {
  const Table table = referenceTable("heatmaps");
  ReferenceMap map;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double pp = table.numbers("pp")[row];
    if (table.texts("model")[row] != modelId || std::isnan(pp)) continue;
    if (map.pp.empty()) {
      map.label = "thesis: " + referenceModel(modelId).title;
      map.source = table.texts("source")[row];
      map.accuracy = accuracyOf(map.source);
    }
    map.distanceCell.push_back(static_cast<std::int64_t>(table.numbers("distance_cell")[row]));
    map.midpointCell.push_back(static_cast<std::int64_t>(table.numbers("midpoint_cell")[row]));
    map.pp.push_back(pp);
  }
  return map;
}

}  // namespace plastiscope
