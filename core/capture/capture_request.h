#pragma once
// A capture request: a plain value with defaults, and the list of its options, from which the command line,
// its help and completions, the stored files, the printed command and the capture dialog are made. To add an
// option: its member here, its entry in capture_request.cpp.
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/option.h"
#include "core/capture/capture_part.h"
#include "core/text/corpus.h"

namespace plastiscope {

inline constexpr const char* kAllHeads = "all";  // of --dense: those that --heads chooses

// Where vectors are taken.
enum class CapturePoints { PostRope, PreRope, Both };
constexpr std::array<const char*, 3> namesOf(CapturePoints) {
  return {"post-rope", "pre-rope", "both"};
}
enum class StoredFormat { Float16, Float32 };
constexpr std::array<const char*, 2> namesOf(StoredFormat) {
  return {"float16", "float32"};
}

// What decides the data.
struct CapturePlan {
  std::int64_t window = 0;          // tokens; 0 = longest example, at most the model's context
  std::string sampler = "uniform";  // a name of the sampler list
  std::int64_t bucketSize = 0;      // 0 = max(1, window / 16)
  double rate = 1;                  // expected rows per bucket and example
  std::optional<std::uint64_t> sampleSeed;
  std::string heads = "300";  // count, "all", "stratified:N", or "L12H6,L3H0-7"
  std::uint64_t headSeed = 0;
  std::string dense;  // those of them that are kept at every position too, as "L12H6,L3H0-7"; "" = none
  bool loss = false;  // also how surprised the model is by each token
  bool allLayers = false;
  bool authorParity = true;
  CapturePoints point = CapturePoints::PostRope;
  bool paired = false;
  StoredFormat store = StoredFormat::Float16;
  std::string dtype = "auto", device = "auto";
  JsonValue ropeOverride;  // null = none
  // Query heads that are changed on purpose, as "L12H6,L3H0-7"; "" = none.
  std::string ablate;     // their output is zero
  std::string clampBias;  // the keys they see do not drift along the position axis

  Json toJson() const;
  // UsageError for unknown values; names the nearest known one.
  static CapturePlan fromJson(const Json& value);
  void validate() const;
};

struct CaptureRequest {
  std::filesystem::path model;      // folder, .gguf file or cached name
  CorpusOptions corpus;             // texts, or
  std::filesystem::path tokens;     // a token file
  std::filesystem::path tokenizer;  // "": the model's own
  CapturePlan plan;
  std::filesystem::path clampFrom;  // the analysis that says how the keys of plan.clampBias drift
  std::filesystem::path out;
  int threads = 0;
  std::uint64_t memoryLimit = 0;  // bytes; 0 = 80 % of what is free. Kept in whole MiB
  CapturePart part;               // of the examples; the window and the settings are those of all
  bool fresh = false;             // discard unfinished work of the same output
  bool followLinks = false;       // shards that are links of other users
  bool storeTexts = true;         // tokens and their words, beside the vectors
  // Seconds of work after which texts that are half done are made durable; none: 20, and more where writing
  // would cost more than 2 % of the time.
  std::optional<double> checkpointSeconds;

  // As the folder of unfinished work and the window keep it, so that whoever finds it can go on.
  Json toJson() const;
  // What versions before this one did not write keeps its default. InputError, UsageError when it is not
  // understood.
  static CaptureRequest fromJson(const Json& value);
  // What differs from the defaults, as arguments of `plastiscope-cli capture`.
  std::vector<std::string> arguments() const;
};

// In the order of the help.
OptionList captureOptions(CaptureRequest& request);

}  // namespace plastiscope
