#include "core/model/discovery.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "core/base/error.h"
#include "core/base/joined.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kSuggestions = 3;

std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string lastPart(const std::string& name) {
  return name.substr(name.rfind('/') + 1);
}

// Models that match the name by the first rule with any match: exact, ignoring case, without the
// organisation.
std::vector<FoundModel> modelsNamed(const std::string& name, const std::vector<FoundModel>& all) {
  using Rule = bool (*)(const std::string& wanted, const std::string& found);
  constexpr Rule kRules[] = {
      [](const std::string& wanted, const std::string& found) { return wanted == found; },
      [](const std::string& wanted, const std::string& found) {
        return lowerCase(wanted) == lowerCase(found);
      },
      [](const std::string& wanted, const std::string& found) {
        return lowerCase(wanted) + ":latest" == lowerCase(found);  // Ollama's default tag
      },
      [](const std::string& wanted, const std::string& found) {
        return lowerCase(wanted) == lowerCase(lastPart(found));
      },
  };
  for (const Rule rule : kRules) {
    std::vector<FoundModel> fitting;
    std::copy_if(all.begin(), all.end(), std::back_inserter(fitting),
                 [&](const FoundModel& model) { return rule(name, model.name); });
    if (!fitting.empty()) return fitting;
  }
  return {};
}

// Names that contain the wanted one or are similar, nearest first.
std::vector<std::string> nearNames(const std::string& name, const std::vector<FoundModel>& all) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const FoundModel& model : all) {
    const std::string wanted = lowerCase(name), found = lowerCase(model.name);
    const std::size_t distance = std::min(editDistance(wanted, found), editDistance(wanted, lastPart(found)));
    if (found.find(wanted) != std::string::npos) {
      ranked.emplace_back(0, model.name);
    } else if (distance <= wanted.size() / 2) {
      ranked.emplace_back(distance, model.name);
    }
  }
  std::sort(ranked.begin(), ranked.end());
  ranked.resize(std::min(ranked.size(), kSuggestions));
  std::vector<std::string> names;
  for (const auto& [distance, near] : ranked) names.push_back(near);
  return names;
}

std::string unfinishedText(const FoundModel& model) {
  return "the download is unfinished (" + byteText(model.bytes) +
         " so far): finish it with the program that started it";
}

void fillCard(FoundModel& model) {
  if (model.unfinished) {
    model.problem = unfinishedText(model);
    return;
  }
  const std::optional<FolderFacts> folder = readFolderFacts(model.path);
  if (folder && !folder->known) {
    model.architecture = folder->modelType;
    model.otherFamily = true;
    return;
  }
  try {
    model.card = cardOf(*openModel(model.path));
    model.architecture = model.card->spec.architecture;
  } catch (const std::exception&) {
    model.problem = caughtFailure().sentence;
  }
}

const fs::path& pathOf(const FoundModel& model) {
  if (model.unfinished) throw InputError({model.path, "", "", unfinishedText(model)});
  return model.path;
}

}  // namespace

std::vector<FoundModel> locateModels(const std::vector<fs::path>& extraFolders) {
  std::vector<ModelPlace> places = usualModelPlaces();
  for (const fs::path& folder : extraFolders) places.push_back(placeOfFolder(folder));
  std::vector<FoundModel> models;
  std::set<fs::path> visited;
  for (const ModelPlace& place : places) {
    std::error_code code;
    const fs::path real = fs::canonical(place.folder, code);
    if (code || !visited.insert(real).second) continue;
    std::vector<FoundModel> found = place.locate(place);
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    models.insert(models.end(), found.begin(), found.end());
  }
  return models;
}

std::vector<FoundModel> findModels(const std::vector<fs::path>& extraFolders) {
  std::vector<FoundModel> models = locateModels(extraFolders);
  for (FoundModel& model : models) fillCard(model);
  return models;
}

fs::path resolveModelPath(const std::string& nameOrPath) {
  const fs::path path(nameOrPath);
  std::error_code code;
  if (fs::exists(path, code)) {
    const bool cacheEntry =
        path.filename().string().starts_with("models--") && fs::is_directory(path / "snapshots", code);
    const fs::path snapshot = cacheEntry ? mainSnapshotOf(path) : fs::path();
    return snapshot.empty() ? path : snapshot;
  }
  const std::vector<FoundModel> all = locateModels({});
  const std::vector<FoundModel> fitting = modelsNamed(nameOrPath, all);
  std::vector<std::string> names;
  for (const FoundModel& model : fitting) names.push_back(model.name);
  const bool sameName = std::set<std::string>(names.begin(), names.end()).size() == 1;
  if (sameName) return pathOf(fitting.front());  // from the first source
  if (!fitting.empty()) throw InputError(nameOrPath + ": several models have this name: " + joined(names));
  const std::vector<std::string> near = nearNames(nameOrPath, all);
  throw InputError(nameOrPath +
                   ": there is no such file or folder, and no model of this name in the usual places" +
                   (near.empty() ? "" : "; near names: " + joined(near)));
}

}  // namespace plastiscope
