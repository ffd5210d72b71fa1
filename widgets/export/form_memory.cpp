#include "widgets/export/form_memory.h"

#include "core/base/json.h"

namespace plastiscope {

QString remembered(const Json& memory, const char* key) {
  const auto found = memory.find(key);
  const bool text = found != memory.end() && found->is_string();
  return text ? QString::fromStdString(found->get<std::string>()) : QString();
}

double rememberedNumber(const Json& memory, const char* key, double otherwise) {
  const auto found = memory.find(key);
  return found != memory.end() && found->is_number() ? found->get<double>() : otherwise;
}

bool rememberedFlag(const Json& memory, const char* key) {
  const auto found = memory.find(key);
  return found != memory.end() && *found == true;
}

}  // namespace plastiscope
