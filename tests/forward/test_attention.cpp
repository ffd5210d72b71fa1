// Every attention kernel that this processor supports, compared with the definition in float64 and with
// libtorch's attention.
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tanh.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/forward/attention.h"
#include "core/forward/attention_kernel.h"
#include "core/forward/row_blocks.h"
#include "tests/forward/golden_cases.h"

namespace plastiscope {

namespace {

struct Shape {
  std::int64_t keyHeads = 1, group = 1, width = 64, tokens = 600, first = 0;
  std::int64_t window = 0;
  bool chunked = false;
  double softcap = 0;
  bool sinks = false;
};

const std::vector<Shape> kShapes{
    {2, 3, 64, 700},
    {1, 4, 128, 900, 300},
    {1, 8, 256, 300},
    {2, 1, 80, 513},
    {1, 5, 33, 400, 17},
    {1, 2, 7, 270},
    {1, 7, 96, 1},
    {3, 2, 32, 31},
    {2, 2, 64, 1100, 500, 1},
    {2, 3, 64, 1100, 300, 33},
    {1, 3, 40, 1300, 1024, 256},
    {2, 2, 64, 1200, 0, 500, true},
    {1, 6, 64, 900, 100, 0, false, 30},
    {1, 2, 64, 900, 100, 200, false, 1.5},
    {2, 4, 64, 800, 0, 0, false, 0, true},
    {1, 3, 64, 800, 200, 128, false, 0, true},
};

std::ostream& operator<<(std::ostream& out, const Shape& s) {
  return out << s.keyHeads << "x" << s.group << "x" << s.width << ", tokens " << s.first << " to " << s.tokens
             << ", window " << s.window << (s.chunked ? " chunked" : "") << ", softcap " << s.softcap
             << (s.sinks ? ", sinks" : "");
}

struct Operands {
  at::Tensor query, keys, values;
  AttentionRule rule;
};

// Partly similar keys, so that scores reach 20 and weights are uneven.
Operands operandsOf(const Shape& shape, at::ScalarType type) {
  at::manual_seed(shape.tokens + shape.width);
  Operands one;
  const std::int64_t heads = shape.keyHeads * shape.group;
  one.query = at::randn({shape.tokens, heads, shape.width}).mul_(2).to(type);
  one.keys = at::randn({shape.keyHeads, shape.tokens, shape.width}).mul_(2).to(type);
  one.values = at::randn({shape.keyHeads, shape.tokens, shape.width}).add_(0.3).to(type);
  one.rule = {
      1 / std::sqrt(static_cast<double>(shape.width)), shape.window, shape.chunked, shape.softcap, {}};
  if (shape.sinks) one.rule.sinks = at::randn({heads}).mul_(3);
  return one;
}

// True where a query must not attend: [rows, tokens].
at::Tensor hiddenFrom(const Shape& shape, std::int64_t first) {
  const at::Tensor key = at::arange(shape.tokens).unsqueeze(0);
  const at::Tensor query = at::arange(first, shape.tokens).unsqueeze(1);
  at::Tensor hidden = key > query;
  if (shape.window > 0 && shape.chunked)
    hidden = hidden | key.div(shape.window, "floor").lt(query.div(shape.window, "floor"));
  else if (shape.window > 0)
    hidden = hidden | (query - key >= shape.window);
  return hidden;
}

// Attention by its definition, in float64: [rows, heads * width].
at::Tensor definition(const Shape& shape, const Operands& one) {
  const at::Tensor hidden = hiddenFrom(shape, shape.first);
  std::vector<at::Tensor> heads;
  for (std::int64_t head = 0; head < shape.keyHeads * shape.group; ++head) {
    const at::Tensor query = one.query.narrow(0, shape.first, shape.tokens - shape.first).select(1, head);
    const at::Tensor key = one.keys[head / shape.group].to(at::kDouble);
    at::Tensor scores = at::matmul(query.to(at::kDouble), key.t()) * one.rule.scale;
    if (shape.softcap > 0) scores = at::tanh(scores / shape.softcap) * shape.softcap;
    scores = scores.masked_fill(hidden, -std::numeric_limits<double>::infinity());
    if (shape.sinks)
      scores = at::cat(
          {scores, at::full({scores.size(0), 1}, one.rule.sinks[head].item<double>(), at::kDouble)}, 1);
    const at::Tensor weights = at::softmax(scores, 1).narrow(1, 0, shape.tokens);
    heads.push_back(at::matmul(weights, one.values[head / shape.group].to(at::kDouble)));
  }
  return at::cat(heads, 1);
}

// |x - y| / |y| of every row of every head.
at::Tensor relativeErrors(const Shape& shape, const at::Tensor& x, const at::Tensor& y) {
  const at::Tensor difference = (x.to(at::kDouble) - y).unflatten(1, {-1, shape.width});
  return difference.norm(2, 2) / y.unflatten(1, {-1, shape.width}).norm(2, 2);
}

AttentionNumbers numbersOf(at::ScalarType type) {
  return type == at::kFloat ? AttentionNumbers::Float32 : AttentionNumbers::BFloat16;
}

const std::function<void()> kNothing = [] {};

}  // namespace

class AttentionKernels : public testing::TestWithParam<std::pair<std::size_t, at::ScalarType>> {
 protected:
  void SetUp() override {
    if (!kernel().supported()) GTEST_SKIP() << "this processor has no " << kernel().name;
  }
  static const AttentionKernel& kernel() { return attentionKernels()[GetParam().first]; }
  static at::ScalarType type() { return GetParam().second; }
  // Queries from the position `first` up to `end`.
  static at::Tensor attended(const Operands& one, std::int64_t first, std::int64_t end) {
    const at::Tensor query = one.query.narrow(0, first, end - first);
    return kernelAttention({query, first, one.keys, one.values, one.rule, kNothing}, kernel());
  }
};

// Limits: 1e-5 for float32; for bfloat16, whose results are rounded to 8 bits, the error of libtorch.
TEST_P(AttentionKernels, EqualTheDefinition) {
  for (const Shape& shape : kShapes) {
    const Operands one = operandsOf(shape, type());
    const at::Tensor expected = definition(shape, one);
    const at::Tensor errors = relativeErrors(shape, attended(one, shape.first, shape.tokens), expected);
    if (type() == at::kFloat) {
      EXPECT_LT(errors.max().item<double>(), 1e-5) << shape;
      continue;
    }
    const at::Tensor query = one.query.narrow(0, shape.first, shape.tokens - shape.first);
    const at::Tensor library =
        libraryAttention({query, shape.first, one.keys, one.values, one.rule, kNothing});
    const at::Tensor theirs = relativeErrors(shape, library, expected);
    EXPECT_LE(errors.mean().item<double>(), 1.01 * theirs.mean().item<double>()) << shape;
    EXPECT_LE(errors.max().item<double>(), 1e-2) << shape;
  }
}

// libtorch's attention on the device of the tests, for consecutive rows and for a list of rows.
TEST(DeviceAttention, EqualsTheDefinition) {
  const c10::Device device(testing_support::testDevice());
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf}) {
    for (const Shape& shape : kShapes) {
      Operands one = operandsOf(shape, type);
      const at::Tensor expected = definition(shape, one);
      for (at::Tensor* const each : {&one.query, &one.keys, &one.values}) *each = each->to(device);
      if (shape.sinks) one.rule.sinks = one.rule.sinks.to(device);
      const at::Tensor query = one.query.narrow(0, shape.first, shape.tokens - shape.first);
      const at::Tensor all = libraryAttention({query, shape.first, one.keys, one.values, one.rule, kNothing});
      double most = type == at::kFloat ? 1e-5 : type == at::kHalf ? 2e-3 : 1e-2;
      if (shape.softcap > 0 && type != at::kFloat) most *= 4;  // scores are rounded before they are capped
      EXPECT_LE(relativeErrors(shape, all.cpu(), expected).max().item<double>(), most)
          << type << " " << shape;

      std::vector<std::int32_t> positions;
      for (auto at = static_cast<std::int32_t>(shape.first); at < shape.tokens; at += 1 + at % 41)
        positions.push_back(at);
      const ReadRows rows = ReadRows::list(positions);
      const at::Tensor some =
          causalAttention({rows.rowsOf(one.query), 0, one.keys, one.values, one.rule, kNothing, positions});
      EXPECT_LE(relativeErrors(shape, some.cpu(), rows.rowsOf(expected, shape.first)).max().item<double>(),
                most)
          << "list, " << type << " " << shape;
    }
  }
}

