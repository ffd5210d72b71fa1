#include "core/store/qk_sniffer/saver_state.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/parsed_number.h"
#include "core/base/path_text.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxStateBytes = std::size_t{16} << 20;
constexpr const char* kSaverStateFile = "_saver_state.json";

// Folder name that qk-sniffer makes from a model's name.
std::string folderNameOf(std::string model) {
  for (char& c : model) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return model;
}

bool isPlain(const Json& value) {
  return value.is_string() || value.is_number() || value.is_boolean();
}

// Adds plain values, and those one level deeper with the name of their block as prefix.
void addPlain(const Json& object, Json& metadata) {
  for (const auto& [key, value] : object.items()) {
    if (isPlain(value)) metadata[key] = value;
    if (!value.is_object()) continue;
    for (const auto& [inner, innerValue] : value.items()) {
      if (isPlain(innerValue)) metadata[key + "_" + inner] = innerValue;
    }
  }
}

// Takes the model's entry of the older form: the one with this folder's name, or the only one.
void readOldState(const Json& models, const std::string& folderName, std::string& model, Json& metadata) {
  for (const auto& [name, values] : models.items()) {
    if (!values.is_object() || (models.size() > 1 && folderNameOf(name) != folderName)) continue;
    model = name;
    addPlain(values, metadata);
  }
}

SaverState stateOf(const fs::path& file, const std::string& folderName) {
  const CheckedJson root(readJsonFile(file, kMaxStateBytes), file);
  if (!root.json().is_object()) root.refuse("a JSON object");
  const Json stated = root.object("model_metadata").json();
  Json metadata = Json::object();
  for (const auto& [key, value] : root.json().items()) {
    if (key != "model_name" && key != "model_metadata" && key != "bucket_counts" && isPlain(value))
      metadata[key] = value;
  }
  std::string model = root.textOr("model_name", "");
  if (root.has("model_name")) {
    addPlain(stated, metadata);
  } else {
    readOldState(stated, folderName, model, metadata);
  }
  return {model, CheckedJson(std::move(metadata), file)};
}

Json numberOrText(const std::string& text) {
  const auto value = parsedNumber<std::int64_t>(text);
  return value ? Json(*value) : Json(text);
}

// Parses lines such as "- `sampling_bucket_size`: `8192`".
SaverState readmeOf(const fs::path& file) {
  std::string model;
  Json metadata = Json::object();
  std::istringstream lines(textOfBytes(readFile(file, kMaxStateBytes)));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t nameEnd = line.find("`: `"), valueEnd = line.rfind('`');
    if (line.rfind("- `", 0) != 0 || nameEnd == std::string::npos || valueEnd < nameEnd + 4) continue;
    const std::string name = line.substr(3, nameEnd - 3),
                      value = line.substr(nameEnd + 4, valueEnd - nameEnd - 4);
    if (name == "model") {
      model = value == "unknown" ? "" : value;
    } else if (value != "unknown" && name != "captured_configs" && name != "captured_rows") {
      metadata[name] = numberOrText(value);
    }
  }
  return {model, CheckedJson(std::move(metadata), file)};
}

}  // namespace

SaverState readSaverState(const QkFolder& folder) {
  const std::string name = fs::absolute(folder.path).lexically_normal().filename().string();
  if (fs::exists(folder.path / kSaverStateFile)) return stateOf(folder.path / kSaverStateFile, name);
  if (fs::exists(folder.path / "README.md")) return readmeOf(folder.path / "README.md");
  // In the older layout the file lies next to the models' folders and to README.md, which describes several
  // models.
  if (!fs::exists(folder.parent / kSaverStateFile)) return {};
  SaverState state = stateOf(folder.parent / kSaverStateFile, name);
  return folder.olderLayout || folderNameOf(state.model) == name ? state : SaverState();
}

std::optional<std::int64_t> SaverState::integer(const std::vector<std::string>& names, std::int64_t least,
                                                std::int64_t most) const {
  for (const std::string prefix : {"", "head_sampling_"}) {
    for (const std::string& name : names) {
      if (const auto value = metadata.findInteger(prefix + name, least, most)) return value;
    }
  }
  return std::nullopt;
}

std::string saverStateText(const std::string& model, const Json& metadata,
                           const std::map<std::int64_t, std::int64_t>& bucketCounts) {
  Json counts = Json::object();
  for (const auto& [bucket, count] : bucketCounts) counts[std::to_string(bucket)] = count;
  const Json state{{"model_name", model}, {"model_metadata", metadata}, {"bucket_counts", counts}};
  return indentedJson(state) + "\n";
}

}  // namespace plastiscope
