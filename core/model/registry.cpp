#include "core/model/registry.h"

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
const Architecture* architectureOfGguf(const std::string& name) {
  return findBy(&Architecture::ggufNames, name);
}

std::string architectureNames() {
  std::string names;
  for (const Architecture& architecture : architectures()) {
    names += (names.empty() ? "" : ", ") + architecture.name;
  }
  return names;
}

namespace sizes {
std::int64_t hidden(const ModelSpec& spec, std::int64_t) {
  return spec.hidden;
}
std::int64_t intermediate(const ModelSpec& spec, std::int64_t) {
  return spec.intermediate;
}
std::int64_t queryHeads(const ModelSpec& spec, std::int64_t) {
  return spec.queryHeads;
}
std::int64_t keyHeads(const ModelSpec& spec, std::int64_t) {
  return spec.keyHeads;
}
std::int64_t queryRows(const ModelSpec& spec, std::int64_t) {
  return spec.queryHeads * spec.headDim;
}
std::int64_t keyRows(const ModelSpec& spec, std::int64_t) {
  return spec.keyHeads * spec.headDim;
}
}  // namespace sizes

}  // namespace plastiscope
