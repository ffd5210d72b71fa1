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

// ---- Published numbers of own metrics, and curves to draw with own results

// Expected differences between two runs (method.md, Agreement with published runs).
inline constexpr const char* kPlasticityTolerance =
    "0.01: pairs, seed and bin rule of the published run are not known";
inline constexpr const char* kDropTolerance =
    "0.005: pairs, seed and bin rule of the published run are not known";
inline constexpr const char* kVectorTolerance =
    "0.001 from the same vectors; head choice and texts add their own";
inline constexpr const char* kQueryRuleTolerance =
    "0.001 from the same vectors; published with pca_sign query";

// A column with one number per model.
struct PublishedNumber {
  const char* table;   // name of the reference table
  const char* column;  // its column
  const char* metric;  // own column
  const char* tolerance;
  const char* source = "";  // source, if it differs from the rows' column `source`
  bool median = false;      // over heads; else their mean
};
std::span<const PublishedNumber> publishedNumbers();

// Columns with one number per part k of the window, or per depth decile.
struct PublishedSeries {
  const char* table;
  const char* index;   // column with k
  const char* column;  // published values
  const char* metric;  // own metric; with `byDepth` averaged by depth decile, else with k appended
  const char* tolerance;
  bool byDepth = false;
};
std::span<const PublishedSeries> publishedSeries();

// A reference table with one row per model, and the sources of its numbers.
class PublishedTable {
 public:
  explicit PublishedTable(std::string_view name) : m_table(referenceTable(name)) {}
  double value(const std::string& column, const std::string& model) const {
    return referenceValue(m_table, column, {{modelColumn(m_table), model}});
  }
  // "printed, digitised", in the order of their first row.
  std::string sources(const std::vector<ReferenceModel>& models) const;

 private:
  Table m_table;
};

// The two groups of models in the thesis: the eleven primary ones, and the checkpoints of SmolLM3.
enum class PublishedModels { Primary, Checkpoints };
std::vector<ReferenceModel> publishedModels(PublishedModels which);
std::string joinedSources(const std::vector<std::string>& sources);  // "printed, notes": each once

struct ReferenceCurve {
  std::string label;        // "thesis: Qwen3-0.6B"
  std::string source;       // printed, digitised, notes, derived
  std::string accuracy;     // accuracy of the source, one line
  std::int64_t window = 0;  // tokens, of the model; 0 = not known
  std::vector<double> x, y;
  bool empty() const { return x.empty(); }
  double at(double place) const;  // y at this x; missing if there is none
};

// Curves are empty if the reference data have nothing for a model (ids of reference_data.h).
ReferenceCurve referenceProfile(std::string_view modelId);
// AP of the quintiles of the window, x = 1..5.
ReferenceCurve referenceQuintiles(std::string_view modelId);
// A column over depth decile, x = middle of the decile as relative depth 0..1. Known columns: abs_r_k_a,
// bias_strength (rotation), r_q, r_k (component 0, signs of the query rule).
ReferenceCurve referenceDepth(std::string_view modelId, std::string_view column);
// One number of the model at x = 0: mean over heads like own columns, the median for slope_ratio.
ReferenceCurve referenceNumber(std::string_view modelId, std::string_view metric);

}  // namespace plastiscope
