#include "core/compare/published_models.h"

#include <algorithm>
#include <string_view>

namespace plastiscope {

std::string joinedSources(const std::vector<std::string>& sources) {
  constexpr std::string_view kBetween = ", ";
  std::vector<std::string> seen;
  std::string joined;
  for (const std::string& source : sources) {
    for (std::size_t from = 0; from <= source.size();) {
      const std::size_t end = std::min(source.find(kBetween, from), source.size());
      const std::string part = source.substr(from, end - from);
      from = end + kBetween.size();
      if (std::find(seen.begin(), seen.end(), part) != seen.end()) continue;
      seen.push_back(part);
      joined += (joined.empty() ? "" : ", ") + part;
    }
  }
  return joined;
}

std::string PublishedTable::sources(const std::vector<ReferenceModel>& models) const {
  std::vector<std::string> sources;
  for (std::size_t row = 0; row < m_table.rows(); ++row) {
    const bool shown = std::any_of(models.begin(), models.end(), [&](const ReferenceModel& model) {
      return model.id == m_table.texts(m_key)[row];
    });
    if (shown) sources.push_back(m_table.texts("source")[row]);
  }
  return joinedSources(sources);
}

std::vector<ReferenceModel> publishedModels(PublishedModels which) {
  // Tables that hold exactly these models, in the thesis' order.
  const bool primary = which == PublishedModels::Primary;
  const Table table = referenceTable(primary ? "pca_depth" : "smollm3_checkpoints");
  std::vector<ReferenceModel> models;
  for (const std::string& id : table.texts(primary ? "model" : "checkpoint")) {
    if (models.empty() || models.back().id != id) models.push_back(requiredReferenceModel(id));
  }
  return models;
}

ComparedName publishedName(const ReferenceModel& model) {
  return {model.id, model.family};
}

}  // namespace plastiscope
