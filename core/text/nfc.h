#pragma once
#include "core/text/aligned_text.h"

namespace plastiscope {

// Unicode normal form C. A character that several were composed to comes from the first of them, as in the
// `tokenizers` library.
AlignedText normalizeNfc(AlignedText text);

}  // namespace plastiscope
