#include "core/model/rope_settings.h"

#include <algorithm>
#include <cmath>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/model/rope_kinds.h"

namespace plastiscope {

namespace {

constexpr double kMaxRopeContext = 1e12;
// Kinds whose factor defaults to the ratio of the two lengths.
constexpr std::string_view kFactorOfLengths[] = {"yarn", "longrope"};

// Settings of every kind; `finetuned` is ignored.
constexpr std::string_view kCommonKeys[] = {
    "rope_type", "rope_theta", "partial_rotary_factor", "rotary_dim", "max_position_embeddings", "finetuned"};

class SettingsReader {
 public:
  SettingsReader(const Json& settings, const RopeContext& context)
      : m_settings(settings), m_context(context) {}

  [[noreturn]] void refuse(std::string_view key, const std::string& expected,
                           const std::string& found) const {
    const bool overridden = pathText(m_context.file).starts_with(kRopeOverridePlace);
    throw InputError({m_context.file, "RoPE setting " + std::string(key), expected,
                      found + (overridden ? "" : kRopeOverrideHint)});
  }

  double number(const Json& value, const RopeSetting& setting) const {
    if (!value.is_number()) refuse(setting.name, "a number", shortJson(value));
    const auto real = value.get<double>();
    if (!(real >= setting.least && real <= setting.most)) {
      refuse(setting.name, "a value from " + Json(setting.least).dump() + " to " + Json(setting.most).dump(),
             shortJson(value));
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
    if (*into == 0) into.reset();  // means "not given" in transformers
  }
  void store(const Json& value, const RopeSetting& setting, std::int64_t& into) const {
    const double real = number(value, setting);
    if (real != std::floor(real)) refuse(setting.name, "a whole number", shortJson(value));
    into = static_cast<std::int64_t>(real);
  }
  void store(const Json& value, const RopeSetting& setting, bool& into) const {
    if (!value.is_boolean()) refuse(setting.name, "true or false", shortJson(value));
    into = value.get<bool>();
  }
  template <typename Number>
  void store(const Json& value, const RopeSetting& setting, std::vector<Number>& into) const {
    if (!value.is_array()) refuse(setting.name, "a list of numbers", shortJson(value));
    for (const Json& item : value) into.push_back(static_cast<Number>(number(item, setting)));
  }

  const Json& m_settings;
  const RopeContext& m_context;
};

const RopeKind* kindNamed(const Json& type) {
  for (const RopeKind& kind : ropeKinds()) {
    if (type == kind.name || std::ranges::any_of(kind.aliases, [&](auto name) { return type == name; }))
      return &kind;
  }
  return nullptr;
}

const RopeKind& findKind(const Json& settings, const SettingsReader& reader) {
  const Json type = settings.value("rope_type", Json("default"));
  if (const RopeKind* kind = kindNamed(type)) return *kind;
  reader.refuse("rope_type", "one of " + joined(ropeKinds(), &RopeKind::name), shortJson(type));
}

void refuseUnknownKeys(const Json& settings, const RopeContext& context, const SettingsReader& reader) {
  std::vector<std::string> known(context.extraKeys);
  for (const auto key : kCommonKeys) known.emplace_back(key);
  for (const RopeSetting& setting : ropeSettings()) known.emplace_back(setting.name);
  for (const auto& [key, value] : settings.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string near = nearestName(key, known);
    reader.refuse(sanitized(key), "a known setting" + (near.empty() ? "" : " such as " + near),
                  "an unknown one");
  }
}

// Number of rotated dimensions at the start of the head, which must be even; for kinds that have a share of
// rotated pairs, the whole head.
std::int64_t readRotaryDim(const Json& settings, const RopeKind& kind, const RopeContext& context,
                           const SettingsReader& reader) {
  const double all = static_cast<double>(context.headDim);
  const RopeSetting share{"partial_rotary_factor", &RopeSpec::factor, 1e-9, 1};
  const RopeSetting given{"rotary_dim", &RopeSpec::rotaryDim, 2, all};
  RopeSpec read;
  read.factor = 1;
  if (settings.contains(share.name) && std::ranges::count(kind.may, share.name) == 0)
    reader.read(share, read);
  read.rotaryDim = static_cast<std::int64_t>(all * read.factor);
  if (context.rotaryDim > 0) read.rotaryDim = context.rotaryDim;
  if (settings.contains(given.name)) reader.read(given, read);
  if (read.rotaryDim < 2 || read.rotaryDim % 2 != 0) {
    reader.refuse("rotary_dim", "an even number of rotated dimensions", std::to_string(read.rotaryDim));
  }
  return read.rotaryDim;
}

// Adds values that transformers derives from the rest of the configuration.
Json completed(Json settings, const RopeKind& kind, const RopeContext& context) {
  const auto uses = [&](std::string_view name) {
    return std::find(kind.needs.begin(), kind.needs.end(), name) != kind.needs.end() ||
           std::find(kind.may.begin(), kind.may.end(), name) != kind.may.end();
  };
  const char* const kOriginal = "original_max_position_embeddings";
  if (!uses(kOriginal)) return settings;
  const bool ratio =
      settings.contains(kOriginal) && settings[kOriginal].is_number() && context.maxPositions > 0;
  if (std::ranges::count(kFactorOfLengths, kind.name) > 0 && !settings.contains("factor") && ratio) {
    const auto original = settings[kOriginal].get<double>();
    if (original > 0) settings["factor"] = static_cast<double>(context.maxPositions) / original;
  }
  if (!settings.contains(kOriginal) && context.maxPositions > 0) settings[kOriginal] = context.maxPositions;
  return settings;
}

}  // namespace

RopeSpec readRope(const Json& given, const RopeContext& givenContext) {
  RopeContext context = givenContext;
  const SettingsReader reader(given, context);
  const RopeKind& kind = findKind(given, reader);
  refuseUnknownKeys(given, context, reader);
  if (given.contains("max_position_embeddings")) {
    RopeSpec read;
    reader.read({"max_position_embeddings", &RopeSpec::maxPositions, 1, kMaxRopeContext}, read);
    context.maxPositions = read.maxPositions;
  }
  const Json settings = completed(given, kind, context);
  const SettingsReader values(settings, context);

  RopeSpec rope;
  rope.kind = kind.name;
  rope.maxPositions = context.maxPositions;
  rope.rotaryDim = readRotaryDim(settings, kind, context, values);
  if (settings.contains("rope_theta")) values.read({"rope_theta", &RopeSpec::theta, 1e-3, 1e30}, rope);
  for (const auto name : kind.needs) {
    if (!settings.contains(name)) values.refuse(name, "a value, which kind " + rope.kind + " needs", "none");
    values.read(*findRopeSetting(name), rope);
  }
  for (const auto name : kind.may) {
    if (settings.contains(name)) values.read(*findRopeSetting(name), rope);
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

bool isByLayerType(const Json& settings) {
  return !settings.empty() &&
         std::all_of(settings.begin(), settings.end(), [](const Json& value) { return value.is_object(); });
}

Json normalRopeSettings(const Json& dictionary, const std::filesystem::path& file) {
  Json settings = Json::object();
  if (dictionary.is_null()) return settings;
  if (!dictionary.is_object()) throw InputError({file, "RoPE settings", "an object", shortJson(dictionary)});
  for (const auto& [key, value] : dictionary.items()) {
    if (!value.is_null()) settings[key] = value;
  }
  if (settings.contains("type")) settings.emplace("rope_type", settings["type"]);
  settings.erase("type");
  return settings;
}

Json usedRopeSettings(const Json& dictionary, const std::vector<std::string>& extraKeys) {
  Json settings = dictionary;
  settings.emplace("rope_type", dictionary.value("type", Json("default")));
  settings.erase("type");
  const RopeKind* kind = kindNamed(settings["rope_type"]);
  if (kind == nullptr) return settings;
  const auto mayHave = [&](std::string_view key) {
    return key != "frequency_factors" && key != "partial_rotary_factor" &&
           std::ranges::count(kind->may, key) > 0;
  };
  const bool derives = std::ranges::count(kFactorOfLengths, kind->name) > 0;
  Json used = Json::object();
  for (const auto& [key, value] : settings.items()) {
    if (key == "rope_type" || key == "rope_theta" || key == "partial_rotary_factor" ||
        std::ranges::count(extraKeys, key) > 0 || std::ranges::count(kind->needs, key) > 0 || mayHave(key)) {
      if (!value.is_null() || !(mayHave(key) || (derives && key == "factor"))) used[key] = value;
    }
  }
  if (used.contains("rope_type") && settings.contains("truncate") && settings["truncate"].is_null() &&
      mayHave("truncate"))
    used["truncate"] = false;
  return used;
}

Json overriddenRopeSettings(const Json& settings, const Json& override, const std::filesystem::path& place) {
  const Json given = normalRopeSettings(override, place);
  Json merged = settings;
  const Json oldKind = settings.value("rope_type", Json("default"));
  if (given.value("rope_type", oldKind) != oldKind) {
    for (const auto& [key, value] : settings.items()) {
      if (std::ranges::count(kCommonKeys, key) == 0) merged.erase(key);
    }
  }
  for (const auto& [key, value] : override.items()) {
    if (value.is_null()) merged.erase(key);
  }
  merged.update(given);
  return merged;
}

}  // namespace plastiscope
