// Only requested rows are computed: the attention of single rows, the results of a capture of few rows, and
// its amount of work.
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include "core/forward/attention.h"
#include "core/forward/row_blocks.h"
#include "core/forward/work_meter.h"
#include "tests/forward/golden_cases.h"

namespace plastiscope {

using namespace testing_support;

namespace {

const std::vector<std::int32_t> kFew{0, 1, 700, 1023, 1024, 1030, 1500, 2047, 2048, 2600, 2999};
constexpr std::int64_t kTokens = 3000;

ForwardOptions options(const std::string& dtype, int threads = 2, std::int64_t chunk = 2048) {
  ForwardOptions options;
  options.device = testDevice();
  options.dtype = dtype;
  options.threads = threads;
  options.queryChunk = chunk;
  return options;
}

using Rows = std::map<RowKey, std::vector<float>>;

Rows capture(const std::shared_ptr<const Model>& model, const std::vector<std::int32_t>& positions,
             const ForwardOptions& how) {
  KeepingSink sink(model->spec, positions, {CapturePoint::PostRope, CapturePoint::PreRope});
  runGroup(model, {{0, goldenTokens(kTokens)}}, sink, how);
  return sink.rows;
}

// Selects the rows at `kFew` from those at all positions.
std::vector<float> fewOf(const std::vector<float>& all, std::size_t width) {
  std::vector<float> few;
  const auto tokens = static_cast<std::size_t>(kTokens);
  for (std::size_t head = 0; head < all.size() / (tokens * width); ++head) {
    for (const std::int32_t position : kFew) {
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(
                                           (head * tokens + static_cast<std::size_t>(position)) * width);
      few.insert(few.end(), first, first + static_cast<std::ptrdiff_t>(width));
    }
  }
  return few;
}

}  // namespace

// Our kernels give equal bits; float16 does not use them.
TEST(ReadRows, AttentionOfSingleRowsEqualsThatOfAllRows) {
  const ReadRows rows = ReadRows::list(kFew);
  const std::function<void()> nothing = [] {};
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf}) {
    at::manual_seed(3);
    const at::Tensor query = at::randn({kTokens, 6, 8}).to(type), keys = at::randn({2, kTokens, 8}).to(type);
    const at::Tensor values = at::randn({2, kTokens, 8}).to(type), sinks = at::randn({6});
    for (const std::int64_t window : {0, 1, 300, 1024, 1100}) {
      for (const bool chunked : {false, true}) {
        for (const double softcap : {0.0, 1.5}) {
          for (const bool sunk : {false, true}) {
            const AttentionRule rule{0.4, window, chunked && window > 1, softcap,
                                     sunk ? sinks : at::Tensor()};
            const at::Tensor all = rows.rowsOf(causalAttention({query, 0, keys, values, rule, nothing}));
            const at::Tensor few =
                causalAttention({rows.rowsOf(query), 0, keys, values, rule, nothing, rows.listed()});
            const double difference = few.sub(all).abs().max().item<double>();
            EXPECT_LE(difference, type == at::kHalf ? 2e-3 : 0)
                << type << window << chunked << softcap << sunk;
          }
        }
      }
    }
  }
}

// Equal to a run of all rows, up to the rounding of products of fewer rows.
class ReadRowsOf : public testing::TestWithParam<const char*> {};

TEST_P(ReadRowsOf, EqualARunOfAllRows) {
  const auto model = openModel(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "families" / GetParam());
  std::vector<std::int32_t> every(static_cast<std::size_t>(kTokens));
  for (std::size_t i = 0; i < every.size(); ++i) every[i] = static_cast<std::int32_t>(i);
  const Rows all = capture(model, every, options("float32"));
  const Rows few = capture(model, kFew, options("float32"));
  ASSERT_EQ(few.size(), all.size());
  for (const auto& [key, rows] : few) {
    const auto expected = fewOf(all.at(key), static_cast<std::size_t>(model->spec.headDim));
    EXPECT_LT(largestRelativeError(rows, expected, model->spec.headDim), 1e-5) << key.layer;
  }
}

TEST_P(ReadRowsOf, DoNotDependOnThreadsOrChunks) {
  SKIP_WHERE_ROWS_DECIDE_BITS();
  const auto model = openModel(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "families" / GetParam());
  for (const std::string dtype : {"float32", "bfloat16"}) {
    const Rows one = capture(model, kFew, options(dtype, 1));
    EXPECT_EQ(one, capture(model, kFew, options(dtype, 2, 1024)));
    EXPECT_EQ(one, capture(model, kFew, options(dtype, 3, 4096)));
  }
}

INSTANTIATE_TEST_SUITE_P(Families, ReadRowsOf,
                         testing::Values("gemma2", "gpt_oss", "llama4_text", "olmo2", "phi3", "qwen3_next",
                                         "granitemoehybrid", "gpt_neox", "olmoe"));

// The plan: all layers but the last two in full; in the last but one, keys and values of all rows and the
// rest only for the requested rows; in the last, queries and keys of the requested rows.
TEST(ReadRows, DoesNoMoreWorkThanPlanned) {
  const auto model = openGolden(goldenCase("default_new"));
  const ModelSpec& spec = model->spec;
  const auto done = [] { return workDone(WorkKind::Products).flops + workDone(WorkKind::Attention).flops; };
  const double before = done();
  capture(model, kFew, options("float32"));
  const auto h = static_cast<double>(spec.hidden), f = static_cast<double>(spec.intermediate);
  const auto q = static_cast<double>(spec.queryHeads * spec.headDim);
  const auto k = static_cast<double>(spec.keyHeads * spec.headDim);
  const double tokens = kTokens, read = static_cast<double>(kFew.size());
  const double pairs = tokens * (tokens + 1) / 2, layers = static_cast<double>(spec.layerCount);
  double readPairs = 0;
  for (const std::int32_t position : kFew) readPairs += position + 1;
  const auto rest = [&](double rows, double seen) { return rows * 2 * h * (2 * q + 3 * f) + 4 * q * seen; };
  const double ideal = (layers - 2) * (tokens * 4 * h * k + rest(tokens, pairs)) +
                       (tokens * 4 * h * k + rest(read, readPairs)) + read * 2 * h * (q + k);
  const double executed = done() - before;
  EXPECT_GE(executed / ideal, 0.9999);
  EXPECT_LE(executed / ideal, 1.02);
}

}  // namespace plastiscope
