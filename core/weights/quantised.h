#pragma once
// Reads weights of quantised Hugging Face models as plain tensors.
#include <filesystem>
#include <memory>

#include "core/base/json_value.h"
#include "core/weights/tensor_source.h"

namespace plastiscope {

// InputError when `quantizationConfig` names an unsupported method. Null is allowed.
void checkQuantisation(const Json& quantizationConfig, const std::filesystem::path& configFile);

// Wraps `source`; returns it unchanged when the configuration is null. InputError as above.
std::shared_ptr<const TensorSource> withQuantisation(std::shared_ptr<const TensorSource> source,
                                                     const Json& quantizationConfig,
                                                     const std::filesystem::path& configFile);

}  // namespace plastiscope
