// Compares the steps between the products with their definitions in float64, at every register width.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <tuple>
#include <vector>

#include "core/base/register_width.h"
#include "core/forward/row_steps.h"

namespace plastiscope {

namespace {

// Numbers in their memory layout, with random initial values.
class Numbers {
 public:
  Numbers(NumberType type, std::ptrdiff_t count, std::uint32_t seed)
      : m_type(type), m_bytes(static_cast<std::size_t>(count * step())) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0, 2);
    for (std::ptrdiff_t i = 0; i < count; ++i) set(i, normal(random));
  }
  double operator[](std::ptrdiff_t i) const {
    std::uint32_t bits = 0;
    if (m_type == NumberType::Float32) {
      std::memcpy(&bits, m_bytes.data() + i * 4, 4);
    } else {
      std::uint16_t half = 0;
      std::memcpy(&half, m_bytes.data() + i * 2, 2);
      bits = static_cast<std::uint32_t>(half) << 16;
    }
    return std::bit_cast<float>(bits);
  }
  void set(std::ptrdiff_t i, float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto half = static_cast<std::uint16_t>(bits >> 16);
    const void* const from = m_type == NumberType::Float32 ? static_cast<const void*>(&bits) : &half;
    std::memcpy(m_bytes.data() + i * step(), from, static_cast<std::size_t>(step()));
  }
  StridedVectors rows(std::ptrdiff_t first, std::ptrdiff_t rowStep, std::ptrdiff_t headStep = 0) {
    return {m_bytes.data() + first * step(), rowStep, headStep};
  }
  const std::vector<std::byte>& bytes() const { return m_bytes; }

 private:
  std::ptrdiff_t step() const { return m_type == NumberType::Float32 ? 4 : 2; }
  NumberType m_type;
  std::vector<std::byte> m_bytes;
};

using Vector = std::vector<double>;

double roundedTo(NumberType type, double x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  if (type == NumberType::Float32) return std::bit_cast<float>(bits);
  return std::bit_cast<float>((bits + 0x7FFFU + ((bits >> 16) & 1U)) & 0xFFFF0000U);
}

Vector normed(Vector x, const VectorNorm& norm, std::ptrdiff_t head, NumberType type) {
  double mean = 0, squares = 0;
  for (const double value : x) mean += value / static_cast<double>(x.size());
  for (double& value : x) value -= norm.subtractMean ? mean : 0;
  for (const double value : x) squares += value * value / static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::ptrdiff_t at = head * norm.headStep + static_cast<std::ptrdiff_t>(i);
    x[i] /= std::sqrt(squares + norm.eps);
    if (norm.roundFirst) x[i] = roundedTo(type, x[i]);
    if (norm.weight != nullptr) x[i] *= static_cast<double>(norm.weight[at]);
    if (norm.bias != nullptr) x[i] += static_cast<double>(norm.bias[at]);
  }
  return x;
}

double near(NumberType type, double value) {
  return (type == NumberType::Float32 ? 3e-6 : 1.0 / 120) * (std::abs(value) + 0.1);
}

class RowSteps : public testing::TestWithParam<std::tuple<NumberType, int>> {
 protected:
  static NumberType type() { return std::get<0>(GetParam()); }
  static std::ptrdiff_t size() { return std::get<1>(GetParam()); }
  // Runs a step at every width that this processor supports and expects the same bytes.
  static void atAllWidths(const std::function<Numbers(int width)>& work) {
    const Numbers expected = work(0);
    for (int width = registerWidth(); width >= 2; width /= 2)
      EXPECT_EQ(work(width).bytes(), expected.bytes()) << "registers of " << 8 * width << " bytes";
  }
  static std::vector<float> floats(std::ptrdiff_t count) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.5F + 0.01F * static_cast<float>(i % 90);
    return values;
  }
};

