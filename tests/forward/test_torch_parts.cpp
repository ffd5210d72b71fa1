// Internal parts without a public interface: attention windows, products, rotation layouts, error types.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "core/base/error.h"
#include "core/forward/attention.h"
#include "core/forward/device.h"
#include "core/forward/linear.h"
#include "core/forward/rope.h"
#include "core/forward/row_blocks.h"
#include "core/model/rope_kinds.h"

namespace plastiscope {

namespace {

// Attention by its definition, in float64: one query after the other.
std::vector<double> attendOne(const at::Tensor& query, const at::Tensor& keys, const at::Tensor& values,
                              std::int64_t position, const AttentionRule& rule) {
  const auto width = query.size(0);
  const std::int64_t oldest = rule.window == 0 ? 0 : std::max<std::int64_t>(0, position - rule.window + 1);
  std::vector<double> out(static_cast<std::size_t>(width), 0.0);
  double total = 0;
  const auto q = query.accessor<float, 1>();
  const auto k = keys.accessor<float, 2>();
  const auto v = values.accessor<float, 2>();
  for (std::int64_t key = oldest; key <= position; ++key) {
    double score = 0;
    for (std::int64_t i = 0; i < width; ++i)
      score += static_cast<double>(q[i]) * static_cast<double>(k[key][i]);
    score *= rule.scale;
    if (rule.softcap > 0) score = rule.softcap * std::tanh(score / rule.softcap);
    const double weight = std::exp(score);
    total += weight;
    for (std::int64_t i = 0; i < width; ++i) out[i] += weight * static_cast<double>(v[key][i]);
  }
  for (auto& x : out) x /= total;
  return out;
}

}  // namespace

class AttentionWindow : public testing::TestWithParam<std::tuple<std::int64_t, double>> {};

TEST_P(AttentionWindow, EqualsTheDefinition) {
  const std::int64_t keyHeads = 2, group = 3, width = 8;
  const auto [window, softcap] = GetParam();
  const std::int64_t tokens =
      window > 0 && window < 100 ? 1200 : 2500;  // short windows mean many small tiles
  at::manual_seed(11);
  const at::Tensor query = at::randn({tokens, keyHeads * group, width});
  const at::Tensor keys = at::randn({keyHeads, tokens, width}), values = at::randn({keyHeads, tokens, width});
  const AttentionRule rule{0.7, window, false, softcap, {}};
  const std::int64_t first = 1024;  // a late chunk: its queries see keys before it
  const at::Tensor out =
      causalAttention({query.narrow(0, first, tokens - first), first, keys, values, rule, [] {}});
  for (const std::int64_t position : {1024L, 1025L, 1100L, 1199L, 1700L, 2047L, 2048L, 2049L, 2222L, 2499L}) {
    if (position >= tokens) break;
    for (std::int64_t head = 0; head < keyHeads * group; ++head) {
      const auto expected =
          attendOne(query[position][head], keys[head / group], values[head / group], position, rule);
      for (std::int64_t i = 0; i < width; ++i) {
        ASSERT_NEAR(out[position - first][head * width + i].item<float>(), expected[i], 2e-5)
            << "position " << position << " head " << head;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Windows, AttentionWindow,
                         testing::Combine(testing::Values(0, 1, 2, 3, 17, 300, 700, 1024, 1100, 2048),
                                          testing::Values(0.0, 1.5)));

// Pairs (i, i + half) or (2i, 2i + 1) turn by position * theta^(-2i / rotaryDim); the rest of the head stays.
TEST(Rope, RotatesPairsOfEitherLayoutAndLeavesTheRest) {
  const std::int64_t heads = 2, width = 12, rotary = 8, first = 9990, rows = 20;
  at::manual_seed(5);
  const at::Tensor in = at::randn({rows, heads, width});
  RopeSpec spec;
  spec.rotaryDim = rotary;
  spec.theta = 500;
  const auto frequencies = ropeFrequencies(spec, first + rows);
  const RopeRows table = ropeRows(frequencies.inverse, 1.5, at::arange(first, first + rows), {});
  for (const bool interleaved : {false, true}) {
    at::Tensor out = at::empty_like(in);
    applyRope(in, table, interleaved, out);
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t pair = 0; pair < rotary / 2; ++pair) {
        const std::int64_t a = interleaved ? 2 * pair : pair,
                           b = interleaved ? 2 * pair + 1 : pair + rotary / 2;
        const double angle =
            static_cast<double>(first + row) * std::pow(500.0, -2.0 * static_cast<double>(pair) / 8);
        const double x = in[row][1][a].item<float>(), y = in[row][1][b].item<float>();
        EXPECT_NEAR(out[row][1][a].item<float>(), 1.5 * (x * std::cos(angle) - y * std::sin(angle)), 1e-2);
        EXPECT_NEAR(out[row][1][b].item<float>(), 1.5 * (y * std::cos(angle) + x * std::sin(angle)), 1e-2);
      }
      EXPECT_TRUE(
          out[row].narrow(1, rotary, width - rotary).equal(in[row].narrow(1, rotary, width - rotary)));
    }
  }
}

TEST(Rope, KnowsEveryKindThatAConfigurationMayName) {
  for (const auto& kind : ropeKinds()) {
    const bool known = std::any_of(kRopeScalings.begin(), kRopeScalings.end(),
                                   [&](const auto& scaling) { return scaling.name == kind.name; });
    EXPECT_TRUE(known) << kind.name;
  }
  EXPECT_EQ(kRopeScalings.size(), ropeKinds().size());
  RopeSpec spec;
  spec.kind = "spiral";
  spec.rotaryDim = 8;
  EXPECT_THROW(ropeFrequencies(spec, 10), InputError);
}

TEST(TorchErrors, BecomeErrorsOfTheProgram) {
  const auto kindOf = [](auto work) {
    try {
      withTorchErrors(work);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::Usage;
  };
  EXPECT_EQ(kindOf([] { at::empty({std::int64_t{1} << 56}); }), ErrorKind::Resources);
  EXPECT_EQ(kindOf([] { throw std::bad_alloc(); }), ErrorKind::Resources);
  EXPECT_EQ(kindOf([] { at::empty({3, 4}).view({5}); }), ErrorKind::Internal);
  EXPECT_EQ(kindOf([] { throw InputError("a sentence"); }), ErrorKind::Input);
  EXPECT_EQ(withTorchErrors([] { return 5; }), 5);
}

class Products : public testing::TestWithParam<at::ScalarType> {};

// Against float64, for matrices whose sizes are no multiples of anything, and for any number of rows.
TEST_P(Products, EqualTheDefinition) {
  const at::ScalarType type = GetParam();
  const double most = type == at::kFloat ? 1e-6 : 1e-2;
  for (const auto& [outputs, inputs] : {std::pair{960, 576}, {37, 130}, {1, 64}, {300, 1537}}) {
    at::manual_seed(outputs);
    const at::Tensor weight = at::randn({outputs, inputs}).to(type), bias = at::randn({outputs}).to(type);
    const at::Tensor x = at::randn({kRowBlock, inputs + 3}).to(type).narrow(1, 2, inputs);
    for (const at::Tensor& added : {bias, at::Tensor()}) {
      const at::Tensor expected = at::linear(x.to(at::kDouble), weight.to(at::kDouble),
                                             added.defined() ? added.to(at::kDouble) : added);
      Linear linear(weight, added);
      forEachInParallel(1, [&](std::int64_t) { linear.pack(); });
      for (const std::int64_t rows : {std::int64_t{1}, std::int64_t{17}, kRowBlock}) {
        forEachInParallel(1, [&](std::int64_t) {
          const at::Tensor error =
              linear.times(x.narrow(0, 0, rows)).to(at::kDouble).sub(expected.narrow(0, 0, rows));
          EXPECT_LT(error.norm().item<double>(), most * expected.narrow(0, 0, rows).norm().item<double>())
              << outputs << " x " << inputs << ", " << rows << " rows";
        });
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Products, testing::Values(at::kFloat, at::kBFloat16), [](const auto& one) {
  return std::string(one.param == at::kFloat ? "float32" : "bfloat16");
});

}  // namespace plastiscope
