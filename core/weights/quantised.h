#pragma once
// Weights of quantised Hugging Face models, read as if they were plain.
#include <filesystem>
#include <memory>

#include "core/base/json_value.h"
#include "core/weights/tensor_source.h"

namespace plastiscope {

// InputError when the `quantization_config` of `configFile` names a method that is not read; null is fine.
void checkQuantisation(const Json& quantizationConfig, const std::filesystem::path& configFile);

// `source` as plain tensors; the source itself when the configuration is null. InputError as above.
std::shared_ptr<const TensorSource> withQuantisation(std::shared_ptr<const TensorSource> source,
                                                     const Json& quantizationConfig,
                                                     const std::filesystem::path& configFile);

}  // namespace plastiscope
