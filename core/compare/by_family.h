#pragma once
// Charts that show each family of models by itself.
#include <algorithm>
#include <vector>

namespace plastiscope {

// `data` holds `models`, each with its ComparedName `model`. One copy a family, in the order of their first
// model, with that family's models only.
template <typename Data>
std::vector<Data> splitByFamily(const Data& data) {
  std::vector<Data> families;
  for (const auto& model : data.models) {
    auto found = std::find_if(families.begin(), families.end(), [&model](const Data& family) {
      return family.models.front().model.family == model.model.family;
    });
    if (found == families.end()) {
      families.push_back(data);
      found = families.end() - 1;
      found->models.clear();
    }
    found->models.push_back(model);
  }
  return families;
}

}  // namespace plastiscope
