#pragma once
// How one method of quantisation is read. The list of methods is in quantised.cpp.
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json_value.h"
#include "core/weights/tensor_source.h"

namespace plastiscope::quantised {

// A plain tensor that is made from stored ones.
struct DerivedTensor {
  TensorInfo shown;               // `type` says how it is stored, `bytes` is the sum of its parts
  std::vector<TensorInfo> parts;  // stored tensors, hidden from now on; it takes the place of the first
  // Elements [first, first + out.size()) as float32.
  std::function<void(const TensorSource& stored, std::int64_t first, std::span<float> out)> read;
};

struct Derivation {
  std::vector<DerivedTensor> tensors;
  std::vector<std::string> hidden;  // further stored tensors that no model needs (scales of activations)
};

// A quantization_config and where it stands.
struct Request {
  const Json& config;
  const std::filesystem::path& file;
};

struct Method {
  std::string_view name;  // quant_method
  // Why this variant is not read ("format x"), or "". InputError when the configuration is damaged.
  std::string (*unread)(const Request& request);
  // InputError when stored tensors do not fit together.
  Derivation (*derive)(const TensorSource& stored, const Request& request);
};

extern const Method kFp8, kFbgemmFp8, kCompressedTensors, kModelopt, kMxfp4;

// ---- 8-bit floating point weights that are stored with scales: one for the whole tensor, for each row, or
// for each rectangle of a grid.

using Rectangle = std::array<std::int64_t, 2>;  // rows and columns that share a scale; 0: all of them

// How the weights of a module are scaled.
struct ModuleScales {
  std::vector<Rectangle> rectangles;  // the first that fits the scale's shape; none: the module stays plain
  std::string why;                    // it stays plain: "ignore names it"
};

struct ScaleRule {
  std::vector<std::string_view>
      endings;  // of the scale's name after the weight's; the first that is there counts
  std::function<ModuleScales(std::string_view module)> scalesOf;
};

// Every F8 tensor times its scale; scales of plain modules are hidden. InputError when an F8 tensor has no
// scale, one whose shape does not fit, or stands in a module that stays plain.
Derivation scaledWeights(const TensorSource& stored, const ScaleRule& rule);

// "[128,128]" -> the two numbers; zeros for null. InputError names `key` when it is something else.
Rectangle rectangleFrom(const Json& value, const char* key, const std::filesystem::path& file);

}  // namespace plastiscope::quantised
