#include "core/forward/group_run.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/error.h"
#include "core/forward/token_loss.h"

namespace plastiscope {

namespace {

const char* typeName(c10::ScalarType type) {
  switch (type) {
    case c10::kBFloat16:
      return "BF16";
    case c10::kHalf:
      return "F16";
    default:
      return "F32";
  }
}

// Appends the bytes of a CPU tensor in order; its rows need not be contiguous.
template <typename Byte>
void addPieces(const at::Tensor& tensor, std::vector<std::span<Byte>>& pieces) {
  if (tensor.numel() == 0) return;
  if (tensor.is_contiguous()) {
    pieces.emplace_back(static_cast<Byte*>(tensor.data_ptr()), tensor.nbytes());
    return;
  }
  for (std::int64_t i = 0; i < tensor.size(0); ++i) addPieces(tensor[i], pieces);
}

// Stored bytes of a layer.
double storedBytes(const Model& model, std::int64_t layer) {
  double bytes = 0;
  for (const auto& [role, tensor] : model.layers[layer]) bytes += static_cast<double>(tensor.info.bytes);
  return bytes;
}

std::vector<std::int32_t> united(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  std::vector<std::int32_t> all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

// The positions (ascending) in [first, first + rows).
std::vector<std::int32_t> within(const std::vector<std::int32_t>& positions, std::int64_t first,
                                 std::int64_t rows) {
  const auto begin = std::lower_bound(positions.begin(), positions.end(), first);
  return {begin, std::lower_bound(begin, positions.end(), first + rows)};
}

// The rows of [first, first + rows) that are not listed.
ReadRows unlisted(const ReadRows& listed, std::int64_t first, std::int64_t rows) {
  std::vector<std::int32_t> others;
  for (std::int64_t row = first; row < first + rows; ++row) {
    const auto position = static_cast<std::int32_t>(row);
    if (!std::ranges::binary_search(listed.listed(), position)) others.push_back(position);
  }
  return ReadRows::list(others);
}

double secondsBetween(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

GroupRun::GroupRun(const Model& model, std::int64_t lastLayer, const ForwardOptions& options,
                   const Compute& compute, const std::vector<TokenSequence>& group)
    : m_model(model),
      m_lastLayer(lastLayer),
      m_options(options),
      m_compute(compute),
      m_group(group),
      m_ahead(model, compute) {
  std::size_t longest = 0;
  for (const TokenSequence& sequence : group) longest = std::max(longest, sequence.tokens.size());
  std::int64_t widest = 0;
  for (const LayerSpec& layer : model.spec.layers) widest = std::max(widest, layer.keyHeads * layer.headDim);
  m_longest = static_cast<std::int64_t>(longest);
  const auto tensorOptions = at::TensorOptions(compute.device).dtype(compute.dtype);
  m_memory = {
      at::empty({m_longest * widest}, tensorOptions), at::empty({m_longest * widest}, tensorOptions), {}};
}

const LayerSpec& GroupRun::layerSpec() const {
  return m_model.spec.layers[m_next.layer];
}

// UsageError for changes that this model does not allow.
void GroupRun::requireVariants() const {
  const ModelSpec& spec = m_model.spec;
  const bool wholeNorm = spec.altUp.streams > 0 || spec.laurelRank > 0;
  for (const TokenSequence& sequence : m_group) {
    if (!sequence.interventions) continue;
    for (const AttentionLimit& limit : sequence.interventions->limited) {
      if (spec.layer(limit.at.layer).attention == AttentionKind::Chunked &&
          (limit.distance > 0 || limit.hiddenKeys > 0))
        throw UsageError(
            "layer " + std::to_string(limit.at.layer) +
            " attends in fixed chunks, where keys of single heads cannot be hidden; choose heads of "
            "other layers");
    }
    if (!sequence.interventions->cuts.empty() && wholeNorm)
      throw UsageError(
          "paths between heads cannot be cut in this model: its hidden states are not a sum of the heads' "
          "outputs");
  }
}

// Copies the hidden states of sequences that begin to differ in this layer.
void GroupRun::fork() {
  for (std::size_t i = 0; i < m_group.size(); ++i) {
    const TokenSequence& sequence = m_group[i];
    if (sequence.sharesWith < 0 || m_texts[i].hidden.defined()) continue;
    const std::int64_t first = sequence.interventions ? sequence.interventions->firstChanged() : m_lastLayer;
    if (std::min(first, m_lastLayer) != m_next.layer) continue;
    const SequenceState& source = m_texts[sequence.sharesWith];
    m_texts[i].hidden = source.hidden.clone();
    m_texts[i].shared = source.shared;
    m_texts[i].contributions = source.contributions;
  }
}

// Prepares what heads of this layer add to the hidden states, for cuts of their paths. Those of a sequence
// that shares the layer are recorded once, with its source.
void GroupRun::wantContributions() {
  for (std::size_t i = 0; i < m_group.size(); ++i) {
    if (!m_group[i].interventions) continue;
    const std::size_t owner = m_texts[i].hidden.defined() ? i : m_group[i].sharesWith;
    for (const PathCut& cut : m_group[i].interventions->cuts) {
      auto& all = m_texts[owner].contributions;
      const auto same = [&](const Contribution& one) {
        return one.from == cut.from && one.values == cut.values;
      };
      if (cut.from.layer != m_next.layer || std::ranges::any_of(all, same)) continue;
      const at::Tensor& hidden = m_texts[owner].hidden;
      all.push_back({cut.from, cut.values, at::zeros_like(hidden)});
    }
  }
}

// Embeds the texts, or restores them from the kept state.
void GroupRun::begin(GroupWatch& watch) {
  requireVariants();
  m_kept = watch.keptState();
  if (m_kept != nullptr) m_next = m_kept->next();
  const auto options = at::TensorOptions(m_compute.device).dtype(m_compute.dtype);
  std::optional<StreamProjections> streams;
  if (m_model.spec.altUp.streams > 0 && m_kept == nullptr)
    streams.emplace(m_model, TensorRole::AltUpProjection, m_compute);
  const auto embedded = [&](const std::vector<std::int32_t>& tokens) {
    const at::Tensor rows = embed(m_model, tokens, m_compute);
    return streams ? streams->spread(rows) : rows;
  };
  for (const TokenSequence& sequence : m_group) {
    const auto tokens = std::ssize(sequence.tokens);
    std::vector<RopeFrequencies> ropes;
    for (const RopeSpec& spec : m_model.spec.ropes) {
      ropes.push_back(ropeFrequencies(spec, tokens));
      ropes.back().inverse = ropes.back().inverse.to(m_compute.device);
    }
    m_texts.push_back({sequence.sharesWith >= 0 ? at::Tensor()
                       : m_kept != nullptr      ? at::empty({tokens, m_model.spec.stateWidth()}, options)
                                                : embedded(sequence.tokens),
                       std::move(ropes), &sequence.tokens});
  }
  if (m_kept == nullptr) return;
  m_begins = false;
  requireStep();
  restore(*m_kept, hiddenPart());
  for (const SharedKeys& one : sharedKeys()) makeShared(one.owner, m_texts[one.text]);
  for (const Part& part : sharedParts()) restore(*m_kept, part);
  if (m_next.row == 0) m_kept = nullptr;
}

void GroupRun::requireStep() const {
  const bool known = m_next.layer >= 0 && m_next.layer <= m_lastLayer && m_next.text >= 0 &&
                     m_next.text < std::ssize(m_group) && m_next.row >= 0 &&
                     m_next.row < std::max<std::int64_t>(1, m_texts[index()].hidden.size(0));
  if (known) return;
  throw InputError({{},
                    "next step",
                    "one of the group's",
                    "row " + std::to_string(m_next.row) + " of text " + std::to_string(m_next.text) +
                        " in layer " + std::to_string(m_next.layer)});
}

void GroupRun::run(QkSink& sink, Progress& progress, GroupWatch& watch) {
  if (m_group.empty()) return;
  m_sharesKeysBefore = sink.wants(CapturePoint::PreRope);
  begin(watch);
  try {
    while (m_next.layer <= m_lastLayer) {
      progress.throwIfStopped();
      if (m_next.layer == m_model.spec.layerCount) {
        runOutput(sink, progress, watch);
      } else if (layerSpec().attention == AttentionKind::Cross) {
        m_next = {m_next.layer + 1, 0, 0};
      } else {
        runLayer(sink, progress, watch);
      }
    }
  } catch (const Stopped&) {
    if (m_steps > 0) watch.stopping([this] { return state(); });
    throw;
  }
}

// Computes logits and losses, text by text.
void GroupRun::runOutput(QkSink& sink, Progress& progress, GroupWatch& watch) {
  fork();
  const auto checkpoint = [&progress] { progress.throwIfStopped(); };
  for (; m_next.layer == m_lastLayer; ++m_steps) {
    const TokenSequence& sequence = m_group[index()];
    const at::Tensor& hidden = m_texts[index()].hidden;
    if (const auto scored = sink.scoredTokens(sequence.example))
      sink.takeOutcomes(sequence.example,
                        tokenOutcomes(m_model, m_compute, hidden, sequence.tokens, *scored, checkpoint));
    else
      sink.takeLosses(sequence.example, tokenLosses(m_model, m_compute, hidden, sequence.tokens, checkpoint));
    const auto tokens = std::ssize(sequence.tokens);
    textDone(watch);
    watch.stepDone(layerFlops(m_model.spec, {m_lastLayer, 0, tokens}), [this] { return state(); });
  }
}

// Called when a text has passed the current layer.
void GroupRun::textDone(GroupWatch& watch) {
  if (isLast()) {
    m_texts[index()].hidden = at::Tensor();
    watch.textDone(m_group[index()].example);
  }
  const bool more = index() + 1 < m_texts.size();
  m_next = more ? GroupStep{m_next.layer, m_next.text + 1, 0} : GroupStep{m_next.layer + 1, 0, 0};
}

void GroupRun::runLayer(QkSink& sink, Progress& progress, GroupWatch& watch) {
  const std::int64_t layer = m_next.layer;
  m_loadStart = Clock::now();
  m_layer = std::make_unique<DecoderLayer>(m_model.spec, layer, m_compute, m_ahead.take(layer, use()));
  fork();
  wantContributions();
  if (m_options.readAhead) readAhead();
  m_runStart = Clock::now();
  while (m_next.layer == layer) runText(sink, progress, watch);
  m_layer.reset();
}

// Starts reading the next layer.
void GroupRun::readAhead() {
  std::int64_t layer = m_next.layer + 1;
  const std::int64_t last = std::min(m_lastLayer, m_model.spec.layerCount - 1);
  while (layer <= last && m_model.spec.layer(layer).attention == AttentionKind::Cross) ++layer;
  if (layer <= last) m_ahead.begin(layer, useOf(layer));
}

void GroupRun::runText(QkSink& sink, Progress& progress, GroupWatch& watch) {
  if (!m_texts[index()].hidden.defined()) return textDone(watch);  // the same as its source so far
  m_layer->change({m_options.interventions.get(), m_group[index()].interventions.get()});
  const auto checkpoint = [&progress] { progress.throwIfStopped(); };
  const auto stateNow = [this] { return state(); };
  m_wanted.emplace(sink, m_next.layer, m_group[index()], layerSpec().headDim, m_compute.device);
  m_inUse = memoryOfLayer();
  findReadRows(sink);
  if (const KeptState* kept = std::exchange(m_kept, nullptr)) {
    for (const Part& part : partsInsideText()) restore(*kept, part);
  }
  const std::int64_t tokens = m_texts[index()].hidden.size(0);
  const std::int64_t chunk = chunkRows(m_options, !m_compute.device.is_cpu());
  double flops = 0;
  while (m_next.row < tokens) {
    checkpoint();
    const std::int64_t rows = std::min(chunk, tokens - m_next.row);
    m_layer->run(m_texts[index()], m_inUse, chunkAt(sink, m_next.row, rows), *m_wanted, checkpoint);
    flops = layerFlops(m_model.spec, {m_next.layer, m_next.row, rows, use(), shareDone()});
    m_next.row += rows;
    ++m_steps;
    if (m_next.row < tokens) watch.stepDone(flops, stateNow);
  }
  if (layerSpec().hasVectors()) {
    if (const auto queries = m_wanted->scored(); queries.vectors.defined())
      sink.takeScores(m_next.layer, m_group[index()].example,
                      m_layer->scores(m_texts[index()], m_inUse, queries));
    m_wanted->deliver(sink);
  }
  m_wanted.reset();
  dropShared(m_texts[index()]);
  if (std::exchange(m_begins, false)) chooseTexts(tokens, watch);
  textDone(watch);
  watch.stepDone(flops, stateNow);
}

// ---- Rows that are read

void GroupRun::findReadRows(const QkSink& sink) {
  m_read.clear();
  m_readsEvery = false;
  for (const auto kind : {QueryOrKey::Query, QueryOrKey::Key}) {
    if (sink.heads(m_lastLayer, kind).empty()) continue;
    const auto positions = sink.positions(m_lastLayer, kind, m_group[index()].example);
    m_read = united(m_read, positions);
    m_readsEvery = m_readsEvery || !sink.denseHeads(m_lastLayer, kind).empty();
  }
  m_readsEvery = m_readsEvery || !sink.scoredQueries(m_lastLayer, m_group[index()].example).empty();
}

bool GroupRun::isChanged() const {
  const auto changes = [&](const auto& some) { return some && some->changes(m_next.layer); };
  return changes(m_options.interventions) || changes(m_group[index()].interventions);
}

// Rows of the chunk that the layer computes. If dense heads or scores need every position, the additional
// rows come first, as a separate piece, since products with more rows may round differently.
std::vector<ChunkRows> GroupRun::chunkAt(const QkSink& sink, std::int64_t first, std::int64_t rows) const {
  ChunkRows chunk = ChunkRows::all(first, rows);
  const auto wanted = [&](QueryOrKey kind) {
    return sink.heads(m_next.layer, kind).empty()
               ? std::vector<std::int32_t>()
               : within(sink.positions(m_next.layer, kind, m_group[index()].example), first, rows);
  };
  if (use() == LayerUse::Whole || share() == 1 || isChanged()) return {chunk};
  if (use() == LayerUse::ReadRows) {
    const auto read = within(m_read, first, rows);
    chunk.outputs = ReadRows::list(read);
    chunk.queries = ReadRows::list(united(read, wanted(QueryOrKey::Query)));
  } else {
    chunk.outputs = {};
    chunk.queries = ReadRows::list(wanted(QueryOrKey::Query));
    chunk.keys = ReadRows::list(wanted(QueryOrKey::Key));
  }
  if (!m_readsEvery && sink.denseHeads(m_next.layer, QueryOrKey::Query).empty()) return {chunk};
  ChunkRows others{first, rows, unlisted(chunk.queries, first, rows), {}, {}};
  if (use() == LayerUse::Operands) {
    if (sink.denseHeads(m_next.layer, QueryOrKey::Query).empty()) others.queries = {};
    others.keys = unlisted(chunk.keys, first, rows);
  } else {
    others.keys = std::exchange(chunk.keys, {});
    if (m_readsEvery) others.queries = others.outputs = unlisted(chunk.outputs, first, rows);
  }
  return {others, chunk};
}

// Called when the first text of a group has passed its first layer.
void GroupRun::chooseTexts(std::int64_t tokens, GroupWatch& watch) {
  if (!m_compute.device.is_cpu()) m_texts.front().hidden.slice(0, 0, 1).to(at::kCPU);  // waits for the device
  FirstLayerCost cost;
  cost.loadSeconds = secondsBetween(m_loadStart, m_runStart);
  cost.runSeconds = secondsBetween(m_runStart, Clock::now());
  double stored = 0;
  for (std::int64_t layer = 0; layer <= std::min(m_lastLayer, m_model.spec.layerCount - 1); ++layer)
    stored += storedBytes(m_model, layer);
  cost.loadedShare = stored > 0 ? storedBytes(m_model, m_next.layer) / stored : 1;
  cost.flops = layerFlops(m_model.spec, {m_next.layer, 0, tokens, use(), shareDone()});
  const std::size_t texts = std::max<std::size_t>(1, watch.textsToRun(cost));
  m_texts.resize(std::min(texts, m_texts.size()));
}

// ---- Keys and values

// Buffers for one text in the current layer.
KeyValues GroupRun::memoryOfLayer() {
  const LayerSpec& layer = layerSpec();
  if (!layer.hasVectors()) return {};
  SequenceState& text = m_texts[index()];
  if (!layer.ownKeys()) return text.shared.at(layer.keysOfLayer);
  if (m_model.spec.lastUserOfKeys(m_next.layer, m_lastLayer) >= 0) {
    if (!text.shared.contains(m_next.layer)) makeShared(m_next.layer, text);
    return text.shared.at(m_next.layer);
  }
  const std::int64_t numbers = layer.keyHeads * m_longest * layer.headDim;
  const auto shaped = [&](const at::Tensor& memory) {
    return memory.narrow(0, 0, numbers).view({layer.keyHeads, m_longest, layer.headDim});
  };
  return {shaped(m_memory.keys), shaped(m_memory.values), {}};
}

// Allocates keys and values of a layer that later layers use.
void GroupRun::makeShared(std::int64_t owner, SequenceState& text) const {
  const LayerSpec& layer = m_model.spec.layer(owner);
  const auto room = [&] {
    return at::empty({layer.keyHeads, text.hidden.size(0), layer.headDim}, text.hidden.options());
  };
  text.shared[owner] = {room(), room(), m_sharesKeysBefore ? room() : at::Tensor()};
}

// Frees shared keys and values after the last layer that uses them.
void GroupRun::dropShared(SequenceState& text) const {
  const std::int64_t owner = layerSpec().keysOfLayer;
  if (owner >= 0 && m_model.spec.lastUserOfKeys(owner, m_lastLayer) == m_next.layer) text.shared.erase(owner);
}

// Texts whose shared keys and values are complete and still needed.
std::vector<GroupRun::SharedKeys> GroupRun::sharedKeys() const {
  std::vector<SharedKeys> all;
  const auto passed = [&](std::int64_t layer, std::size_t text) {
    return layer < m_next.layer || (layer == m_next.layer && text < index());
  };
  for (std::int64_t owner = 0; owner <= std::min(m_lastLayer, m_model.spec.layerCount - 1); ++owner) {
    const std::int64_t last = m_model.spec.lastUserOfKeys(owner, m_lastLayer);
    for (std::size_t text = 0; last >= 0 && text < m_texts.size(); ++text) {
      if (passed(owner, text) && !passed(last, text)) all.push_back({owner, text});
    }
  }
  return all;
}

// ---- States

// Hidden states of texts that are still needed: in the last layer from the current text on.
GroupRun::Part GroupRun::hiddenPart() const {
  Part part{"hidden", {0, m_model.spec.stateWidth()}, {}};
  for (std::size_t i = isLast() ? index() : 0; i < m_texts.size(); ++i) {
    part.tensors.push_back(m_texts[i].hidden);
    part.shape[0] += m_texts[i].hidden.size(0);
  }
  return part;
}

// One part per layer whose keys are needed and per tensor: [key_heads * tokens, head_dim], text by text.
std::vector<GroupRun::Part> GroupRun::sharedParts() const {
  std::map<std::string, Part> parts;
  for (const auto& [owner, text] : sharedKeys()) {
    const KeyValues& memory = m_texts[text].shared.at(owner);
    const std::pair<const char*, const at::Tensor*> kinds[] = {
        {"keys", &memory.keys}, {"values", &memory.values}, {"keys_before", &memory.keysBefore}};
    for (const auto& [kind, tensor] : kinds) {
      if (!tensor->defined()) continue;
      const std::string name = "shared/" + std::to_string(owner) + "/" + kind;
      Part& part = parts.try_emplace(name, Part{name, {0, tensor->size(2)}, {}}).first->second;
      part.shape[0] += tensor->size(0) * tensor->size(1);
      part.tensors.push_back(*tensor);
    }
  }
  std::vector<Part> all;
  for (auto& [name, part] : parts) all.push_back(std::move(part));
  return all;
}

std::vector<GroupRun::Part> GroupRun::partsInsideText() const {
  std::vector<Part> parts;
  const auto add = [&parts](std::string name, const at::Tensor& tensor) {
    parts.push_back({std::move(name), tensor.sizes().vec(), {tensor}});
  };
  const bool whole = use() != LayerUse::Operands;
  if (layerSpec().hasVectors() && layerSpec().ownKeys() && (whole || m_wanted->scored().vectors.defined())) {
    add("keys", m_inUse.keys.narrow(1, 0, m_next.row));
    if (whole) add("values", m_inUse.values.narrow(1, 0, m_next.row));
    if (m_inUse.keysBefore.defined()) add("keys_before", m_inUse.keysBefore.narrow(1, 0, m_next.row));
  }
  for (const auto& [name, tensor] : m_layer->carried()) add("recurrence/" + name, tensor);
  for (const auto& [name, tensor] : m_wanted->collected(m_next.row)) add("vectors/" + name, tensor);
  return parts;
}

GroupState GroupRun::state() const {
  GroupState state;
  state.next = m_next;
  std::vector<Part> parts;
  if (m_next.layer <= m_lastLayer) {
    parts.push_back(hiddenPart());
    for (Part& part : sharedParts()) parts.push_back(std::move(part));
  }
  if (m_next.row > 0) {
    for (Part& part : partsInsideText()) parts.push_back(std::move(part));
  }
  auto held = std::make_shared<std::vector<at::Tensor>>();
  for (const Part& part : parts) {
    StateTensor& tensor = state.tensors.emplace_back();
    tensor.name = part.name;
    tensor.shape = part.shape;
    tensor.type = typeName(part.tensors.empty() ? m_compute.dtype : part.tensors.front().scalar_type());
    for (const at::Tensor& each : part.tensors) {
      held->push_back(each.to(at::kCPU));
      addPieces(held->back(), tensor.pieces);
    }
  }
  state.owner = std::move(held);
  return state;
}

void GroupRun::restore(const KeptState& kept, const Part& part) const {
  std::vector<at::Tensor> host;
  std::vector<std::span<std::byte>> pieces;
  for (const at::Tensor& tensor : part.tensors) {
    host.push_back(tensor.is_cpu() ? tensor : at::empty(tensor.sizes(), tensor.options().device(at::kCPU)));
    addPieces(host.back(), pieces);
  }
  const c10::ScalarType type = part.tensors.empty() ? m_compute.dtype : part.tensors.front().scalar_type();
  kept.read(part.name, typeName(type), part.shape, pieces);
  for (std::size_t i = 0; i < host.size(); ++i) {
    if (!part.tensors[i].is_cpu()) part.tensors[i].copy_(host[i]);
  }
}

}  // namespace plastiscope
