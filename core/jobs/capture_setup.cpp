#include "core/jobs/capture_setup.h"

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/parsed_number.h"
#include "core/base/path_text.h"
#include "core/base/random.h"
#include "core/base/version.h"
#include "core/capture/head_list.h"
#include "core/forward/availability.h"
#include "core/jobs/capture_groups.h"
#include "core/model/model.h"
#include "core/store/capture_parts.h"
#include "core/store/work_folder.h"
#include "core/text/token_types.h"
#include "core/text/tokenizer.h"
#include "core/transformers/chat_text.h"
#include "core/transformers/engine_choice.h"

namespace plastiscope {

namespace {

std::string sha256OfTokens(const std::vector<std::int32_t>& tokens) {
  Sha256 hash;
  hash.add(std::as_bytes(std::span(tokens)));  // little-endian int32
  return hash.hex();
}

// ---- texts

void requireKnownTokens(const CaptureExample& example, std::int64_t vocabulary) {
  for (const std::int32_t token : example.tokens) {
    if (token >= 0 && token < vocabulary) continue;
    throw InputError({{},
                      "example " + example.id,
                      "token ids from 0 to " + std::to_string(vocabulary - 1),
                      std::to_string(token)});
  }
}

// The id as valid UTF-8 without zero bytes, which capture files cannot store.
std::string storableId(const std::string& id) {
  if (id.find('\0') != std::string::npos)
    throw InputError({{}, "example id", "text without zero bytes", "text with a zero byte"});
  return repairUtf8(id);
}

const std::filesystem::path& tokenizerPlace(const CaptureRequest& request, const Model& model) {
  return request.tokenizer.empty() ? model.path : request.tokenizer;
}

std::shared_ptr<const Tokenizer> tokenizerOf(const CaptureRequest& request, const Model& model) {
  try {
    return openTokenizer(tokenizerPlace(request, model));
  } catch (const InputError&) {
    return nullptr;
  }
}

// Tokenizes every text and leaves out empty ones. `warnings`: about unusual tokens.
std::vector<CaptureExample> tokenized(std::vector<CorpusText> texts, const CaptureRequest& request,
                                      const Model& model, const Tokenizer* tokenizer,
                                      std::vector<std::string>& warnings, Progress& progress) {
  const bool encodes = request.tokens.empty();
  UnusualTokens unusual;
  std::vector<CaptureExample> examples;
  ProgressState state{"tokenize", 0, static_cast<double>(texts.size()), "example", -1, -1};
  for (CorpusText& text : texts) {
    progress.throwIfStopped();
    text.id = storableId(text.id);
    CaptureExample example{text.id, seedIdOf(text), {}};
    example.fields = std::move(text.fields);
    const bool special = !request.corpus.noSpecial && !request.corpus.chat;  // chat templates write their own
    Encoding encoding =
        encodes ? tokenizer->encode(text.text, special, &progress) : Encoding{std::move(text.tokens), {}};
    if (tokenizer) unusual.add(*tokenizer, encoding, request.corpus.chat ? "" : text.text);
    example.tokens = std::move(encoding.ids);
    text = {};  // frees its memory
    requireKnownTokens(example, model.spec.vocabulary);
    if (example.tokens.empty()) {
      progress.warned("example " + example.id + " has no tokens and is left out");
    } else {
      examples.push_back(std::move(example));
    }
    ++state.done;
    progress.advanced(state);
  }
  if (examples.empty()) throw InputError("there is no text to capture: all texts are empty or were left out");
  warnings = unusual.warnings();
  for (const std::string& warning : warnings) progress.warned(warning);
  return examples;
}

// ---- the probe

constexpr std::int64_t kProbeTokens = 256;
constexpr std::uint64_t kProbeSeed = 0x70726F6265;  // "probe"

// Distinct random tokens, twice, after the token that the tokenizer puts before texts (method.md, Head
// scores). Nothing if the vocabulary has fewer than two ordinary tokens.
std::optional<CaptureExample> probeFor(const CaptureRequest& request, const Model& model,
                                       const Tokenizer* tokenizer) {
  const std::int64_t vocabulary = model.spec.vocabulary;
  std::vector<std::int32_t> ordinary = ordinaryTokens(tokenizer, vocabulary);
  std::int64_t count = std::min(kProbeTokens, std::ssize(ordinary));
  if (model.spec.positions != "rope" && model.spec.contextLength > 0)
    count = std::min(count, (model.spec.contextLength - 1) / 2);
  if (count < 2) return std::nullopt;
  PairGenerator random(combine(combine(kSeedStart, kProbeSeed), static_cast<std::uint64_t>(vocabulary)));
  for (std::int64_t i = 0; i < count; ++i)
    std::swap(ordinary[i], ordinary[i + static_cast<std::int64_t>(random.below(std::ssize(ordinary) - i))]);
  CaptureExample probe{"probe", 0, {}, true, true};
  if (tokenizer && !request.corpus.noSpecial) {
    const std::vector<std::int32_t> before = tokensBeforeTexts(*tokenizer);
    if (!before.empty()) probe.tokens.push_back(before.front());
  }
  for (int time = 0; time < 2; ++time)
    probe.tokens.insert(probe.tokens.end(), ordinary.begin(), ordinary.begin() + count);
  return probe;
}

void warnOfEqualIds(const std::vector<CaptureExample>& examples, Progress& progress) {
  std::set<std::string> seen;
  for (const CaptureExample& example : examples) {
    if (seen.insert(example.id).second) continue;
    progress.warned("several examples have the id " + example.id +
                    "; they are sampled at the same positions");
    return;
  }
}

// ---- the plan

std::int64_t longestOf(const std::vector<CaptureExample>& examples) {
  std::size_t longest = 0;
  for (const CaptureExample& example : examples) longest = std::max(longest, example.tokens.size());
  return longest;
}

// Tokens up to which positions occurred in training, or are reached by RoPE scaling. A model's own linear or
// dynamic factor is included in its stated context; an override is not.
std::int64_t trainedContextOf(const ModelSpec& spec, bool overridden) {
  const RopeSpec& rope = spec.rope();
  const std::int64_t context = rope.maxPositions > 0 ? rope.maxPositions : spec.contextLength;
  double stretched = 0;
  if (rope.kind == "yarn" || rope.kind == "longrope" || rope.kind == "llama3")
    stretched = rope.factor * rope.originalContext;
  else if (overridden && (rope.kind == "linear" || rope.kind == "dynamic"))
    stretched = rope.factor * context;
  constexpr double kMaximum = 1e12;
  return std::max(context, static_cast<std::int64_t>(std::round(std::min(stretched, kMaximum))));
}

void resolveWindow(CaptureSetup& setup) {
  const std::int64_t context = setup.trainedContext, longest = longestOf(setup.examples);
  CapturePlan& plan = setup.plan;
  if (plan.window == 0) plan.window = context > 0 ? std::min(longest, context) : longest;
  const ModelSpec& spec = setup.model->spec;
  const bool table = spec.positions == "learned" || spec.positions == "sinusoidal";
  if (table && spec.contextLength > 0 && std::min(longest, plan.window) > spec.contextLength) {
    throw UsageError("--window " + std::to_string(plan.window) + ": this model has " + spec.positions +
                     " positions for " + std::to_string(spec.contextLength) + " tokens only");
  }
  if (plan.bucketSize == 0) plan.bucketSize = std::max<std::int64_t>(1, plan.window / 16);
}

// Cuts all examples, because the settings depend on all; counts those of the part.
void cutToWindow(CaptureSetup& setup, CapturePart part) {
  const auto count = std::ssize(setup.examples);
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<std::int32_t>& tokens = setup.examples[i].tokens;
    if (i >= part.begin(count) && i < part.end(count)) setup.tokensBeforeCut += std::ssize(tokens);
    if (tokens.size() <= static_cast<std::size_t>(setup.plan.window)) continue;
    tokens.resize(setup.plan.window);
    tokens.shrink_to_fit();
  }
}

// ---- settings

std::vector<CaptureExampleInfo> exampleInfosOf(const std::vector<CaptureExample>& examples) {
  std::vector<CaptureExampleInfo> infos;
  for (const CaptureExample& example : examples) {
    infos.push_back({example.id, example.seedId, std::ssize(example.tokens), sha256OfTokens(example.tokens),
                     example.fields});
  }
  return infos;
}

// Sets the settings that the data depend on: not threads, memory, file names or which of several equal GPUs.
void describe(CaptureSetup& setup) {
  Json settings = setup.plan.toJson();
  settings["device"] = setup.deviceType();
  if (!setup.model->engine->is_null()) settings["engine"] = setup.model->engine["name"];
  settings["model"] = setup.model->spec.name;
  settings["model_fingerprint"] = setup.model->fingerprint;
  if (!setup.clamp->is_null()) settings["clamp"] = *setup.clamp;
  settings["examples"] = setup.examples.size();
  settings["examples_sha256"] = digestOfExamples(exampleInfosOf(setup.examples));
  setup.settings = settings;
}

// Keeps the examples of the part; window and settings are already those of the whole.
void keepPart(CaptureSetup& setup, CapturePart part) {
  const auto count = std::ssize(setup.examples);
  std::vector<CaptureExample> kept;
  for (std::int64_t i = part.begin(count); i < part.end(count); ++i)
    kept.push_back(std::move(setup.examples[i]));
  setup.examples = std::move(kept);
  setup.settings = partSettings(setup.settings, part);
  setup.settingsHash = sha256Hex(canonicalJson(setup.settings));
  for (std::size_t i = 0; i < setup.examples.size(); ++i) {
    setup.facts.push_back({static_cast<std::int64_t>(i), setup.examples[i].id, setup.settingsHash});
  }
}

// `first`: index of the part's first example in the whole.
void chooseScoresOfLastLayer(CaptureSetup& setup, std::int64_t first) {
  if (!setup.layout.scores) return;
  const GroupPlanner planner(setup);
  for (std::int64_t i = 0; i < std::ssize(setup.examples); ++i) {
    setup.examples[i].scoresLastLayer = setup.engine->keepsWeights() || (first + i) % kLastLayerTexts == 0 ||
                                        readsEveryRow(planner.size(planner.tokens(i)));
  }
}

Json layersWithoutVectors(const ModelSpec& spec) {
  Json layers = Json::object();
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    if (!spec.layers[i].hasVectors()) layers[std::string(nameOf(spec.layers[i].attention))].push_back(i);
  }
  return layers;
}

