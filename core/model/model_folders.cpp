// Finds models in plain folders: config.json with weights, or GGUF files.
#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/model/discovery.h"
#include "core/weights/gguf.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr int kMaxDepth = 4;
constexpr std::size_t kMaxEntries = 100'000;  // per folder; the search stops there
constexpr std::size_t kMaxIndexBytes = 100'000'000;

std::vector<fs::path> filesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    std::error_code typeCode;
    if (entry->is_regular_file(typeCode)) files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool isConsolidated(const fs::path& file) {
  return file.filename().string().starts_with("consolidated");
}

bool isWeightFile(const fs::path& file) {
  const std::string name = file.filename().string();
  return (name.ends_with(".safetensors") && !isConsolidated(file)) ||
         (name.starts_with("pytorch_model") && name.ends_with(".bin")) || name == "adapter_model.bin";
}

// The existing parts of the split model that begins with `first`, else that file alone.
std::vector<fs::path> partsOf(const fs::path& first, const std::vector<fs::path>& files) {
  const auto part = ggufPartOf(first.filename().string());
  if (!part) return {first};
  std::vector<fs::path> parts;
  std::copy_if(files.begin(), files.end(), std::back_inserter(parts), [&](const fs::path& file) {
    const auto other = ggufPartOf(file.filename().string());
    return other && other->name == part->name && other->count == part->count;
  });
  return parts;
}

// Whether the index lists shards that are missing.
bool shardsAreMissing(const fs::path& folder) {
  const fs::path index = folder / "model.safetensors.index.json";
  std::error_code code;
  if (!fs::exists(index, code)) return false;
  try {
    const Json root = readJsonFile(index, kMaxIndexBytes);
    if (!root.is_object() || !root.contains("weight_map")) return false;
    std::set<std::string> shards;
    for (const Json& shard : root["weight_map"]) {
      if (shard.is_string()) shards.insert(shard.get<std::string>());
    }
    return std::any_of(shards.begin(), shards.end(), [&](const std::string& shard) {
      return !fs::exists(folder / fs::path(shard).filename(), code);
    });
  } catch (const InputError&) {
    return false;  // damaged, but not unfinished
  }
}

// Names of files during a download: the model's name with an additional ending.
bool isPartialDownload(const std::string& name) {
  constexpr std::string_view kEndings[] = {".part", ".incomplete", ".downloadInProgress"};
  return name.find(".gguf") != std::string::npos &&
         std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

FoundModel named(const ModelFolder& where, const fs::path& path) {
  FoundModel model;
  const bool itself = path == where.folder;
  model.name = itself ? where.name : (where.name.empty() ? "" : where.name + "/") + pathText(path.filename());
  model.path = path;
  model.source = where.source;
  model.ref = where.ref;
  return model;
}

bool isConfigured(const fs::path& folder) {
  std::error_code code;
  return fs::exists(folder / "config.json", code) || fs::exists(folder / "adapter_config.json", code);
}

// The folder as a model, if it contains one or a download of one.
std::optional<FoundModel> folderModel(const ModelFolder& where, std::vector<fs::path> files) {
  const bool weights = std::any_of(files.begin(), files.end(), isWeightFile);
  if (!isConfigured(where.folder) || (!weights && !where.unfinishedBytes)) return std::nullopt;
  std::erase_if(files, [&](const fs::path& file) {  // other copies of the model
    return file.extension() == ".gguf" || (weights && isConsolidated(file));
  });
  FoundModel model = named(where, where.folder);
  measure(files, model);
  model.unfinished = where.unfinishedBytes && (!weights || shardsAreMissing(where.folder));
  if (model.unfinished) model.bytes += *where.unfinishedBytes;
  return model;
}

}  // namespace

std::vector<FoundModel> modelsIn(const ModelFolder& where) {
  std::vector<FoundModel> models;
  const std::vector<fs::path> files = filesIn(where.folder);
  if (const auto itself = folderModel(where, files)) models.push_back(*itself);
  for (const fs::path& file : files) {
    const std::string name = file.filename().string();
    const bool partial = isPartialDownload(name);
    if (!partial && !isGgufModelName(name)) continue;
    FoundModel model = named(where, file);
    const std::vector<fs::path> parts = partsOf(file, files);
    const auto split = ggufPartOf(name);
    measure(parts, model);
    model.unfinished = partial || (where.unfinishedBytes && split && std::ssize(parts) < split->count);
    models.push_back(model);
  }
  return models;
}

std::vector<FoundModel> locateInFolders(const ModelPlace& place) {
  std::error_code code;
  // The Hugging Face downloader keeps unfinished files of a plain folder here.
  const auto unfinished = [](const fs::path& folder) {
    return incompleteBytes(folder / ".cache" / "huggingface");
  };
  const std::string ownName = pathText(fs::weakly_canonical(place.folder, code).filename());
  std::vector<FoundModel> models = modelsIn(
      {place.folder, isConfigured(place.folder) ? ownName : "", place.source, "", unfinished(place.folder)});
  std::size_t entries = 0;
  for (fs::recursive_directory_iterator
           entry(place.folder, fs::directory_options::skip_permission_denied, code),
       end;
       !code && entry != end && ++entries < kMaxEntries; entry.increment(code)) {
    std::error_code typeCode;
    if (!entry->is_directory(typeCode)) continue;
    if (entry->path().filename().string().starts_with(".")) {
      entry.disable_recursion_pending();
      continue;
    }
    if (entry.depth() + 1 >= kMaxDepth) entry.disable_recursion_pending();
    const std::string name = pathText(fs::relative(entry->path(), place.folder, typeCode));
    const auto below = modelsIn({entry->path(), name, place.source, "", unfinished(entry->path())});
    models.insert(models.end(), below.begin(), below.end());
  }
  return models;
}

}  // namespace plastiscope
