#include "core/store/qk_sniffer/saver_state.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/path_text.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostStateBytes = std::size_t{16} << 20;
constexpr const char* kSaverStateFile = "_saver_state.json";

// How the author's tool makes a folder name of a model's name.
std::string folderNameOf(std::string model) {
  for (char& c : model) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return model;
}

bool isPlain(const Json& value) {
  return value.is_string() || value.is_number() || value.is_boolean();
}

// Plain values, and those one level below with the name of their block before them.
void addPlain(const Json& object, Json& metadata) {
  for (const auto& [key, value] : object.items()) {
    if (isPlain(value)) metadata[key] = value;
    if (!value.is_object()) continue;
    for (const auto& [inner, innerValue] : value.items()) {
      if (isPlain(innerValue)) metadata[key + "_" + inner] = innerValue;
    }
  }
}

// The model's entry of the older form: the one whose folder this is, or the only one.
void readOldState(const Json& models, const std::string& folderName, SaverState& state) {
  for (const auto& [model, metadata] : models.items()) {
    if (!metadata.is_object() || (models.size() > 1 && folderNameOf(model) != folderName)) continue;
    state.model = model;
    addPlain(metadata, state.metadata);
  }
}

SaverState stateOf(const fs::path& file, const std::string& folderName) {
  const Json json = readJsonFile(file, kMostStateBytes);
  if (!json.is_object()) throw InputError({file, "", "a JSON object", std::string(json.type_name())});
  SaverState state;
  state.file = file;
  const Json metadata = json.value("model_metadata", Json::object());
  const Json model = json.value("model_name", Json());
  if (!metadata.is_object())
    throw InputError({file, "model_metadata", "an object", std::string(metadata.type_name())});
  if (!model.is_null() && !model.is_string())
    throw InputError({file, "model_name", "a text", sanitized(canonicalJson(model))});
  for (const auto& [key, value] : json.items()) {
    if (key != "model_name" && key != "model_metadata" && key != "bucket_counts" && isPlain(value))
      state.metadata[key] = value;
  }
  if (model.is_string()) {
    state.model = model;
    addPlain(metadata, state.metadata);
  } else {
    readOldState(metadata, folderName, state);
  }
  return state;
}

Json numberOrText(const std::string& text) {
  std::int64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size() ? Json(value) : Json(text);
}

// Lines such as "- `sampling_bucket_size`: `8192`".
SaverState readmeOf(const fs::path& file) {
  SaverState state;
  state.file = file;
  std::istringstream lines(textOfBytes(readFile(file, kMostStateBytes)));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t nameEnd = line.find("`: `"), valueEnd = line.rfind('`');
    if (line.rfind("- `", 0) != 0 || nameEnd == std::string::npos || valueEnd < nameEnd + 4) continue;
    const std::string name = line.substr(3, nameEnd - 3),
                      value = line.substr(nameEnd + 4, valueEnd - nameEnd - 4);
    if (name == "model") {
      state.model = value == "unknown" ? "" : value;
    } else if (value != "unknown" && name != "captured_configs" && name != "captured_rows") {
      state.metadata[name] = numberOrText(value);
    }
  }
  return state;
}

}  // namespace

SaverState readSaverState(const QkFolder& folder) {
  const std::string name = fs::absolute(folder.path).lexically_normal().filename().string();
  if (fs::exists(folder.path / kSaverStateFile)) return stateOf(folder.path / kSaverStateFile, name);
  if (fs::exists(folder.path / "README.md")) return readmeOf(folder.path / "README.md");
  // The older layout keeps it beside the models' folders, and beside README.md, which describes several
  // models at once.
  if (!fs::exists(folder.parent / kSaverStateFile)) return {};
  SaverState state = stateOf(folder.parent / kSaverStateFile, name);
  return folder.olderLayout || folderNameOf(state.model) == name ? state : SaverState();
}

std::optional<std::int64_t> SaverState::integer(const std::vector<std::string>& names, std::int64_t least,
                                                std::int64_t most) const {
  const CheckedJson values(file, "", metadata);
  for (const std::string prefix : {"", "head_sampling_"}) {
    for (const std::string& name : names) {
      if (const auto value = values.integer((prefix + name).c_str(), least, most)) return value;
    }
  }
  return std::nullopt;
}

std::optional<double> SaverState::number(const std::string& name) const {
  return CheckedJson(file, "", metadata).number(name.c_str());
}

std::optional<std::string> SaverState::text(const std::string& name) const {
  return CheckedJson(file, "", metadata).text(name.c_str());
}

std::string saverStateText(const std::string& model, const Json& metadata,
                           const std::map<std::int64_t, std::int64_t>& bucketCounts) {
  Json counts = Json::object();
  for (const auto& [bucket, count] : bucketCounts) counts[std::to_string(bucket)] = count;
  const Json state{{"model_name", model}, {"model_metadata", metadata}, {"bucket_counts", counts}};
  return indentedJson(state) + "\n";
}

}  // namespace plastiscope
