#include "core/weights/quantised.h"

#include "core/base/error.h"
#include "core/weights/printable.h"

namespace plastiscope {

namespace {

std::string methodOf(const Json& config) {
  const Json method = config.is_object() ? config.value("quant_method", Json()) : Json();
  return method.is_string() ? printable(method.get<std::string>()) : "unnamed";
}

}  // namespace

void checkQuantisation(const Json& config, const std::filesystem::path& file) {
  if (config.is_null()) return;
  throw InputError(
      {file, "quantization_config", "",
       "the quantisation " + methodOf(config) +
           " is not supported: open the unquantised safetensors model (F32, F16, BF16) or a GGUF file "
           "(Q8_0, Q6_K, Q5_K, Q4_K, Q3_K, Q2_K, Q5_1, Q5_0, Q4_1, Q4_0)"});
}

std::shared_ptr<const TensorSource> withQuantisation(std::shared_ptr<const TensorSource> source,
                                                     const Json& config, const std::filesystem::path& file) {
  checkQuantisation(config, file);
  return source;
}

}  // namespace plastiscope
