#include "core/weights/quantised.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/weights/quantised/derived_source.h"
#include "core/weights/tensor_type.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

using namespace quantised;

// To add a method: a file beside the others in quantised/, a line here.
constexpr const Method* kMethods[] = {&kFp8, &kFbgemmFp8, &kCompressedTensors, &kMxfp4};

// Methods that are known but not read, with what their weights are.
struct UnreadMethod {
  std::string_view name, what;
};
constexpr UnreadMethod kUnread[] = {
    {"aqlm", "sums of codebook vectors"},
    {"auto-round", "integers packed into words"},
    {"awq", "4-bit integers packed into words"},
    {"bitnet", "ternary numbers packed into bytes"},
    {"bitsandbytes", "4-bit or 8-bit codes"},
    {"eetq", "8-bit integers"},
    {"fp_quant", "4-bit floats after a rotation"},
    {"gptq", "integers packed into words"},
    {"higgs", "vectors of a grid after a rotation"},
    {"hqq", "integers packed into words"},
    {"mlx", "integers packed into words"},
    {"mxfp8", "8-bit floats with exponents as scales"},
    {"nvfp4", "4-bit floats with two levels of scales"},
    {"quanto", "8-bit, 4-bit or 2-bit integers"},
    {"quark", "one of many schemes"},
    {"spqr", "3-bit integers with outliers apart"},
    {"torchao", "serialised tensor classes"},
    {"vptq", "indices of codebook vectors"},
};

// Files from before quant_method show bitsandbytes by flags only, and MLX never names itself.
std::string methodOf(const Json& config) {
  if (!config.is_object()) return "unnamed";
  const Json method = config.value("quant_method", Json());
  if (method.is_string()) return sanitized(method.get<std::string>());
  const Json eight = config.value("load_in_8bit", Json()), four = config.value("load_in_4bit", Json());
  if (eight == true || four == true) return "bitsandbytes";
  return config.contains("bits") && config.contains("group_size") ? "mlx" : "unnamed";
}

std::string methodNames() {
  std::string names;
  for (const Method* method : kMethods) names += (names.empty() ? "" : ", ") + std::string(method->name);
  return names;
}

[[noreturn]] void refuse(const std::string& method, const std::string& what, const fs::path& file) {
  throw InputError({file, "quantization_config", "",
                    "the quantisation " + method + " is not supported" +
                        (what.empty() ? "" : " (" + what + ")") +
                        ": open the unquantised safetensors model (F32, F16, BF16), one quantised by " +
                        methodNames() + ", or a GGUF file (" + ggufTypeNames() + ")"});
}

const Method& checkedMethod(const Json& config, const fs::path& file) {
  const std::string name = methodOf(config);
  const auto found = std::find_if(std::begin(kMethods), std::end(kMethods),
                                  [&](const Method* method) { return method->name == name; });
  if (found == std::end(kMethods)) {
    const auto known = std::find_if(std::begin(kUnread), std::end(kUnread),
                                    [&](const auto& one) { return one.name == name; });
    refuse(name, known == std::end(kUnread) ? "" : std::string(known->what), file);
  }
  const std::string reason = (*found)->unread({config, file});
  if (!reason.empty()) refuse(name, reason, file);
  return **found;
}

}  // namespace

void checkQuantisation(const Json& config, const fs::path& file) {
  if (!config.is_null()) checkedMethod(config, file);
}

std::shared_ptr<const TensorSource> withQuantisation(std::shared_ptr<const TensorSource> source,
                                                     const Json& config, const fs::path& file) {
  if (config.is_null()) return source;
  const Method& method = checkedMethod(config, file);
  Derivation derivation = method.derive(*source, {config, file});
  return std::make_shared<const DerivedSource>(std::move(source), std::move(derivation),
                                               "quantised " + canonicalJson(config));
}

}  // namespace plastiscope
