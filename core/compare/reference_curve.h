#pragma once
// Published curves to draw behind own results.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plastiscope {

struct ReferenceCurve {
  std::string label;        // "thesis: Qwen3-0.6B"
  std::string source;       // printed, digitised, notes, derived
  std::string accuracy;     // of that source, one line
  std::int64_t window = 0;  // tokens, of the model; 0 = not known
  std::vector<double> x, y;
  bool empty() const { return x.empty(); }
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
std::vector<std::string> referenceDepthColumns();
// One number of the model, x = 0, over the same heads as own columns: their mean, of slope_ratio the median.
ReferenceCurve referenceNumber(std::string_view modelId, std::string_view metric);
// A published map of mean PP; cells of 8,192 tokens.
struct ReferenceMap {
  std::string label, source, accuracy;
  std::int64_t cell = 8192;  // tokens
  std::vector<std::int64_t> distanceCell, midpointCell;
  std::vector<double> pp;
};
ReferenceMap referenceMap(std::string_view modelId);

}  // namespace plastiscope
