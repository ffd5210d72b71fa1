#pragma once
#include <memory>

#include "core/text/chars_map.h"
#include "core/text/normalizer.h"

namespace plastiscope {

// `Precompiled` of tokenizer.json: SentencePiece's rules as the `tokenizers` library applies them, to user-
// perceived characters of up to five bytes and else to single code points.
std::shared_ptr<const Normalizer> makePrecompiled(CharsMap rules);

}  // namespace plastiscope
