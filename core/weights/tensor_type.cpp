#include "core/weights/tensor_type.h"

#include <algorithm>
#include <array>
#include <limits>
#include <ranges>
#include <utility>

#include "core/base/joined.h"
#include "core/weights/blocks/blocks.h"

namespace plastiscope {

namespace {

using namespace blocks;
using enum TensorType;

// In the order of the enumeration.
constexpr std::array kFormats = {
    // type, name, in safetensors, in GGUF, elements, bytes, widening, holds weights
    TensorFormat{F64, "F64", "F64", 28, 1, 8, plainToFloat<double>, true},
    TensorFormat{F32, "F32", "F32", 0, 1, 4, plainToFloat<float>, true},
    TensorFormat{F16, "F16", "F16", 1, 1, 2, f16, true},
    TensorFormat{BF16, "BF16", "BF16", 30, 1, 2, bf16, true},
    TensorFormat{F8_E4M3, "F8_E4M3", "F8_E4M3", -1, 1, 1, f8_e4m3, true},
    TensorFormat{F8_E5M2, "F8_E5M2", "F8_E5M2", -1, 1, 1, f8_e5m2, true},
    TensorFormat{I64, "I64", "I64", 27, 1, 8, plainToFloat<std::int64_t>, false},
    TensorFormat{I32, "I32", "I32", 26, 1, 4, plainToFloat<std::int32_t>, false},
    TensorFormat{I16, "I16", "I16", 25, 1, 2, plainToFloat<std::int16_t>, false},
    TensorFormat{I8, "I8", "I8", 24, 1, 1, plainToFloat<std::int8_t>, false},
    TensorFormat{U64, "U64", "U64", -1, 1, 8, plainToFloat<std::uint64_t>, false},
    TensorFormat{U32, "U32", "U32", -1, 1, 4, plainToFloat<std::uint32_t>, false},
    TensorFormat{U16, "U16", "U16", -1, 1, 2, plainToFloat<std::uint16_t>, false},
    TensorFormat{U8, "U8", "U8", -1, 1, 1, plainToFloat<std::uint8_t>, false},
    TensorFormat{Bool, "BOOL", "BOOL", -1, 1, 1, plainToFloat<std::uint8_t>, false},
    TensorFormat{Q4_0, "Q4_0", "", 2, 32, 18, q4_0, true},
    TensorFormat{Q4_1, "Q4_1", "", 3, 32, 20, q4_1, true},
    TensorFormat{Q5_0, "Q5_0", "", 6, 32, 22, q5_0, true},
    TensorFormat{Q5_1, "Q5_1", "", 7, 32, 24, q5_1, true},
    TensorFormat{Q8_0, "Q8_0", "", 8, 32, 34, q8_0, true},
    TensorFormat{Q2_K, "Q2_K", "", 10, 256, 84, q2_k, true},
    TensorFormat{Q3_K, "Q3_K", "", 11, 256, 110, q3_k, true},
    TensorFormat{Q4_K, "Q4_K", "", 12, 256, 144, q4_k, true},
    TensorFormat{Q5_K, "Q5_K", "", 13, 256, 176, q5_k, true},
    TensorFormat{Q6_K, "Q6_K", "", 14, 256, 210, q6_k, true},
    TensorFormat{IQ1_S, "IQ1_S", "", 19, 256, 50, iq1_s, true},
    TensorFormat{IQ1_M, "IQ1_M", "", 29, 256, 56, iq1_m, true},
    TensorFormat{IQ2_XXS, "IQ2_XXS", "", 16, 256, 66, iq2_xxs, true},
    TensorFormat{IQ2_XS, "IQ2_XS", "", 17, 256, 74, iq2_xs, true},
    TensorFormat{IQ2_S, "IQ2_S", "", 22, 256, 82, iq2_s, true},
    TensorFormat{IQ3_XXS, "IQ3_XXS", "", 18, 256, 98, iq3_xxs, true},
    TensorFormat{IQ3_S, "IQ3_S", "", 21, 256, 110, iq3_s, true},
    TensorFormat{IQ4_NL, "IQ4_NL", "", 20, 32, 18, iq4_nl, true},
    TensorFormat{IQ4_XS, "IQ4_XS", "", 23, 256, 136, iq4_xs, true},
    TensorFormat{TQ1_0, "TQ1_0", "", 34, 256, 54, tq1_0, true},
    TensorFormat{TQ2_0, "TQ2_0", "", 35, 256, 66, tq2_0, true},
    TensorFormat{MXFP4, "MXFP4", "", 39, 32, 17, mxfp4, true},
    TensorFormat{Other, "other", "", -1, 1, 1, nullptr, false},
};

// GGUF types that are known by name but not supported.
constexpr std::array<std::pair<std::int64_t, std::string_view>, 6> kUnreadGgufTypes = {{
    {9, "Q8_1"},
    {15, "Q8_K"},
    {40, "NVFP4"},
    {41, "Q1_0"},
    {4, "Q4_2"},
    {5, "Q4_3"},
}};

template <typename Wanted>
const TensorFormat* findFormat(Wanted wanted) {
  const auto found = std::find_if(kFormats.begin(), kFormats.end(), wanted);
  return found == kFormats.end() ? nullptr : &*found;
}

template <typename Wanted>
std::string namesOf(Wanted wanted) {
  return joined(kFormats | std::views::filter(wanted), &TensorFormat::name);
}

}  // namespace

std::span<const TensorFormat> tensorFormats() {
  return kFormats;
}
const TensorFormat& formatOf(TensorType type) {
  return kFormats[static_cast<std::size_t>(type)];
}
std::string_view nameOf(TensorType type) {
  return formatOf(type).name;
}

const TensorFormat* formatOfSafetensors(std::string_view dtype) {
  return findFormat([&](const TensorFormat& f) { return !dtype.empty() && f.safetensorsName == dtype; });
}

const TensorFormat* formatOfGguf(std::int64_t id) {
  return findFormat([&](const TensorFormat& f) { return id >= 0 && f.ggufId == id; });
}

std::string nameOfUnreadGgufType(std::int64_t id) {
  for (const auto& [number, name] : kUnreadGgufTypes) {
    if (number == id) return std::string(name);
  }
  return "number " + std::to_string(id);
}

std::string safetensorsTypeNames() {
  return namesOf([](const TensorFormat& f) { return !f.safetensorsName.empty(); });
}
std::string ggufTypeNames() {
  return namesOf([](const TensorFormat& f) { return f.isWeight && f.ggufId >= 0; });
}

std::optional<std::int64_t> elementCount(std::span<const std::int64_t> shape) {
  std::int64_t product = 1;
  for (const std::int64_t size : shape) {
    if (size < 0 || (size > 0 && product > std::numeric_limits<std::int64_t>::max() / size))
      return std::nullopt;
    product *= size;
  }
  return product;
}

std::optional<std::uint64_t> byteCount(const TensorFormat& format, std::span<const std::int64_t> shape) {
  const auto elements = elementCount(shape);
  if (!elements) return std::nullopt;
  const std::int64_t innermost = shape.empty() ? 1 : shape.back();
  if (innermost % format.blockElements != 0) return std::nullopt;
  const std::int64_t blocks = *elements / format.blockElements;
  if (blocks > std::numeric_limits<std::int64_t>::max() / format.blockBytes) return std::nullopt;
  return static_cast<std::uint64_t>(blocks * format.blockBytes);
}

}  // namespace plastiscope
