#include "core/model/architecture.h"

#include <algorithm>

namespace plastiscope {

#define ARCHITECTURE(name) Architecture name();
#include "core/model/architectures/list.inc"
#undef ARCHITECTURE

namespace {
const Architecture* findBy(std::vector<std::string> Architecture::*names, const std::string& wanted) {
  for (const Architecture& architecture : architectures()) {
    const auto& own = architecture.*names;
    if (std::find(own.begin(), own.end(), wanted) != own.end()) return &architecture;
  }
  return nullptr;
}
}  // namespace

const std::vector<Architecture>& architectures() {
  static const std::vector<Architecture> kAll = {
#define ARCHITECTURE(name) name(),
#include "core/model/architectures/list.inc"
#undef ARCHITECTURE
  };
  return kAll;
}

const Architecture* architectureOfModelType(const std::string& modelType) {
  return findBy(&Architecture::modelTypes, modelType);
}
const Architecture* architectureOfClass(const std::string& className) {
  return findBy(&Architecture::classes, className);
}
const Architecture* architectureOfGguf(const std::string& name,
                                       const std::function<bool(const std::string&)>& isSet) {
  const Architecture* plain = nullptr;
  for (const Architecture& architecture : architectures()) {
    const auto& own = architecture.ggufNames;
    if (std::find(own.begin(), own.end(), name) == own.end()) continue;
    if (architecture.ggufMark.empty()) {
      plain = &architecture;
    } else if (isSet(architecture.ggufMark)) {
      return &architecture;
    }
  }
  return plain;
}

std::string architectureNames() {
  std::string names;
  for (const Architecture& architecture : architectures()) {
    names += (names.empty() ? "" : ", ") + architecture.name;
  }
  return names;
}

}  // namespace plastiscope
