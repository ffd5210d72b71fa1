#pragma once
// Values that the export form remembered; what is missing or of another type keeps its default.
#include <QString>

#include "core/base/json_value.h"

namespace plastiscope {

QString remembered(const Json& memory, const char* key);  // "" when there is no such text
double rememberedNumber(const Json& memory, const char* key, double otherwise);
bool rememberedFlag(const Json& memory, const char* key);

}  // namespace plastiscope
