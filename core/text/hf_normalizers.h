#pragma once
// The normalisers of a tokenizer.json.
#include "core/text/json_node.h"
#include "core/text/normalizer.h"

namespace plastiscope {

// InputError names an unknown one with the known ones.
Normalizers readNormalizers(const JsonNode& root);

}  // namespace plastiscope
