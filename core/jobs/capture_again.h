#pragma once
// A capture that is made again with a head changed: the same model, texts, positions and heads, so that both
// can be compared.
#include <filesystem>
#include <string>

#include "core/capture/capture_request.h"
#include "core/capture/head_list.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// What captures the texts of `origin` again with the output of `head` set to zero, into `out`. The model's
// place is left to the caller; the texts come from the file `tokens`, which writeTokensOf() makes. UsageError
// where the capture does not say all that it takes: a part or a snapshot, an import, one without its texts or
// with clamped heads.
CaptureRequest withoutHead(const CaptureFile& origin, HeadName head, const std::filesystem::path& tokens,
                           const std::filesystem::path& out);

// The tokens of its texts with their ids, as --tokens reads them: atomically. InputError, ResourceError.
void writeTokensOf(const CaptureFile& capture, const std::filesystem::path& file);

// "The loss goes from 4.7123 to 4.7301 nats a token (+0.0178), ..., of passages seen before from ..."; ""
// where one of them has no losses. InputError.
std::string lossEffect(const CaptureFile& before, const CaptureFile& after);

// "study.h5" -> "study.without-L12H6.h5", beside it.
std::filesystem::path fileWithoutHead(const std::filesystem::path& capture, HeadName head);

}  // namespace plastiscope
