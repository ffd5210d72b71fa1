// Behaviour of the runner: choice of rows, order, the last layer, stopping, refusals.
#include <ATen/Context.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "tests/forward/golden_cases.h"

namespace plastiscope {

using namespace testing_support;
using testing::AllOf;
using testing::HasSubstr;

namespace {

ForwardOptions inFloat32() {
  ForwardOptions options;
  options.device = testDevice();
  options.dtype = "float32";
  options.threads = 2;
  return options;
}

// The message of the error of type E that `work` throws.
template <typename E, typename Work>
std::string messageOf(Work&& work) {
  try {
    work();
  } catch (const E& error) {
    return error.what();
  }
  return "nothing was thrown";
}

class StoppingProgress : public Progress {
 public:
  explicit StoppingProgress(int after) : m_left(after) {}
  bool stopRequested() const override {
    ++asked;
    return asked > m_left;
  }
  mutable int asked = 0;

 private:
  int m_left;
};

}  // namespace

TEST(Runner, GivesTheChosenHeadsAndPositionsInOrder) {
  const auto model = openGolden(goldenCase("default_new"));
  const std::vector<TokenSequence> text{{0, goldenTokens(2500)}};
  std::vector<std::int32_t> every(2500);
  for (std::size_t i = 0; i < every.size(); ++i) every[i] = static_cast<std::int32_t>(i);
  KeepingSink all(model->spec, every, {CapturePoint::PostRope, CapturePoint::PreRope});
  runGroup(model, text, all, inFloat32());
  KeepingSink some(model->spec, {}, {CapturePoint::PostRope, CapturePoint::PreRope});
  some.chosenHeads = {{QueryOrKey::Query, {1, 3}}, {QueryOrKey::Key, {1}}};
  some.chosenPositions = {{QueryOrKey::Query, {0, 2047, 2048, 2499}}, {QueryOrKey::Key, {5, 2200}}};
  runGroup(model, text, some, inFloat32());

  ASSERT_EQ(some.rows.size(), all.rows.size());
  const auto width = static_cast<std::size_t>(model->spec.headDim);
  for (const auto& [key, rows] : some.rows) {
    std::vector<float> expected;
    for (const auto head : some.chosenHeads[key.kind]) {
      for (const auto position : some.chosenPositions[key.kind]) {
        const auto first =
            all.rows.at(key).begin() +
            static_cast<std::ptrdiff_t>(
                (static_cast<std::size_t>(head) * every.size() + static_cast<std::size_t>(position)) * width);
        expected.insert(expected.end(), first, first + static_cast<std::ptrdiff_t>(width));
      }
    }
    // The last two layers compute only the requested rows, and products of fewer rows round differently.
    if (key.layer < model->spec.layerCount - 2) {
      EXPECT_EQ(rows, expected);
    }
    EXPECT_LT(largestRelativeError(rows, expected, model->spec.headDim), 2e-6);
  }
}

TEST(Runner, DeliversNothingForAnEmptyChoice) {
  const auto model = openGolden(goldenCase("default_new"));
  KeepingSink sink(model->spec, {3}, {CapturePoint::PostRope});
  sink.chosenHeads = {{QueryOrKey::Query, {}}};
  runGroup(model, {{0, goldenTokens(20)}}, sink, inFloat32());
  EXPECT_EQ(sink.rows.size(), 3U);
  for (const auto& [key, rows] : sink.rows) EXPECT_EQ(key.kind, QueryOrKey::Key);
}

TEST(Runner, GoesLayerByLayerAndStopsAfterTheLastOne) {
  SKIP_WHERE_ROWS_DECIDE_BITS();
  const auto model = openGolden(goldenCase("default_new"));
  const std::vector<TokenSequence> group{{4, goldenTokens(700)}, {9, goldenTokens(30)}};
  KeepingSink full(model->spec, {0, 29}, {CapturePoint::PostRope}),
      part(model->spec, {0, 29}, {CapturePoint::PostRope});
  runGroup(model, group, full, inFloat32());
  runGroup(model, group, part, inFloat32(), 1);
  EXPECT_TRUE(std::is_sorted(full.order.begin(), full.order.end(),
                             [](const RowKey& a, const RowKey& b) { return a.layer < b.layer; }));
  EXPECT_EQ(part.order.back().layer, 1);
  EXPECT_EQ(part.rows.size(), 2U * 2 * 2);
  for (const auto& [key, rows] : part.rows)
    EXPECT_EQ(rows, full.rows.at(key));  // the last layer's operands alone
}

TEST(Runner, ReportsTheWorkItPredicted) {
  const auto model = openGolden(goldenCase("window"));
  const ForwardOptions options = inFloat32();
  for (const std::int64_t last : {0, 2}) {
    KeepingSink sink(model->spec, {0}, {CapturePoint::PostRope});
    struct Counting : GroupWatch {
      double flops = 0;
      void stepDone(double work, const std::function<GroupState()>&) override { flops += work; }
    } counting;
    Progress progress;
    makeForwardRunner(model, last, options)
        ->run({{0, goldenTokens(2600)}, {1, goldenTokens(10)}}, sink, progress, counting);
    EXPECT_NEAR(counting.flops / groupFlops(model->spec, {{2600, 1}, {10, 1}}, last), 1, 1e-12);
  }
}

// 4 h d per pair of a query and a key it sees, 2 per multiplied weight: counted here by loops.
TEST(Runner, CountsFloatingPointOperations) {
  auto spec = openGolden(goldenCase("default_new"))->spec;
  spec.layers[1].window = 7;
  const double linear = 2.0 * (32 * 64 + 2 * 32 * 32 + 64 * 32 + 3 * 32 * 48);
  double expected = 2.0 * 20 * (32 * 64 + 32 * 32);  // queries and keys of the last layer
  for (const int window : {1000, 7}) {
    for (int query = 0; query < 20; ++query) {
      expected += linear;
      for (int key = 0; key <= query; ++key) expected += query - key < window ? 4.0 * 4 * 16 : 0;
    }
  }
  EXPECT_DOUBLE_EQ(groupFlops(spec, {20}, 2), expected);
}

TEST(Runner, StopsWhenAsked) {
  const auto model = openGolden(goldenCase("default_new"));
  const std::vector<TokenSequence> text{{0, goldenTokens(5000)}};
  ForwardOptions options = inFloat32();
  options.queryChunk = 1024;
  const auto runner = makeForwardRunner(model, 2, options);
  KeepingSink sink(model->spec, {0}, {CapturePoint::PostRope});
  StoppingProgress patient(1'000'000);
  GroupWatch nobody;
  runner->run(text, sink, patient, nobody);
  EXPECT_GE(patient.asked, 3 * 5);  // at least once per layer and chunk
  for (const int after : {0, 3, patient.asked - 1}) {
    StoppingProgress hasty(after);
    EXPECT_THROW(runner->run(text, sink, hasty, nobody), Stopped);
  }
}

TEST(Runner, GivesTheSameBitsWhenItReadsAhead) {
  const auto model = openGolden(goldenCase("default_new"));
  const std::vector<TokenSequence> texts{{0, goldenTokens(1500)}, {1, goldenTokens(1500)}};
  KeepingSink ahead(model->spec, {0, 39, 1499}, {CapturePoint::PostRope});
  KeepingSink after(model->spec, {0, 39, 1499}, {CapturePoint::PostRope});
  ForwardOptions options = inFloat32();
  runGroup(model, texts, ahead, options);
  options.readAhead = false;
  runGroup(model, texts, after, options);
  EXPECT_FALSE(ahead.rows.empty());
  EXPECT_TRUE(ahead.rows == after.rows);
}

// The file is truncated after the model was opened: the first layers are still readable.
TEST(Runner, ReportsErrorsOfALayerThatIsReadAhead) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "cut_model";
  fs::remove_all(folder);
  fs::copy(fs::path(PLASTISCOPE_TEST_DATA) / "families" / "mistral", folder);
  const auto model = openModel(folder);
  const std::int64_t last = model->spec.layerCount - 1;
  ASSERT_GT(last, 0);
  const TensorInfo& query = model->layers.back().at(TensorRole::Query).info;
  fs::resize_file(folder / "model.safetensors", query.offset + 1);
  KeepingSink sink(model->spec, {0, 39}, {CapturePoint::PostRope});
  EXPECT_THAT(messageOf<InputError>([&] {
                runGroup(model, {{0, goldenTokens(40)}}, sink, inFloat32());
              }),
              AllOf(HasSubstr("model.safetensors"), HasSubstr("byte " + std::to_string(query.offset + 1)),
                    HasSubstr("cut short")));
  EXPECT_FALSE(sink.rows.empty());
  EXPECT_LT(sink.rows.rbegin()->first.layer, last);
}

