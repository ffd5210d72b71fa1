#pragma once
// Maps columns of the reference tables to own metrics, and makes published curves to draw with own results.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare/reference_data.h"

namespace plastiscope {

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
