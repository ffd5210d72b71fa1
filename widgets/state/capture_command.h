#pragma once
// The command line of a capture, and what the window proposes for one.
#include <QStringList>
#include <string>

#include "core/capture/capture_request.h"

namespace plastiscope {

// Arguments after `plastiscope-cli capture`; options that have their default value are left out.
QStringList captureArguments(const CaptureRequest& request);
// What a child process gets: `capture`, these arguments, and all texts also where the window runs inside a
// cluster's job.
QStringList captureChildArguments(const QStringList& arguments);
// The command for a shell.
QString captureCommandText(const CaptureRequest& request);

// "SmolLM2-135M-Instruct" and "licences", 4096 -> "smollm2-135m-instruct licences 4k.h5"; no characters that
// file systems refuse.
std::string suggestedCaptureName(const std::string& model, const std::string& texts, std::int64_t window);
// The smallest whole rate that gives each head some two thousand rows, at least 1 and at most every token.
double suggestedRate(std::int64_t tokensAfterCut, std::int64_t bucketSize);
// 4096 -> "4k", 131072 -> "128k", 5000 -> "5000".
std::string windowText(std::int64_t tokens);

}  // namespace plastiscope
