#include "core/jobs/head_work.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/analysis/aligned_plasticity.h"
#include "core/analysis/position_rotation.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/capture/head_list.h"
#include "core/jobs/row_subset.h"
#include "core/model/architecture.h"
#include "core/model/model_spec.h"
#include "core/model/rope_kinds.h"
#include "core/model/rope_settings.h"
#include "core/views/attention_data.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMaxBins = 100000;
constexpr std::int64_t kMaxTokens = std::int64_t{1} << 31;

// Selects heads by --heads and --layers; an empty list selects all.
struct Filter {
  std::set<HeadName> heads;
  std::set<std::int64_t> layers;

  Filter(const CaptureInfo& info, const AnalysisSettings& settings) {
    std::vector<HeadName> captured;
    std::vector<std::int64_t> withHeads;
    for (const CaptureLayerInfo& layer : info.layerInfos) {
      for (const std::int64_t head : layer.queryHeads) captured.push_back({layer.layer, head});
      if (!layer.queryHeads.empty()) withHeads.push_back(layer.layer);
    }
    if (!settings.heads.empty()) {
      const auto meant = headsMeant(settings.heads, captured);
      heads.insert(meant.begin(), meant.end());
    }
    if (!settings.layers.empty()) {
      const auto meant = layersMeant(settings.layers, withHeads);
      layers.insert(meant.begin(), meant.end());
    }
  }
  bool holds(const HeadName& head) const {
    return (heads.empty() || heads.contains(head)) && (layers.empty() || layers.contains(head.layer));
  }
};

// ---- RoPE

// RoPE settings of one layer: the only ones, or those of the layer's type.
const Json* ropeOfLayers(const Json& rope, const std::string& attention) {
  if (!rope.is_object() || rope.empty()) return nullptr;
  if (!isByLayerType(rope)) return &rope;
  const auto found = rope.find(attention + "_attention");
  return found == rope.end() ? nullptr : &*found;
}

// `first_rotated`, from 0 to `most`.
std::int64_t firstRotated(const Json& stated, std::int64_t most) {
  const Json first = stated.value("first_rotated", Json());
  return first.is_number_integer()
             ? std::clamp(first.get<std::int64_t>(), std::int64_t{0}, std::max(most, std::int64_t{0}))
             : 0;
}

// Parses the RoPE settings; nothing if they are not known. `given`: for captures that state none.
std::optional<RopeSpec> ropeOf(const CaptureInfo& info, const CaptureLayerInfo& layer,
                               const std::string& given) {
  constexpr std::int64_t kMaxDimensions = 65536;
  const Json* stated = ropeOfLayers(info.rope, layer.attention);
  Json parsed;
  if (stated == nullptr || !stated->contains("rope_theta")) {  // missing in some imports
    if (given.empty()) return std::nullopt;
    parsed = normalRopeSettings(parseJson(given, "--rope"), "--rope");
    stated = ropeOfLayers(parsed, layer.attention);
  }
  if (parsed.is_null() && !given.empty())
    throw UsageError("--rope is for captures that do not state their RoPE settings: this one does");
  const std::int64_t headDim = info.headDimOf(layer);
  if (stated == nullptr || headDim < 2 || headDim > kMaxDimensions) return std::nullopt;
  RopeContext context;
  context.headDim = headDim;
  context.maxPositions = info.contextLength;
  context.extraKeys = {"interleaved", "first_rotated"};
  try {
    RopeSpec rope = readRope(*stated, context);
    rope.interleaved = stated->value("interleaved", Json()) == true;
    rope.first = firstRotated(*stated, headDim - rope.rotaryDim);
    const std::vector<double> frequencies = ropePairFrequencies(rope, info.window);
    if (!std::ranges::all_of(frequencies, [](double f) { return std::isfinite(f); })) return std::nullopt;
    return rope;
  } catch (const InputError&) {
    if (!given.empty()) throw;
    return std::nullopt;
  }
}

struct LayerRotation {
  std::shared_ptr<const PositionRotation> known;  // null: not known
  std::string unknown;                            // the reason
};

