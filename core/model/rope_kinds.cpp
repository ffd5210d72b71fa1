#include "core/model/rope_kinds.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "core/base/error.h"

namespace plastiscope {

namespace {

// How one setting is stored and which values it may have.
struct RopeSetting {
  std::string_view name;
  std::variant<double RopeSpec::*, std::int64_t RopeSpec::*, bool RopeSpec::*,
               std::optional<double> RopeSpec::*, std::vector<double> RopeSpec::*,
               std::vector<float> RopeSpec::*>
      member;
  double least = 0, most = 0;  // the least value itself is allowed
};

constexpr double kTiny = 1e-9;
constexpr double kMaxFactor = 1e6;
constexpr double kMaxContext = 1e12;

const std::vector<RopeSetting>& settingsList() {
  static const std::vector<RopeSetting> kSettings = {
      {"factor", &RopeSpec::factor, kTiny, kMaxFactor},
      {"original_max_position_embeddings", &RopeSpec::originalContext, 1, kMaxContext},
      {"low_freq_factor", &RopeSpec::lowFreqFactor, kTiny, kMaxFactor},
      {"high_freq_factor", &RopeSpec::highFreqFactor, kTiny, kMaxFactor},
      {"beta_fast", &RopeSpec::betaFast, kTiny, kMaxFactor},
      {"beta_slow", &RopeSpec::betaSlow, kTiny, kMaxFactor},
      {"truncate", &RopeSpec::truncate},
      {"attention_factor", &RopeSpec::attentionFactor, kTiny, kMaxFactor},
      {"mscale", &RopeSpec::mscale, 0, kMaxFactor},
      {"mscale_all_dim", &RopeSpec::mscaleAllDim, 0, kMaxFactor},
      {"short_factor", &RopeSpec::shortFactor, kTiny, kMaxFactor},
      {"long_factor", &RopeSpec::longFactor, kTiny, kMaxFactor},
      {"frequency_factors", &RopeSpec::frequencyFactors, kTiny, kMaxFactor},
  };
  return kSettings;
}

// Settings of every kind; `finetuned` says nothing that we need.
constexpr std::string_view kCommonKeys[] = {
    "rope_type", "rope_theta", "partial_rotary_factor", "rotary_dim", "max_position_embeddings", "finetuned"};

std::string checkLlama3(const RopeSpec& rope) {
  return rope.highFreqFactor > rope.lowFreqFactor ? ""
                                                  : "high_freq_factor must be larger than low_freq_factor";
}

std::string checkDynamic(const RopeSpec& rope) {
  return rope.rotaryDim > 2 && rope.maxPositions > 0
             ? ""
             : "it needs more than two rotated dimensions and a context";
}

std::string checkYarn(const RopeSpec& rope) {
  if (rope.betaFast <= rope.betaSlow) return "beta_fast must be larger than beta_slow";
  return rope.theta > 1 ? "" : "rope_theta must be larger than 1";
}

std::string checkLongrope(const RopeSpec& rope) {
  const auto pairs = static_cast<std::size_t>(rope.rotaryDim / 2);
  if (rope.shortFactor.size() != pairs || rope.longFactor.size() != pairs) {
    return "short_factor and long_factor must have " + std::to_string(pairs) + " numbers, they have " +
           std::to_string(rope.shortFactor.size()) + " and " + std::to_string(rope.longFactor.size());
  }
  return rope.originalContext > 1 ? "" : "original_max_position_embeddings must be larger than 1";
}

class SettingsReader {
 public:
  SettingsReader(const Json& settings, const RopeContext& context)
      : m_settings(settings), m_context(context) {}

  [[noreturn]] void refuse(std::string_view key, const std::string& expected,
                           const std::string& found) const {
    throw InputError({m_context.file, "RoPE setting " + std::string(key), expected, found});
  }

  double number(const Json& value, const RopeSetting& setting) const {
    if (!value.is_number()) refuse(setting.name, "a number", value.dump());
    const auto real = value.get<double>();
    if (!(real >= setting.least && real <= setting.most)) {
      refuse(setting.name, "a value from " + Json(setting.least).dump() + " to " + Json(setting.most).dump(),
             value.dump());
    }
    return real;
  }

  void read(const RopeSetting& setting, RopeSpec& rope) const {
    const Json& value = m_settings.at(std::string(setting.name));
    std::visit([&](auto member) { store(value, setting, rope.*member); }, setting.member);
  }

