#pragma once
// The thesis' published numbers (resources/reference), built into the program. Used for comparison in figures
// and tables, never as expected values of tests.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

struct EmbeddedFile {
  std::string_view name;  // "models.csv"
  std::string_view text;
};
std::span<const EmbeddedFile> embeddedReference();

struct ReferenceTable {
  std::string name;                  // "plasticity_models": the CSV file's base name
  std::string content;               // one line
  std::vector<std::string> caveats;  // whole sentences; may be empty
  std::string_view csv;              // the file as shipped
};

// In the order of resources/reference/tables.json.
const std::vector<ReferenceTable>& referenceTables();
// UsageError names the nearest table.
ReferenceTable requiredReference(std::string_view name);
// A reference table with numeric columns as doubles, missing = NaN. UsageError as above.
Table referenceTable(std::string_view name);

// Name of the column with the model: checkpoint or model.
const char* modelColumn(const Table& table);
// Rows of a model.
std::vector<std::size_t> rowsOfModel(const Table& table, std::string_view model);

// Accuracy of numbers by the column `source` of the CSV files.
struct SourceAccuracy {
  const char* source;    // printed, digitised, notes, derived
  const char* meaning;   // one sentence
  const char* accuracy;  // "bars and lines +- 0.003, ..."
};
std::vector<SourceAccuracy> sourceAccuracies();
std::string accuracyOf(std::string_view source);  // "" for an unknown source

// A model of the reference data: the thirteen models of models.csv and the ten SmolLM3 checkpoints.
struct ReferenceModel {
  std::string id;      // "qwen3-0.6b", "lc2-20k"
  std::string family;  // "qwen3", "llama3", "ministral3", "mistral", "smollm3"
  std::string title;   // "Qwen3-0.6B", "SmolLM3-3B lc2-20k"
  std::int64_t window = 0, layers = 0;
};
const std::vector<ReferenceModel>& referenceModels();
// The model with this id, repository, or last part of its repository, in any case; nothing for other names
// (an instruct variant is another model).
std::optional<ReferenceModel> recogniseReferenceModel(std::string_view name);
// The id in "published:qwen3-0.6b", as used in place of a file; nothing for other text.
std::optional<std::string> publishedIdOf(std::string_view input);
std::string publishedInput(std::string_view id);
// By id or name; UsageError names the nearest id.
ReferenceModel requiredReferenceModel(std::string_view name);

// The first number of `column` in the row where the key columns have these texts; NaN if there is none.
double referenceValue(const Table& table, std::string_view column,
                      const std::vector<std::pair<std::string, std::string>>& where);

}  // namespace plastiscope
