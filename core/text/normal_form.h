#pragma once
#include <memory>
#include <string_view>

#include "core/text/normalizer.h"

namespace plastiscope {

// Unicode normal form "NFC", "NFD", "NFKC" or "NFKD", after the data of Unicode 9, which is what the
// `tokenizers` library knows: younger characters stay as they are. Characters that several were composed to
// come from the first of them, as in that library.
std::shared_ptr<const Normalizer> makeNormalForm(std::string_view name);

}  // namespace plastiscope
