#pragma once
// Interface of a quantisation method. The list of methods is in quantised.cpp.
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json_value.h"
#include "core/weights/tensor_source.h"

namespace plastiscope::quantised {

// A plain tensor computed from stored ones.
struct DerivedTensor {
  TensorInfo shown;               // `type` is the stored type, `bytes` the sum of the parts
  std::vector<TensorInfo> parts;  // stored tensors, hidden; it replaces the first one
  // Elements [first, first + out.size()) as float32.
  std::function<void(const TensorSource& stored, std::int64_t first, std::span<float> out)> read;
};

struct Derivation {
  std::vector<DerivedTensor> tensors;
  std::vector<std::string> hidden;  // other unneeded stored tensors (scales of activations)
};

// A quantization_config and its file.
struct Request {
  const Json& config;
  const std::filesystem::path& file;
};

struct Method {
  std::string_view name;  // quant_method
  // Why this variant is not supported ("format x"), or "". InputError for an invalid configuration.
  std::string (*unread)(const Request& request);
  // InputError when stored tensors are inconsistent.
  Derivation (*derive)(const TensorSource& stored, const Request& request);
};

extern const Method kFp8, kFbgemmFp8, kCompressedTensors, kModelopt, kMxfp4;

// ---- 8-bit floating point weights with scales per tensor, per row or per block.

using Rectangle = std::array<std::int64_t, 2>;  // rows and columns that share a scale; 0: all

// Scaling of the weights of one module.
struct ModuleScales {
  std::vector<Rectangle> rectangles;  // candidates, first match with the scale's shape; empty: not scaled
  std::string why;                    // reason if not scaled: "ignore names it"
};

struct ScaleRule {
  std::vector<std::string_view> endings;  // suffixes of the scale's name, in order of preference
  std::function<ModuleScales(std::string_view module)> scalesOf;
};

// Derives every F8 tensor times its scale and hides the scales of modules that are not scaled. InputError
// when an F8 tensor has no scale, a scale of the wrong shape, or belongs to a module that is not scaled.
Derivation scaledWeights(const TensorSource& stored, const ScaleRule& rule);

// "[128,128]" -> the two numbers; zeros for null. InputError names `key` for any other value.
Rectangle rectangleFrom(const Json& value, const char* key, const std::filesystem::path& file);

// ---- Module lists in a quantisation configuration: which modules are quantised, and how.

// Syntax of list entries, by library.
enum class NameSpelling {
  CompressedTensors,  // module name, class name ("Linear"), or re: and a regular expression
  Transformers,       // regular expression for a prefix up to a dot, or a suffix
  Wildcards           // name with * and ?
};

class ModuleNames {
 public:
  // `list`: strings, or null. InputError names `key` for other values and invalid regular expressions.
  ModuleNames(const Json& list, NameSpelling spelling, const char* key, const std::filesystem::path& file);
  ~ModuleNames();
  ModuleNames(const ModuleNames&) = delete;
  ModuleNames& operator=(const ModuleNames&) = delete;

  // The best matching entry for a module, named as in the tensors; null when none matches. Order of
  // precedence (compressed_tensors.utils.match.match_targets): names, regular expressions, classes,
  // alphabetically within each.
  const std::string* closest(std::string_view module) const;

 private:
  struct Entry;
  std::vector<std::unique_ptr<Entry>> m_entries;  // in order of precedence
  NameSpelling m_spelling;
};

// "model.layers.0.self_attn.q_proj.weight" -> "model.layers.0.self_attn.q_proj"
std::string_view moduleOf(std::string_view tensor);

}  // namespace plastiscope::quantised
