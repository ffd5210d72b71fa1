#include "core/capture/capture_plan.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/capture/head_choice.h"
#include "core/capture/position_sampler.h"

namespace plastiscope {

namespace {

[[noreturn]] void failValue(const std::string& name, const Json& value, const std::string& expected) {
  throw UsageError("capture setting " + name + ": expected " + expected + ", found " + canonicalJson(value));
}

std::int64_t integerOf(const std::string& name, const Json& value) {
  if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX)) {
    failValue(name, value, "an integer");
  }
  return value.get<std::int64_t>();
}

std::uint64_t seedOf(const std::string& name, const Json& value) {
  if (!value.is_number_unsigned()) failValue(name, value, "an integer from 0 to 2^64 - 1");
  return value.get<std::uint64_t>();
}

double numberOf(const std::string& name, const Json& value) {
  if (!value.is_number()) failValue(name, value, "a number");
  return value.get<double>();
}

bool flagOf(const std::string& name, const Json& value) {
  if (!value.is_boolean()) failValue(name, value, "true or false");
  return value.get<bool>();
}

std::string textOf(const std::string& name, const Json& value) {
  if (!value.is_string()) failValue(name, value, "a text");
  return value.get<std::string>();
}

// Every setting: its JSON name, how it is written and how it is read.
struct Setting {
  const char* name;
  std::function<Json(const CapturePlan&)> write;
  std::function<void(CapturePlan&, const std::string& name, const Json&)> read;
  bool always = true;  // written even when it is an empty text
};

template <typename Value, typename Read>
Setting setting(const char* name, Value CapturePlan::*member, Read read) {
  return {name, [member](const CapturePlan& plan) { return Json(plan.*member); },
          [member, read](CapturePlan& plan, const std::string& key, const Json& value) {
            plan.*member = read(key, value);
          }};
}

// Not written when empty, so that it decides nothing then.
Setting optionalText(const char* name, std::string CapturePlan::*member) {
  Setting entry = setting(name, member, textOf);
  entry.always = false;
  return entry;
}

const std::vector<Setting>& settings() {
  static const std::vector<Setting> list = {
      setting("window", &CapturePlan::window, integerOf),
      setting("sampler", &CapturePlan::sampler, textOf),
      setting("bucket_size", &CapturePlan::bucketSize, integerOf),
      setting("rate", &CapturePlan::rate, numberOf),
      {"sample_seed",
       [](const CapturePlan& plan) { return plan.sampleSeed ? Json(*plan.sampleSeed) : Json(); },
       [](CapturePlan& plan, const std::string& name, const Json& value) {
         plan.sampleSeed.reset();
         if (!value.is_null()) plan.sampleSeed = seedOf(name, value);
       }},
      setting("heads", &CapturePlan::heads, textOf),
      setting("head_seed", &CapturePlan::headSeed, seedOf),
      setting("all_layers", &CapturePlan::allLayers, flagOf),
      setting("author_parity", &CapturePlan::authorParity, flagOf),
      setting("point", &CapturePlan::point, textOf),
      setting("paired", &CapturePlan::paired, flagOf),
      setting("store", &CapturePlan::store, textOf),
      setting("dtype", &CapturePlan::dtype, textOf),
      setting("device", &CapturePlan::device, textOf),
      setting("rope_override", &CapturePlan::ropeOverride,
              [](const std::string& name, const Json& value) {
                if (!value.is_null() && !value.is_object()) failValue(name, value, "an object or null");
                return value;
              }),
      optionalText("ablate", &CapturePlan::ablate),
      optionalText("clamp_bias", &CapturePlan::clampBias),
  };
  return list;
}

template <typename Names>
void requireOneOf(const std::string& option, const std::string& value, const Names& known) {
  if (std::find(known.begin(), known.end(), value) != known.end()) return;
  std::string sentence = option + " " + value + " is not known;";
  const std::string near = nearestName(value, known);
  if (!near.empty()) sentence += " did you mean " + near + "?";
  sentence += " Known:";
  for (const auto& name : known) sentence += " " + std::string(name);
  throw UsageError(sentence);
}

// Heads of an option that may be left out.
void requireHeadList(const std::string& option, const std::string& heads) {
  if (heads.empty()) return;
  try {
    parseHeadList(heads);
  } catch (const UsageError& error) {
    throw UsageError(option + ": " + error.what());
  }
}

void requireDevice(const std::string& device) {
  if (device.starts_with("cuda:")) {
    int number = 0;
    const char* const end = device.data() + device.size();
    const auto result = std::from_chars(device.data() + 5, end, number);
    if (result.ec == std::errc() && result.ptr == end && number >= 0) return;
  }
  requireOneOf("--device", device, std::array{"auto", "cpu", "cuda", "cuda:1"});
}

}  // namespace

Json CapturePlan::toJson() const {
  Json value = Json::object();
  for (const Setting& entry : settings()) {
    Json written = entry.write(*this);
    if (entry.always || written != "") value[entry.name] = std::move(written);
  }
  return value;
}

CapturePlan CapturePlan::fromJson(const Json& value) {
  if (!value.is_object()) throw UsageError("capture settings: expected a JSON object");
  std::vector<std::string> names;
  for (const Setting& entry : settings()) names.emplace_back(entry.name);
  CapturePlan plan;
  for (const auto& [name, entry] : value.items()) {
    const auto known = std::find(names.begin(), names.end(), name);
    if (known == names.end()) requireOneOf("capture setting", name, names);
    settings()[static_cast<std::size_t>(known - names.begin())].read(plan, name, entry);
  }
  plan.validate();
  return plan;
}

void CapturePlan::validate() const {
  if (window < 0 || window > INT32_MAX) {
    throw UsageError("--window: expected 1 to 2147483647 tokens, found " + std::to_string(window));
  }
  if (bucketSize < 0 || bucketSize > INT32_MAX) {
    throw UsageError("--bucket-size: expected 1 to 2147483647 tokens, found " + std::to_string(bucketSize));
  }
  if (!std::isfinite(rate) || rate <= 0) throw UsageError("--rate: expected a number above 0");
  std::vector<std::string_view> samplers;
  for (const PositionSampler& known : positionSamplers()) samplers.push_back(known.name);
  requireOneOf("--sampler", sampler, samplers);
  parseHeadRequest(heads);
  requireOneOf("--point", point, std::array{"post-rope", "pre-rope", "both"});
  requireOneOf("--store", store, std::array{"float16", "float32"});
  requireOneOf("--dtype", dtype, std::array{"auto", "float32", "bfloat16", "float16"});
  requireDevice(device);
  requireHeadList("--ablate", ablate);
  requireHeadList("--clamp-bias", clampBias);
  if (!ropeOverride->is_null() && !ropeOverride->is_object()) {
    throw UsageError("--rope-override: expected a JSON object");
  }
}

}  // namespace plastiscope
