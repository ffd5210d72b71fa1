#pragma once
// What the capture dialog is filled with: a plain value, and the command line that does the same.
#include <QStringList>
#include <filesystem>
#include <string>
#include <vector>

#include "core/capture/capture_plan.h"
#include "core/text/corpus.h"

namespace plastiscope {

struct CaptureDraft {
  std::filesystem::path model;  // folder or .gguf file
  CorpusOptions corpus;         // which texts
  CapturePlan plan;
  std::filesystem::path clampFrom;  // the analysis that says how the keys of plan.clampBias drift
  std::int64_t memoryLimit = 0;     // MiB; 0 = 80 % of what is free
  std::filesystem::path out;
  bool fresh = false;  // discard unfinished work of the same output

  Json toJson() const;
  static CaptureDraft fromJson(const Json& value);  // InputError, UsageError when it is not understood
};

// Arguments after `plastiscope-cli capture`; options that have their default value are left out.
QStringList captureArguments(const CaptureDraft& draft);
// The same for a shell: quoted where needed, broken into lines with backslashes.
QString captureCommandText(const CaptureDraft& draft);
// Quotes one argument for a POSIX shell when it needs it.
QString shellQuoted(const QString& argument);

// "SmolLM2-135M-Instruct" and "licences", 4096 -> "smollm2-135m-instruct licences 4k.h5"; no characters that
// file systems refuse.
std::string suggestedCaptureName(const std::string& model, const std::string& texts, std::int64_t window);
// The smallest whole rate that gives each head some two thousand rows, at least 1 and at most every token.
double suggestedRate(std::int64_t tokensAfterCut, std::int64_t bucketSize);
// 4096 -> "4k", 131072 -> "128k", 5000 -> "5000".
std::string windowText(std::int64_t tokens);

}  // namespace plastiscope
