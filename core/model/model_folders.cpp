// Models in plain folders: a folder with config.json and weights, or GGUF files.
#include <sys/stat.h>

#include <algorithm>
#include <set>

#include "core/model/model_places.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr int kMaxDepth = 4;
constexpr std::size_t kMaxEntries = 100'000;  // of one place; more is no model folder

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

// Bytes of files; two names of one file count once.
std::uint64_t sizeOf(const std::vector<fs::path>& files) {
  std::set<std::pair<dev_t, ino_t>> seen;
  std::uint64_t bytes = 0;
  for (const fs::path& file : files) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0 || !seen.emplace(status.st_dev, status.st_ino).second) continue;
    bytes += static_cast<std::uint64_t>(status.st_size);
  }
  return bytes;
}

bool isWeightFile(const std::string& name) {
  return (name.ends_with(".safetensors") && !name.starts_with("consolidated")) ||
         (name.starts_with("pytorch_model") && name.ends_with(".bin"));
}

// The parts of the split model that begins with `first`, else the file alone.
std::vector<fs::path> partsOf(const fs::path& first, const std::vector<fs::path>& files) {
  const std::string name = first.filename().string();
  const auto number = name.find("-00001-of-");
  if (number == std::string::npos) return {first};
  std::vector<fs::path> parts;
  std::copy_if(files.begin(), files.end(), std::back_inserter(parts), [&](const fs::path& file) {
    const std::string other = file.filename().string();
    return other.size() == name.size() && other.starts_with(name.substr(0, number + 1)) &&
           other.ends_with(name.substr(number + 6));
  });
  return parts;
}

// A GGUF model, not a later part of a split one nor the image part of a vision model.
bool isGgufModel(const std::string& name) {
  const bool laterPart =
      name.find("-of-") != std::string::npos && name.find("-00001-of-") == std::string::npos;
  return name.ends_with(".gguf") && !laterPart && !name.starts_with("mmproj");
}

}  // namespace

std::vector<FoundModel> modelsIn(const fs::path& folder, const std::string& name, const std::string& source) {
  std::vector<FoundModel> models;
  const std::vector<fs::path> files = filesIn(folder);
  const bool weights = std::any_of(files.begin(), files.end(), [](const fs::path& file) {
    return isWeightFile(file.filename().string());
  });
  std::error_code code;
  if (weights && fs::exists(folder / "config.json", code)) {
    FoundModel model;
    model.name = name;
    model.path = folder;
    model.source = source;
    model.bytes = sizeOf(files);
    models.push_back(model);
  }
  for (const fs::path& file : files) {
    if (!isGgufModel(file.filename().string())) continue;
    FoundModel model;
    model.name = (name.empty() ? "" : name + "/") + file.filename().string();
    model.path = file;
    model.source = source;
    model.bytes = sizeOf(partsOf(file, files));
    models.push_back(model);
  }
  return models;
}

std::vector<FoundModel> locateInFolders(const ModelPlace& place) {
  std::error_code code;
  const bool itself = fs::exists(place.folder / "config.json", code);
  std::vector<FoundModel> models = modelsIn(
      place.folder, itself ? fs::weakly_canonical(place.folder, code).filename().string() : "", place.source);
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
    const auto below =
        modelsIn(entry->path(), fs::relative(entry->path(), place.folder, typeCode).string(), place.source);
    models.insert(models.end(), below.begin(), below.end());
  }
  return models;
}

}  // namespace plastiscope