TEST_P(AttentionKernels, BitsDoNotDependOnChunksOrThreads) {
  for (const Shape& shape : kShapes) {
    const Operands one = operandsOf(shape, type());
    const at::Tensor whole = attended(one, 0, shape.tokens);
    const int threads = at::get_num_threads();
    for (const std::int64_t chunk : {3, 50, 256, 777}) {
      at::set_num_threads(chunk % 2 == 0 ? 1 : 3);
      for (std::int64_t first = 0; first < shape.tokens; first += chunk * 7) {
        const std::int64_t end = std::min(first + chunk, shape.tokens);
        ASSERT_TRUE(attended(one, first, end).equal(whole.narrow(0, first, end - first)))
            << shape << ", rows " << first << " to " << end;
      }
    }
    at::set_num_threads(threads);
  }
}

TEST_P(AttentionKernels, BitsDoNotDependOnTheOtherRows) {
  for (const Shape& shape : kShapes) {
    const Operands one = operandsOf(shape, type());
    const at::Tensor whole = attended(one, 0, shape.tokens);
    std::vector<std::int32_t> positions;
    for (std::int32_t at = 0; at < shape.tokens; at += 1 + at % 41) positions.push_back(at);
    const ReadRows rows = ReadRows::list(positions);
    const at::Tensor query = rows.rowsOf(one.query);
    EXPECT_TRUE(kernelAttention({query, 0, one.keys, one.values, one.rule, kNothing, positions}, kernel())
                    .equal(rows.rowsOf(whole)))
        << shape;
  }
}

