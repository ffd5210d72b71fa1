#pragma once
// Parts of a capture, with some of its examples, and how they are joined (resources/help/many-machines.md).
// The settings of a part are those of the complete capture plus "part": "I/N".
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/capture/capture_part.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// Key in a capture's settings for warnings about unusual tokens in its texts.
inline constexpr const char* kTokenWarnings = "token_warnings";

// The part that the settings name; nothing for a complete capture.
std::optional<CapturePart> partOf(const Json& settings);
// Number of examples of the complete capture; -1 if the settings do not state it.
std::int64_t examplesOfWhole(const Json& settings);
// Whether the settings belong to a snapshot of a running capture.
bool isSnapshot(const Json& settings);
// "part 1 of 4, 10 of 40 texts"; "" for a complete capture.
std::string partText(const CaptureInfo& info);
// Warning that the file is only a part; "" for a complete capture.
std::string partWarning(const CaptureInfo& info);
void warnOfPart(const CaptureInfo& info, Progress& progress);

// Adds and removes the part in the settings of a capture.
Json partSettings(Json settings, CapturePart part);
Json wholeSettings(Json settings);

// Digest of all examples in order: ids, seeds and cut tokens. Stored for the complete capture as
// `examples_sha256` in its settings.
std::string digestOfExamples(const std::vector<CaptureExampleInfo>& examples);

// Error message if the number of examples differs from the settings or, for a complete capture, their digest
// does; else "".
std::string wrongExamples(const CaptureInfo& info);

// ---- Joins the parts into the capture that one machine would have written.

enum class MergeOutcome { Merged, WasMerged };

// Accepts the parts in any order; a complete capture counts as a single part. Only `created` differs from the
// capture of one machine. Copies block by block, without holding the vectors in memory. Does nothing if `out`
// is that capture already; UsageError if it is another one, unless `fresh`. InputError names parts with
// different settings, and repeated, missing or damaged parts.
MergeOutcome mergeCaptures(const std::vector<std::filesystem::path>& parts, const std::filesystem::path& out,
                           bool fresh, Progress& progress);

}  // namespace plastiscope
