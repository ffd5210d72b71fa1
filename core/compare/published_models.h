#pragma once
// Rows of the reference tables by model, for figures of published numbers.
#include <string>
#include <vector>

#include "core/compare/published_figures.h"
#include "core/compare/reference_data.h"

namespace plastiscope {

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
