#pragma once
// What some tokenizers do to the text before they split it.
#include <span>
#include <string>
#include <string_view>

#include "core/text/aligned_text.h"

namespace plastiscope {

struct Normalizer {
  std::string_view name;  // `type` in tokenizer.json
  AlignedText (*apply)(AlignedText text);
};

std::span<const Normalizer> normalizers();
const Normalizer* findNormalizer(std::string_view name);  // nullptr when unknown

}  // namespace plastiscope
