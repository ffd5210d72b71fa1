#include "core/store/qk_sniffer/capture_facts.h"

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/store/schema.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr const char* kFormat = "plastiscope-qk-sniffer";
constexpr std::int64_t kFactsVersion = 1;
constexpr std::size_t kMostBytes = std::size_t{256} << 20;

Json modelFacts(const CaptureInfo& info) {
  return {{"architecture", info.architecture},
          {"source", info.modelSource},
          {"fingerprint", info.fingerprint},
          {"layers", info.layers},
          {"query_heads", info.queryHeads},
          {"key_heads", info.keyHeads},
          {"head_dim", info.headDim},
          {"rope", info.rope},
          {"context_length", info.contextLength},
          {"config", info.config},
          {"without_vectors", info.withoutVectors}};
}

Json captureSettings(const CaptureInfo& info, const std::string& point) {
  Json settings{{"window", info.window},
                {"sampler", info.sampler},
                {"bucket_size", info.bucketSize},
                {"rate", info.rate},
                {"head_seed", info.headSeed},
                {"point", point},
                {"compute_dtype", info.computeDtype},
                {"device", info.device},
                {"score_scale", info.scoreScale}};
  if (info.trainedContext > 0) settings[schema::kTrainedContext] = info.trainedContext;
  return settings;
}

QkExampleFacts exampleFacts(const CheckedObject& example) {
  QkExampleFacts facts;
  facts.seedId = example
                     .integer("seed_id", std::numeric_limits<std::int64_t>::min(),
                              std::numeric_limits<std::int64_t>::max())
                     .value_or(0);
  facts.tokens = example.integer("tokens", 0, std::numeric_limits<std::int32_t>::max()).value_or(0);
  facts.sha256 = example.text("sha256").value_or("");
  return facts;
}

}  // namespace

CheckedObject::CheckedObject(fs::path file, std::string place, Json object)
    : m_file(std::move(file)), m_place(std::move(place)), m_object(std::move(object)) {
  if (!m_object.is_object())
    throw InputError({m_file, m_place, "a JSON object", std::string(m_object.type_name())});
}

const Json* CheckedObject::find(const char* key) const {
  const auto found = m_object.find(key);
  return found == m_object.end() || found->is_null() ? nullptr : &*found;
}

void CheckedObject::fail(const char* key, const std::string& expected) const {
  throw InputError({m_file, (m_place.empty() ? "" : m_place + ".") + key, expected,
                    sanitized(canonicalJson(m_object.at(key)), 80)});
}

std::optional<std::string> CheckedObject::text(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string() || value->get_ref<const std::string&>().find('\0') != std::string::npos)
    fail(key, "a text");
  return value->get<std::string>();
}

std::optional<std::int64_t> CheckedObject::integer(const char* key, std::int64_t least,
                                                   std::int64_t most) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  const std::string expected = "an integer from " + std::to_string(least) + " to " + std::to_string(most);
  if (!value->is_number_integer() ||
      (value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))) {
    fail(key, expected);
  }
  const auto number = value->get<std::int64_t>();
  if (number < least || number > most) fail(key, expected);
  return number;
}

std::optional<double> CheckedObject::number(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number() || !std::isfinite(value->get<double>())) fail(key, "a number");
  return value->get<double>();
}

std::optional<bool> CheckedObject::flag(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_boolean()) fail(key, "true or false");
  return value->get<bool>();
}

std::optional<Json> CheckedObject::object(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_object()) fail(key, "an object");
  return *value;
}

CheckedObject CheckedObject::part(const std::string& key) const {
  const Json* value = find(key.c_str());
  return {m_file, m_place.empty() ? key : m_place + "." + key, value == nullptr ? Json::object() : *value};
}

std::int32_t storedExampleId(std::int64_t seedId) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(seedId)));
}

std::string captureFactsText(const CaptureInfo& info, const std::string& point) {
  Json layers = Json::object(), examples = Json::object();
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    layers[schema::number(layer.layer)] = {{"attention", layer.attention},
                                           {"window", layer.window},
                                           {"rope", layer.rope},
                                           {"query_scale", layer.queryScale}};
  }
  for (const CaptureExampleInfo& example : info.examples) {
    examples[std::to_string(storedExampleId(example.seedId))] = {{"id", example.id},
                                                                 {"seed_id", example.seedId},
                                                                 {"tokens", example.tokens},
                                                                 {"sha256", example.sha256}};
  }
  const Json facts{{"format", kFormat},         {"format_version", kFactsVersion},
                   {"model", modelFacts(info)}, {"capture", captureSettings(info, point)},
                   {"layers", layers},          {"examples", examples}};
  return indentedJson(facts, 1) + "\n";
}

CaptureFacts readCaptureFacts(const fs::path& folder) {
  const fs::path file = folder / kCaptureFactsFile;
  if (!fs::exists(file)) return {};
  const Json json = readJsonFile(file, kMostBytes);
  const CheckedObject root(file, "", json);
  if (root.text("format") != kFormat)
    throw InputError({file, "format", kFormat, root.text("format").value_or("none")});
  root.integer("format_version", 1, kFactsVersion);
  CaptureFacts facts{root.part("model"), root.part("capture"), root.part("layers"), {}};
  const CheckedObject examples = root.part("examples");
  const Json all = json.value("examples", Json::object());
  for (const auto& [id, value] : all.items()) {
    const std::optional<std::int64_t> seed = examples.part(id).integer("seed_id", INT64_MIN, INT64_MAX);
    if (!seed || std::to_string(storedExampleId(*seed)) != id) {
      throw InputError({file, "examples." + id + ".seed_id", "a number whose low 32 bits are " + id,
                        seed ? std::to_string(*seed) : "none"});
    }
    facts.examples[storedExampleId(*seed)] = exampleFacts(examples.part(id));
  }
  return facts;
}

}  // namespace plastiscope