std::vector<CaptureLayerInfo> layerInfosOf(const CaptureSetup& setup) {
  const ModelSpec& spec = setup.model->spec;
  std::vector<CaptureLayerInfo> infos;
  for (const UnitBlock& block : setup.layout.blocks) {
    if (infos.empty() || infos.back().layer != block.layer) {
      const LayerSpec& layer = spec.layer(block.layer);
      infos.push_back({block.layer,
                       std::string(nameOf(layer.attention)),
                       layer.window,
                       layer.rope,
                       layer.queryScale,
                       {},
                       {},
                       0,
                       0,
                       layer.headDim == spec.headDim ? 0 : layer.headDim,
                       layer.keyHeads == spec.keyHeads ? 0 : layer.keyHeads});
    }
    CaptureLayerInfo& info = infos.back();
    if (block.dense) {
      (block.kind == QueryOrKey::Query ? info.denseQueryHeads : info.denseKeyHeads) = block.heads;
      info.scoreSoftcap = spec.scoreSoftcap;
      info.learnedSinks = setup.model->layers.at(block.layer).contains(TensorRole::Sinks);
    } else
      (block.kind == QueryOrKey::Query ? info.queryHeads : info.keyHeads) = block.heads;
  }
  return infos;
}

// Name of the model. For GGUF the file name, because the name inside is often unspecific.
std::string modelNameOf(const std::filesystem::path& model, const ModelSpec& spec) {
  if (model.extension() != ".gguf") return spec.name;
  static const std::regex kShard("-[0-9]{5}-of-[0-9]{5}$");
  return std::regex_replace(pathText(model.stem()), kShard, "");
}

}  // namespace