TEST(Runner, AcceptsEmptyTextsAndGroups) {
  const auto model = openGolden(goldenCase("default_new"));
  KeepingSink sink(model->spec, {}, {CapturePoint::PostRope});
  runGroup(model, {}, sink, inFloat32());
  runGroup(model, {{0, {}}}, sink, inFloat32());
  EXPECT_TRUE(sink.rows.empty());
}

TEST(Runner, RefusesTokensOutsideTheVocabulary) {
  const auto model = openGolden(goldenCase("default_new"));
  KeepingSink sink(model->spec, {0}, {CapturePoint::PostRope});
  for (const std::int32_t token : {97, -1, 2'000'000'000}) {
    EXPECT_THAT(messageOf<InputError>([&] {
                  runGroup(model, {{0, {1, token}}}, sink, inFloat32());
                }),
                AllOf(HasSubstr("token " + std::to_string(token)), HasSubstr("vocabulary of 97")));
  }
}

TEST(Runner, RefusesTooLargeRunsBeforeTheyStart) {
  const auto model = openGolden(goldenCase("default_new"));
  auto huge = std::make_shared<Model>(*model);
  for (LayerSpec& layer : huge->spec.layers) layer.intermediate = std::int64_t{1} << 40;
  KeepingSink sink(model->spec, {0}, {CapturePoint::PostRope});
  EXPECT_THAT(messageOf<ResourceError>([&] {
                runGroup(huge, {{0, {1, 2}}}, sink, inFloat32());
              }),
              AllOf(HasSubstr("needs"), HasSubstr("are free"), HasSubstr("shorter window")));
}

TEST(Runner, RefusesUnknownDevicesTypesAndLayers) {
  const auto model = openGolden(goldenCase("default_new"));
  const auto tryWith = [&](const std::string& device, const std::string& dtype, std::int64_t last) {
    ForwardOptions options;
    options.device = device;
    options.dtype = dtype;
    return messageOf<UsageError>([&] { makeForwardRunner(model, last, options); });
  };
  EXPECT_THAT(tryWith("gpu", "auto", 0), HasSubstr("unknown device \"gpu\"; known: auto, cpu, cuda, cuda:N"));
  EXPECT_THAT(tryWith("cuda:99", "auto", 0), HasSubstr("device \"cuda:99\" is not available"));
  if (!at::globalContext().hasCUDART()) {
    EXPECT_THAT(tryWith("cuda", "auto", 0), AllOf(HasSubstr("the libtorch of this build has no CUDA"),
                                                  HasSubstr("PLASTISCOPE_TORCH=.../site-packages/torch")));
  }
  EXPECT_THAT(tryWith("cpu", "float8", 0), HasSubstr("unknown compute type \"float8\""));
  EXPECT_THAT(tryWith("cpu", "float32", 3), HasSubstr("layer 3 is not one of the model's 3 layers"));
  EXPECT_THAT(tryWith("cpu", "float32", -1), HasSubstr("layer -1"));
}

TEST(Runner, AutomaticTypeFollowsTheWeightsAndTheComputer) {
  ForwardOptions options;
  options.device = "cpu";
  const auto typeOf = [&](const char* name) {
    return resolveDevice(*openGolden(goldenCase(name)), options).dtype;
  };
#if defined(__x86_64__)
  const bool fast = __builtin_cpu_supports("avx512bf16") || __builtin_cpu_supports("amx-bf16");
#else
  const bool fast = false;
#endif
  EXPECT_EQ(typeOf("default_new"), fast ? "bfloat16" : "float32");  // BF16 weights
  EXPECT_EQ(typeOf("llama3.gguf"), "float32");
  options.dtype = "float16";
  EXPECT_EQ(typeOf("llama3.gguf"), "float16");
}

}  // namespace plastiscope
