#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace plastiscope {

// Nothing when `text` is not base64 with padding.
std::optional<std::string> bytesOfBase64(std::string_view text);

}  // namespace plastiscope