TEST_P(RowSteps, AddsAndNormalises) {
  constexpr std::ptrdiff_t kRows = 5;
  const auto weight = floats(size()), bias = floats(size());
  for (const bool subtractMean : {false, true}) {
    const Numbers before(type(), kRows * (size() + 3), 1), added(type(), kRows * size(), 2);
    const auto work = [&](int width) {
      Numbers x = before, more = added, out(type(), kRows * size(), 3);
      NormStep step;
      step.count = {kRows, 1, size(), type()};
      step.x = x.rows(0, size() + 3);
      step.added = more.rows(0, size());
      step.out = out.rows(0, size());
      step.scale = 0.25F;
      step.norm = {1e-5, subtractMean, true, weight.data(), subtractMean ? bias.data() : nullptr, 0};
      runStep(step, width);
      for (std::ptrdiff_t row = 0; row < kRows; ++row) {
        Vector sum;
        for (std::ptrdiff_t i = 0; i < size(); ++i) {
          const std::ptrdiff_t at = row * (size() + 3) + i;
          sum.push_back(roundedTo(type(), before[at] + 0.25 * added[row * size() + i]));
          EXPECT_NEAR(x[at], sum.back(), 1e-6 * std::abs(sum.back()));
        }
        const Vector expected = normed(sum, step.norm, 0, type());
        for (std::ptrdiff_t i = 0; i < size(); ++i) {
          const double value = expected[i];
          EXPECT_NEAR(out[row * size() + i], value, near(type(), value));
        }
        for (std::ptrdiff_t i = row * (size() + 3) + size(); i < (row + 1) * (size() + 3); ++i)
          EXPECT_EQ(x[i], before[i]);  // the gap between the rows
      }
      return out;
    };
    atAllWidths(work);
  }
}

TEST_P(RowSteps, Gates) {
  constexpr std::ptrdiff_t kRows = 3;
  for (const GateKind kind : {GateKind::Silu, GateKind::GeluTanh}) {
    const Numbers both(type(), kRows * 2 * size(), 4);
    const auto work = [&](int width) {
      Numbers out = both;
      runStep(
          GateStep{{kRows, 1, size(), type()}, out.rows(0, 2 * size()), out.rows(size(), 2 * size()), kind},
          width);
      for (std::ptrdiff_t row = 0; row < kRows; ++row) {
        for (std::ptrdiff_t i = 0; i < size(); ++i) {
          const double x = both[row * 2 * size() + i], up = both[row * 2 * size() + size() + i];
          const double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
          const double act = kind == GateKind::Silu ? x / (1 + std::exp(-x)) : x / 2 * (1 + std::tanh(inner));
          EXPECT_NEAR(out[row * 2 * size() + i], act * up, near(type(), act * up)) << x;
          EXPECT_EQ(out[row * 2 * size() + size() + i], up);
        }
      }
      return out;
    };
    atAllWidths(work);
  }
}

// Where exp overflows or underflows, and for NaN.
TEST(RowStepsGate, AcceptsAnyNumber) {
  constexpr float kEnd = std::numeric_limits<float>::infinity();
  std::vector<float> gate{-kEnd, -3e38F, -200, -88.5F, -87, -1e-30F, 0, 1e-30F, 87, 88.5F, 3e38F, kEnd, NAN};
  std::vector<float> up(gate.size(), 1);
  const auto size = std::ssize(gate);
  for (int width = registerWidth(); width >= 2; width /= 2) {
    std::vector<float> out = gate;
    runStep(
        GateStep{
            {1, 1, size, NumberType::Float32}, {out.data(), size, 0}, {up.data(), size, 0}, GateKind::Silu},
        width);
    for (std::size_t i = 1; i + 2 < gate.size(); ++i) {
      const double x = static_cast<double>(gate[i]);
      const double expected = x < -1e4 ? 0 : x / (1 + std::exp(-x));
      EXPECT_NEAR(static_cast<double>(out[i]), expected, 1e-6 * std::abs(expected) + 1e-35) << x;
    }
    EXPECT_EQ(out[gate.size() - 2], kEnd);
    EXPECT_TRUE(std::isnan(out.back()));
  }
}

enum class Turn { None, Halves, Neighbours };