std::int64_t seedIdOf(const CorpusText& text) {
  if (!text.numericId) return blake2bInt64(text.id);
  if (const auto value = parsedNumber<std::int64_t>(text.id)) return *value;
  if (const auto large = parsedNumber<std::uint64_t>(text.id)) return static_cast<std::int64_t>(*large);
  throw InputError({{}, "example id", "an integer of at most 64 bits", text.id});
}

std::vector<CorpusText> readTexts(const CaptureRequest& request, const Model& model, Progress& progress) {
  if (request.corpus.files.empty()) return readTokenFile(request.tokens, request.corpus.maxExamples);
  std::vector<CorpusText> texts = readCorpus(request.corpus, progress);
  if (request.corpus.chat) applyChatTemplate(tokenizerPlace(request, model), request.python, texts, progress);
  return texts;
}

CaptureSetup prepareCapture(const CaptureRequest& request, Progress& progress) {
  request.plan.validate();
  CaptureSetup setup;
  setup.plan = request.plan;
  const OpenedModel opened = openWithEngine(resolveModelPath(request.model.string()),
                                            {request.engine, request.python, forwardAvailable()},
                                            request.plan.ropeOverride, request.followLinks, progress);
  setup.model = opened.model;
  setup.engine = opened.engine();
  for (const std::string& warning : setup.model->warnings) progress.warned(warning);
  setup.layout = unitLayout(setup.plan, setup.model->spec);
  setup.layout.scores = request.fresh || !WorkFolder::lacksScores(request.out);
  setup.lastLayer = setup.layout.lastLayer;
  setup.forward.device = setup.plan.device;
  setup.forward.dtype = setup.plan.dtype;
  setup.forward.threads = request.threads;
  setup.forward.output = setup.layout.loss;
  setup.forward.interventions = chosenInterventions(request, *setup.model, setup.lastLayer, progress);
  setup.clamp = clampSettings(setup.forward.interventions.get());
  setup.engine->requireSupport(*setup.model, setup.forward);
  setup.device = setup.engine->resolveDevice(*setup.model, setup.forward);
  if (setup.forward.device == "auto" && !gpuProblem().empty())
    progress.told("the model runs on the CPU: " + gpuProblem());
  setup.forward.device = setup.device.device;
  setup.plan.dtype = setup.forward.dtype = setup.device.dtype;
  if (request.corpus.files.empty() == request.tokens.empty())
    throw UsageError("capture needs either --text or --tokens");
  std::vector<CorpusText> texts = readTexts(request, *setup.model, progress);
  const auto tokenizer = request.tokens.empty() ? openTokenizer(tokenizerPlace(request, *setup.model))
                                                : tokenizerOf(request, *setup.model);
  setup.examples =
      tokenized(std::move(texts), request, *setup.model, tokenizer.get(), setup.tokenWarnings, progress);
  warnOfEqualIds(setup.examples, progress);
  setup.trainedContext = trainedContextOf(setup.model->spec, !request.plan.ropeOverride->is_null());
  resolveWindow(setup);
  cutToWindow(setup, request.part);
  describe(setup);
  if (request.corpus.noSpecial) setup.settings.set("no_special", true);
  if (request.corpus.chat) setup.settings.set("chat_template", true);
  if (!request.corpus.form.empty()) setup.settings.set("template", request.corpus.form);
  if (!setup.tokenWarnings.empty()) setup.settings.set(kTokenWarnings, setup.tokenWarnings);
  const std::int64_t first = request.part.begin(std::ssize(setup.examples));
  keepPart(setup, request.part);
  chooseScoresOfLastLayer(setup, first);
  if (request.probe && request.part.index == 0 && setup.layout.scores)
    setup.probe = probeFor(request, *setup.model, tokenizer.get());
  if (setup.probe) setup.facts.push_back({std::ssize(setup.examples), setup.probe->id, setup.settingsHash});
  setup.forward.readAhead = fitsReadingAhead(setup, memoryLimitOf(request));
  return setup;
}

