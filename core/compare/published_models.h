#pragma once
// Which number of the reference tables stands beside which own column: one number a model.
#include <span>
#include <string>
#include <vector>

#include "core/compare/published_figures.h"
#include "core/compare/reference_data.h"

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

// A reference table of one row a model, and how its numbers were read.
class PublishedTable {
 public:
  PublishedTable(const std::string& name, std::string key)
      : m_table(referenceTable(name)), m_key(std::move(key)) {}
  double value(const std::string& column, const std::string& model) const {
    return referenceValue(m_table, column, {{m_key, model}});
  }
  // "printed, digitised", in the order of their first row.
  std::string sources(const std::vector<ReferenceModel>& models) const;

 private:
  Table m_table;
  std::string m_key;
};

std::vector<ReferenceModel> publishedModels(PublishedModels which);
ComparedName publishedName(const ReferenceModel& model);
std::string joinedSources(const std::vector<std::string>& sources);  // "printed, notes": each once

}  // namespace plastiscope