TEST_P(RowSteps, FinishesHeads) {
  constexpr std::ptrdiff_t kRows = 4, kHeads = 3;
  const std::ptrdiff_t half = size() / 2 - (size() > 20 ? 4 : 0), between = size() + 5;
  const auto weight = floats(kHeads * size()), cos = floats(kRows * half), sin = floats(kRows * half);
  const auto factor = floats(kRows);
  Numbers in(type(), kRows * kHeads * between, 6);
  for (const Turn turn : {Turn::None, Turn::Halves, Turn::Neighbours}) {
    const bool turns = turn != Turn::None, interleaved = turn == Turn::Neighbours;
    for (const bool afterRope : {false, true}) {
      VectorNorm norm{1e-6, false, true, weight.data(), nullptr, size()};
      if (!turns) norm = {1e-6, true, false, nullptr, weight.data(), size()};
      const auto work = [&](int width) {
        Numbers out(type(), kHeads * kRows * size(), 7), before(type(), kRows * kHeads * size(), 8);
        HeadStep step;
        step.count = {kRows, kHeads, size(), type()};
        step.in = in.rows(0, kHeads * between, between);
        step.out = out.rows(0, size(), kRows * size());  // head by head
        (afterRope ? step.normAfter : step.normBefore) = &norm;
        if (turns) {
          step.before = before.rows(0, kHeads * size(), size());
          step.cos = cos.data();
          step.sin = sin.data();
          step.half = half;
          step.interleaved = interleaved;
          step.factor = factor.data();
        }
        runStep(step, width);
        for (std::ptrdiff_t row = 0; row < kRows; ++row) {
          for (std::ptrdiff_t head = 0; head < kHeads; ++head) {
            Vector x;
            for (std::ptrdiff_t i = 0; i < size(); ++i)
              x.push_back(in[row * kHeads * between + head * between + i]);
            if (!afterRope) x = normed(x, norm, head, type());
            for (std::size_t i = 0; turns && i < x.size(); ++i) {
              const double seen = before[(row * kHeads + head) * size() + static_cast<std::ptrdiff_t>(i)];
              EXPECT_NEAR(seen, x[i], near(type(), x[i]));
              x[i] = seen;  // rounded as it is rotated
            }
            const auto whole = static_cast<std::size_t>(turns ? half : 0);
            for (std::size_t i = 0; i < whole; ++i) {
              double &a = x[interleaved ? 2 * i : i], &b = x[interleaved ? 2 * i + 1 : i + whole];
              const auto at = static_cast<std::size_t>(row * half) + i;
              const double c = static_cast<double>(cos[at]), s = static_cast<double>(sin[at]), first = a;
              a = first * c - b * s;
              b = b * c + first * s;
            }
            if (afterRope) x = normed(x, norm, head, type());
            for (std::size_t i = 0; i < x.size(); ++i) {
              const double value = x[i] * (turns ? static_cast<double>(factor[row]) : 1);
              EXPECT_NEAR(out[(head * kRows + row) * size() + static_cast<std::ptrdiff_t>(i)], value,
                          near(type(), value));
            }
          }
        }
        return out;
      };
      atAllWidths(work);
    }
  }
}

// A NaN that is rounded to memory must not become infinity.
TEST_P(RowSteps, NaNStaysInItsVector) {
  constexpr std::ptrdiff_t kRows = 3, kHeads = 2;
  const std::ptrdiff_t whole = kHeads * size(), half = size() / 2;
  const auto weight = floats(whole), cos = floats(kRows * half), sin = floats(kRows * half);
  Numbers given(type(), kRows * whole, 9);
  given.set(whole + size() / 2, NAN);  // in the second row's first head
  const auto isWrong = [&](const Numbers& numbers, std::ptrdiff_t row, std::ptrdiff_t head) {
    std::ptrdiff_t wrong = 0;
    for (std::ptrdiff_t i = 0; i < size(); ++i) wrong += std::isnan(numbers[row * whole + head * size() + i]);
    EXPECT_TRUE(wrong == 0 || wrong == size());
    return wrong > 0;
  };
  for (const bool subtractMean : {false, true}) {
    const VectorNorm norm{1e-5, subtractMean, true, weight.data(), weight.data(), size()};
    const auto heads = [&](int width) {
      Numbers in = given, out(type(), kRows * whole, 10), before(type(), kRows * whole, 11);
      HeadStep step;
      step.count = {kRows, kHeads, size(), type()};
      step.in = in.rows(0, whole, size());
      step.out = out.rows(0, whole, size());
      step.before = before.rows(0, whole, size());
      step.normBefore = step.normAfter = &norm;
      step.cos = cos.data();
      step.sin = sin.data();
      step.half = half;
      runStep(step, width);
      for (std::ptrdiff_t row = 0; row < kRows; ++row) {
        for (std::ptrdiff_t head = 0; head < kHeads; ++head) {
          EXPECT_EQ(isWrong(out, row, head), row == 1 && head == 0);
          EXPECT_EQ(isWrong(before, row, head), row == 1 && head == 0);
        }
      }
      return out;
    };
    atAllWidths(heads);
    const auto rows = [&](int width) {
      Numbers x = given, out(type(), kRows * whole, 12);
      NormStep step;
      step.count = {kRows, 1, whole, type()};
      step.x = x.rows(0, whole);
      step.out = out.rows(0, whole);
      step.norm = {1e-5, subtractMean, false, nullptr, nullptr, 0};
      runStep(step, width);
      for (std::ptrdiff_t row = 0; row < kRows; ++row)
        EXPECT_EQ(isWrong(out, row, 0) && isWrong(out, row, 1), row == 1);
      return out;
    };
    atAllWidths(rows);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, RowSteps,
                         testing::Combine(testing::Values(NumberType::Float32, NumberType::Bfloat16),
                                          testing::Values(6, 16, 34, 64, 80, 576)));

}  // namespace
}  // namespace plastiscope