Json workSettings(const CaptureSetup& setup) {
  Json settings = setup.settings;
  settings["program_version"] = kVersion;
  return settings;
}

CaptureInfo captureInfoOf(const CaptureSetup& setup) {
  const ModelSpec& spec = setup.model->spec;
  CaptureInfo info;
  info.programVersion = kVersion;
  info.settings = setup.settings;
  info.settingsHash = setup.settingsHash;
  info.modelName = modelNameOf(setup.model->path, spec);
  info.architecture = spec.architecture;
  info.modelSource = pathText(std::filesystem::absolute(setup.model->path).lexically_normal().filename());
  info.fingerprint = setup.model->fingerprint;
  info.layers = spec.layerCount;
  info.queryHeads = spec.queryHeads;
  info.keyHeads = spec.keyHeads;
  info.headDim = spec.headDim;
  info.contextLength = spec.contextLength;
  info.rope = ropeJson(spec);
  if (spec.positions != "rope") info.positions = spec.positions;
  info.engine = setup.model->engine;
  info.config = spec.config;
  info.withoutVectors = layersWithoutVectors(spec);
  info.window = setup.plan.window;
  info.bucketSize = setup.plan.bucketSize;
  info.sampler = setup.plan.sampler;
  info.point = nameOf(setup.plan.point);
  info.computeDtype = setup.device.dtype;
  info.device = setup.deviceType();
  info.rate = setup.plan.rate;
  info.scoreScale = spec.scoreScale;
  info.headSeed = setup.plan.headSeed;
  info.trainedContext = setup.trainedContext;
  info.examples = exampleInfosOf(setup.examples);
  info.layerInfos = layerInfosOf(setup);
  return info;
}

bool storesTexts(const CaptureRequest& request, const CaptureSetup& setup) {
  return request.storeTexts && (request.tokens.empty() || tokenizerOf(request, *setup.model) != nullptr);
}

std::optional<StoredTexts> storedTextsOf(const CaptureRequest& request, const CaptureSetup& setup) {
  const auto tokenizer = request.storeTexts ? tokenizerOf(request, *setup.model) : nullptr;
  if (!tokenizer) return std::nullopt;
  StoredTexts texts;
  for (const CaptureExample& example : setup.examples)
    texts.tokenIds.insert(texts.tokenIds.end(), example.tokens.begin(), example.tokens.end());
  texts.vocabulary = texts.tokenIds;
  std::sort(texts.vocabulary.begin(), texts.vocabulary.end());
  texts.vocabulary.erase(std::unique(texts.vocabulary.begin(), texts.vocabulary.end()),
                         texts.vocabulary.end());
  texts.vocabulary.shrink_to_fit();
  for (const std::int32_t id : texts.vocabulary) texts.pieces.push_back(tokenizer->tokenText(id));
  return texts;
}

}  // namespace plastiscope
