// quant_method "mxfp4" (gpt-oss): NAME_blocks [experts, out, in / 32, 16] with two 4-bit floats per byte,
// earlier element in the low half; NAME_scales [experts, out, in / 32] with exponents of two. The plain
// tensor NAME is [experts, in, out], as transformers unpacks it.
#include <algorithm>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/weights/blocks/blocks.h"
#include "core/weights/quantised/method.h"

namespace plastiscope::quantised {

namespace {

constexpr std::string_view kBlocks = "_blocks";
constexpr std::size_t kGroup = 32, kGroupBytes = 16;
constexpr std::size_t kRowsAtOnce = 64;  // of `out`, so that transposing writes whole cache lines

struct Packed {
  TensorInfo blocks, scales;
  std::size_t rows = 0, groups = 0;  // out, in / 32
  std::size_t columns() const { return groups * kGroup; }
};

// Unpacks rows [firstRow, firstRow + rows), counted over the [out, in] matrices of all experts.
void unpackRows(const TensorSource& stored, const Packed& packed, std::size_t firstRow, std::size_t rows,
                std::vector<float>& out) {
  const std::size_t groups = rows * packed.groups;
  std::vector<std::byte> blocks(groups * kGroupBytes), scales(groups);
  stored.readBytes(packed.blocks, firstRow * packed.groups * kGroupBytes, blocks);
  stored.readBytes(packed.scales, firstRow * packed.groups, scales);
  out.resize(groups * kGroup);
  for (std::size_t group = 0; group < groups; ++group) {
    const float scale = blocks::halfPowerOfTwo(std::to_integer<unsigned>(scales[group]));
    for (std::size_t i = 0; i < kGroupBytes; ++i) {
      const auto pair = std::to_integer<std::size_t>(blocks[group * kGroupBytes + i]);
      out[group * kGroup + 2 * i] = scale * blocks::kFp4Doubled[pair & 15];
      out[group * kGroup + 2 * i + 1] = scale * blocks::kFp4Doubled[pair >> 4];
    }
  }
}

// Unpacks one expert as [in, out].
void unpackExpert(const TensorSource& stored, const Packed& packed, std::size_t expert,
                  std::span<float> out) {
  std::vector<float> rows;
  for (std::size_t first = 0; first < packed.rows; first += kRowsAtOnce) {
    const std::size_t count = std::min(kRowsAtOnce, packed.rows - first);
    unpackRows(stored, packed, expert * packed.rows + first, count, rows);
    for (std::size_t column = 0; column < packed.columns(); ++column) {
      for (std::size_t row = 0; row < count; ++row) {
        out[column * packed.rows + first + row] = rows[row * packed.columns() + column];
      }
    }
  }
}

void read(const TensorSource& stored, const Packed& packed, std::int64_t firstElement, std::span<float> out) {
  const std::size_t each = packed.rows * packed.columns();
  std::vector<float> whole;
  for (auto element = static_cast<std::size_t>(firstElement); !out.empty();) {
    const std::size_t expert = element / each, skipped = element % each;
    const std::size_t count = std::min(out.size(), each - skipped);
    if (count == each) {
      unpackExpert(stored, packed, expert, out.first(each));
    } else {
      whole.resize(each);
      unpackExpert(stored, packed, expert, whole);
      std::copy_n(whole.begin() + static_cast<std::ptrdiff_t>(skipped), count, out.begin());
    }
    element += count;
    out = out.subspan(count);
  }
}

DerivedTensor unpacked(const TensorInfo& blocks, const TensorSource& stored) {
  const std::string name = blocks.name.substr(0, blocks.name.size() - kBlocks.size());
  const TensorInfo* scales = stored.find(name + "_scales");
  const bool fits =
      scales != nullptr && scales->type == TensorType::U8 && blocks.type == TensorType::U8 &&
      blocks.shape.size() == 4 && blocks.elements() > 0 &&
      blocks.shape[3] == static_cast<std::int64_t>(kGroupBytes) &&
      std::equal(scales->shape.begin(), scales->shape.end(), blocks.shape.begin(), blocks.shape.end() - 1);
  if (!fits) {
    throw InputError(
        {blocks.file, "tensor " + sanitized(blocks.name),
         "U8 [experts, out, groups, 16] beside " + sanitized(name) +
             "_scales of type U8 and the same shape without the 16",
         scales == nullptr ? "no scales" : shapeText(blocks.shape) + " and " + shapeText(scales->shape)});
  }
  const Packed packed{blocks, *scales, static_cast<std::size_t>(blocks.shape[1]),
                      static_cast<std::size_t>(blocks.shape[2])};
  TensorInfo shown = blocks;
  shown.name = name;
  shown.type = TensorType::MXFP4;
  shown.shape = {blocks.shape[0], blocks.shape[2] * static_cast<std::int64_t>(kGroup), blocks.shape[1]};
  return {
      shown, {blocks, *scales}, [packed](const TensorSource& from, std::int64_t first, std::span<float> out) {
        read(from, packed, first, out);
      }};
}

ModuleNames plainModules(const Request& request) {
  constexpr const char* kKey = "modules_to_not_convert";
  const auto list = request.config.find(kKey);
  return {list == request.config.end() ? Json() : *list, NameSpelling::Transformers, kKey, request.file};
}

std::string unreadMxfp4(const Request& request) {
  plainModules(request);
  return "";
}

Derivation deriveMxfp4(const TensorSource& stored, const Request& request) {
  Derivation derivation;
  const ModuleNames plain = plainModules(request);
  for (const TensorInfo& tensor : stored.tensors()) {
    if (!tensor.name.ends_with(kBlocks)) continue;
    const std::string_view parameter =
        std::string_view(tensor.name).substr(0, tensor.name.size() - kBlocks.size());
    if (const std::string* named = plain.closest(parameter.substr(0, parameter.rfind('.')))) {
      throw InputError({tensor.file, "tensor " + sanitized(tensor.name),
                        "plain numbers, as modules_to_not_convert names it (" + sanitized(*named) + ")",
                        "MXFP4"});
    }
    derivation.tensors.push_back(unpacked(tensor, stored));
  }
  return derivation;
}

}  // namespace

const Method kMxfp4{"mxfp4", unreadMxfp4, deriveMxfp4};

}  // namespace plastiscope::quantised
