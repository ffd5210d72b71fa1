#pragma once
// Gives every part of the decoder its tensor.
#include <string>
#include <string_view>

#include "core/model/architecture.h"
#include "core/model/model.h"

namespace plastiscope {

// Fills embedding, layers and notes of `model`, whose spec and weights are set. InputError names all tensors
// that are missing, unused (neither a part nor ignored by the architecture), of another shape, or of a type
// that holds no weights, together.
void bindWeights(const Architecture& architecture, bool isGguf, Model& model);

// Whether `name` fits `pattern`, in which * stands for any text.
bool fitsPattern(std::string_view name, std::string_view pattern);

}  // namespace plastiscope
