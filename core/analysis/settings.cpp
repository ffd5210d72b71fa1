#include "core/analysis/settings.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/row_choice.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/parsed_number.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMaxEdge = std::int64_t{1} << 31;

[[noreturn]] void fail(const std::string& name, const std::string& expected, const std::string& found) {
  throw UsageError("analysis setting " + name + ": expected " + expected + ", found " + found);
}

// An integer, also if written as text.
std::int64_t integerOf(const std::string& name, const Json& value, const std::string& expected) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
    fail(name, expected, canonicalJson(value));
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_string()) {
    if (const auto number = parsedNumber<std::int64_t>(value.get<std::string>())) return *number;
  }
  fail(name, expected, canonicalJson(value));
}

const SettingInfo* infoOf(const std::string& name) {
  for (const SettingInfo& info : settingList()) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

std::string boundsOf(const SettingInfo& info) {
  if (info.name == "pairs") return "a number above 0 or \"all\"";
  return info.name == "seed" ? "a number of at least 0" : "a whole number";
}

// Converts an entry of a JSON object; one overload per type of member.
void readValue(const SettingInfo& info, const Json& value, std::int64_t& member) {
  const bool isWord = value.is_string() && !info.words.empty() && value.get<std::string>() == info.words[0];
  member = isWord ? 0 : integerOf(info.name, value, boundsOf(info));
  if (!isWord && !info.words.empty() && member < 1) fail(info.name, boundsOf(info), canonicalJson(value));
}

void readValue(const SettingInfo& info, const Json& value, std::uint64_t& member) {
  if (value.is_number_unsigned()) {
    member = value.get<std::uint64_t>();
    return;
  }
  const std::int64_t number = integerOf(info.name, value, boundsOf(info));
  if (number < 0) fail(info.name, boundsOf(info), canonicalJson(value));
  member = static_cast<std::uint64_t>(number);
}

void readValue(const SettingInfo& info, const Json& value, double& member) {
  if (!value.is_number()) fail(info.name, "a number", canonicalJson(value));
  member = value.get<double>();
}

void readValue(const SettingInfo& info, const Json& value, std::string& member) {
  if (value.is_string()) {
    member = value.get<std::string>();
  } else if (value.is_number_integer()) {
    member = canonicalJson(value);  // "bins": 32, "layers": 5
  } else {
    fail(info.name, "text", canonicalJson(value));
  }
}

void readValue(const SettingInfo& info, const Json& value, std::vector<std::int64_t>& member) {
  if (!value.is_array()) fail(info.name, info.form, canonicalJson(value));
  member.clear();
  for (const Json& entry : value) member.push_back(integerOf(info.name, entry, info.form));
}

Json jsonOf(const SettingInfo& info, const AnalysisSettings& settings) {
  return std::visit(
      [&](const auto member) -> Json {
        const auto& value = settings.*member;
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::int64_t>) {
          if (!info.words.empty() && value == 0) return info.words[0];
        }
        return value;
      },
      info.member);
}

bool takesWord(const SettingInfo& info, const std::string& word) {
  return std::ranges::count(info.words, word) > 0;
}

// Checks words and bounds of one setting.
void requireKnown(const SettingInfo& info, const AnalysisSettings& settings) {
  if (const auto* member = std::get_if<std::string AnalysisSettings::*>(&info.member)) {
    const std::string& value = settings.**member;
    if (info.form.empty() && !takesWord(info, value))
      fail(info.name, joined(info.words), "\"" + value + "\"");
  }
  if (const auto* member = std::get_if<std::int64_t AnalysisSettings::*>(&info.member)) {
    const std::int64_t value = settings.**member;
    const bool hasWord = !info.words.empty();
    if (value == 0 && hasWord) return;
    const auto number = static_cast<double>(value);
    if (number < info.least)
      fail(info.name, hasWord ? boundsOf(info) : "at least " + std::to_string(std::llround(info.least)),
           std::to_string(value));
    if (number > info.most)
      fail(info.name, "at most " + std::to_string(std::llround(info.most)), std::to_string(value));
  }
  if (const auto* member = std::get_if<double AnalysisSettings::*>(&info.member)) {
    const double value = settings.**member;
    if (!(value >= info.least && value <= info.most)) fail(info.name, info.form, std::to_string(value));
  }
}

void requireBins(const AnalysisSettings& settings) {
  const SettingInfo& info = *infoOf("bins");
  const auto count = binCountOf(settings);
  if (takesWord(info, settings.bins)) return;
  if (!count || static_cast<double>(*count) < info.least || static_cast<double>(*count) > info.most) {
    fail("bins", "density, buckets or a number from 1 to " + std::to_string(std::llround(info.most)),
         "\"" + settings.bins + "\"");
  }
}

void requirePlanes(const AnalysisSettings& settings) {
  const SettingInfo& info = *infoOf("planes");
  if (takesWord(info, settings.planes)) return;
  const auto count = parsedNumber<std::int64_t>(settings.planes);
  if (!count || *count < 0 || static_cast<double>(*count) > info.most)
    fail("planes", "auto, all or a number", "\"" + settings.planes + "\"");
}

void requireEdges(const std::vector<std::int64_t>& edges) {
  if (edges.size() < 2) fail("length_edges", "at least two positions", std::to_string(edges.size()));
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i] < 0 || edges[i] > kMaxEdge || (i > 0 && edges[i] <= edges[i - 1])) {
      fail("length_edges", "ascending positions of at least 0", std::to_string(edges[i]));
    }
  }
}

