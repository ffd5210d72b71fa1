#pragma once
// Captures with a share of the examples (resources/help/many-machines.md): their settings are those of the
// complete capture plus "part": "I/N".
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/capture/capture_part.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// In the settings of a capture: sentences about unusual tokens of its texts.
inline constexpr const char* kTokenWarnings = "token_warnings";

// Nothing when the file is a whole capture.
std::optional<CapturePart> partOf(const Json& settings);
// Examples of the whole that settings speak of; -1 when they do not say.
std::int64_t examplesOfWhole(const Json& settings);
// Whether they are those of a look at a running capture (capture_snapshot.h).
bool isSnapshot(const Json& settings);
// "part 1 of 4, 10 of 40 texts"; "" when the file is a whole capture.
std::string partText(const CaptureInfo& info);
// A sentence for those who take the part for the whole; "" likewise.
std::string partWarning(const CaptureInfo& info);
void warnOfPart(const CaptureInfo& info, Progress& progress);

// The settings of a part of a whole with these settings, and back.
Json partSettings(Json settings, CapturePart part);
Json wholeSettings(Json settings);

// One digest of all examples in order: ids, seeds and cut tokens. The settings of a capture hold that of the
// whole as `examples_sha256`.
std::string digestOfExamples(const std::vector<CaptureExampleInfo>& examples);

// "" when there are as many examples as the settings say, and those of a whole capture are the ones that they
// name; else what is wrong.
std::string wrongExamples(const CaptureInfo& info);

}  // namespace plastiscope
