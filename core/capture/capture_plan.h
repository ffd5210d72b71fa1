#pragma once
// Everything that decides what a capture holds. Plain values with defaults, JSON in and out
// (contract.md 1.3).
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json_value.h"

namespace plastiscope {

struct CapturePlan {
  std::int64_t window = 0;          // tokens; 0 = longest example, at most the model's context
  std::string sampler = "uniform";  // a name of the sampler list
  std::int64_t bucketSize = 0;      // 0 = max(1, window / 16)
  double rate = 1;                  // expected rows per bucket and example
  std::optional<std::uint64_t> sampleSeed;
  std::string heads = "300";  // count, "all", "stratified:N", or "L12H6,L3H0-7"
  std::uint64_t headSeed = 0;
  bool allLayers = false;
  bool authorParity = true;
  std::string point = "post-rope";  // post-rope, pre-rope, both
  bool paired = false;
  std::string store = "float16";  // or float32
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

// One example after cutting: what is captured.
struct CaptureExample {
  std::string id;
  std::int64_t seedId = 0;  // method.md 1.3
  std::vector<std::int32_t> tokens;
};

}  // namespace plastiscope
