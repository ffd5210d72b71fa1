#include "core/compare/reference_data.h"

#include <algorithm>
#include <cctype>

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

}  // namespace plastiscope
