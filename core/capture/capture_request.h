#pragma once
// A capture request with its defaults, and its options. Command line, help, completions, stored files, the
// printed command and the capture dialog are made from this list. To add an option: its member here, its
// entry in capture_request.cpp.
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/option.h"
#include "core/capture/capture_part.h"
#include "core/forward/forward_engine.h"
#include "core/text/corpus.h"

namespace plastiscope {

inline constexpr const char* kAllHeads = "all";  // for --dense: every head chosen by --heads

// Whether vectors are taken before RoPE, after it, or both.
enum class CapturePoints { PostRope, PreRope, Both };
constexpr std::array<const char*, 3> namesOf(CapturePoints) {
  return {"post-rope", "pre-rope", "both"};
}
enum class StoredFormat { Float16, Float32 };
constexpr std::array<const char*, 2> namesOf(StoredFormat) {
  return {"float16", "float32"};
}

// The settings that the captured data depend on.
struct CapturePlan {
  std::int64_t window = 0;          // tokens; 0 = longest example, at most the model's context
  std::string sampler = "uniform";  // a name of the sampler list
  std::int64_t bucketSize = 0;      // 0 = max(1, window / 16)
  double rate = 1;                  // expected rows per bucket and example
  std::optional<std::uint64_t> sampleSeed;
  std::string heads = "300";  // count, "all", "stratified:N", or "L12H6,L3H0-7"
  std::uint64_t headSeed = 0;
  std::string dense;  // chosen heads also kept at every position, "L12H6,L3H0-7"; "" = none
  bool loss = false;  // also store the loss of every token
  bool allLayers = false;
  bool authorParity = true;
  CapturePoints point = CapturePoints::PostRope;
  bool paired = false;
  StoredFormat store = StoredFormat::Float16;
  std::string dtype = "auto", device = "auto";
  JsonValue ropeOverride;  // null = none
  // Interventions on query heads, as "L12H6,L3H0-7"; "" = none.
  std::string ablate;     // their output is zero
  std::string clampBias;  // their keys lose their drift along the position axis

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
  std::filesystem::path clampFrom;  // analysis with axis and slope for the heads of plan.clampBias
  std::filesystem::path out;
  EngineKind engine = EngineKind::Auto;
  std::string python;  // program that runs the engine transformers; "": the first one found with transformers
  int threads = 0;
  std::uint64_t memoryLimit = 0;  // bytes; 0 = 80 % of the free memory; stored in whole MiB
  CapturePart part;               // part of the examples; window and settings are those of the whole
  bool fresh = false;             // discard unfinished work of the same output
  bool followLinks = false;       // accept model shards that are symbolic links of other users
  bool storeTexts = true;         // token ids and their texts
  bool probe = true;              // also score a sequence of repeated random tokens
  // Seconds of work between checkpoints of unfinished examples. Not set: 20, or more if writing would take
  // over 2 % of the time.
  std::optional<double> checkpointSeconds;

  // JSON for the folder of unfinished work and the window's session; contains all that resuming needs.
  Json toJson() const;
  // Members that are missing, as in files of older versions, keep their defaults. InputError or UsageError if
  // the value is not valid.
  static CaptureRequest fromJson(const Json& value);
  // The settings that differ from the defaults, as arguments of `plastiscope-cli capture`.
  std::vector<std::string> arguments() const;
};

// Options in the order of the help.
OptionList captureOptions(CaptureRequest& request);

}  // namespace plastiscope
