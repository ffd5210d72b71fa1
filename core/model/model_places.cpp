#include "core/model/discovery.h"

#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/hub_cache.h"
#include "core/base/json.h"
#include "core/base/path_text.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

bool isHubCache(const fs::path& folder) {
  return !hubEntries(folder, "models").empty();
}

}  // namespace

std::vector<ModelPlace> usualModelPlaces() {
  const fs::path home = folderFrom("HOME"), cache = userCacheFolder();
  const std::vector<ModelPlace> all = {
      {"Hugging Face cache", hubCacheFolder(), locateInHubCache},
      {"Hugging Face cache", folderFrom("TRANSFORMERS_CACHE"), locateInHubCache},
      {"LM Studio", below(home, ".lmstudio/models"), locateInFolders},
      {"LM Studio", below(cache, "lm-studio/models"), locateInFolders},
      {"Ollama", firstOf({folderFrom("OLLAMA_MODELS"), below(home, ".ollama/models")}), locateInOllama},
      {"Ollama", "/usr/share/ollama/.ollama/models", locateInOllama},
      {"llama.cpp cache", firstOf({folderFrom("LLAMA_CACHE"), below(cache, "llama.cpp")}), locateInFolders},
  };
  std::vector<ModelPlace> named;
  for (const ModelPlace& place : all) {
    if (!place.folder.empty()) named.push_back(place);
  }
  return named;
}

ModelPlace placeOfFolder(const fs::path& folder) {
  return {pathText(folder), folder, isHubCache(folder) ? locateInHubCache : locateInFolders};
}

// ---- Hugging Face cache (core/base/hub_cache.h).

namespace {

// Adds models of a snapshot and of its subfolders (GGUF repositories have one per quantisation).
void addSnapshot(const ModelFolder& snapshot, std::vector<FoundModel>& models) {
  const auto add = [&](const ModelFolder& where) {
    const auto found = modelsIn(where);
    models.insert(models.end(), found.begin(), found.end());
  };
  add(snapshot);
  for (const fs::path& folder : foldersIn(snapshot.folder)) {
    ModelFolder below = snapshot;
    below.folder = folder;
    below.name += "/" + pathText(folder.filename());
    add(below);
  }
}

FoundModel unfinishedEntry(const fs::path& entry, const ModelPlace& place, std::uint64_t bytes) {
  FoundModel model;
  model.name = nameOfHubEntry(entry);
  model.path = entry;
  model.source = place.source;
  model.bytes = bytes;
  model.unfinished = true;
  return model;
}

}  // namespace

std::vector<FoundModel> locateInHubCache(const ModelPlace& place) {
  std::vector<FoundModel> models;
  for (const fs::path& entry : hubEntries(place.folder, "models")) {
    const auto unfinished = incompleteBytes(entry / "blobs");
    std::vector<FoundModel> ofEntry;
    auto refs = hubRefsOf(entry);
    for (const fs::path& snapshot : foldersIn(entry / "snapshots")) {
      const std::string hash = snapshot.filename().string();
      if (refs[hash].empty()) refs[hash] = {hash.substr(0, 8)};
      for (const std::string& ref : refs[hash]) {
        const std::string name = nameOfHubEntry(entry) + (ref == "main" ? "" : "@" + ref);
        addSnapshot({snapshot, name, place.source, ref, unfinished}, ofEntry);
      }
    }
    // A snapshot stays empty until its first file is complete.
    if (ofEntry.empty() && unfinished) ofEntry.push_back(unfinishedEntry(entry, place, *unfinished));
    models.insert(models.end(), ofEntry.begin(), ofEntry.end());
  }
  return models;
}

// ---- Ollama: manifests/REGISTRY/USER/NAME/TAG refer to a blob, a GGUF file without extension.

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

// Blob of the model layer in a manifest; empty when there is none.
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

// REGISTRY/library/NAME/TAG -> "NAME:TAG"; other users are part of the name.
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
      continue;  // skip damaged manifests
    }
  }
  return models;
}

// ---- Size and date of a model's files.

namespace {

std::string dayOf(std::time_t time) {
  std::tm utc{};
  char text[16];
  if (gmtime_r(&time, &utc) == nullptr || std::strftime(text, sizeof text, "%Y-%m-%d", &utc) == 0) return "";
  return text;
}

}  // namespace

void measure(const std::vector<fs::path>& files, FoundModel& model) {
  std::set<std::pair<dev_t, ino_t>> seen;
  std::time_t newest = 0;
  model.bytes = 0;
  for (const fs::path& file : files) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0 || !seen.emplace(status.st_dev, status.st_ino).second) continue;
    model.bytes += static_cast<std::uint64_t>(status.st_size);
    newest = std::max(newest, status.st_mtime);
  }
  model.date = seen.empty() ? "" : dayOf(newest);
}

std::optional<std::uint64_t> incompleteBytes(const fs::path& folder) {
  std::optional<std::uint64_t> bytes;
  std::error_code code;
  for (fs::recursive_directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    std::error_code typeCode;
    if (entry->path().extension() != ".incomplete" || !entry->is_regular_file(typeCode)) continue;
    bytes = bytes.value_or(0) + entry->file_size(typeCode);
  }
  return bytes;
}

}  // namespace plastiscope
