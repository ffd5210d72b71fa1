#pragma once
// Binds tensors of a file to their roles.
#include <string>
#include <string_view>

#include "core/model/architecture.h"
#include "core/model/model.h"

namespace plastiscope {

// Fills root, embedding, layers, warnings and notes of `model`, whose spec and weights are set. InputError
// lists all tensors that are missing, of another shape, of a type without weights, or unused in an executed
// layer; other unused tensors are noted.
void bindWeights(const Architecture& architecture, bool isGguf, Model& model);

// Whether `name` matches `pattern`, in which * is any text.
bool fitsPattern(std::string_view name, std::string_view pattern);

}  // namespace plastiscope