LayerRotation rotationOf(const CaptureInfo& info, const CaptureLayerInfo& layer, const std::string& given) {
  if (info.point == "pre-rope") return {std::make_shared<const PositionRotation>(), ""};  // not rotated
  std::optional<QueryTemperature> temperature;
  if (layer.queryScale) {
    const Json* rope = ropeOfLayers(info.rope, "full");
    temperature = statedTemperature(info.config, rope == nullptr ? Json() : *rope);
  }
  std::optional<RopeSpec> rope;
  if (layer.rope) {
    const Architecture* family = architectureOfModelType(info.architecture);
    if (family != nullptr && family->normsAfterRope)
      return {nullptr, "queries and keys are normed with weights after RoPE"};
    rope = ropeOf(info, layer, given);
    if (!rope) return {nullptr, "the capture does not state the layer's RoPE settings; --rope gives them"};
  }
  std::vector<std::int64_t> tokens;
  for (const CaptureExampleInfo& example : info.examples) tokens.push_back(example.tokens);
  return {std::make_shared<const PositionRotation>(rotationOf(temperature ? &*temperature : nullptr,
                                                              rope ? &*rope : nullptr, info.window, tokens)),
          ""};
}

}  // namespace

PositionRotation rotationOf(const QueryTemperature* temperature, const RopeSpec* rope, std::int64_t window,
                            const std::vector<std::int64_t>& textTokens) {
  PositionRotation rotation;
  if (temperature != nullptr) {
    rotation.temperatureBeta = temperature->beta;
    rotation.temperatureLength = static_cast<double>(temperature->length);
    rotation.temperatureOffset = static_cast<double>(temperature->offset);
  }
  if (rope == nullptr) return rotation;
  rotation.interleaved = rope->interleaved;
  rotation.first = rope->first;
  const bool byLength = rope->kind == "dynamic" || rope->kind == "longrope";
  for (const std::int64_t tokens : byLength ? textTokens : std::vector{window})
    rotation.frequencies.push_back(ropePairFrequencies(*rope, tokens));
  return rotation;
}

HeadWork chooseHeadWork(const CaptureInfo& info, const AnalysisSettings& settings) {
  const Filter filter(info, settings);
  HeadWork work;
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    const LayerRotation rotation = rotationOf(info, layer, settings.rope);
    std::vector<std::int64_t> heads = layer.queryHeads;
    std::sort(heads.begin(), heads.end());
    std::int64_t openKvHead = -1;
    for (const std::int64_t head : heads) {
      if (!filter.holds({layer.layer, head})) continue;
      const std::int64_t kvHead = head / info.groupSize(layer);
      if (kvHead != openKvHead) work.groups.push_back({kvHead, {}, {}});
      openKvHead = kvHead;
      work.groups.back().heads.push_back({layer.layer, head, kvHead, layer.attention, layer.rope,
                                          layer.window, rotation.known, rotation.unknown});
      work.groups.back().slot.push_back(work.heads++);
    }
  }
  if (work.heads == 0)
    throw UsageError("no captured head is both in the list of heads and in the list of layers");
  return work;
}

CaptureFrame frameOf(const CaptureInfo& info) {
  if (info.window < 1 || info.window > kMaxTokens || info.bucketSize < 1 || info.bucketSize > kMaxTokens) {
    throw InputError("the capture states a window of " + std::to_string(info.window) + " and buckets of " +
                     std::to_string(info.bucketSize) + " tokens: expected 1 to " +
                     std::to_string(kMaxTokens));
  }
  CaptureFrame frame{info.window, info.bucketSize, info.sampler == "log_uniform", info.scoreScale};
  for (const CaptureExampleInfo& example : info.examples) frame.textTokens.push_back(example.tokens);
  return frame;
}

namespace {

struct CapturedQueries {
  std::int64_t rows = 0, heads = 0;
};

CapturedQueries queriesOf(const CaptureInfo& info) {
  CapturedQueries queries;
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    const auto count = std::ssize(layer.queryHeads);
    queries.rows += count * layer.queryRows;
    queries.heads += count;
  }
  if (!info.subset.empty()) queries.rows = std::llround(queries.rows * info.queryShare);
  return queries;
}

}  // namespace

std::int64_t alignedBinsOf(const CaptureInfo& info, const AnalysisSettings& settings) {
  const CapturedQueries queries = queriesOf(info);
  return alignedBinCount(queries.rows, queries.heads, settings.minQueries);
}

BinGrid gridOf(const CaptureInfo& info, const AnalysisSettings& settings) {
  const CapturedQueries queries = queriesOf(info);
  const CaptureFrame frame = frameOf(info);
  const std::int64_t density = std::min(densityBinCount(queries.rows, queries.heads), kMaxBins);
  const bool wantsBuckets =
      settings.bins == "buckets" || settings.pairScope == "same_bucket" || settings.orientation == "legacy";
  if (wantsBuckets && !frame.logBuckets && frame.window / frame.bucketSize >= kMaxBins) {
    throw UsageError("bins: the capture has more than " + std::to_string(kMaxBins) +
                     " buckets; choose density or a number, and pairs and orientation without buckets");
  }
  return makeBinGrid(settings, frame, density);
}

