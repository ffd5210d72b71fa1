#pragma once
// The list of architectures. To add one: a file architectures/NAME.cpp and its line in
// architectures/list.inc.
#include <functional>
#include <string>
#include <vector>

#include "core/model/architecture.h"

namespace plastiscope {

const std::vector<Architecture>& architectures();

// nullptr when no architecture answers to the name.
const Architecture* architectureOfModelType(const std::string& modelType);
const Architecture* architectureOfClass(const std::string& className);
// `isSet`: whether the metadata have a key (after the architecture's prefix), which tells families of one
// name apart.
const Architecture* architectureOfGguf(const std::string& name,
                                       const std::function<bool(const std::string& key)>& isSet);
std::string architectureNames();  // "llama, ...", for messages

}  // namespace plastiscope
