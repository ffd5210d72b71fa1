#include "core/compare/reference_data.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/compare/csv_text.h"

namespace plastiscope {

namespace {

std::string_view embeddedText(const std::string& name) {
  for (const EmbeddedFile& file : embeddedReference()) {
    if (file.name == name) return file.text;
  }
  throw Error(ErrorKind::Internal, "the program lacks the reference file " + name);
}

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::string lastPart(const std::string& repository) {
  return repository.substr(repository.find_last_of('/') + 1);
}

}  // namespace

const std::vector<ReferenceTable>& referenceTables() {
  static const std::vector<ReferenceTable> tables = [] {
    std::vector<ReferenceTable> all;
    for (const Json& entry : parseJson(embeddedText("tables.json"), "tables.json")) {
      const auto name = entry.at("name").get<std::string>();
      all.push_back({name, entry.at("content").get<std::string>(),
                     entry.at("caveats").get<std::vector<std::string>>(), embeddedText(name + ".csv")});
    }
    return all;
  }();
  return tables;
}

ReferenceTable requiredReference(std::string_view name) {
  std::vector<std::string> names;
  for (const ReferenceTable& table : referenceTables()) {
    if (table.name == name) return table;
    names.push_back(table.name);
  }
  throw UsageError("there is no reference table \"" + std::string(name) + "\"" +
                   didYouMean(std::string(name), names, "; plastiscope-cli reference lists them"));
}

Table referenceTable(std::string_view name) {
  const ReferenceTable table = requiredReference(name);
  return tableOf(parseCsv(table.csv, table.name + ".csv"), table.name);
}

const char* modelColumn(const Table& table) {
  return table.find("checkpoint") != nullptr ? "checkpoint" : "model";
}

std::vector<std::size_t> rowsOfModel(const Table& table, std::string_view model) {
  std::vector<std::size_t> rows;
  const std::vector<std::string>& names = table.texts(modelColumn(table));
  for (std::size_t row = 0; row < names.size(); ++row) {
    if (names[row] == model) rows.push_back(row);
  }
  return rows;
}

std::vector<SourceAccuracy> sourceAccuracies() {
  return {
      {"printed", "stands in a table, a sentence or a text box of a figure, or in a cited public source",
       "as printed"},
      {"digitised", "read off a figure", "bars and lines 0.003, map cells 0.005, whiskers 0.01, bias 0.0001"},
      {"notes", "the author's notes and figure descriptions, or a benchmark's own tables",
       "as written there"},
      {"derived", "computed from other rows", "that of the rows it is computed from"}};
}

std::string accuracyOf(std::string_view source) {
  for (const SourceAccuracy& known : sourceAccuracies()) {
    if (source == known.source) return known.accuracy;
  }
  return "";
}

namespace {

std::vector<ReferenceModel> readModels() {
  std::vector<ReferenceModel> models;
  const Table table = referenceTable("models");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double window = table.numbers("capture_length")[row];
    models.push_back({table.texts("model")[row], table.texts("family")[row],
                      lastPart(table.texts("hf_repo")[row]),
                      static_cast<std::int64_t>(window > 0 ? window : 0),
                      static_cast<std::int64_t>(table.numbers("layers")[row])});
  }
  const Table checkpoints = referenceTable("smollm3_checkpoints");
  for (std::size_t row = 0; row < checkpoints.rows(); ++row) {
    const std::string& name = checkpoints.texts("checkpoint")[row];
    models.push_back({name, "smollm3", "SmolLM3-3B " + name,
                      static_cast<std::int64_t>(checkpoints.numbers("window")[row]), 36});
  }
  return models;
}

}  // namespace

const std::vector<ReferenceModel>& referenceModels() {
  static const std::vector<ReferenceModel> models = readModels();
  return models;
}

std::optional<ReferenceModel> recogniseReferenceModel(std::string_view name) {
  const std::string wanted = lowerCase(name);
  const Table table = referenceTable("models");
  std::size_t row = 0;
  for (const ReferenceModel& model : referenceModels()) {
    const bool listed = row < table.rows();
    const std::string repository = listed ? lowerCase(table.texts("hf_repo")[row]) : std::string();
    ++row;
    if (wanted == model.id || (listed && (wanted == repository || wanted == lastPart(repository))))
      return model;
  }
  return std::nullopt;
}

namespace {
constexpr std::string_view kPublishedPrefix = "published:";
}

std::optional<std::string> publishedIdOf(std::string_view input) {
  if (!input.starts_with(kPublishedPrefix)) return std::nullopt;
  return std::string(input.substr(kPublishedPrefix.size()));
}

std::string publishedInput(std::string_view id) {
  return std::string(kPublishedPrefix).append(id);
}

