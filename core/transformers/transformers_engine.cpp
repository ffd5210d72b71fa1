#include "core/transformers/transformers_engine.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/path_text.h"
#include "core/model/architecture.h"
#include "core/model/rope_settings.h"
#include "core/transformers/python_finder.h"
#include "core/transformers/python_process.h"
#include "core/weights/tensor_directory.h"

namespace fs = std::filesystem;

namespace plastiscope {

// The Python process of one model: started when needed, dropped after a failure.
class PythonSession {
 public:
  PythonSession(fs::path python, fs::path model, JsonValue rope)
      : m_python(std::move(python)), m_model(std::move(model)), m_rope(std::move(rope)) {}

  Json describe(const Progress& progress) {
    m_process = std::make_unique<PythonProcess>(m_python, enginePackage());
    m_process->send({{"do", "describe"},
                     {"model", fs::absolute(m_model).lexically_normal().string()},
                     {"rope", *m_rope},
                     {"trust_remote_code", false}},
                    {}, progress);
    return m_process->next(progress).head.value("facts", Json::object());
  }

  // The process with the model loaded as `request` says.
  PythonProcess& load(const Json& request, Progress& progress) {
    if (m_process && m_loaded == request) return *m_process;
    if (!m_process) describe(progress);
    m_process->send(request, {}, progress);
    for (Json reply = m_process->next(progress).head; !reply.contains("ok");
         reply = m_process->next(progress).head)
      progress.advanced({"load", 100 * numberOr(reply, "loading", 0), 100, "%", -1, -1});
    m_loaded = request;
    return *m_process;
  }

  void drop() {
    m_process.reset();
    m_loaded = nullptr;
  }

