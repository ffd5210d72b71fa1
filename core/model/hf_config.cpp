#include <algorithm>

#include "core/base/error.h"
#include "core/base/path_text.h"
#include "core/model/architecture.h"
#include "core/model/model_config.h"
#include "core/model/rope_settings.h"
#include "core/weights/quantised.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxConfigBytes = std::size_t{16} << 20;
// Where the language model's settings may stand, when not at the top.
constexpr const char* kNestedKeys[] = {"text_config", "language_config", "llm_config", "decoder_config"};

bool isText(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string();
}

const Json& languageConfig(const Json& root) {
  for (const char* key : kNestedKeys) {
    const auto nested = root.find(key);
    if (nested != root.end() && nested->is_object() && nested->contains("num_attention_heads"))
      return *nested;
  }
  return root;
}

// Where the file says how the weights are quantised; null when they are not.
Json quantisationOf(const Json& root, const Json& language) {
  const Json whole = root.value("quantization_config", Json());
  if (!whole.is_null()) return whole;
  const Json mlx = root.value("quantization", Json());  // MLX's own key
  return mlx.is_object() && mlx.contains("bits") ? mlx : language.value("quantization_config", Json());
}

const Architecture& architectureOf(const Json& root, const Json& language, const fs::path& file) {
  std::string named;
  for (const Json* config : {&language, &root}) {
    if (!isText(*config, "model_type")) continue;
    const auto modelType = (*config)["model_type"].get<std::string>();
    if (const Architecture* found = architectureOfModelType(modelType)) return *found;
    if (named.empty()) named = "model_type \"" + modelType + "\"";
  }
  if (named.empty() && root.contains("architectures") && root["architectures"].is_array()) {
    for (const Json& className : root["architectures"]) {
      if (!className.is_string()) continue;
      if (const Architecture* found = architectureOfClass(className.get<std::string>())) return *found;
      if (named.empty()) named = shortJson(className);
    }
  }
  refuseArchitecture(file, "architecture", named.empty() ? "none" : named);
}

// Old and new spelling in one dictionary: rope_parameters and rope_scaling (they must agree where both
// speak), the base and the rotated share beside or inside them.
Json ropeSettingsOf(const Json& config, const fs::path& file) {
  Json settings = normalRopeSettings(config.value("rope_parameters", Json()), file);
  if (isByLayerType(settings)) {
    for (auto& [type, values] : settings.items()) values = normalRopeSettings(values, file);
    return settings;
  }
  for (const auto& [key, value] : settings.items()) {
    if (value.is_object()) {
      throw InputError({file, "rope_parameters", "either one set of values or one a layer type",
                        "both (" + key + " is a set)"});
    }
  }
  const Json scaling = normalRopeSettings(config.value("rope_scaling", Json()), file);
  for (const auto& [key, value] : scaling.items()) {
    if (settings.contains(key) && settings[key] != value) {
      throw InputError({file, key, "the same value in rope_parameters and rope_scaling",
                        shortJson(settings[key]) + " and " + shortJson(value)});
    }
    settings[key] = value;
  }
  for (const char* key : {"rope_theta", "partial_rotary_factor"}) {
    const Json value = config.value(key, Json());
    if (!value.is_null() && !settings.contains(key)) settings[key] = value;
  }
  const char* const kOriginal = "original_max_position_embeddings";  // at the top it wins, as in transformers
  const Json original = config.value(kOriginal, Json());
  if (!original.is_null()) settings[kOriginal] = original;
  return settings;
}

// "models--ORG--NAME/snapshots/HASH" -> "ORG/NAME"; else the name the file gives, if it is no path; else the
// folder's.
std::string nameOf(const fs::path& folder, const Json& root) {
  const fs::path full = fs::weakly_canonical(folder);
  const std::string entry = pathText(full.parent_path().parent_path().filename());
  if (full.parent_path().filename() == "snapshots" && entry.starts_with("models--")) {
    std::string name = entry.substr(8);
    const auto dashes = name.find("--");
    if (dashes != std::string::npos) name.replace(dashes, 2, "/");
    return name;
  }
  const std::string given = isText(root, "_name_or_path") ? root["_name_or_path"].get<std::string>() : "";
  const bool isName = !given.empty() && std::count(given.begin(), given.end(), '/') <= 1 &&
                      std::string("./~").find(given.front()) == std::string::npos && given.back() != '/';
  return isName ? given : pathText(full.filename());
}

}  // namespace

ModelConfig readHfConfig(const fs::path& folder) {
  const fs::path file = folder / "config.json";
  std::error_code code;
  if (!fs::exists(file, code))
    throw InputError({folder, "", "", "there is no config.json in this model folder"});
  Json root = readJsonFile(file, kMaxConfigBytes);
  if (!root.is_object()) throw InputError({file, "", "a JSON object", shortJson(root)});
  const Json& language = languageConfig(root);
  const Architecture& architecture = architectureOf(root, language, file);
  const Json quantisation = quantisationOf(root, language);
  checkQuantisation(quantisation, file);
  ModelConfig config{&architecture,
                     CheckedJson(withDefaults(language, architecture.defaults), file),
                     ropeSettingsOf(language, file),
                     nameOf(folder, root),
                     Json(),
                     quantisation};
  config.asRead = std::move(root);
  return config;
}

}  // namespace plastiscope
