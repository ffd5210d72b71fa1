#pragma once
// Metadata of the author's layout (method.md 1.11) from a capture, and back.
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/base/json_value.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// Key of an imported capture's settings that keeps the metadata of its source.
inline constexpr const char* kSourceMetadata = "source_metadata";

// Everything the capture knows, under the author's names; what its source stated (settings) wins.
Json captureMetadata(const CaptureInfo& info, const std::string& point);

// Sampling strategies as the author calls them, and the sampler of that name; unknown names stay what they
// are.
std::string strategyOf(const std::string& sampler);
std::string samplerOf(const std::string& strategy);

// README.md with the front matter of a data-set card: one configuration per head folder.
std::string qkReadmeText(const std::string& model, const Json& metadata,
                         const std::vector<std::string>& folders,
                         const std::map<std::int64_t, std::int64_t>& bucketCounts);

}  // namespace plastiscope
