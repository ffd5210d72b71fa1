// Compares the memory of a run with its prediction. The peak covers the whole life of a process, so these
// cases have their own program, and each runs in its own process (SHARDS 3).
#include <gtest/gtest.h>

#include "tests/forward/golden_cases.h"
#include "tests/support/peak_memory.h"
#include "tests/support/sanitized.h"

namespace plastiscope {

using namespace testing_support;

namespace {

class RunnerMemory : public testing::TestWithParam<const char*> {};

// A full score matrix of this text would be 2.3 GB for one head.
TEST_P(RunnerMemory, StaysBelowThePrediction) {
  SKIP_WHERE_MEMORY_IS_THE_SANITIZERS();
  const std::string name = GetParam();
  const auto model = name.starts_with("gemma")  // gemma2 has capped scores, gemma3n several streams
                         ? openModel(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "families" / name)
                         : openGolden(goldenCase(name));
  const std::int64_t last = model->spec.layerCount - 1;
  KeepingSink sink(model->spec, {0, 23999}, {CapturePoint::PostRope});
  ForwardOptions options;
  options.device = "cpu";
  options.dtype = "float32";
  options.threads = 2;
  runGroup(model, {{0, goldenTokens(24000)}}, sink, options);
  const auto need =
      forwardMemory(model->spec, {24000, 24000}, last, resolveDevice(*model, options), options).peakBytes;
  EXPECT_LT(need, 300'000'000U);
  EXPECT_LE(peakResidentBytes(), need);
}

INSTANTIATE_TEST_SUITE_P(Models, RunnerMemory, testing::Values("default_old", "gemma2", "gemma3n_full"));

}  // namespace
}  // namespace plastiscope
