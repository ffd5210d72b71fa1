#pragma once
// What a capture keeps of its texts.
#include <optional>

#include "core/jobs/capture_setup.h"
#include "core/store/capture_writer.h"

namespace plastiscope {

// The tokens of all examples, and the words of those that occur. Nothing when the model has no tokenizer that
// this program reads: then the examples came as token ids.
std::optional<StoredTexts> storedTextsOf(const CaptureSetup& setup);

}  // namespace plastiscope
