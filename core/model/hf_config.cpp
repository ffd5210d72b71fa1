#include <algorithm>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/path_text.h"
#include "core/model/architecture.h"
#include "core/model/model_config.h"
#include "core/model/rope_settings.h"
#include "core/weights/quantised.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxConfigBytes = std::size_t{16} << 20;
// Keys that may contain the language model's settings.
constexpr const char* kNestedKeys[] = {"text_config", "language_config", "llm_config", "decoder_config"};

// Keys read in every family; the first ones may not be null. Sizes have no default if published files always
// state them.
constexpr std::string_view kClassKeys[] = {
    "hidden_size", "intermediate_size",   "num_hidden_layers", "num_attention_heads",
    "vocab_size",  "tie_word_embeddings", "head_dim",          "per_layer_config",
    "num_experts", "num_local_experts",   "n_routed_experts"};
constexpr std::ptrdiff_t kNeverNull = 6;
// Read with the RoPE settings: if it may not be null, they must have it then.
constexpr const char* kShare = "partial_rotary_factor";

bool isText(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string();
}

const Json& languageConfig(const Json& root) {
  for (const char* key : kNestedKeys) {
    const auto nested = root.find(key);
    if (nested == root.end() || !nested->is_object()) continue;
    if (std::ranges::any_of(kClassKeys, [&](auto size) { return nested->contains(size); })) return *nested;
  }
  return root;
}

// quantization_config from config.json or from ModelOpt's file beside it; null when weights are not
// quantised.
Json quantisationOf(const Json& root, const Json& language, const fs::path& folder) {
  for (const Json* config : {&root, &language})
    if (Json said = config->value("quantization_config", Json()); !said.is_null()) return said;
  const Json mlx = root.value("quantization", Json());  // MLX's own key
  if (mlx.is_object() && mlx.contains("bits")) return mlx;
  const fs::path beside = folder / "hf_quant_config.json";
  std::error_code code;
  if (!fs::exists(beside, code)) return {};
  const Json file = readJsonFile(beside, kMaxConfigBytes);
  Json said = file.is_object() ? file.value("quantization", Json()) : Json();
  if (!said.is_object() || said.value("quant_algo", Json()).is_null()) return {};
  said["quant_method"] = "modelopt";
  return said;
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

// Settings under their usual names.
Json withUsualNames(Json config, const Architecture& family) {
  for (const auto& [own, usual] : family.hfKeys) {
    config.erase(usual);
    if (config.contains(own)) config[usual] = config[own];
  }
  return config;
}

// The keys of the family's class with defaults. InputError: null where the class does not allow it.
Json classValuesOf(const Json& config, const ConfigDefaults& defaults, const fs::path& file) {
  Json values = Json::object();
  for (const auto& [key, value] : config.items()) {
    const auto known = defaults.find(key);
    const auto common = std::ranges::find(kClassKeys, key);
    if (known == defaults.end() && common == std::end(kClassKeys)) continue;
    const bool mayBeNull =
        known == defaults.end() ? common - std::begin(kClassKeys) >= kNeverNull : known->second.mayBeNull;
    if (value.is_null() && !mayBeNull && key != kShare)
      throw InputError({file, key, "a value, which this architecture needs", "null"});
    values[key] = value;
  }
  return withDefaults(std::move(values), defaults);
}

// RoPE settings from rope_parameters, rope_scaling and other keys, combined like the family's class in
// transformers 5.23 and reduced to the effective ones.
class RopeKeys {
 public:
  RopeKeys(const Json& config, const Architecture& family, const fs::path& file)
      : m_family(family),
        m_file(file),
        m_config(withDefaults(config, family.defaults)),
        m_statesShare(config.contains(kShare)) {}

  Json settings() {
    if (m_config.value("position_embedding_type", Json("rope")) != "rope") return Json::object();  // no RoPE
    const Json scaling = dictionary("rope_scaling"), given = dictionary("rope_parameters");
    Json settings = given.is_null() ? Json::parse(m_family.ropeDefault) : given;
    if (m_family.ropeLayers != RopeLayers::Alike) {
      if (m_family.ropeLayers == RopeLayers::Scaled) settings = scaledByLayerType(settings, scaling);
      Json sets = Json::object();  // other entries have no effect
      for (const auto& [type, values] : settings.items())
        if (values.is_structured() || values.is_null()) sets[type] = used(values, true);
      if (sets.empty()) refuse("rope_parameters", "settings for each layer type", shortJson(settings));
      return sets;
    }
    if (!scaling.empty()) settings = scaling;
    const Json all = settings;
    for (const auto& [key, value] : all.items()) {
      if (!value.is_object()) continue;
      refuse("rope_parameters", "one set of values in this architecture", "one for " + sanitized(key));
      settings.erase(key);
    }
    settings.emplace("rope_theta", m_config.value("rope_theta", Json(RopeSpec().theta)));
    Json share = m_config.value(kShare, Json());
    const Json rotated = m_family.shareFromRotaryDim ? m_config.value("rotary_dim", Json()) : Json();
    if (!m_statesShare && rotated.is_number() && m_config["head_dim"].is_number())
      share = rotated.get<double>() / m_config["head_dim"].get<double>();
    const auto known = m_family.defaults.find(kShare);
    const bool needed = known != m_family.defaults.end() && !known->second.mayBeNull;
    settings.emplace(kShare, share.is_null() && !needed ? Json(1) : share);
    return used(settings, false);
  }
  const std::optional<Fault>& fault() const { return m_fault; }

 private:
  void refuse(const char* key, const std::string& expected, const std::string& found) {
    m_fault = Fault{m_file, key, expected, found + kRopeOverrideHint};
  }

  Json dictionary(const char* key) {
    const Json value = m_config.value(key, Json());
    if (value.is_null() || value.is_object()) return value;
    refuse(key, "an object", shortJson(value));
    return nullptr;
  }

  Json scaledByLayerType(const Json& settings, const Json& scaling) {
    if (scaling.is_object() && !settings.empty() && !settings.value("full_attention", Json()).is_object())
      refuse("rope_parameters", "settings for full_attention, which rope_scaling changes", "none");
    const auto valuesOf = [&](const char* type) {
      const Json values = settings.value(type, Json());
      return values.is_object() ? values : Json{{"rope_type", "default"}};
    };
    Json full = valuesOf("full_attention"), windows = valuesOf("sliding_attention");
    if (scaling.is_object()) full.update(scaling);
    full.emplace("rope_theta", m_config["rope_theta"]);
    const char* const kLocal = "rope_local_base_freq";
    const bool hasLocal = m_family.defaults.contains(kLocal);
    const Json byClass = withDefaults(Json::object(), m_family.defaults);
    windows.emplace("rope_theta", hasLocal ? m_config[kLocal] : byClass["rope_theta"]);
    return {{"full_attention", full}, {"sliding_attention", windows}};
  }

  // Effective settings of one dictionary.
  Json used(Json settings, bool ofLayerType) {
    if (!settings.is_object()) {
      refuse("rope_parameters", "settings for each layer type", shortJson(settings));
      return Json::object();
    }
    if (ofLayerType) settings.erase("truncate");  // read at the top level only
    const Json type = settings.value("rope_type", settings.value("type", Json("default")));
    if (m_family.onlyLongrope) {
      if (type == "su" || type == "yarn")
        settings["rope_type"] = "longrope";
      else if (type != "default" && type != "longrope")
        refuse("rope_type", "default or longrope", shortJson(type));
    }
    if (m_family.mropeIsDefault && type == "mrope") settings["rope_type"] = "default";
    const char* const kOriginal = "original_max_position_embeddings";  // the top level has precedence
    if (!ofLayerType && m_config.contains(kOriginal)) settings[kOriginal] = m_config[kOriginal];
    const bool readsAlpha = std::ranges::count(m_family.ropeKeys, "alpha") > 0;  // instead of a factor
    if (readsAlpha && settings.value("alpha", Json()).is_number()) settings["factor"] = 1;
    const bool plain = type == "default";
    settings = usedRopeSettings(settings, m_family.ropeKeys);
    if (!m_family.defaults.contains(kShare) && type != "proportional" && settings.contains(kShare)) {
      if (!plain && settings[kShare] != 1)
        refuse(kShare, "1 in this architecture", shortJson(settings[kShare]));
      settings.erase(kShare);
    }
    return settings;
  }

  const Architecture& m_family;
  const fs::path& m_file;
  Json m_config;
  bool m_statesShare;
  std::optional<Fault> m_fault;
};

// "models--ORG--NAME/snapshots/HASH" -> "ORG/NAME"; else the name in the file, if it is not a path; else the
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

Json readRoot(const fs::path& folder) {
  const fs::path file = folder / "config.json";
  std::error_code code;
  if (!fs::exists(file, code))
    throw InputError({folder, "", "", "there is no config.json in this model folder"});
  Json root = readJsonFile(file, kMaxConfigBytes);
  if (!root.is_object()) throw InputError({file, "", "a JSON object", shortJson(root)});
  return root;
}

}  // namespace