void requireDimensions(const std::string& text) {
  const bool isList = !text.empty() && text.find_first_not_of("0123456789,-") == std::string::npos;
  if (text != "none" && text != "all" && !isList)
    fail("vector_dimensions", "none, all or a list such as 0-3,9", "\"" + text + "\"");
}

// Checks settings that require another one.
void requireTogether(const AnalysisSettings& s) {
  if (s.decomposition == "on" && s.variance != "thesis") fail("decomposition", "variance thesis", s.variance);
  if (s.decomposition == "on" && s.estimate != "plain") fail("decomposition", "estimate plain", s.estimate);
  if (s.bootstrap > 0 && s.leavesOut())
    fail("bootstrap", "0 beside a jackknife", std::to_string(s.bootstrap));
  if (s.weights == "legacy" && s.pairScope != "same_bucket")
    throw UsageError("analysis setting weights: legacy needs pair_scope same_bucket, found " + s.pairScope);
  if (s.prefix == "random" && s.pairs == 0)
    throw UsageError("analysis setting prefix: random needs a number of pairs, found all");
  if (s.prefix == "random" && s.pairScope == "same_bucket")
    throw UsageError(
        "analysis setting prefix: random needs pair_scope same_example or cross_example, found "
        "same_bucket");
}

}  // namespace

std::optional<std::int64_t> binCountOf(const AnalysisSettings& settings) {
  return parsedNumber<std::int64_t>(settings.bins);
}

std::string SettingInfo::values() const {
  std::string text = joined(words);
  if (!form.empty()) text += (text.empty() ? "" : " or ") + form;
  return text;
}

Json AnalysisSettings::toJson() const {
  Json json;
  for (const SettingInfo& info : settingList()) {
    if (Json value = jsonOf(info, *this); !info.leftOut || value != "") json[info.name] = std::move(value);
  }
  return json;
}

AnalysisSettings AnalysisSettings::fromJson(const Json& value) {
  if (!value.is_object())
    throw UsageError("analysis settings: expected a JSON object, found " + canonicalJson(value));
  AnalysisSettings settings;
  std::vector<std::string> names;
  for (const SettingInfo& info : settingList()) names.push_back(info.name);
  for (const auto& [name, entry] : value.items()) {
    if (const SettingInfo* info = infoOf(name)) {
      std::visit([&, &given = entry](const auto member) { readValue(*info, given, settings.*member); },
                 info->member);
      continue;
    }
    const std::string nearest = nearestName(name, names);
    throw UsageError("analysis setting \"" + name + "\" is not known" +
                     (nearest.empty() ? ": known are " + joined(names) : ": did you mean " + nearest + "?"));
  }
  settings.validate();
  return settings;
}

std::span<const SettingPreset> settingPresets() {
  static const SettingPreset list[] = {
      {"thesis", "as the thesis describes it", [](AnalysisSettings&) {}},
      {"author", "as the author's published outputs were made",
       [](AnalysisSettings& settings) {
         settings.pcaSign = "query";
         settings.taxonomy = "notes";
         settings.bAxis = "eigenvector";
       }},
      {"rigorous", "whole covariances, every admissible pair",
       [](AnalysisSettings& settings) {
         settings.variance = "full";
         settings.pairs = 0;
       }},
  };
  return list;
}

AnalysisSettings AnalysisSettings::preset(const std::string& name) {
  for (const SettingPreset& preset : settingPresets()) {
    if (name != preset.name) continue;
    AnalysisSettings settings;
    preset.apply(settings);
    return settings;
  }
  throw UsageError("preset \"" + name + "\" is not known: expected " +
                   joined(settingPresets(), &SettingPreset::name));
}

void AnalysisSettings::validate() const {
  for (const SettingInfo& info : settingList()) {
    if (info.name != "taxonomy_low" && info.name != "taxonomy_high") requireKnown(info, *this);
  }
  requireBins(*this);
  requirePlanes(*this);
  requireEdges(lengthEdges);
  requireDimensions(vectorDimensions);
  positionsMeant(positions);
  typesMeant(tokenTypes);
  if (!(taxonomyLow >= 0 && taxonomyLow <= taxonomyHigh && taxonomyHigh <= 1)) {
    fail("taxonomy_low, taxonomy_high", "0 <= low <= high <= 1",
         std::to_string(taxonomyLow) + " and " + std::to_string(taxonomyHigh));
  }
  requireTogether(*this);
}

AnalysisStages changedStages(const AnalysisSettings& before, const AnalysisSettings& now) {
  AnalysisStages changed{false, false, false};
  for (const SettingInfo& info : settingList()) {
    const bool same = std::visit([&](auto member) { return before.*member == now.*member; }, info.member);
    if (same || info.stage == AnalysisStage::None) continue;
    changed.intervals = true;
    if (info.stage == AnalysisStage::Intervals) return {};  // includes columns of every analysis
    const auto decides = [&](AnalysisStage stage) {
      return info.stage == stage || info.stage == AnalysisStage::Every;
    };
    changed.geometry |= decides(AnalysisStage::Geometry);
    changed.plasticity |= decides(AnalysisStage::Plasticity);
  }
  // Corrected estimates replace columns of every stage.
  const bool whole = now.estimate != "plain" || before.estimate != "plain";
  if (changed.intervals && (whole || (now.resamples() && (changed.geometry || changed.plasticity))))
    return {};
  return changed;
}

}  // namespace plastiscope
