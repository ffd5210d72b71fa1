#pragma once
// Settings of an analysis: method.md section 9, contract.md 1.4. Plain values, JSON in and out.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace plastiscope {

struct AnalysisSettings {
  std::string variance = "thesis";         // thesis, full, empirical
  std::int64_t pairs = 256;                // per (head, bin); 0 = all
  std::string pairScope = "same_example";  // further scopes: a later release
  std::int64_t maxDistance = 0;            // tokens between the keys of a pair; 0 = no limit
  std::string bins = "density";            // density, buckets, or a number
  std::int64_t minQueries = 20, minPairs = 32;
  std::string tau = "midpoint";      // midpoint, mean
  std::string weights = "queries";   // queries, equal
  std::string bAxis = "centroid";    // centroid, eigenvector
  std::string pcaSign = "dominant";  // dominant, query
  std::string taxonomy = "thesis";   // thesis, notes
  double taxonomyLow = 0.3, taxonomyHigh = 0.7;
  std::string poolWeights = "rows";   // rows, equal
  std::string decomposition = "off";  // on: also no_position and content_frozen runs (thesis variance)
  std::int64_t components = 10;
  std::int64_t mapCell = 0;  // tokens; 0 = the capture's bucket size
  std::vector<std::int64_t> lengthEdges = {0, 8192, 16384, 32768, 65536, 131072};
  std::uint64_t seed = 0;
  std::string heads, layers;  // "" = all

  // snake_case names of method.md section 9; pairs is "all" or a number, bins a word or a number.
  Json toJson() const;
  static AnalysisSettings fromJson(const Json& value);      // UsageError for unknown names or values
  static AnalysisSettings preset(const std::string& name);  // thesis, author, rigorous
  void validate() const;                                    // UsageError naming the known values
};

// The number of `bins` when it is one.
std::optional<std::int64_t> binCountOf(const AnalysisSettings& settings);

}  // namespace plastiscope