std::optional<FolderFacts> readFolderConfig(const fs::path& folder) {
  const Json root = readRoot(folder);
  const Json& language = languageConfig(root);
  const Json& typed = isText(language, "model_type") ? language : root;
  if (!isText(typed, "model_type")) return {};
  FolderFacts facts{folder, nameOf(folder, root), typed["model_type"].get<std::string>(), true, root};
  try {
    architectureOf(root, language, folder / "config.json");
  } catch (const InputError&) {
    facts.known = false;
  }
  return facts;
}

ModelConfig readHfConfig(const fs::path& folder) {
  const fs::path file = folder / "config.json";
  Json root = readRoot(folder);
  const Json& given = languageConfig(root);
  const Architecture& architecture = architectureOf(root, given, file);
  const Json language = withUsualNames(given, architecture);
  const Json quantisation = quantisationOf(root, language, folder);
  checkQuantisation(quantisation, file);
  RopeKeys rope(language, architecture, file);
  Json values = classValuesOf(language, architecture.defaults, file);
  if (architecture.widthPerLayer) splitLayerLists(values, {"intermediate_size"});
  if (language.value("tie_word_embeddings", Json()).is_null() &&
      root.value("tie_word_embeddings", Json()) == true)
    values["tie_word_embeddings"] = true;
  values["rope_parameters"] = rope.settings();
  const Json settings = values["rope_parameters"];
  ModelConfig config{&architecture, CheckedJson(std::move(values), file),
                     settings,      nameOf(folder, root),
                     Json(),        quantisation,
                     rope.fault()};
  config.asRead = std::move(root);
  return config;
}

}  // namespace plastiscope