// ---- rows

namespace {

// Warning about rows of a head that were left out; names the first few.
std::string droppedWarning(const CaptureInfo& info, const std::string& name,
                           const std::vector<DroppedRow>& dropped) {
  constexpr std::size_t kNamed = 3;
  std::string text = name + ": " + withCommas(dropped.size()) + " rows are not finite and were left out (";
  for (std::size_t i = 0; i < std::min(kNamed, dropped.size()); ++i) {
    text += (i > 0 ? ", " : "") + std::string("example ") + exampleName(info, dropped[i].example) +
            " position " + std::to_string(dropped[i].position);
  }
  return text + (dropped.size() > kNamed ? ", ...)" : ")");
}

void requirePlaces(const CapturedRows& rows, const CaptureInfo& info, const std::string& name) {
  for (std::size_t i = 0; i < rows.position.size(); ++i) {
    if (rows.position[i] >= 0 && rows.position[i] < info.window && rows.example[i] >= 0) continue;
    throw InputError(name + ", row " + std::to_string(i) +
                     ": expected positions from 0 below the window of " + std::to_string(info.window) +
                     ", found " + std::to_string(rows.position[i]));
  }
}

}  // namespace

std::string exampleName(const CaptureInfo& info, std::int64_t example) {
  const auto index = static_cast<std::size_t>(example);
  return index < info.examples.size() ? info.examples[index].id : std::to_string(example);
}

VectorRows readRows(const CaptureFile& capture, const RowPlace& place, const AnalysisSettings& settings,
                    std::vector<std::string>& warnings) {
  const auto& [layer, head, set] = place;
  const std::string kind = set == RowSet::Query ? "query" : "key";
  const std::string name = kind + " L" + std::to_string(layer) + "H" + std::to_string(head);
  const CapturedRows rows = capture.rows(place);
  requirePlaces(rows, capture.info(), name);
  std::vector<DroppedRow> dropped;
  VectorRows finite = finiteRows({rows.headDim, rows.vectors, rows.position, rows.example}, dropped);
  if (!dropped.empty()) warnings.push_back(droppedWarning(capture.info(), name, dropped));
  std::int64_t repeats = 0;
  finite = withoutRepeats(std::move(finite), repeats);
  if (repeats > 0) {
    warnings.push_back(name + ": " + withCommas(repeats) +
                       " rows repeat an example and position; the first of each was kept");
  }
  return subsampledRows(std::move(finite), {settings.maxRows, settings.seed, layer, head,
                                            set == RowSet::Query ? QueryOrKey::Query : QueryOrKey::Key});
}

HeadRows readHead(const CaptureFile& capture, const HeadName& name, AnalysisSettings settings) {
  settings.heads = name.text();
  settings.layers = "";
  const HeadId place = chooseHeadWork(capture.info(), settings).groups.front().heads.front();
  std::vector<std::string> told;  // already reported by the analysis of the capture
  HeadRows rows{place, readRows(capture, {place.layer, place.head, RowSet::Query}, settings, told),
                readRows(capture, {place.layer, place.kvHead, RowSet::Key}, settings, told)};
  if (rows.query.headDim() != rows.key.headDim())
    throw InputError("layer " + std::to_string(place.layer) + ": queries and keys differ in length");
  return rows;
}

// ---- dense heads

std::optional<AttentionScoreRule> softmaxRule(const CaptureInfo& info, std::int64_t number) {
  const auto layer = std::ranges::find(info.layerInfos, number, &CaptureLayerInfo::layer);
  if (layer == info.layerInfos.end() || layer->learnedSinks) return std::nullopt;
  return scoreRuleOf(info, number);
}

