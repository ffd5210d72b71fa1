#pragma once
// What a capture is asked for, as a plain value that files can keep: the window's list of begun captures, and
// the folder of unfinished work, so that whoever finds it can go on.
#include <filesystem>

#include "core/capture/capture_plan.h"
#include "core/text/corpus.h"

namespace plastiscope {

struct CaptureDraft {
  std::filesystem::path model;   // folder or .gguf file
  CorpusOptions corpus;          // which texts, or
  std::filesystem::path tokens;  // a token file
  CapturePlan plan;
  std::filesystem::path clampFrom;  // the analysis that says how the keys of plan.clampBias drift
  std::int64_t memoryLimit = 0;     // MiB; 0 = 80 % of what is free
  std::filesystem::path out;
  std::string part;        // "1/4" of the texts; "" = all
  bool fresh = false;      // discard unfinished work of the same output
  bool storeTexts = true;  // tokens and their words, beside the vectors

  Json toJson() const;
  // What versions before this one did not write keeps its default. InputError, UsageError when it is not
  // understood.
  static CaptureDraft fromJson(const Json& value);
};

}  // namespace plastiscope