ReferenceModel requiredReferenceModel(std::string_view name) {
  if (const auto model = recogniseReferenceModel(name)) return *model;
  std::vector<std::string> ids;
  for (const ReferenceModel& model : referenceModels()) ids.push_back(model.id);
  throw UsageError("the thesis has no model \"" + std::string(name) + "\"" +
                   didYouMean(lowerCase(name), ids, "; plastiscope-cli reference models lists them"));
}

double referenceValue(const Table& table, std::string_view column,
                      const std::vector<std::pair<std::string, std::string>>& where) {
  const Column* found = table.find(column);
  const auto* values = found == nullptr ? nullptr : std::get_if<std::vector<double>>(&found->values);
  if (values == nullptr) return kMissing;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const bool holds = std::all_of(where.begin(), where.end(), [&](const auto& key) {
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].name == key.first) return table.cellText(c, row) == key.second;
      }
      return false;
    });
    if (holds) return (*values)[row];
  }
  return kMissing;
}

// ---- Published numbers of own metrics, and curves to draw with own results

namespace {

constexpr const char *kPlasticity = kPlasticityTolerance, *kDrop = kDropTolerance,
                     *kVectors = kVectorTolerance, *kQueryRule = kQueryRuleTolerance;
constexpr const char* kEigenvector = "0.001 from the same vectors; published with b_axis eigenvector";

// Tables state one source per row; columns with another source name it here (resources/reference/README.md).
constexpr PublishedNumber kNumbers[] = {
    {"plasticity_models", "ap_overall", "ap_overall", kPlasticity},
    {"plasticity_models", "ap_first20", "ap_first20", kPlasticity},
    {"plasticity_models", "ap_last20", "ap_last20", kPlasticity},
    {"plasticity_models", "ap_drop", "ap_drop", kDrop},
    {"rotation_models", "bias_strength", "bias_strength", kVectors, "notes"},
    {"rotation_models", "bn", "bias_window", kVectors, "derived"},
    {"rotation_models", "abs_r_q_a", "abs_r_q_a", kVectors},
    {"rotation_models", "abs_r_k_a", "abs_r_k_a", kVectors},
    {"rotation_models", "var_frac_a", "var_frac_a", kVectors},
    {"rotation_models", "var_frac_b", "var_frac_b", kEigenvector},
    {"rotation_models", "plane_var_fraction", "plane_var_fraction", kEigenvector},
    {"rotation_models", "median_slope_ratio", "slope_ratio", kVectors, "", true},
    {"rotation_models", "separation_strength", "separation_strength_eigenvector", kVectors},
    {"rotation_models", "alpha_k", "alpha_k", kVectors},
    {"smollm3_checkpoints", "ap_overall", "ap_overall", kPlasticity},
    {"smollm3_checkpoints", "ap_first20", "ap_first20", kPlasticity},
    {"smollm3_checkpoints", "ap_last20", "ap_last20", kPlasticity, "notes"},
    {"smollm3_checkpoints", "ap_drop", "ap_drop", kDrop},
    {"smollm3_checkpoints", "bias_strength", "bias_strength", kVectors},
    {"smollm3_checkpoints", "bn", "bias_window", kVectors, "derived"},
    {"smollm3_checkpoints", "alpha_k", "alpha_k", kVectors},
    {"smollm3_checkpoints", "mu_q_a", "mu_q_a", kVectors, "digitised"},
    {"smollm3_checkpoints", "abs_r_k_a", "abs_r_k_a", kVectors},
    {"smollm3_checkpoints", "separation_strength", "separation_strength_eigenvector", kVectors, "notes"},
    {"smollm3_checkpoints", "plane_var_fraction", "plane_var_fraction", kEigenvector, "notes"},
    {"smollm3_pca", "mean_r_q", "r_q", kQueryRule},
    {"smollm3_pca", "mean_r_k", "r_k", kQueryRule},
    {"smollm3_pca", "ev_pc0", "pc0_variance", kVectors},
};

constexpr PublishedSeries kQuintiles{"plasticity_quintiles", "quintile", "ap", "ap_quintile_", kPlasticity},
    kDeciles{"plasticity_deciles", "decile", "ap", "ap_decile_", kPlasticity};
constexpr PublishedSeries kSeries[] = {
    kQuintiles,
    kDeciles,
    {"rotation_depth", "depth_decile", "abs_r_k_a", "abs_r_k_a", kVectors, true},
    {"rotation_depth", "depth_decile", "bias_strength", "bias_strength", kVectors, true},
    {"pca_depth", "depth_decile", "r_q", "r_q", kQueryRule, true},
    {"pca_depth", "depth_decile", "r_k", "r_k", kQueryRule, true},
    {"smollm3_depth", "depth_decile", "r_q", "r_q", kQueryRule, true},
    {"smollm3_depth", "depth_decile", "r_k", "r_k", kQueryRule, true},
};

// ---- Curves

ReferenceModel referenceModel(std::string_view modelId) {
  for (const ReferenceModel& model : referenceModels()) {
    if (model.id == modelId) return model;
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

// The present values of a model in a column; place(row) gives x.
template <typename Place>
ReferenceCurve curveOf(const Table& table, const char* column, std::string_view modelId, const Place& place) {
  ReferenceCurve curve;
  const std::vector<double>& values = table.numbers(column);
  for (const std::size_t row : rowsOfModel(table, modelId)) {
    if (std::isnan(values[row])) continue;
    if (curve.empty()) describe(curve, modelId, table.texts("source")[row]);
    curve.x.push_back(place(row));
    curve.y.push_back(values[row]);
  }
  return curve;
}

// Deciles of the window count from 1, those of the depth from 0; quintiles use their number as x.
ReferenceCurve seriesCurve(const PublishedSeries& series, std::string_view modelId) {
  const Table table = referenceTable(series.table);
  const std::vector<double>& index = table.numbers(series.index);
  const bool decile = std::string_view(series.index) == kDeciles.index;
  return curveOf(table, series.column, modelId, [&](std::size_t row) {
    return series.byDepth ? (index[row] + 0.5) / 10 : decile ? (index[row] - 0.5) / 10 : index[row];
  });
}

}  // namespace

std::span<const PublishedNumber> publishedNumbers() {
  return kNumbers;
}

std::span<const PublishedSeries> publishedSeries() {
  return kSeries;
}

std::string joinedSources(const std::vector<std::string>& sources) {
  constexpr std::string_view kBetween = ", ";
  std::vector<std::string> seen;
  std::string joined;
  for (const std::string& source : sources) {
    for (std::size_t from = 0; from <= source.size();) {
      const std::size_t end = std::min(source.find(kBetween, from), source.size());
      const std::string part = source.substr(from, end - from);
      from = end + kBetween.size();
      if (std::find(seen.begin(), seen.end(), part) != seen.end()) continue;
      seen.push_back(part);
      joined += (joined.empty() ? "" : ", ") + part;
    }
  }
  return joined;
}

std::string PublishedTable::sources(const std::vector<ReferenceModel>& models) const {
  std::vector<std::string> sources;
  for (std::size_t row = 0; row < m_table.rows(); ++row) {
    const std::string& id = m_table.texts(modelColumn(m_table))[row];
    if (std::ranges::count(models, id, &ReferenceModel::id) > 0)
      sources.push_back(m_table.texts("source")[row]);
  }
  return joinedSources(sources);
}

std::vector<ReferenceModel> publishedModels(PublishedModels which) {
  // Tables with exactly these models, in the thesis' order.
  const Table table = referenceTable(which == PublishedModels::Primary ? "pca_depth" : "smollm3_checkpoints");
  std::vector<ReferenceModel> models;
  for (const std::string& id : table.texts(modelColumn(table))) {
    if (models.empty() || models.back().id != id) models.push_back(requiredReferenceModel(id));
  }
  return models;
}

double ReferenceCurve::at(double place) const {
  const auto found = std::ranges::find(x, place);
  return found == x.end() ? kMissing : y[static_cast<std::size_t>(found - x.begin())];
}

ReferenceCurve referenceProfile(std::string_view modelId) {
  if (ReferenceCurve deciles = seriesCurve(kDeciles, modelId); !deciles.empty()) return deciles;
  const auto window = static_cast<double>(referenceModel(modelId).window);
  const Table table = referenceTable("smollm3_position");
  const auto &from = table.numbers("position_from"), &to = table.numbers("position_to");
  return curveOf(table, "ap", modelId, [&](std::size_t row) { return (from[row] + to[row]) / 2 / window; });
}

ReferenceCurve referenceQuintiles(std::string_view modelId) {
  return seriesCurve(kQuintiles, modelId);
}

ReferenceCurve referenceDepth(std::string_view modelId, std::string_view column) {
  for (const PublishedSeries& series : kSeries) {
    if (!series.byDepth || column != series.column) continue;
    if (ReferenceCurve curve = seriesCurve(series, modelId); !curve.empty()) return curve;
  }
  return {};
}

ReferenceCurve referenceNumber(std::string_view modelId, std::string_view metric) {
  for (const PublishedNumber& number : kNumbers) {
    if (metric != number.metric) continue;
    ReferenceCurve curve =
        curveOf(referenceTable(number.table), number.column, modelId, [](std::size_t) { return 0.0; });
    if (curve.empty()) continue;
    if (*number.source != '\0') describe(curve, modelId, number.source);
    curve.accuracy += std::string("; two runs may differ by ") + number.tolerance;
    return curve;
  }
  return {};
}

}  // namespace plastiscope
