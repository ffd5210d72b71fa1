#include "core/views/study_facts.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/model/model_spec.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMaxCount = 1 << 20;  // layers, heads, head size: a larger number means a damaged file

std::int64_t integerOf(const Json& object, const char* key) {
  if (!object.is_object()) return 0;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return 0;
  return std::max<std::int64_t>(0, found->get<std::int64_t>());
}

std::string jsonTextOf(const Json& object, const char* key) {
  if (!object.is_object()) return "";
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

void readRope(StudyFacts& facts, const Json& written) {
  const Json rope = mainRope(written);
  const std::int64_t dim = integerOf(rope, "rotary_dim");
  facts.ropeDim = dim > 0 ? dim : facts.headDim;
  facts.ropeFirst = integerOf(rope, "first_rotated");
  facts.ropeInterleaved = rope.is_object() && rope.value("interleaved", Json()) == true;
}

// Raises the numbers of layers and heads to those of heads.csv.
void coverTable(StudyFacts& facts, const AnalysisFile& analysis) {
  const Table* heads = analysis.find("heads");
  if (heads == nullptr) return;
  const NumberColumn layer(*heads, "layer"), head(*heads, "head");
  for (std::size_t row = 0; row < heads->rows(); ++row) {
    facts.layers = std::max(facts.layers, layer.index(row, kMaxCount) + 1);
    facts.queryHeads = std::max(facts.queryHeads, head.index(row, kMaxCount) + 1);
  }
  if (facts.keyHeads <= 0 || facts.queryHeads % facts.keyHeads != 0) facts.keyHeads = facts.queryHeads;
}

void requireBelievable(const StudyFacts& facts) {
  if (facts.layers > kMaxCount || facts.queryHeads > kMaxCount ||
      facts.layers * facts.queryHeads > kMaxCount) {
    throw InputError("the analysis states " + withCommas(facts.layers) + " layers of " +
                     withCommas(facts.queryHeads) + " heads: expected at most " + withCommas(kMaxCount) +
                     " heads in all");
  }
}

// {"cross": [3, 8]} by layer; implausible entries are left out.
void readWithoutVectors(StudyFacts& facts, const Json& byKind) {
  if (!byKind.is_object()) return;
  for (const auto& [kind, layers] : byKind.items()) {
    if (!layers.is_array()) continue;
    for (const Json& layer : layers) {
      if (layer.is_number_integer() && layer >= 0 && layer < facts.layers)
        facts.withoutVectors[layer.get<std::int64_t>()] = kind;
    }
  }
}

void readOwnSizes(StudyFacts& facts, const Json& layers) {
  if (!layers.is_array()) return;
  for (const Json& layer : layers) {
    const StudyFacts::LayerSizes own{integerOf(layer, "key_heads"), integerOf(layer, "head_dim")};
    if (own.keyHeads > 0 || own.headDim > 0) facts.ownSizes[integerOf(layer, "layer")] = own;
  }
}

}  // namespace

std::int64_t StudyFacts::groupSize(std::int64_t layer) const {
  const auto own = ownSizes.find(layer);
  if (own == ownSizes.end() || own->second.keyHeads == 0) return groupSize();
  return std::max<std::int64_t>(1, queryHeads / own->second.keyHeads);
}

std::int64_t StudyFacts::headDimOf(std::int64_t layer) const {
  const auto own = ownSizes.find(layer);
  return own == ownSizes.end() || own->second.headDim == 0 ? headDim : own->second.headDim;
}

StudyFacts factsOf(const AnalysisFile& analysis) {
  const Json& capture = analysis.provenance.capture;
  StudyFacts facts;
  facts.model = jsonTextOf(capture, "model");
  facts.architecture = jsonTextOf(capture, "architecture");
  facts.layers = integerOf(capture, "layers");
  facts.queryHeads = integerOf(capture, "query_heads");
  facts.keyHeads = integerOf(capture, "key_heads");
  facts.headDim = integerOf(capture, "head_dim");
  facts.window = integerOf(capture, "window");
  facts.bucketSize = integerOf(capture, "bucket_size");
  readRope(facts, capture.is_object() ? capture.value("rope", Json()) : Json());
  readWithoutVectors(facts, capture.is_object() ? capture.value("without_vectors", Json()) : Json());
  readOwnSizes(facts, capture.is_object() ? capture.value("layer_kinds", Json()) : Json());
  coverTable(facts, analysis);
  requireBelievable(facts);
  return facts;
}

