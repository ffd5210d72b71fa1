#pragma once
// What a capture keeps of its texts.
#include <optional>

#include "core/jobs/capture_setup.h"
#include "core/store/capture_writer.h"

namespace plastiscope {

// The tokens of all examples, and the words of those that occur. Nothing when they are not wanted, or the
// model has no tokenizer that this program reads: then the examples came as token ids.
std::optional<StoredTexts> storedTextsOf(const CaptureRequest& request, const CaptureSetup& setup);
// Whether storedTextsOf() will give any.
bool storesTexts(const CaptureRequest& request, const CaptureSetup& setup);

}  // namespace plastiscope