 private:
  fs::path m_python, m_model;
  JsonValue m_rope;
  std::unique_ptr<PythonProcess> m_process;
  Json m_loaded;
};

namespace {

constexpr std::int64_t kMaxLayers = 4096, kMaxHeads = 4096, kMaxHeadDim = 4096, kMaxWidth = 1 << 20,
                       kMaxVocabulary = 1 << 22, kMaxContext = std::int64_t{1} << 40,
                       kMaxParameters = std::int64_t{1} << 50;
constexpr AttentionKind kKinds[] = {AttentionKind::Full, AttentionKind::Sliding, AttentionKind::Chunked,
                                    AttentionKind::Cross, AttentionKind::Linear};

// ---- the model

LayerSpec layerOf(const CheckedJson& stated, const ModelSpec& spec) {
  LayerSpec layer;
  const std::string name = stated.text("attention");
  const auto kind = std::ranges::find(kKinds, name, [](AttentionKind each) { return nameOf(each); });
  if (kind == std::end(kKinds)) stated.refuse("attention", "a kind of attention", name);
  layer.attention = *kind;
  layer.window = stated.integerOr("window", 0, 0, kMaxContext);
  layer.rope = stated.flagOr("rope", false);
  layer.queryScale = stated.flagOr("query_scale", false);
  const bool vectors = layer.hasVectors();
  const std::int64_t queryHeads = stated.integerOr("query_heads", spec.queryHeads, 1, kMaxHeads);
  if (queryHeads != spec.queryHeads)
    stated.refuse("query_heads",
                  "the same number of query heads in every layer, " + std::to_string(spec.queryHeads),
                  std::to_string(queryHeads));
  layer.keyHeads = vectors ? stated.integer("key_heads", 1, kMaxHeads) : spec.keyHeads;
  layer.headDim = vectors ? stated.integer("head_dim", 1, kMaxHeadDim) : spec.headDim;
  if (spec.queryHeads % layer.keyHeads != 0)
    stated.refuse("key_heads", "a divisor of the " + std::to_string(spec.queryHeads) + " query heads",
                  std::to_string(layer.keyHeads));
  return layer;
}

// The settings as this program reads them; those of plain RoPE where it cannot.
std::vector<RopeSpec> ropesOf(const Json& stated, const ModelSpec& spec) {
  RopeContext context;
  context.headDim = spec.headDim;
  context.maxPositions = spec.contextLength;
  context.extraKeys = {"interleaved"};
  std::vector<RopeSpec> ropes;
  try {
    if (!isByLayerType(stated) && !stated.empty()) ropes = {readRope(stated, context)};
    if (isByLayerType(stated)) {
      for (const auto& [type, one] : stated.items()) {
        ropes.push_back(readRope(one, context));
        ropes.back().layerType = type;
      }
    }
  } catch (const InputError&) {
    ropes.clear();
  }
  if (ropes.empty()) ropes.emplace_back();
  std::ranges::stable_partition(
      ropes, [](const RopeSpec& rope) { return rope.layerType == layerTypeNameOf(AttentionKind::Full); });
  return ropes;
}

ModelSpec specOf(const CheckedJson& facts, const FolderFacts& folder) {
  ModelSpec spec;
  spec.name = folder.name;
  spec.architecture = facts.text("architecture");
  if (const Architecture* known = architectureOfModelType(spec.architecture)) spec.architecture = known->name;
  spec.layerCount = facts.integer("layers", 1, kMaxLayers);
  spec.hidden = facts.integer("hidden", 1, kMaxWidth);
  spec.vocabulary = facts.integer("vocabulary", 1, kMaxVocabulary);
  spec.queryHeads = facts.integer("query_heads", 1, kMaxHeads);
  spec.keyHeads = facts.integer("key_heads", 1, spec.queryHeads);
  spec.headDim = facts.integer("head_dim", 1, kMaxHeadDim);
  spec.contextLength = facts.integerOr("context", 0, 0, kMaxContext);
  spec.scoreScale = facts.number("score_scale", -1e6, 1e6);
  spec.scoreSoftcap = facts.numberOr("score_softcap", 0, 0, 1e6);
  spec.positions = facts.text("positions");
  const CheckedJson rope = facts.object("rope");
  spec.statedRope = rope.json();
  spec.ropes = ropesOf(rope.json(), spec);
  spec.config = folder.config;
  const CheckedJson layers = facts.child("each_layer");
  for (const CheckedJson& stated : layers.items()) spec.layers.push_back(layerOf(stated, spec));
  if (std::ssize(spec.layers) != spec.layerCount)
    layers.refuse(std::to_string(spec.layerCount) + " layers", std::to_string(spec.layers.size()));
  return spec;
}

TransformersFacts factsOf(const CheckedJson& stated) {
  TransformersFacts facts;
  facts.parameters = stated.integerOr("parameters", 0, 0, kMaxParameters);
  facts.ablation = stated.flagOr("ablation", false);
  facts.losses = stated.flagOr("losses", false);
  facts.storesScores = stated.numberOr("score_softcap", 0, 0, 1e6) > 0 ||
                       stated.textOr("recorded_by", "") != "attention interface" ||
                       std::ranges::any_of(stated.child("each_layer").items(), [](const CheckedJson& layer) {
                         return layer.flagOr("learned_sinks", false);
                       });
  facts.acceleratorType = stated.textOr("default_dtype", "float32");
  for (const CheckedJson& device : stated.child("devices").items()) {
    const auto free = device.findInteger("free", 0, kMaxParameters);
    facts.devices.push_back({device.text("name"), free ? std::optional<std::uint64_t>(*free) : std::nullopt});
  }
  return facts;
}

bool isWeightFile(const fs::path& file) {
  const std::string extension = file.extension().string();
  return extension == ".safetensors" || extension == ".bin" || extension == ".pt" || extension == ".pth";
}

// Tensor directory, types and sizes; of other formats names and sizes of the files.
std::string readWeights(const fs::path& folder, bool followLinks, Model& model) {
  if (fs::exists(folder / "model.safetensors") || fs::exists(folder / "model.safetensors.index.json")) {
    const auto tensors = openTensors(folder, followLinks);
    for (const TensorInfo& tensor : tensors->tensors()) {
      model.weightBytes += tensor.bytes;
      model.parameters += tensor.elements();
    }
    model.weightTypes = typesText(*tensors);
    return tensors->directoryText();
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (isWeightFile(entry.path())) files.push_back(entry.path());
  std::ranges::sort(files);
  std::string directory;
  for (const fs::path& file : files) {
    model.weightBytes += fs::file_size(file);
    directory += pathText(file.filename()) + " " + std::to_string(fs::file_size(file)) + "\n";
  }
  model.weightTypes = "unknown type";
  return directory;
}

// ---- the run

std::uint64_t bytesPerNumber(const std::string& dtype) {
  return dtype == "float32" ? 4 : 2;
}

class TransformersRunner : public ForwardRunner {
 public:
  TransformersRunner(const TransformersEngine& engine, std::shared_ptr<PythonSession> session,
                     std::shared_ptr<const Model> model, std::int64_t lastLayer,
                     const ForwardOptions& options)
      : m_engine(engine),
        m_session(std::move(session)),
        m_model(std::move(model)),
        m_lastLayer(lastLayer),
        m_options(options) {}

  // A text that is interrupted is run again from its start.
  void run(const std::vector<TokenSequence>& group, QkSink& sink, Progress& progress,
           GroupWatch& watch) override {
    try {
      for (const TokenSequence& text : group) {
        progress.throwIfStopped();
        runText(text, sink, progress, watch);
      }
    } catch (...) {
      m_session->drop();
      throw;
    }
  }

 private:
  struct Request {
    Json wants = Json::array();
    std::vector<std::int32_t> numbers;  // tokens, then the positions of each want
    std::uint64_t largestReply = 0;
  };

  bool hasLosses() const { return m_lastLayer == m_model->spec.layerCount; }

  Request requestFor(const TokenSequence& text, const QkSink& sink) const {
    Request request;
    request.numbers = text.tokens;
    const std::uint64_t tokens = text.tokens.size();
    if (hasLosses()) request.largestReply = tokens;
    for (std::int64_t layer = 0; layer <= std::min(m_lastLayer, m_model->spec.layerCount - 1); ++layer) {
      for (const QueryOrKey kind : {QueryOrKey::Query, QueryOrKey::Key}) {
        std::vector<std::int32_t> heads = sink.heads(layer, kind), positions, scored;
        if (!heads.empty()) positions = sink.positions(layer, kind, text.example);
        if (!heads.empty() && kind == QueryOrKey::Query) scored = sink.scoredQueries(layer, text.example);
        if (positions.empty() && scored.empty()) heads.clear();
        const std::vector<std::int32_t> dense = sink.denseHeads(layer, kind);
        if (heads.empty() && dense.empty()) continue;
        request.wants.push_back({{"layer", layer},
                                 {"kind", kind == QueryOrKey::Query ? "query" : "key"},
                                 {"heads", heads},
                                 {"positions", positions.size()},
                                 {"scored", scored.size()},
                                 {"dense", dense}});
        request.numbers.insert(request.numbers.end(), positions.begin(), positions.end());
        request.numbers.insert(request.numbers.end(), scored.begin(), scored.end());
        const std::uint64_t rows = std::max(heads.size() * positions.size(), dense.size() * tokens);
        request.largestReply =
            std::max(std::max<std::uint64_t>(request.largestReply, heads.size() * kHeadScores),
                     rows * static_cast<std::uint64_t>(m_model->spec.layer(layer).headDim));
      }
    }
    return request;
  }

  Json ablated() const {
    Json heads = Json::array();
    if (!m_options.interventions) return heads;
    for (const QueryHead& head : m_options.interventions->ablated) heads.push_back({head.layer, head.head});
    return heads;
  }

  void runText(const TokenSequence& text, QkSink& sink, Progress& progress, GroupWatch& watch) {
    const Request request = requestFor(text, sink);
    const double all = m_engine.flops(m_model->spec, {std::ssize(text.tokens)}, m_lastLayer, {});
    const double perLayer = m_engine.layerFlops(m_model->spec, std::ssize(text.tokens));
    double done = 0;
    if (!request.wants.empty() || hasLosses()) {
      Json points = Json::array();
      for (const CapturePoint point : {CapturePoint::PostRope, CapturePoint::PreRope})
        if (sink.wants(point)) points.push_back(nameOf(point));
      PythonProcess& python = m_session->load({{"do", "load"},
                                               {"device", m_options.device},
                                               {"dtype", m_options.dtype},
                                               {"threads", m_options.threads},
                                               {"loss", hasLosses()}},
                                              progress);
      python.send({{"do", "run"},
                   {"tokens", text.tokens.size()},
                   {"loss", hasLosses()},
                   {"points", points},
                   {"ablate", ablated()},
                   {"wants", request.wants}},
                  request.numbers, progress);
      while (true) {
        const EngineFrame frame = python.next(progress, request.largestReply);
        if (frame.head.contains("ok")) break;
        if (frame.head.contains("rows")) takeRows(frame, text.example, sink);
        if (frame.head.contains("scores")) takeScores(frame, text.example, sink);
        if (frame.head.contains("losses")) sink.takeLosses(text.example, frame.numbers);
        if (frame.head.contains("layer_done")) {
          const double step = std::min(perLayer, all - done);
          done += step;
          watch.stepDone(step, {});
        }
      }
    }
    watch.textDone(text.example);
    watch.stepDone(all - done, {});
  }

  static void takeRows(const EngineFrame& frame, std::int64_t example, QkSink& sink) {
    const Json& rows = frame.head["rows"];
    const auto layer = static_cast<std::int64_t>(numberOr(rows, "layer", -1));
    const QueryOrKey kind = textOr(rows, "kind") == "query" ? QueryOrKey::Query : QueryOrKey::Key;
    const CapturePoint point =
        textOr(rows, "point") == "pre-rope" ? CapturePoint::PreRope : CapturePoint::PostRope;
    if (frame.numbers.empty()) return;
    if (rows.value("dense", false)) {
      if (sink.wantsDense(point)) sink.takeDense(layer, kind, example, frame.numbers);
    } else {
      sink.take(layer, kind, point, example, frame.numbers);
    }
  }

  static void takeScores(const EngineFrame& frame, std::int64_t example, QkSink& sink) {
    const Json& stated = frame.head["scores"];
    const auto count = [&stated](const char* key) {
      return static_cast<std::int32_t>(numberOr(stated, key, 0));
    };
    TextScores scores{{count("all"), count("induction"), count("duplicate")}, {}};
    scores.heads.resize(frame.numbers.size() / kHeadScores);
    for (std::size_t i = 0; i < scores.heads.size() * kHeadScores; ++i)
      scores.heads[i / kHeadScores][i % kHeadScores] = frame.numbers[i];
    sink.takeScores(static_cast<std::int64_t>(numberOr(stated, "layer", -1)), example, std::move(scores));
  }

  const TransformersEngine& m_engine;
  std::shared_ptr<PythonSession> m_session;
  std::shared_ptr<const Model> m_model;
  std::int64_t m_lastLayer;
  ForwardOptions m_options;
};

}  // namespace

TransformersEngine::Opened TransformersEngine::open(const fs::path& python, const FolderFacts& folder,
                                                    const JsonValue& ropeOverride, bool followLinks,
                                                    const std::string& reason, const Progress& progress) {
  const auto model = std::make_shared<Model>();
  model->path = folder.folder;
  const std::string directory = readWeights(folder.folder, followLinks, *model);
  const auto session = std::make_shared<PythonSession>(python, folder.folder, ropeOverride);
  const CheckedJson facts(session->describe(progress), folder.folder, "facts by transformers");
  model->spec = specOf(facts, folder);
  if (model->parameters == 0) model->parameters = facts.integerOr("parameters", 0, 0, kMaxParameters);
  model->fingerprint = sha256Hex(canonicalJson(model->spec.config) + "\n" + directory);
  model->layers.resize(model->spec.layers.size());
  const std::vector<CheckedJson> layers = facts.child("each_layer").items();
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (layers[i].flagOr("learned_sinks", false)) model->layers[i][TensorRole::Sinks] = {};
  Json engine = {{"name", "transformers"}};
  for (const char* key : {"transformers", "torch", "python", "class", "recorded_by"})
    engine[key] = facts.textOr(key, "");
  if (!reason.empty()) engine["reason"] = reason;
  model->engine = engine;
  return {model, std::make_shared<TransformersEngine>(session, factsOf(facts))};
}

std::string TransformersEngine::needs(const Model& model) const {
  const ResolvedDevice chosen = resolveDevice(model, {});
  const std::uint64_t bytes = bytesPerNumber(chosen.dtype) * static_cast<std::uint64_t>(m_facts.parameters);
  return byteText(bytes) + " for all weights in " + chosen.dtype + ", on " + chosen.device;
}

void TransformersEngine::requireSupport(const Model& model, const ForwardOptions& options) const {
  const Interventions* changes = options.interventions.get();
  if (changes != nullptr && !changes->clamped.empty())
    throw UsageError("--clamp-bias: the engine transformers cannot change keys; the engine native can");
  if (changes != nullptr && !changes->ablated.empty() && !m_facts.ablation)
    throw UsageError("--ablate: the attention of " + textOr(model.engine, "class", "this model") +
                     " does not pass transformers' attention interface, so that its heads cannot be changed");
  if (options.output && !m_facts.losses)
    throw InputError({model.path, "", "a model with an output, for --loss", textOr(model.engine, "class")});
}

ResolvedDevice TransformersEngine::resolveDevice(const Model&, const ForwardOptions& options) const {
  const std::vector<TransformersFacts::Device>& devices = m_facts.devices;
  std::string wanted = options.device == "cuda" ? "cuda:0" : options.device;
  if (wanted == "auto") {
    const auto accelerator =
        std::ranges::find_if(devices, [](const auto& device) { return device.name != "cpu"; });
    wanted = accelerator == devices.end() ? "cpu" : accelerator->name;
  }
  if (std::ranges::find(devices, wanted, &TransformersFacts::Device::name) == devices.end()) {
    std::string known;
    for (const auto& device : devices) known += (known.empty() ? "" : ", ") + device.name;
    throw UsageError("device \"" + options.device + "\" is not available; this PyTorch has: " + known);
  }
  const std::string automatic = wanted == "cpu" ? "float32" : m_facts.acceleratorType;
  return {wanted, options.dtype == "auto" ? automatic : options.dtype};
}

ForwardMemory TransformersEngine::memory(const ModelSpec& spec, const GroupSize& size, std::int64_t lastLayer,
                                         const ResolvedDevice& device, const ForwardOptions&) const {
  constexpr double kLibraries = 700e6;       // Python with torch and transformers, or the context of a GPU
  constexpr double kHiddenStates = 16;       // numbers per hidden unit
  constexpr double kScores = 3, kMasks = 2;  // numbers per pair of tokens; of the scores also per head
  const auto bytes = static_cast<double>(bytesPerNumber(device.dtype));
  const auto tokens = static_cast<double>(size.longest);
  const auto heads = static_cast<double>(spec.queryHeads * spec.headDim);
  const bool windows =
      std::ranges::any_of(spec.layers, [](const LayerSpec& layer) { return layer.window > 0; });
  const double perPair = m_facts.storesScores ? kScores * static_cast<double>(spec.queryHeads)
                         : windows            ? kMasks
                                              : 0;
  double need = kLibraries + bytes * static_cast<double>(m_facts.parameters) +
                tokens * bytes * (kHiddenStates * static_cast<double>(spec.hidden) + 8 * heads) +
                tokens * tokens * bytes * perPair;
  if (lastLayer == spec.layerCount) need += tokens * static_cast<double>(spec.vocabulary) * (bytes + 8);
  const auto whole = static_cast<std::uint64_t>(need);
  return {whole, whole};
}

DeviceMemory TransformersEngine::memoryOn(const ResolvedDevice& device) const {
  if (device.device == "cpu") return {device, availableMemoryBytes()};
  const auto found = std::ranges::find(m_facts.devices, device.device, &TransformersFacts::Device::name);
  return {device, found == m_facts.devices.end() ? std::nullopt : found->free};
}

ForwardFit TransformersEngine::fit(const ModelSpec& spec, const GroupSize& size, std::int64_t lastLayer,
                                   const DeviceMemory& room, const ForwardOptions& options) const {
  return {options, memory(spec, size, lastLayer, room.device, options).peakBytes};
}

double TransformersEngine::layerFlops(const ModelSpec& spec, std::int64_t tokens) const {
  const auto count = static_cast<double>(tokens);
  const auto embedding = static_cast<double>(spec.vocabulary * spec.hidden);
  const double weights = std::max(static_cast<double>(m_facts.parameters) - embedding, 1.0);
  return 2 * count * weights / static_cast<double>(spec.layerCount) +
         2 * count * count * static_cast<double>(spec.queryHeads * spec.headDim);
}

double TransformersEngine::flops(const ModelSpec& spec, const std::vector<TextSize>& texts,
                                 std::int64_t lastLayer, const std::optional<GroupStep>&) const {
  const std::int64_t layers = std::min(lastLayer + 1, spec.layerCount);
  double sum = 0;
  for (const TextSize& text : texts) {
    sum += static_cast<double>(layers) * layerFlops(spec, text.tokens);
    if (lastLayer == spec.layerCount)
      sum += 2 * static_cast<double>(text.tokens) * static_cast<double>(spec.hidden * spec.vocabulary);
  }
  return sum;
}

std::unique_ptr<ForwardRunner> TransformersEngine::makeRunner(std::shared_ptr<const Model> model,
                                                              std::int64_t lastLayer,
                                                              const ForwardOptions& options) const {
  return std::make_unique<TransformersRunner>(*this, m_session, std::move(model), lastLayer, options);
}

}  // namespace plastiscope