namespace {

// Sums of every text, from queries and keys at every position; empty where they do not determine the softmax.
std::vector<AttentionSums> denseSums(const CaptureFile& capture, const HeadId& place,
                                     const Progress& progress) {
  const CaptureInfo& info = capture.info();
  const auto rule = softmaxRule(info, place.layer);
  if (!rule) return {};
  const auto texts = std::ssize(info.examples);
  std::vector<AttentionSums> ofTexts;
  for (std::int64_t example = 0; example < texts; ++example) {
    progress.throwIfStopped();
    const WholeText text = wholeText(capture, example);  // queries also see keys outside the subset
    const auto rows = [&](std::int64_t head, RowSet set) {
      return text.capture->denseRows({place.layer, head, set}, text.example);
    };
    const CapturedRows query = rows(place.head, RowSet::DenseQuery),
                       key = rows(place.kvHead, RowSet::DenseKey);
    const std::vector<std::int32_t> tokens = text.capture->tokenIds(text.example);
    ofTexts.emplace_back().add({key.headDim, query.vectors, key.vectors, tokens, text.chosen}, *rule,
                               attentionQueriesPerText(texts));
  }
  return ofTexts;
}

}  // namespace

void addAttention(HeadResult& result, const CaptureFile& capture, const Progress& progress,
                  const Resamples& resamples) {
  const HeadId& place = result.place;
  std::vector<AttentionSums> ofTexts;
  if (result.dense) ofTexts = denseSums(capture, place, progress);
  if (ofTexts.empty()) {
    for (const HeadTextScores& text : capture.scores(place.layer, place.head))
      ofTexts.emplace_back().add(text.queries, text.sums);
  }
  if (const auto probe = capture.probeScores(place.layer, place.head)) {
    AttentionSums sums;
    sums.add(probe->queries, probe->sums);
    result.probe = sums.scores();
  }
  result.scored = result.dense || !ofTexts.empty();
  if (ofTexts.empty()) return;
  const auto scoresOf = [&ofTexts](const std::vector<std::int32_t>* times) {
    AttentionSums sums;
    for (std::size_t e = 0; e < ofTexts.size(); ++e)
      for (std::int32_t k = 0; k < (times == nullptr ? 1 : (*times)[e]); ++k) sums.add(ofTexts[e]);
    return sums.scores();
  };
  for (const std::vector<std::int32_t>& times : resamples.times)
    result.attentionResampled.push_back(scoresOf(&times));
  result.attention = scoresOf(nullptr);
}

void addSoftmax(HeadResult& result, const CaptureFile& capture, const HeadInput& input) {
  const HeadId& place = input.place;
  const auto rule = softmaxRule(capture.info(), place.layer);
  if (!result.dense || !rule) return;
  std::vector<WholeText> texts;
  for (std::int64_t e = 0; e < std::ssize(capture.info().examples); ++e)
    texts.push_back(wholeText(capture, e));
  const auto rows = [&](std::int64_t text, std::int64_t head, RowSet set) {
    return texts[text].capture->denseRows({place.layer, head, set}, texts[text].example).vectors;
  };
  DenseTexts dense{std::ssize(texts), input.query.headDim(),
                   [&](std::int64_t text) { return rows(text, place.head, RowSet::DenseQuery); },
                   [&](std::int64_t text) { return rows(text, place.kvHead, RowSet::DenseKey); }};
  if (!texts.empty() && texts.front().chosen)
    dense.chosen = [&](std::int64_t text, std::int64_t query) { return texts[text].chosen(query); };
  const BinGrid grid = alignedGrid(input.settings, input.frame, input.grid);
  result.softmax = softmaxPositionsOf(
      {place, grid, *rule, dense, result.aligned, *input.texts, input.settings.seed}, input.progress);
}

std::optional<LossSummary> lossesOf(const CaptureFile& capture, std::vector<LossSummary>* ofTexts) {
  if (!capture.hasLosses()) return std::nullopt;
  LossSummary summary(capture.info().window);
  for (std::int64_t example = 0; example < std::ssize(capture.info().examples); ++example) {
    const TokenLosses losses = capture.losses(example);
    summary.add(losses.nll, losses.firstPlace);
    if (ofTexts != nullptr) ofTexts->emplace_back(capture.info().window).add(losses.nll, losses.firstPlace);
  }
  return summary;
}

// ---- tables

TableContext tableContextOf(const CaptureFile& capture, const AnalysisSettings& settings) {
  const CaptureInfo& info = capture.info();
  TableContext context;
  context.losses = lossesOf(capture, &context.textLosses);
  context.settings = settings;
  context.layers = info.layers;
  for (const CaptureExampleInfo& text : info.examples)
    context.texts.push_back({text.id, text.sha256, text.tokens});
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    const auto rope = layer.rope ? ropeOf(info, layer, settings.rope) : std::nullopt;
    if (rope)
      context.rope[layer.layer] = {ropePairFrequencies(*rope, info.window), rope->interleaved, rope->first};
  }
  return context;
}

}  // namespace plastiscope
