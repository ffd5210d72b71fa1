#include "core/model/architecture.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/base/json.h"

namespace plastiscope {

#define ARCHITECTURE(name) Architecture name();
#include "core/model/architectures/list.inc"
#undef ARCHITECTURE

namespace {
const Architecture* findBy(std::vector<std::string> Architecture::* names, const std::string& wanted) {
  for (const Architecture& architecture : architectures()) {
    if (std::ranges::count(architecture.*names, wanted) > 0) return &architecture;
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
    if (std::ranges::count(architecture.ggufNames, name) == 0) continue;
    if (architecture.ggufMark.empty()) {
      plain = &architecture;
    } else if (isSet(architecture.ggufMark)) {
      return &architecture;
    }
  }
  return plain;
}

Json withDefaults(Json values, const ConfigDefaults& defaults) {
  for (const auto& [key, value] : defaults) {
    if (!values.contains(key)) std::visit([&](const auto& given) { values[key] = given; }, value);
  }
  return values;
}

ConfigDefaults classKeys(const char* json) {
  const Json all = Json::parse(json);
  ConfigDefaults keys;
  for (const auto& [name, value] : all.items()) {
    const bool marked = name.back() == '?';
    ConfigDefault& entry = keys[name.substr(0, name.size() - (marked ? 1 : 0))];
    if (value.is_boolean()) entry = value.get<bool>();
    if (value.is_number_integer()) entry = value.get<std::int64_t>();
    if (value.is_number_float()) entry = value.get<double>();
    if (value.is_string()) entry = value.get<std::string>();
    entry.mayBeNull = marked || value.is_null();
  }
  return keys;
}

void refuseArchitecture(const std::filesystem::path& file, const std::string& place,
                        const std::string& found) {
  throw InputError({file, place, "one of " + joined(architectures(), &Architecture::name),
                    found + "; ps.record of the Python package records queries and keys of any model that "
                            "transformers runs"});
}

}  // namespace plastiscope