 private:
  void store(const Json& value, const RopeSetting& setting, double& into) const {
    into = number(value, setting);
  }
  void store(const Json& value, const RopeSetting& setting, std::optional<double>& into) const {
    into = number(value, setting);
  }
  void store(const Json& value, const RopeSetting& setting, std::int64_t& into) const {
    const double real = number(value, setting);
    if (real != std::floor(real)) refuse(setting.name, "a whole number", value.dump());
    into = static_cast<std::int64_t>(real);
  }
  void store(const Json& value, const RopeSetting& setting, bool& into) const {
    if (!value.is_boolean()) refuse(setting.name, "true or false", value.dump());
    into = value.get<bool>();
  }
  template <typename Number>
  void store(const Json& value, const RopeSetting& setting, std::vector<Number>& into) const {
    if (!value.is_array()) refuse(setting.name, "a list of numbers", value.dump());
    for (const Json& item : value) into.push_back(static_cast<Number>(number(item, setting)));
  }

  const Json& m_settings;
  const RopeContext& m_context;
};

const RopeSetting* findSetting(std::string_view name) {
  const auto& all = settingsList();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& setting) { return setting.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const RopeKind& findKind(const Json& settings, const SettingsReader& reader) {
  const Json type = settings.value("rope_type", Json("default"));
  std::string known;
  for (const RopeKind& kind : ropeKinds()) {
    const bool alias =
        std::any_of(kind.aliases.begin(), kind.aliases.end(), [&](auto name) { return type == name; });
    if (type == kind.name || alias) return kind;
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  reader.refuse("rope_type", "one of " + known, type.dump());
}

void refuseUnknownKeys(const Json& settings, const RopeContext& context, const SettingsReader& reader) {
  std::vector<std::string> known(context.extraKeys);
  for (const auto key : kCommonKeys) known.emplace_back(key);
  for (const RopeSetting& setting : settingsList()) known.emplace_back(setting.name);
  for (const auto& [key, value] : settings.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string near = nearestName(key, known);
    reader.refuse(key, "a known setting" + (near.empty() ? "" : " such as " + near), "this one");
  }
}

// First part of the head that turns: an even number of dimensions.
std::int64_t readRotaryDim(const Json& settings, const RopeContext& context, const SettingsReader& reader) {
  const double all = static_cast<double>(context.headDim);
  const RopeSetting share{"partial_rotary_factor", &RopeSpec::factor, kTiny, 1};
  const RopeSetting given{"rotary_dim", &RopeSpec::rotaryDim, 2, all};
  RopeSpec read;
  read.factor = 1;
  if (settings.contains(share.name)) reader.read(share, read);
  read.rotaryDim = static_cast<std::int64_t>(all * read.factor);
  if (context.rotaryDim > 0) read.rotaryDim = context.rotaryDim;
  if (settings.contains(given.name)) reader.read(given, read);
  if (read.rotaryDim < 2 || read.rotaryDim % 2 != 0) {
    reader.refuse("rotary_dim", "an even number of rotated dimensions", std::to_string(read.rotaryDim));
  }
  return read.rotaryDim;
}

// Values that transformers fills in from the rest of the configuration.
Json completed(Json settings, const RopeKind& kind, const RopeContext& context) {
  const auto uses = [&](std::string_view name) {
    return std::find(kind.needs.begin(), kind.needs.end(), name) != kind.needs.end() ||
           std::find(kind.may.begin(), kind.may.end(), name) != kind.may.end();
  };
  const char* const kOriginal = "original_max_position_embeddings";
  if (!uses(kOriginal)) return settings;
  const bool ratio =
      settings.contains(kOriginal) && settings[kOriginal].is_number() && context.maxPositions > 0;
  if ((kind.name == "yarn" || kind.name == "longrope") && !settings.contains("factor") && ratio) {
    const auto original = settings[kOriginal].get<double>();
    if (original > 0) settings["factor"] = static_cast<double>(context.maxPositions) / original;
  }
  if (!settings.contains(kOriginal) && context.maxPositions > 0) settings[kOriginal] = context.maxPositions;
  return settings;
}

}  // namespace

const std::vector<RopeKind>& ropeKinds() {
  static const std::vector<RopeKind> kKinds = {
      // name, aliases, needs, may have, check
      {"default", {}, {}, {"frequency_factors"}},
      {"linear", {}, {"factor"}, {"frequency_factors"}},
      {"dynamic", {}, {"factor"}, {}, checkDynamic},
      {"llama3",
       {},
       {"factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"},
       {},
       checkLlama3},
      {"yarn",
       {},
       {"factor", "original_max_position_embeddings"},
       {"beta_fast", "beta_slow", "truncate", "attention_factor", "mscale", "mscale_all_dim"},
       checkYarn},
      {"longrope",
       {"su"},
       {"short_factor", "long_factor", "original_max_position_embeddings"},
       {"factor", "attention_factor"},
       checkLongrope},
  };
  return kKinds;
}

RopeSpec readRope(const Json& given, const RopeContext& givenContext) {
  RopeContext context = givenContext;
  const SettingsReader reader(given, context);
  const RopeKind& kind = findKind(given, reader);
  refuseUnknownKeys(given, context, reader);
  if (given.contains("max_position_embeddings")) {
    RopeSpec read;
    reader.read({"max_position_embeddings", &RopeSpec::maxPositions, 1, kMaxContext}, read);
    context.maxPositions = read.maxPositions;
  }
  const Json settings = completed(given, kind, context);
  const SettingsReader values(settings, context);

  RopeSpec rope;
  rope.kind = kind.name;
  rope.maxPositions = context.maxPositions;
  rope.rotaryDim = readRotaryDim(settings, context, values);
  if (settings.contains("rope_theta")) values.read({"rope_theta", &RopeSpec::theta, 1e-3, 1e30}, rope);
  for (const auto name : kind.needs) {
    if (!settings.contains(name)) values.refuse(name, "a value, which kind " + rope.kind + " needs", "none");
    values.read(*findSetting(name), rope);
  }
  for (const auto name : kind.may) {
    if (settings.contains(name)) values.read(*findSetting(name), rope);
  }
  if (!rope.frequencyFactors.empty() &&
      rope.frequencyFactors.size() != static_cast<std::size_t>(rope.rotaryDim / 2)) {
    values.refuse("frequency_factors", std::to_string(rope.rotaryDim / 2) + " numbers",
                  std::to_string(rope.frequencyFactors.size()));
  }
  const std::string complaint = kind.check == nullptr ? "" : kind.check(rope);
  if (!complaint.empty()) throw InputError({context.file, "RoPE kind " + rope.kind, "", complaint});
  return rope;
}

Json normalRopeSettings(const Json& dictionary, const std::filesystem::path& file) {
  Json settings = Json::object();
  if (dictionary.is_null()) return settings;
  if (!dictionary.is_object()) throw InputError({file, "RoPE settings", "an object", dictionary.dump()});
  for (const auto& [key, value] : dictionary.items()) {
    if (!value.is_null()) settings[key] = value;
  }
  if (!settings.contains("type")) return settings;
  if (settings.contains("rope_type") && settings["rope_type"] != settings["type"]) {
    throw InputError({file, "RoPE settings", "the same kind in type and rope_type",
                      settings["type"].dump() + " and " + settings["rope_type"].dump()});
  }
  settings["rope_type"] = settings["type"];
  settings.erase("type");
  return settings;
}

Json overriddenRopeSettings(const Json& settings, const Json& override) {
  Json merged = settings;
  const bool newKind =
      override.contains("rope_type") && override["rope_type"] != settings.value("rope_type", Json("default"));
  if (newKind) {
    for (const RopeSetting& setting : settingsList()) merged.erase(std::string(setting.name));
  }
  merged.update(override);
  return merged;
}

Json RopeSpec::toJson() const {
  Json json = {{"rope_type", kind}, {"rope_theta", theta}, {"rotary_dim", rotaryDim}};
  if (interleaved) json["interleaved"] = true;
  if (maxPositions > 0) json["max_position_embeddings"] = maxPositions;
  const auto& kinds = ropeKinds();
  const auto entry =
      std::find_if(kinds.begin(), kinds.end(), [&](const RopeKind& one) { return one.name == kind; });
  if (entry == kinds.end()) return json;
  std::vector<std::string_view> names = entry->needs;
  names.insert(names.end(), entry->may.begin(), entry->may.end());
  for (const auto name : names) {
    std::visit(
        [&](auto member) {
          const auto& value = this->*member;
          using Value = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, std::optional<double>>) {
            if (value) json[std::string(name)] = *value;
          } else if constexpr (std::is_same_v<Value, std::vector<float>>) {
            if (!value.empty()) json[std::string(name)] = value;
          } else {
            json[std::string(name)] = value;
          }
        },
        findSetting(name)->member);
  }
  return json;
}

}  // namespace plastiscope