StudyFacts factsOf(const Study& study) {
  StudyFacts facts = factsOf(*study.analysis);
  if (study.capture == nullptr) return facts;
  const CaptureInfo& info = study.capture->info();
  facts.model = info.modelName;
  facts.architecture = info.architecture;
  facts.layers = std::max(facts.layers, info.layers);
  facts.queryHeads = std::max(facts.queryHeads, info.queryHeads);
  facts.keyHeads = info.keyHeads > 0 ? info.keyHeads : facts.keyHeads;
  facts.headDim = info.headDim;
  facts.window = info.window;
  facts.bucketSize = info.bucketSize;
  readRope(facts, info.rope);
  readWithoutVectors(facts, info.withoutVectors);
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    if (layer.ownKeyHeads > 0 || layer.ownHeadDim > 0)
      facts.ownSizes[layer.layer] = {layer.ownKeyHeads, layer.ownHeadDim};
  }
  for (const CaptureExampleInfo& example : info.examples) facts.exampleIds.push_back(example.id);
  requireBelievable(facts);
  return facts;
}

namespace {

// The first member of one of these names at any depth; null when there is none.
Json statedIn(const Json& config, const std::vector<std::string_view>& endings) {
  if (!config.is_object()) return {};
  for (const auto& [key, value] : config.items()) {
    const bool named = std::ranges::any_of(
        endings, [&name = key](std::string_view ending) { return name.ends_with(ending); });
    if (named && value.is_primitive()) return value;
    if (Json found = statedIn(value, endings); !found.is_null()) return found;
  }
  return {};
}

}  // namespace

std::string overriddenRopeText(const CaptureInfo& capture) {
  const Json override = capture.settings->value("rope_override", Json());
  if (!override.is_object()) return "";
  const Json type = statedIn(capture.config, {"rope_type", "rope.scaling.type"}),
             base = statedIn(capture.config, {"rope_theta", "rotary_emb_base", "rope.freq_base"});
  std::string own;
  if (override.contains("rope_type"))
    own = type.is_string() && type != "default" && type != "none" ? type.get<std::string>() : "plain RoPE";
  if (override.contains("rope_theta") && base.is_number())
    own += (own.empty() ? "" : ", ") + withCommas(std::llround(base.get<double>()));
  return "overridden" + (own.empty() ? "" : " (model: " + own + ")");
}

AnalysisSettings settingsOf(const AnalysisFile& analysis) {
  const Json& settings = analysis.provenance.settings;
  return settings.is_object() ? AnalysisSettings::fromJson(settings) : AnalysisSettings();
}

void requireScope(const AnalysisFile& analysis, const HeadScope& scope) {
  if (rowsIn(scope, analysis, requiredTable(analysis, "heads")).empty())
    throw UsageError(scope.text() + " was not captured");
}

std::vector<RowRun> rowsIn(const HeadScope& scope, const AnalysisFile& analysis, const Table& table) {
  const auto index = analysis.headIndex.of(table);
  if (scope.head) return index->of(*scope.head);
  return index->where([&](HeadName name) { return scope.holds(name); });
}

const Table& requiredTable(const AnalysisFile& analysis, std::string_view name) {
  const Table* table = analysis.find(name);
  if (table == nullptr) {
    throw InputError("this analysis has no table \"" + std::string(name) + "\"; analyse the capture again");
  }
  return *table;
}

std::vector<HeadName> headsOf(const Table& heads) {
  const HeadColumns names(heads);
  std::vector<HeadName> all;
  for (std::size_t row = 0; row < heads.rows(); ++row) all.push_back(names[row]);
  return all;
}

std::vector<HeadName> headsOf(const AnalysisFile& analysis) {
  return headsOf(requiredTable(analysis, "heads"));
}

std::optional<HeadName> headOfInterest(const AnalysisFile& analysis, ApKind plasticity) {
  const std::vector<HeadName> heads = headsOf(analysis);
  if (heads.empty()) return std::nullopt;
  const Table& table = requiredTable(analysis, "heads");
  std::optional<std::size_t> best;
  double most = 0;
  for (std::size_t row = 0; row < heads.size(); ++row) {
    const double drop = numberAt(table, columnAs(plasticity, "ap_drop"), row);
    if (std::isfinite(drop) && (!best || drop > most)) {
      best = row;
      most = drop;
    }
  }
  return heads[best.value_or(heads.size() / 2)];
}

std::optional<std::size_t> headRow(const Table& heads, HeadName head) {
  const HeadColumns names(heads);
  for (std::size_t row = 0; row < heads.rows(); ++row) {
    if (names[row] == head) return row;
  }
  return std::nullopt;
}

std::optional<std::size_t> headRow(const AnalysisFile& analysis, HeadName head) {
  const auto rows = analysis.headIndex.of(requiredTable(analysis, "heads"))->of(head);
  if (rows.empty()) return std::nullopt;
  return rows.front().first;
}

bool HeadScope::holds(HeadName name) const {
  if (head) return name == *head;
  if (layer) return name.layer == *layer;
  return several.empty() || std::ranges::binary_search(several, name);
}

std::string HeadScope::text() const {
  if (head) return head->text();
  if (!several.empty()) return withCommas(static_cast<std::int64_t>(several.size())) + " selected heads";
  if (layer) return "layer " + std::to_string(*layer);
  return "all heads";
}

}  // namespace plastiscope
