#pragma once
// Which number of the reference tables stands beside which own column, and published curves to draw behind
// own results.
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

// One number a model.
struct PublishedNumber {
  const char* table;   // of the reference data
  const char* column;  // there
  const char* metric;  // own column
  const char* tolerance;
  const char* source = "";  // how it was read, where that is not what the table's rows say
  bool median = false;      // over heads; else their mean
};
std::span<const PublishedNumber> publishedNumbers();

// Numbers by part k of the window, or by depth decile.
struct PublishedSeries {
  const char* table;
  const char* index;   // column that counts
  const char* column;  // published values
  const char* metric;  // own column; with `byDepth` averaged by depth decile, else with the index behind it
  const char* tolerance;
  bool byDepth = false;
};
std::span<const PublishedSeries> publishedSeries();

// A reference table of one row a model, and how its numbers were read.
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

// The two rows of models that the thesis shows: the eleven primary ones, and the checkpoints of SmolLM3.
enum class PublishedModels { Primary, Checkpoints };
std::vector<ReferenceModel> publishedModels(PublishedModels which);
std::string joinedSources(const std::vector<std::string>& sources);  // "printed, notes": each once

struct ReferenceCurve {
  std::string label;        // "thesis: Qwen3-0.6B"
  std::string source;       // printed, digitised, notes, derived
  std::string accuracy;     // of that source, one line
  std::int64_t window = 0;  // tokens, of the model; 0 = not known
  std::vector<double> x, y;
  bool empty() const { return x.empty(); }
  double at(double place) const;  // y of this x; missing where there is none
};

// Empty curves where the reference data have nothing for a model (ids of reference_data.h).
// AP over share of the model's window: deciles at their middles, x in 0..1; for a SmolLM3 checkpoint its
// position bins.
ReferenceCurve referenceProfile(std::string_view modelId);
// AP of the quintiles of the window, x = 1..5.
ReferenceCurve referenceQuintiles(std::string_view modelId);
// A column over depth decile, x = middle of the decile as relative depth 0..1. Known columns: abs_r_k_a,
// bias_strength (rotation), r_q, r_k (component 0, signs of the query rule).
ReferenceCurve referenceDepth(std::string_view modelId, std::string_view column);
// One number of the model, x = 0, over the same heads as own columns: their mean, of slope_ratio the median.
ReferenceCurve referenceNumber(std::string_view modelId, std::string_view metric);

}  // namespace plastiscope
