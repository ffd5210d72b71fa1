// Heads captured at every position beside the sampled rows, which they do not change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

#include "core/forward/forward.h"
#include "core/model/model.h"
#include "tests/forward/golden_cases.h"

namespace plastiscope::testing_support {
namespace {

constexpr std::int64_t kDenseTokens = 2200, kDenseHead = 1;
// Rows from two chunks, few enough that single rows are computed.
const std::vector<std::int32_t> kSampled = {0, 3, 700, 1023, 1024, 1500, 2047, 2048, 2100, 2199};

// The sampled rows of all heads, and one head of a layer at every position.
class DenseSink : public KeepingSink {
 public:
  DenseSink(const ModelSpec& spec, std::int64_t layer)
      : KeepingSink(spec, kSampled, {CapturePoint::PostRope}), m_layer(layer) {}
  std::vector<std::int32_t> denseHeads(std::int64_t layer, QueryOrKey kind) const override {
    if (layer != m_layer) return {};
    return {kind == QueryOrKey::Query ? static_cast<std::int32_t>(kDenseHead) : 0};
  }
  bool wantsDense(CapturePoint point) const override { return point == CapturePoint::PostRope; }
  void takeDense(std::int64_t layer, QueryOrKey kind, std::int64_t, std::span<const float> vectors) override {
    EXPECT_EQ(layer, m_layer);
    dense[kind].assign(vectors.begin(), vectors.end());
  }
  std::map<QueryOrKey, std::vector<float>> dense;

 private:
  std::int64_t m_layer;
};

ForwardOptions howTo(const std::string& dtype) {
  ForwardOptions options;
  options.device = testDevice();
  options.dtype = dtype;
  options.threads = 2;
  options.queryChunk = 1024;
  return options;
}

class DenseRowsOf : public testing::TestWithParam<const char*> {};

// Holds for dense heads in every layer, so that tests of sampled rows hold for captures with dense heads too.
TEST_P(DenseRowsOf, DoNotChangeTheSampledRows) {
  const auto model = openModel(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "families" / GetParam());
  const std::vector<TokenSequence> texts = {{0, goldenTokens(kDenseTokens)}};
  for (const std::string dtype : {"float32", "bfloat16"}) {
    KeepingSink plain(model->spec, kSampled, {CapturePoint::PostRope});
    runGroup(model, texts, plain, howTo(dtype));
    for (std::int64_t layer = 0; layer < model->spec.layerCount; ++layer) {
      if (!model->spec.layer(layer).hasVectors()) continue;
      DenseSink sink(model->spec, layer);
      runGroup(model, texts, sink, howTo(dtype));
      EXPECT_TRUE(sink.rows == plain.rows) << dtype << " layer " << layer;
      const auto width = static_cast<std::size_t>(model->spec.layer(layer).headDim);
      for (const auto kind : {QueryOrKey::Query, QueryOrKey::Key}) {
        const std::vector<float>& dense = sink.dense[kind];
        ASSERT_EQ(dense.size(), static_cast<std::size_t>(kDenseTokens) * width);
        const std::vector<float>& sampled = plain.rows.at({layer, kind, CapturePoint::PostRope, 0});
        const std::size_t head = kind == QueryOrKey::Query ? kDenseHead : 0;
        for (std::size_t row = 0; row < kSampled.size(); ++row) {
          const auto at = static_cast<std::ptrdiff_t>((head * kSampled.size() + row) * width);
          const auto there = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(kSampled[row]) * width);
          EXPECT_TRUE(std::equal(dense.begin() + there, dense.begin() + there + std::ptrdiff_t(width),
                                 sampled.begin() + at))
              << dtype << " layer " << layer << " position " << kSampled[row];
        }
      }
    }
  }
}

// Compares with a capture that samples every position.
TEST_P(DenseRowsOf, EqualACaptureOfEveryPosition) {
  const auto model = openModel(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "families" / GetParam());
  const std::vector<TokenSequence> texts = {{0, goldenTokens(kDenseTokens)}};
  std::vector<std::int32_t> every(static_cast<std::size_t>(kDenseTokens));
  std::iota(every.begin(), every.end(), 0);
  KeepingSink all(model->spec, every, {CapturePoint::PostRope});
  runGroup(model, texts, all, howTo("float32"));
  for (std::int64_t layer = 0; layer < model->spec.layerCount; ++layer) {
    if (!model->spec.layer(layer).hasVectors()) continue;
    DenseSink sink(model->spec, layer);
    runGroup(model, texts, sink, howTo("float32"));
    const std::int64_t width = model->spec.layer(layer).headDim;
    for (const auto kind : {QueryOrKey::Query, QueryOrKey::Key}) {
      const std::vector<float>& rows = all.rows.at({layer, kind, CapturePoint::PostRope, 0});
      const auto numbers = static_cast<std::size_t>(kDenseTokens * width);
      const std::size_t from = kind == QueryOrKey::Query ? kDenseHead * numbers : 0;
      EXPECT_LT(largestRelativeError(sink.dense[kind], std::span(rows).subspan(from, numbers), width), 1e-5)
          << layer;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, DenseRowsOf,
                         testing::Values("gemma2", "gpt_oss", "olmo2", "qwen3_next", "granitemoehybrid"));

}  // namespace
}  // namespace plastiscope::testing_support
