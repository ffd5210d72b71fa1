#include "core/forward/decoder_layer.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/forward/layer_parts.h"

namespace plastiscope {

namespace {

// Index range of the ascending positions that lie in [first, first + rows).
std::pair<std::size_t, std::size_t> rangeIn(const std::vector<std::int32_t>& positions, std::int64_t first,
                                            std::int64_t rows) {
  const auto begin = std::lower_bound(positions.begin(), positions.end(), first);
  const auto end = std::lower_bound(begin, positions.end(), first + rows);
  return {static_cast<std::size_t>(begin - positions.begin()),
          static_cast<std::size_t>(end - positions.begin())};
}

at::Tensor indexTensor(const std::vector<std::int64_t>& values, const at::Device& device) {
  return at::tensor(values, at::kLong).to(device, /*non_blocking=*/true);
}

}  // namespace

void setKnown(const std::vector<float>& values, std::int64_t first, const at::Tensor& rows) {
  const std::int64_t width = rows.size(1);
  const std::int64_t count = std::min(std::ssize(values) / width - first, rows.size(0));
  if (count <= 0) return;
  const at::Tensor known =
      at::from_blob(const_cast<float*>(values.data() + first * width), {count, width}, at::kFloat);
  rows.narrow(0, 0, count).copy_(known);
}

ChunkRows ChunkRows::all(std::int64_t first, std::int64_t rows) {
  const ReadRows run = ReadRows::run(first, rows);
  return {first, rows, run, run, run};
}

OperandRows::OperandRows(QkSink& sink, std::int64_t layer, const TokenSequence& sequence,
                         std::int64_t headDim, const c10::Device& device)
    : m_layer(layer), m_example(sequence.example), m_device(device), m_topKeys(sink.wantsTopKeys()) {
  std::vector<std::int32_t> every(sequence.tokens.size());
  std::iota(every.begin(), every.end(), 0);
  for (const auto kind : {QueryOrKey::Query, QueryOrKey::Key}) {
    const auto heads = sink.heads(layer, kind), dense = sink.denseHeads(layer, kind);
    for (const auto point : {CapturePoint::PreRope, CapturePoint::PostRope}) {
      if (!heads.empty() && sink.wants(point))
        want({kind, point, Use::Sampled, heads, sink.positions(layer, kind, sequence.example)}, headDim);
      if (!dense.empty() && sink.wantsDense(point)) want({kind, point, Use::Dense, dense, every}, headDim);
    }
  }
  want({QueryOrKey::Query, CapturePoint::PostRope, Use::Scored, sink.heads(layer, QueryOrKey::Query),
        sink.scoredQueries(layer, sequence.example)},
       headDim);
  if (const auto outputs = sink.outputHeads(layer, sequence.example); !outputs.empty())
    want({QueryOrKey::Query, CapturePoint::PostRope, Use::Output, outputs, every}, headDim);
}

void OperandRows::want(Wanted wanted, std::int64_t headDim) {
  if (wanted.positions.empty()) return;
  const std::vector<std::int64_t> shape{std::ssize(wanted.heads), std::ssize(wanted.positions), headDim};
  wanted.vectors = at::empty(shape, at::TensorOptions(m_device).dtype(at::kFloat));
  wanted.missing = shape[1];
  m_wanted.push_back(std::move(wanted));
}

bool OperandRows::wants(QueryOrKey kind, CapturePoint point, std::int64_t first, std::int64_t rows) const {
  return std::ranges::any_of(m_wanted, [&](const Wanted& wanted) {
    const auto [begin, end] = rangeIn(wanted.positions, first, rows);
    return wanted.kind == kind && wanted.point == point && begin < end;
  });
}

void OperandRows::collect(QueryOrKey kind, CapturePoint point, const ReadRows& rows,
                          const at::Tensor& vectors) {
  if (rows.count() == 0) return;
  for (Wanted& wanted : m_wanted) {
    if (wanted.kind == kind && wanted.point == point && wanted.use != Use::Output)
      collect(wanted, rows, vectors);
  }
}

void OperandRows::collectOutputs(const ReadRows& rows, const at::Tensor& outputs) {
  for (Wanted& wanted : m_wanted) {
    if (wanted.use == Use::Output) collect(wanted, rows, outputs.unflatten(1, {-1, wanted.vectors.size(2)}));
  }
}

void OperandRows::collect(Wanted& wanted, const ReadRows& rows, const at::Tensor& vectors) const {
  const std::int64_t first = rows[0], last = rows[rows.count() - 1];
  const auto [begin, end] = rangeIn(wanted.positions, first, last + 1 - first);
  const std::span<const std::int32_t> between(wanted.positions.data() + begin, end - begin);
  std::vector<std::int32_t> positions;
  std::vector<std::int64_t> places;  // their indices among the wanted ones
  for (std::size_t i = 0; i < between.size(); ++i) {
    if (!rows.isRun() && !std::ranges::binary_search(rows.listed(), between[i])) continue;
    positions.push_back(between[i]);
    places.push_back(static_cast<std::int64_t>(begin + i));
  }
  if (positions.empty()) return;
  const std::vector<std::int64_t> heads(wanted.heads.begin(), wanted.heads.end());
  const at::Tensor chosen = vectors.index_select(0, indexTensor(rows.placesOf(positions), vectors.device()))
                                .index_select(1, indexTensor(heads, vectors.device()))
                                .transpose(0, 1);
  if (positions.size() == between.size())
    wanted.vectors.narrow(1, places.front(), std::ssize(places)).copy_(chosen);
  else
    wanted.vectors.index_copy_(1, indexTensor(places, wanted.vectors.device()), chosen.to(at::kFloat));
  wanted.missing -= std::ssize(places);
  if (wanted.missing == 0 && wanted.use != Use::Scored && !m_device.is_cpu()) send(wanted);
}

// Copies to the host while the GPU continues with the layer.
void OperandRows::send(Wanted& wanted) const {
  wanted.onHost =
      at::empty(wanted.vectors.sizes(), wanted.vectors.options().device(at::kCPU).pinned_memory(true));
  wanted.onHost.copy_(wanted.vectors, /*non_blocking=*/true);
  wanted.sent.emplace(m_device.type());
  wanted.sent->record(c10::impl::VirtualGuardImpl(m_device.type()).getStream(m_device));
}

NamedTensors OperandRows::collected(std::int64_t row) const {
  NamedTensors all;
  for (const Wanted& wanted : m_wanted) {
    const auto count = static_cast<std::int64_t>(rangeIn(wanted.positions, 0, row).second);
    constexpr const char* kPrefix[] = {"", "dense_", "scored_", "output_"};  // by use
    all.emplace_back(kPrefix[static_cast<std::size_t>(wanted.use)] + std::string(nameOf(wanted.kind)) + "/" +
                         std::string(nameOf(wanted.point)),
                     wanted.vectors.narrow(1, 0, count));
  }
  return all;
}

void OperandRows::deliver(QkSink& sink) const {
  for (const auto& wanted : m_wanted) {
    if (wanted.use == Use::Scored) continue;
    if (wanted.sent) wanted.sent->synchronize();
    const at::Tensor here = wanted.sent ? wanted.onHost : wanted.vectors.cpu();
    const std::span<const float> vectors(here.data_ptr<float>(), static_cast<std::size_t>(here.numel()));
    if (wanted.use == Use::Output)
      sink.takeOutputs(m_layer, m_example, vectors);
    else if (wanted.use == Use::Dense)
      sink.takeDense(m_layer, wanted.kind, m_example, vectors);
    else
      sink.take(m_layer, wanted.kind, wanted.point, m_example, vectors);
  }
}

OperandRows::Scored OperandRows::scored() const {
  const auto found = std::ranges::find(m_wanted, Use::Scored, &Wanted::use);
  return found == m_wanted.end() ? Scored{}
                                 : Scored{found->heads, found->positions, found->vectors, m_topKeys};
}

DecoderLayer::DecoderLayer(const ModelSpec& spec, std::int64_t layer, const Compute& compute,
                           LayerWeights weights)
    : m_spec(spec),
      m_number(layer),
      m_layer(spec.layers.at(layer)),
      m_compute(compute),
      m_weights(std::move(weights)) {
  if (m_layer.hasVectors()) m_mixers.push_back(makeSelfAttention(m_spec, layer, compute, m_weights));
  if (m_layer.recurrence && m_weights.use != LayerUse::Operands)
    m_mixers.push_back(makeRecurrentMixer(m_spec, compute, m_weights));
}

void DecoderLayer::change(const std::vector<const Interventions*>& changes) {
  for (const auto& mixer : m_mixers) mixer->change(changes);
}

at::Tensor DecoderLayer::feedForward(const at::Tensor& x) const {
  if (m_layer.experts) return throughExperts(x, x, m_weights.experts, m_spec.experts, m_spec.activation);
  return mlp(x, m_weights.mlp, m_spec.activation);
}

// Dense part on `normed` and experts on `rows`, each with its own norms.
at::Tensor DecoderLayer::denseAndExperts(const at::Tensor& rows, const at::Tensor& normed) const {
  const ExpertWeights& experts = m_weights.experts;
  const at::Tensor dense = mlp(normed, m_weights.mlp, m_spec.activation);
  const at::Tensor routed = normalised(rows, {}, m_spec.norm)
                                .mul_(experts.routerScale)
                                .mul_(1 / std::sqrt(static_cast<double>(m_spec.hidden)));
  const at::Tensor sparse = throughExperts(normalised(rows, experts.inputNorm, m_spec.norm), routed, experts,
                                           m_spec.experts, m_spec.activation);
  return normalised(dense, m_weights.denseOutputNorm, m_spec.norm)
      .add_(normalised(sparse, experts.outputNorm, m_spec.norm));
}

// The rows on which the layer runs: those of the hidden states, or the predicted active stream.
at::Tensor DecoderLayer::input(const at::Tensor& rows) const {
  return m_weights.altUp ? m_weights.altUp->active(m_weights.altUp->predicted(rows)) : rows;
}

// Learned augmented residual layer (Menghani et al. 2024): adds `added`, the normed input and its low-rank
// projection to rows, in place, all divided by sqrt(2). Returns the norm of the sum.
at::Tensor DecoderLayer::addedWithLaurel(const at::Tensor& rows, const at::Tensor& added) const {
  const LaurelWeights& laurel = m_weights.laurel;
  const at::Tensor normed = normalised(rows, m_weights.inputNorm, m_spec.norm);
  const at::Tensor projected = at::linear(at::linear(normed, laurel.down), laurel.up);
  const at::Tensor augmented = normalised(projected, laurel.norm, m_spec.norm).add_(normed);
  rows.add_(added).add_(augmented).mul_(1 / std::sqrt(2.0));
  return normalised(rows, m_weights.mlpNorm, m_spec.norm);
}

// The sum of the mixers' outputs.
at::Tensor DecoderLayer::added(const std::vector<at::Tensor>& mixed) const {
  at::Tensor sum;
  for (std::size_t i = 0; i < m_mixers.size(); ++i) {
    const at::Tensor one = m_mixers[i]->project(mixed[i]);
    sum = sum.defined() ? sum.add_(one) : one;
  }
  return sum;
}

// Sets `rows` to the difference that the output of a head makes to the hidden states of a block.
void DecoderLayer::contribute(const at::Tensor& rows, const Contribution& contribution, const ReadRows& block,
                              const std::vector<at::Tensor>& mixed) const {
  const std::int64_t width = m_layer.headDim, head = contribution.from.head;
  const at::Tensor own = at::zeros_like(mixed.front());
  const auto part = [&](const at::Tensor& all) { return all.narrow(1, head * width, width); };
  part(own).copy_(part(mixed.front()));
  if (contribution.values) {  // what stays; where nothing is known, all of it
    const at::Tensor kept = part(own).clone();
    setKnown(*contribution.values, block[0], kept);
    part(own).sub_(kept);
  }
  const Mixer& attention = *m_mixers.front();
  at::Tensor change = attention.project(own).sub_(attention.project(at::zeros_like(own.narrow(0, 0, 1))));
  if (m_weights.attentionOutputNorm.weight.defined()) {
    const auto normed = [&](const at::Tensor& x) {
      return normalised(x, m_weights.attentionOutputNorm, m_spec.norm);
    };
    const at::Tensor all = added(mixed);
    change = normed(all).sub_(normed(all.sub(change)));
  }
  rows.copy_(change.mul_(m_spec.residualScale));
}

// Adds the outputs of mixers and feed-forward part to rows of the hidden states, in place. Missing norms are
// skipped.
void DecoderLayer::finish(const at::Tensor& rows, const std::vector<at::Tensor>& mixed) const {
  const at::Tensor added = normalisedIfAny(this->added(mixed), m_weights.attentionOutputNorm, m_spec.norm);
  if (m_spec.parallelBlock) {
    const bool ownNorm = m_weights.mlpNorm.weight.defined();
    const at::Tensor inner =
        feedForward(normalisedIfAny(rows, ownNorm ? m_weights.mlpNorm : m_weights.inputNorm, m_spec.norm));
    rows.add_(added, m_spec.residualScale).add_(inner, m_spec.residualScale);
    return;
  }
  const at::Tensor fed = m_spec.laurelRank > 0 ? addedWithLaurel(rows, added)
                                               : addedAndNormed(rows, added, m_spec.residualScale,
                                                                m_weights.mlpNorm, m_spec.norm);
  const at::Tensor inner =
      m_layer.experts && m_spec.experts.besideDense ? denseAndExperts(rows, fed) : feedForward(fed);
  addedAndNormed(rows, normalisedIfAny(inner, m_weights.mlpOutputNorm, m_spec.norm), m_spec.residualScale, {},
                 m_spec.norm);
}

// The same for the active stream of rows of all streams; then corrects these. The per-layer input is added to
// all but the first.
void DecoderLayer::finishStreams(const at::Tensor& rows, const std::vector<at::Tensor>& mixed,
                                 const std::vector<std::int32_t>& tokens) const {
  const AltUp& altUp = *m_weights.altUp;
  const at::Tensor predictions = altUp.predicted(rows), own = altUp.active(predictions).clone();
  finish(own, mixed);
  const at::Tensor streams = altUp.corrected(predictions, own);
  if (m_weights.input) {
    const at::Tensor added = m_weights.input->outputs(altUp.scaledActive(streams), tokens);
    streams.narrow(1, 1, streams.size(1) - 1).add_(added.unsqueeze(1));
  }
  rows.copy_(streams.flatten(1));
}

namespace {

std::vector<std::int32_t> tokensOf(const SequenceState& text, const ReadRows& rows) {
  std::vector<std::int32_t> tokens;
  for (std::int64_t i = 0; i < rows.count(); ++i)
    tokens.push_back(text.tokens->at(static_cast<std::size_t>(rows[i])));
  return tokens;
}

}  // namespace

void DecoderLayer::finish(SequenceState& text, const ReadRows& outputs,
                          const std::vector<at::Tensor>& mixed) const {
  forRowBlocks(m_compute.device, outputs, [&](std::int64_t at, const ReadRows& block) {
    const at::Tensor rows = block.rowsOf(text.hidden);
    std::vector<at::Tensor> some;
    for (const at::Tensor& all : mixed) some.push_back(all.narrow(0, at, block.count()));
    for (const Contribution& contribution : text.contributions) {
      if (contribution.from.layer == m_number)
        contribute(contribution.rows.narrow(0, block[0], block.count()), contribution, block, some);
    }
    if (m_weights.altUp) {
      finishStreams(rows, some, tokensOf(text, block));
    } else {
      finish(rows, some);
      if (m_weights.input) rows.add_(m_weights.input->outputs(rows, tokensOf(text, block)));
    }
    if (m_weights.scale.defined()) rows.mul_(m_weights.scale);
    if (!block.isRun()) text.hidden.index_copy_(0, block.positions(m_compute.device), rows);
  });
}

void DecoderLayer::run(SequenceState& text, KeyValues& memory, std::span<const ChunkRows> pieces,
                       OperandRows& wanted, const std::function<void()>& checkpoint) {
  const auto normed = [&](const ReadRows& rows, const at::Tensor& without) {
    const at::Tensor states = input(rows.rowsOf(text.hidden));
    return normalisedIfAny(without.defined() ? states.sub(without) : states, m_weights.inputNorm,
                           m_spec.norm);
  };
  std::vector<std::vector<at::Tensor>> mixed(pieces.size());  // of all pieces, before hidden states change
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const MixerInput input{text, memory, pieces[i], normed, wanted, checkpoint};
    for (const auto& mixer : m_mixers) mixed[i].push_back(mixer->run(input));
  }
  if (m_weights.use == LayerUse::Operands) return;
  checkpoint();
  for (std::size_t i = 0; i < pieces.size(); ++i) finish(text, pieces[i].outputs, mixed[i]);
  if (m_weights.input) m_weights.input->dropPageCache();
  for (const auto& mixer : m_mixers) mixer->chunkDone();
}

NamedTensors DecoderLayer::carried() const {
  NamedTensors all;
  for (const auto& mixer : m_mixers) {
    for (auto& each : mixer->carried()) all.push_back(std::move(each));
  }
  return all;
}

}  // namespace plastiscope
