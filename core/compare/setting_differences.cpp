// Finds settings in which inputs differ: the table and the warnings about them.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/analysis/settings.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/capture/capture_request.h"
#include "core/capture/head_list.h"
#include "core/compare/comparison_tables.h"
#include "core/compare/measures.h"
#include "core/views/metric_info.h"

namespace plastiscope {

namespace {

// Settings with defaults for those missing in older files, without those that no compared value depends on.
Json analysisSettings(const AnalysisFile& analysis) {
  Json settings;
  try {
    settings = settingsOf(analysis).toJson();
  } catch (const UsageError&) {
    settings = analysis.provenance.settings;  // from a newer version
  }
  for (const SettingInfo& info : settingList()) {
    if (settings.is_object() && info.stage == AnalysisStage::Intervals) settings.erase(info.name);
  }
  return settings;
}

// Capture settings that are compared, besides the model.
constexpr const char* kCaptureKeys[] = {"window",   "sampler", "bucket_size", "rate",      "point",
                                        "examples", "part",    "ablate",      "clamp_bias"};

Json captureSettings(const AnalysisFile& analysis) {
  Json chosen = Json::object();
  const Json& capture = analysis.provenance.capture;
  for (const char* key : kCaptureKeys) {
    if (capture.is_object() && capture.contains(key)) chosen[key] = capture[key];
  }
  return chosen;
}

struct Difference {
  std::string group, setting;
  std::vector<std::string> values;  // [models]
};

std::string settingText(const Json& settings, const std::string& key) {
  if (!settings.is_object() || !settings.contains(key)) return "";
  const Json& value = settings[key];
  return value.is_string() ? value.get<std::string>() : canonicalJson(value);
}

void addDifferences(std::vector<Difference>& all, const std::string& group,
                    const std::vector<Json>& settings) {
  std::set<std::string> keys;
  for (const Json& one : settings) {
    if (!one.is_object()) continue;
    for (const auto& [key, value] : one.items()) keys.insert(key);
  }
  for (const std::string& key : keys) {
    Difference difference{group, key, {}};
    for (const Json& one : settings) difference.values.push_back(settingText(one, key));
    const auto& values = difference.values;
    if (std::any_of(values.begin(), values.end(), [&](const auto& value) { return value != values.front(); }))
      all.push_back(std::move(difference));
  }
}

std::vector<Difference> differencesOf(const Comparison& comparison) {
  std::vector<Json> analysis, capture;
  for (const ComparedModel& model : comparison.models) {
    if (model.published) continue;
    analysis.push_back(analysisSettings(*model.analysis));
    capture.push_back(captureSettings(*model.analysis));
  }
  std::vector<Difference> all;
  addDifferences(all, "analysis", analysis);
  addDifferences(all, "capture", capture);
  return all;
}

bool sameHeads(const Comparison& comparison, std::size_t common) {
  return std::all_of(
      comparison.models.begin(), comparison.models.end(),
      [common](const ComparedModel& model) { return model.published || model.heads.size() == common; });
}

}  // namespace

namespace {

// Settings by their places, "/window" or "/rope/sliding_attention/rope_theta".
Json settingPlaces(const Json& settings) {
  Json places = Json::object();
  if (!settings.is_object()) return places;
  for (const auto& [key, value] : settings.items()) {
    if (key != "rope") places["/" + key] = value;
  }
  if (const Json rope = settings.value("rope", Json()); rope.is_object() && !rope.empty()) {
    const Json flat = rope.flatten();
    for (const auto& [key, value] : flat.items()) places["/rope" + key] = value;
  }
  return places;
}

bool isRope(const std::string& key) {
  return key.starts_with("/rope/");
}

// RoPE settings and interventions on heads.
Json makingOf(const AnalysisFile& analysis) {
  const Json& capture = analysis.provenance.capture;
  Json making = Json::object();
  if (!capture.is_object()) return making;
  for (const char* key : {"rope", "point", "ablate", "clamp_bias"})
    making[key] = capture.value(key, Json(""));
  return settingPlaces(making);
}

// "4k" for 4096.
std::string tokensText(std::int64_t tokens) {
  return tokens >= 1024 && tokens % 1024 == 0 ? std::to_string(tokens / 1024) + "k" : withCommas(tokens);
}

std::string makingText(const std::string& key, const Json& value) {
  constexpr std::size_t kLongestList = 24;
  const std::string text = value.is_string()    ? value.get<std::string>()
                           : value.is_boolean() ? (value.get<bool>() ? "on" : "off")
                           : value.is_number_float() && value != std::floor(value.get<double>())
                               ? numberText(value.get<double>())
                           : value.is_number() ? metricText(value.get<double>())
                                               : "";
  const auto heads = [&text] {
    return text.size() <= kLongestList ? text : std::to_string(parseHeadList(text).size()) + " heads";
  };
  if (key == "/ablate") return text.empty() ? "all heads" : "without " + heads();
  if (key == "/clamp_bias") return text.empty() ? "no head clamped" : heads() + " clamped";
  if (key == "/model") return text.substr(text.rfind('/') + 1);
  if (key == "/window" && value.is_number_integer()) return "window " + tokensText(value.get<std::int64_t>());
  if (key == "/examples") return text == "1" ? "1 text" : text + " texts";
  if (key == "/heads" && value.is_number()) return text == "1" ? "1 head" : text + " heads";
  const bool isName = key == "/point" || key == "/dtype" || key == "/engine" || key == "/texts";
  const bool mayMiss = isRope(key) || key == "/heads" || key == "/texts_id";  // of an analysis alone
  if (isName || (text.empty() && mayMiss)) return text;
  std::string name = key.substr(isRope(key) ? 6 : 1);
  for (char& c : name) c = c == '_' || c == '/' ? ' ' : c;
  if (text.empty()) return "default " + name;
  if (name.ends_with("rope type"))
    return name.substr(0, name.size() - 9) + (text == "default" ? "plain" : text) + " RoPE";
  if (name.ends_with("rope theta")) return name.replace(name.size() - 10, 10, "base ") + text;
  return name + " " + text;
}

// Settings in this order, then all others; other RoPE settings only if none of these differs.
constexpr std::array kNamed = {"model",  "window",     "rope_type", "rope_theta", "factor",  "point",
                               "ablate", "clamp_bias", "texts",     "examples",   "texts_id"};
std::ptrdiff_t rankOf(const std::string& key) {
  return std::ranges::find(kNamed, key.substr(key.rfind('/') + 1)) - kNamed.begin();
}

// Default of a setting; null if it is not known.
Json defaultOf(const std::string& key) {
  static const Json capture = CapturePlan().toJson(), analysis = AnalysisSettings().toJson();
  const std::string name = key.substr(1);
  return name == "heads" ? Json() : capture.value(name, analysis.value(name, Json()));
}

// Other texts differ in their number and checksum, too; the checksum is of tokens cut to the window.
bool isKnownByOthers(const std::string& key, const Json& a, const Json& b) {
  const auto differ = [&](const char* place) { return a.value(place, Json()) != b.value(place, Json()); };
  if (key == "/texts_id")
    return std::ranges::any_of(std::array{"/texts", "/examples", "/window", "/model"}, differ);
  return key == "/examples" && differ("/texts");
}

// `ofOneModel`: only among settings of the same model, and interventions always. Otherwise defaults, and
// values that most share, are told only where nothing else is.
std::vector<std::string> toldTexts(const std::vector<Json>& makings, const std::vector<std::string>& models,
                                   bool ofOneModel) {
  std::vector<std::string> keys, texts(makings.size()), usual(makings.size());
  for (const Json& making : makings) {
    for (const auto& [key, value] : making.items())
      if (std::ranges::count(keys, key) == 0) keys.push_back(key);
  }
  std::ranges::stable_sort(keys, {}, rankOf);
  for (const std::string& key : keys) {
    const std::vector<std::string> before = texts;
    const bool ofHeads = key == "/ablate" || key == "/clamp_bias";
    const bool further = isRope(key) && rankOf(key) == std::ssize(kNamed);
    for (std::size_t i = 0; i < makings.size(); ++i) {
      const Json own = makings[i].value(key, Json());
      bool told = ofOneModel && ofHeads && own != "";
      for (std::size_t j = 0; j < makings.size() && !told; ++j) {
        const bool known =
            (further && before[i] != before[j]) || isKnownByOthers(key, makings[i], makings[j]);
        const bool compared = models[i] == models[j] || (!ofOneModel && !isRope(key));
        told = compared && !known && makings[j].value(key, Json()) != own;
      }
      const std::string text = told ? makingText(key, own.is_null() ? defaultOf(key) : own) : "";
      const auto alike =
          std::ranges::count_if(makings, [&](const Json& each) { return each.value(key, Json()) == own; });
      const bool isUsual = own.is_null() || 2 * alike > std::ssize(makings);
      std::string& all = isUsual && !ofOneModel ? usual[i] : texts[i];
      const bool base = text.starts_with("base ") && all.find("RoPE") == std::string::npos;
      if (!text.empty()) all += std::string(all.empty() ? "" : ", ") + (base ? "RoPE " : "") + text;
    }
  }
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (texts[i].empty()) texts[i] = usual[i];
  return texts;
}

}  // namespace

std::vector<std::string> changeTexts(const std::vector<ComparisonInput>& inputs) {
  std::vector<Json> makings;
  std::vector<std::string> models;
  for (const ComparisonInput& input : inputs) {
    const StudyFacts facts = factsOf(*input.analysis);
    makings.push_back(makingOf(*input.analysis));
    models.push_back(facts.architecture + "\n" + facts.model);
  }
  return toldTexts(makings, models, true);
}

std::string settingsText(const Json& settings) {
  const Json places = settingPlaces(settings);
  std::vector<std::string> keys;
  for (const auto& [key, value] : places.items()) keys.push_back(key);
  std::ranges::stable_sort(keys, {}, rankOf);
  return joined(keys, [&](const std::string& key) { return makingText(key, places[key]); });
}

Json tellingSettings(const Json& captureFacts, const Json& analysisSettings) {
  Json telling = Json::object();
  if (captureFacts.is_object()) {
    for (const char* key : {"model", "rope", "point", "ablate", "clamp_bias", "part", "window", "rate",
                            "sampler", "examples"}) {
      const Json value = captureFacts.value(key, Json());
      const bool isDefault = value == CapturePlan().sampler || value == nameOf(CapturePlan().point);
      if (value.is_null() || isDefault) continue;
      const bool isText = value.is_structured() && std::string_view(key) != "rope";
      telling[key] = isText ? Json(canonicalJson(value)) : value;
    }
  }
  if (!analysisSettings.is_object()) return telling;
  const Json usual = AnalysisSettings().toJson();
  for (const SettingInfo& info : settingList()) {
    const Json value = analysisSettings.value(info.name, Json());
    if (info.stage == AnalysisStage::Intervals || value.is_null() || value == usual.value(info.name, Json()))
      continue;
    // Resolved to the bucket size by default.
    if (std::string_view(info.name) == "map_cell" && captureFacts.is_object() &&
        value == captureFacts.value("bucket_size", Json()))
      continue;
    telling[info.name] = value.is_structured() ? Json(canonicalJson(value)) : value;
  }
  return telling;
}

std::vector<std::string> differenceTexts(const std::vector<Json>& settings) {
  std::vector<Json> makings;
  std::vector<std::string> models;
  for (const Json& each : settings) {
    makings.push_back(settingPlaces(each));
    models.push_back(settingText(each, "model"));
  }
  return toldTexts(makings, models, false);
}

std::vector<std::string> comparisonWarnings(const Comparison& comparison) {
  std::vector<std::string> warnings;
  std::set<std::string> analysis, capture;
  std::set<std::int64_t> windows;
  for (const ComparedModel& model : comparison.models) {
    if (model.facts.window > 0) windows.insert(model.facts.window);  // unknown for some published models
  }
  for (const Difference& difference : differencesOf(comparison)) {
    // These two depend on the window by default.
    if (windows.size() > 1 && (difference.setting == "map_cell" || difference.setting == "bucket_size"))
      continue;
    if (difference.setting == "window") continue;
    (difference.group == "analysis" ? analysis : capture).insert(difference.setting);
  }
  if (!analysis.empty())
    warnings.push_back("the analyses were made with different settings: " + joined(analysis) +
                       " (table settings_differences)");
  if (!capture.empty())
    warnings.push_back("the captures were made differently: " + joined(capture) +
                       " (table settings_differences)");
  if (windows.size() > 1) {
    warnings.push_back(
        "the windows differ (" + withCommas(*windows.begin()) + " to " + withCommas(*windows.rbegin()) +
        " tokens), and quintiles and AP drop with them (at the same tokens: table equal_positions); compare "
        "biases over the window (Bn)");
  }
  const std::size_t common = commonHeads(comparison).size();
  if (!sameHeads(comparison, common)) {
    warnings.push_back("the captured heads differ: differences head by head are of the " +
                       withCommas(static_cast<long long>(common)) + " heads that all have");
  }
  const ShownPlasticity& shown = comparison.plasticity;
  if (!shown.note.empty()) warnings.push_back(shown.note);
  if (shown.kind == ApKind::Binned) {
    if (const std::string bins = otherBinsText(comparison); !bins.empty()) warnings.push_back(bins);
    if (const std::string excess = excessNote(ownAnalyses(comparison)); !excess.empty())
      warnings.push_back(excess);
  }
  return warnings;
}

Table settingsDifferencesTable(const Comparison& comparison) {
  std::vector<Column> columns = {texts("group"), texts("setting")};
  for (const ComparedModel& model : comparison.models) {
    if (!model.published) columns.push_back(texts(model.name));
  }
  TableBuilder table("settings_differences", columns);
  for (const Difference& difference : differencesOf(comparison)) {
    std::vector<Cell> cells = {difference.group, difference.setting};
    cells.insert(cells.end(), difference.values.begin(), difference.values.end());
    table.row(cells);
  }
  return table.take();
}

}  // namespace plastiscope
