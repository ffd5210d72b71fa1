// Ollama: manifests/REGISTRY/USER/NAME/TAG name a blob, which is a GGUF file without extension.
#include <algorithm>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/model/model_places.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxManifest = 1 << 20;

// "sha256:HEX" -> the blob's path; empty for anything else.
fs::path blobOf(const fs::path& folder, const std::string& digest) {
  const std::string prefix = "sha256:";
  if (!digest.starts_with(prefix) || digest.size() != prefix.size() + 64) return {};
  const std::string hex = digest.substr(prefix.size());
  if (hex.find_first_not_of("0123456789abcdef") != std::string::npos) return {};
  return folder / "blobs" / ("sha256-" + hex);
}

// The model layer of a manifest; empty when there is none.
fs::path modelBlobOf(const fs::path& manifest, const fs::path& folder) {
  const Json json = readJsonFile(manifest, kMaxManifest);
  if (!json.is_object() || !json.contains("layers") || !json["layers"].is_array()) return {};
  for (const Json& layer : json["layers"]) {
    if (!layer.is_object() || layer.value("mediaType", Json()) != "application/vnd.ollama.image.model")
      continue;
    const Json digest = layer.value("digest", Json());
    if (digest.is_string()) return blobOf(folder, digest.get<std::string>());
  }
  return {};
}

// REGISTRY/library/NAME/TAG -> "NAME:TAG"; other users keep their name.
std::string nameOfManifest(const fs::path& relative) {
  std::vector<std::string> parts;
  for (const fs::path& part : relative) parts.push_back(pathText(part));
  if (parts.size() < 3) return pathText(relative);
  const std::size_t count = parts.size();
  const std::string user = count > 3 && parts[count - 3] != "library" ? parts[count - 3] + "/" : "";
  return user + parts[count - 2] + ":" + parts[count - 1];
}

}  // namespace

std::vector<FoundModel> locateInOllama(const ModelPlace& place) {
  std::vector<FoundModel> models;
  const fs::path manifests = place.folder / "manifests";
  std::error_code code;
  for (fs::recursive_directory_iterator entry(manifests, fs::directory_options::skip_permission_denied, code),
       end;
       !code && entry != end; entry.increment(code)) {
    std::error_code typeCode;
    if (!entry->is_regular_file(typeCode)) continue;
    try {
      FoundModel model;
      model.path = modelBlobOf(entry->path(), place.folder);
      if (model.path.empty()) continue;
      model.name = nameOfManifest(fs::relative(entry->path(), manifests, typeCode));
      model.source = place.source;
      measure({model.path}, model);
      models.push_back(model);
    } catch (const InputError&) {
      continue;  // a damaged manifest names no model
    }
  }
  return models;
}

}  // namespace plastiscope