// Keys outside the window are NaN, as in memory that was never written.
TEST_P(AttentionKernels, TouchNoKeyOutsideTheWindow) {
  for (const Shape& shape : kShapes) {
    Operands one = operandsOf(shape, type());
    const std::int64_t first = shape.tokens / 2, end = std::min(first + 40, shape.tokens);
    const at::Tensor expected = attended(one, first, end);
    std::int64_t oldest = 0;
    if (shape.window > 0)
      oldest = shape.chunked ? first / shape.window * shape.window
                             : std::max<std::int64_t>(0, first - shape.window + 1);
    for (const at::Tensor& heads : {one.keys, one.values}) {
      heads.narrow(1, 0, oldest).fill_(std::nan(""));
      heads.narrow(1, end, shape.tokens - end).fill_(std::nan(""));
    }
    EXPECT_TRUE(attended(one, first, end).equal(expected)) << shape;
  }
}

// Two keys, one with value 1 and score -s, the other with value 0 and score 0: 1 / (1 + e^s).
TEST_P(AttentionKernels, WeightsAreExact) {
  const at::Tensor query = at::full({1, 1, 1}, 1.0, type());
  const at::Tensor values = at::arange(2).flip(0).to(type()).view({1, 2, 1});
  for (int i = -80; i <= 80; ++i) {
    const double score = i * 0.25;
    Operands one{query, at::full({1, 2, 1}, 0.0, type()), values, {1.0, 0, false, 0, {}}};
    one.keys[0][0][0] = -score;
    const double weight =
        kernelAttention({one.query, 1, one.keys, one.values, one.rule, kNothing}, kernel()).item<double>();
    const double expected = 1 / (1 + std::exp(score));
    // The error of a float32 exponent grows with the exponent.
    const double most = type() == at::kFloat ? 3e-7 + 8e-8 * std::abs(score) : 0.006;
    EXPECT_NEAR(weight / expected, 1, most) << score;
  }
}

TEST_P(AttentionKernels, StopWhenAsked) {
  const Operands one = operandsOf({2, 4, 64, 2000}, type());
  int asked = 0;
  const std::function<void()> third = [&] {
    if (++asked == 3) throw std::runtime_error("enough");
  };
  EXPECT_THROW(kernelAttention({one.query, 0, one.keys, one.values, one.rule, third}, kernel()),
               std::runtime_error);
  EXPECT_EQ(asked, 3);
}

// Every kernel with the number types that it supports.
std::vector<std::pair<std::size_t, at::ScalarType>> kernelsAndTypes() {
  std::vector<std::pair<std::size_t, at::ScalarType>> all;
  for (std::size_t i = 0; i < attentionKernels().size(); ++i) {
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
      if (attentionKernels()[i].body(numbersOf(type)) != nullptr) all.emplace_back(i, type);
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, AttentionKernels, testing::ValuesIn(kernelsAndTypes()), [](const auto& one) {
  return std::string(attentionKernels()[one.param.first].name) +
         (one.param.second == at::kFloat ? "_float32" : "_bfloat16");
});

TEST(AttentionKernel, IsTheFastestSupportedOne) {
  for (const AttentionNumbers numbers : {AttentionNumbers::Float32, AttentionNumbers::BFloat16}) {
    const AttentionKernel& chosen = attentionKernel(numbers);
    EXPECT_TRUE(chosen.supported());
    for (const AttentionKernel& kernel : attentionKernels()) {
      if (kernel.name == std::string(chosen.name)) break;
      EXPECT_TRUE(kernel.body(numbers) == nullptr || !kernel.supported()) << kernel.name;
    }
  }
}

TEST(AttentionKernel, KeepsTheLimitThatOneDnnReads) {
  const char* before = std::getenv("ONEDNN_MAX_CPU_ISA");
  const std::string kept = before != nullptr ? before : "";
  const auto bfloat16 = [](const char* most) {
    setenv("ONEDNN_MAX_CPU_ISA", most, 1);
    return std::string(attentionKernel(AttentionNumbers::BFloat16).name);
  };
  EXPECT_NE(bfloat16("AVX512_CORE_BF16"), "amx");
  EXPECT_EQ(bfloat16("AVX512_CORE_AMX"), bfloat16("DEFAULT"));
  before != nullptr ? setenv("ONEDNN_MAX_CPU_ISA", kept.c_str(), 1) : unsetenv("ONEDNN_MAX_CPU_ISA");
}

TEST(AttentionKernel, MemoryDoesNotGrowWithTheText) {
  for (const std::int64_t group : {1, 4, 8}) {
    for (const std::int64_t width : {32, 64, 128, 256}) {
      EXPECT_LE(attentionScratchBytes(attentionTaskRows(group, width), group, width), std::size_t{1} << 21)
          << group << " " << width;
    }
  }
}

}  // namespace plastiscope
