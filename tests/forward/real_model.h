#pragma once
// Real models that are too large for the repository: their test data are in tests/data/forward; without the
// weights the test is skipped.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace plastiscope::testing_support {

struct RealModel {
  std::string data;        // "smollm2": data/smollm2.json, smollm2_reference.f32, smollm2_tokens.*
  std::string variable;    // environment variable that may name the file
  std::string fileName;    // in build/models
  std::size_t tokenBytes;  // per token in the token file
};

// The path of the weights, or "" when they are missing.
std::filesystem::path weightsOf(const RealModel& model);
Json factsOf(const RealModel& model);
std::vector<std::int32_t> tokensOf(const RealModel& model, std::size_t count);

// Runs all layers in float32 and compares every query and key at the recorded positions with those of
// transformers; prints the largest relative error of each layer and expects at most `limit`.
void expectTransformersVectors(const RealModel& model, double limit);

}  // namespace plastiscope::testing_support
