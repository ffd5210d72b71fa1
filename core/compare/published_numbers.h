#pragma once
// Which number of the reference tables stands beside which own column: one number a model.
#include <span>

namespace plastiscope {

// What two runs may differ by (method.md 10.7).
inline constexpr const char* kPlasticityTolerance =
    "0.01: pairs, seed and bin rule of the published run are not known";
inline constexpr const char* kDropTolerance =
    "0.005: pairs, seed and bin rule of the published run are not known";
inline constexpr const char* kVectorTolerance =
    "0.001 from the same vectors; head choice and texts add their own";
inline constexpr const char* kQueryRuleTolerance =
    "0.001 from the same vectors; published with pca_sign query";

struct PublishedNumber {
  const char* key;     // column of the table that names the model: "model", "checkpoint"
  const char* table;   // of the reference data
  const char* column;  // there
  const char* metric;  // own column
  const char* tolerance;
  const char* source = "";  // how it was read, where that is not what the table's rows say
  bool median = false;      // over heads; else their mean
};

std::span<const PublishedNumber> publishedNumbers();

}  // namespace plastiscope
