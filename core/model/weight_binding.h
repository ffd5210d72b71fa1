#pragma once
// Gives every part of the decoder its tensor.
#include <string>
#include <string_view>

#include "core/model/architecture.h"
#include "core/model/model.h"

namespace plastiscope {

// Fills root, embedding, layers, warnings and notes of `model`, whose spec and weights are set. InputError
// names together all tensors that are missing, of another shape, of a type that holds no weights, or unused
// in a layer that is run; tensors outside these layers are noted.
void bindWeights(const Architecture& architecture, bool isGguf, Model& model);

// Whether `name` fits `pattern`, in which * stands for any text.
bool fitsPattern(std::string_view name, std::string_view pattern);

}  // namespace plastiscope
