#include "core/forward/layer_weights.h"

#include <ATen/Parallel.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/special_ndtri.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>
#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/forward/row_blocks.h"

namespace plastiscope {

namespace {

using enum TensorRole;

// Reorders rows stored per key head, each with parts of these sizes, to the parts of all key heads in
// `order`.
at::Tensor ungrouped(const at::Tensor& rows, std::int64_t keyHeads, const std::vector<std::int64_t>& sizes,
                     const std::vector<std::size_t>& order) {
  const auto parts = rows.unflatten(0, {keyHeads, -1}).split_with_sizes(sizes, 1);
  std::vector<at::Tensor> ordered;
  for (const std::size_t part : order) ordered.push_back(parts[part].flatten(0, 1));
  return at::cat(ordered);
}

}  // namespace

RecurrenceReader::RecurrenceReader(LayerReader& reader, const RecurrenceSpec& spec)
    : m_spec(spec),
      m_operandsByKeyHead(reader.has(StateOperandsGate)),
      m_ratesByKeyHead(reader.has(StateRates)),
      m_decayIsLog(reader.has(StateDecayLog)) {
  if (reader.has(StateInput)) {
    m_input = reader.tensor(StateInput);
  } else {
    m_input = m_operandsByKeyHead ? reader.tensor(StateOperandsGate)
                                  : reader.stacked({StateGate, StateOperands}, {});
    m_rates = m_ratesByKeyHead ? reader.tensor(StateRates) : reader.stacked({StateStrengths, StateSteps}, {});
  }
  m_output = reader.tensor(StateOutput);
  m_read.convolution = reader.floats(StateConvolution);
  m_read.convolutionBias = reader.floats(StateConvolutionBias);
  m_read.decay = reader.floats(m_decayIsLog ? StateDecayLog : StateDecay);
  m_read.stepBias = reader.floats(StateStepBias);
  m_read.skip = reader.floats(StateSkip);
  m_read.norm = reader.floats(StateNorm);
}

RecurrenceWeights RecurrenceReader::weights() const {
  RecurrenceWeights weights = m_read;
  weights.output = {m_output, {}};
  weights.convolution = weights.convolution.view({-1, m_spec.kernel}).t().contiguous();
  if (m_spec.gatedChannels > 0) {
    weights.input = {m_input, {}};
    return weights;
  }
  const std::int64_t keyDim = m_spec.keyDim, keyHeads = m_spec.keyHeads, heads = m_spec.heads / keyHeads;
  at::Tensor input = m_input;
  if (m_operandsByKeyHead) {
    const std::int64_t valueRows = heads * m_spec.valueDim;
    input = ungrouped(m_input, keyHeads, {keyDim, keyDim, valueRows, valueRows}, {3, 0, 1, 2});
  }
  if (m_rates.defined()) {
    const at::Tensor rates =
        m_ratesByKeyHead ? ungrouped(m_rates, keyHeads, {heads, heads}, {0, 1}) : m_rates;
    input = at::cat({input, rates});
  }
  weights.input = {input, {}};
  weights.convolution = weights.convolution.cpu();
  weights.decay = weights.decay.flatten().cpu();
  if (m_decayIsLog) weights.decay = weights.decay.exp().neg();
  weights.stepBias = weights.stepBias.cpu();
  if (weights.convolutionBias.defined()) weights.convolutionBias = weights.convolutionBias.cpu();
  if (weights.skip.defined()) weights.skip = weights.skip.flatten().cpu();
  if (weights.norm.defined()) weights.norm = weights.norm.view({-1, m_spec.normedTogether}).cpu();
  return weights;
}

namespace {

using enum TensorRole;

AttentionWeights readLatentAttention(LayerReader& reader, LayerUse use) {
  AttentionWeights weights;
  const bool narrowed = reader.has(QueryDown);
  if (narrowed) weights.queryDown = {reader.tensor(QueryDown), {}};
  weights.queryDownNorm = reader.norm(QueryDownNorm);
  weights.query = {reader.tensor(narrowed ? QueryUp : Query), {}};
  weights.operands = {reader.tensor(LatentDown), {}};
  weights.latentNorm = reader.norm(LatentNorm);
  if (reader.has(LatentUp)) weights.latentUp = {reader.tensor(LatentUp), {}};
  weights.latentKeyUp = reader.tensor(LatentKeyUp);
  weights.latentValueUp = reader.tensor(LatentValueUp);
  if (use != LayerUse::Operands) weights.output = {reader.tensor(Output), {}};
  return weights;
}

void joinLatentUp(AttentionWeights& weights) {
  if (!weights.latentKeyUp.defined()) return;
  const at::Tensor rows = at::cat({weights.latentKeyUp.transpose(1, 2), weights.latentValueUp}, 1);
  weights.latentUp = {rows.flatten(0, 1), {}};
  weights.latentKeyUp = weights.latentValueUp = at::Tensor();
}

AttentionWeights readAttention(LayerReader& reader, const ModelSpec& spec, const LayerSpec& layer,
                               LayerUse use) {
  if (spec.latent.rank > 0) return readLatentAttention(reader, use);
  AttentionWeights weights;
  const std::int64_t queryRows = spec.queryHeads * layer.headDim, keyRows = layer.keyHeads * layer.headDim;
  weights.gated = reader.has(QueryGate);
  const std::int64_t gateRows = weights.gated ? queryRows : 0;
  const TensorRole query = weights.gated ? QueryGate : Query;
  const bool fused = reader.has(QueryKeyValue);
  weights.sinks = reader.floats(Sinks);  // also for head scores of a layer without output
  if (use == LayerUse::Operands) {
    weights.operands = fused ? Linear(reader.firstRows(QueryKeyValue, queryRows + keyRows),
                                      reader.firstRows(QueryKeyValueBias, queryRows + keyRows))
                             : Linear(reader.stacked({query, Key}, {}),
                                      reader.stacked({QueryBias, KeyBias}, {queryRows + gateRows, keyRows}));
  } else {
    weights.operands = fused ? Linear(reader.tensor(QueryKeyValue), reader.tensor(QueryKeyValueBias))
                             : Linear(reader.stacked({query, Key, Value}, {}),
                                      reader.stacked({QueryBias, KeyBias, ValueBias},
                                                     {queryRows + gateRows, keyRows, keyRows}));
    weights.output = {reader.tensor(Output), reader.tensor(OutputBias)};
  }
  if (use != LayerUse::Whole) {
    const Linear all = weights.operands;
    weights.query = all.outputs(0, queryRows + gateRows);
    const std::int64_t others = all.outputs() - queryRows - gateRows;
    weights.operands = others > 0 ? all.outputs(queryRows + gateRows, others) : Linear();
  }
  weights.queryNorm = reader.norm(QueryNorm, QueryNormBias);
  weights.keyNorm = reader.norm(KeyNorm, KeyNormBias);
  return weights;
}

MlpWeights readMlp(LayerReader& reader, const LayerSpec& layer) {
  MlpWeights weights;
  if (reader.has(GateUp)) {
    weights.gateUp = {reader.tensor(GateUp), {}};
  } else if (reader.has(Gate)) {
    weights.gateUp = {reader.stacked({Gate, Up}, {}),
                      reader.stacked({GateBias, UpBias}, {layer.intermediate, layer.intermediate})};
  } else {
    weights.up = {reader.tensor(Up), reader.tensor(UpBias)};
  }
  weights.down = {reader.tensor(Down), reader.tensor(DownBias)};
  if (layer.sparsity > 0)
    weights.gateCut = at::special_ndtri(at::tensor(layer.sparsity, at::kDouble)).item<double>();
  return weights;
}

// weight [experts, outputs, inputs], bias [experts, outputs] or undefined.
std::vector<Linear> ofEachExpert(const at::Tensor& weight, const at::Tensor& bias) {
  std::vector<Linear> experts;
  for (std::int64_t expert = 0; expert < weight.size(0); ++expert)
    experts.emplace_back(weight[expert], bias.defined() ? bias[expert] : at::Tensor());
  return experts;
}

ExpertWeights readExperts(LayerReader& reader, const ModelSpec& spec) {
  ExpertWeights weights;
  const std::int64_t inner = spec.experts.inner;
  weights.router = reader.tensor(Router);
  weights.routerBias = reader.tensor(RouterBias);
  weights.correction = reader.floats(RouterCorrection);
  weights.inputNorm = reader.norm(ExpertNorm);
  weights.outputNorm = reader.norm(ExpertOutputNorm);
  weights.routerScale = reader.tensor(RouterScale);
  weights.expertScale = reader.floats(RouterExpertScale);
  const bool joined = reader.has(ExpertGateUp);
  weights.gateUp =
      ofEachExpert(joined ? reader.tensor(ExpertGateUp) : reader.stacked({ExpertGate, ExpertUp}, {}),
                   joined ? reader.tensor(ExpertGateUpBias)
                          : reader.stacked({ExpertGateBias, ExpertUpBias}, {inner, inner}));
  weights.down = ofEachExpert(reader.tensor(ExpertDown), reader.tensor(ExpertDownBias));
  weights.shared.gateUp = {
      reader.has(SharedGateUp) ? reader.tensor(SharedGateUp) : reader.stacked({SharedGate, SharedUp}, {}),
      {}};
  weights.shared.down = {reader.tensor(SharedDown), {}};
  weights.sharedGate = reader.tensor(SharedExpertGate);
  return weights;
}

std::vector<Linear*> matricesOf(LayerWeights& weights) {
  AttentionWeights& attention = weights.attention;
  std::vector<Linear*> all{&attention.query,          &attention.queryDown, &attention.operands,
                           &attention.latentUp,       &attention.output,    &weights.recurrence.input,
                           &weights.recurrence.output};
  for (MlpWeights* const mlp : {&weights.mlp, &weights.experts.shared})
    all.insert(all.end(), {&mlp->gateUp, &mlp->up, &mlp->down});
  for (auto* const experts : {&weights.experts.gateUp, &weights.experts.down}) {
    for (Linear& expert : *experts) all.push_back(&expert);
  }
  return all;
}

}  // namespace

LayerLoad::LayerLoad(const Model& model, std::int64_t layer, const Compute& compute, LayerUse use)
    : m_reader(std::in_place, model, layer, compute) {
  const bool operandsOnly = use == LayerUse::Operands;
  const ModelSpec& spec = model.spec;
  const LayerSpec& which = spec.layers.at(layer);
  LayerReader& reader = *m_reader;
  m_weights.use = use;
  const NormWeights ones{at::ones({spec.hidden}, at::TensorOptions(compute.device).dtype(compute.dtype)), {}};
  m_weights.inputNorm = spec.norm.weightless ? ones : reader.norm(InputNorm, InputNormBias);
  if (which.hasVectors()) m_weights.attention = readAttention(reader, spec, which, use);
  if (spec.altUp.streams > 0) m_weights.altUp.emplace(spec, reader, !operandsOnly);
  if (operandsOnly) return;
  if (which.recurrence) m_recurrence.emplace(reader, spec.recurrence);
  m_weights.attentionOutputNorm = reader.norm(AttentionOutputNorm);
  m_weights.mlpNorm = spec.norm.weightless ? ones : reader.norm(MlpNorm, MlpNormBias);
  m_weights.mlpOutputNorm = reader.norm(MlpOutputNorm);
  if (which.experts) m_weights.experts = readExperts(reader, spec);
  if (!which.experts || spec.experts.besideDense) m_weights.mlp = readMlp(reader, which);
  m_weights.denseOutputNorm = reader.norm(DenseOutputNorm);
  m_weights.laurel = {reader.tensor(LaurelDown), reader.tensor(LaurelUp), reader.norm(LaurelNorm)};
  m_weights.scale = reader.tensor(LayerScale);
  if (spec.layerInput > 0) m_weights.input.emplace(model, layer, compute, reader);
  for (const TensorRole role : {XieluPositive, XieluNegative, XieluBeta, XieluEps}) {
    if (reader.has(role)) m_xielu.push_back(reader.floats(role));
  }
}

// Builds the weights from the tensors that were read.
void LayerLoad::finish() {
  if (m_recurrence) m_weights.recurrence = m_recurrence->weights();
  m_recurrence.reset();
  joinLatentUp(m_weights.attention);
  for (at::Tensor& number : m_xielu) number = number.reshape({1}).cpu();
  if (!m_xielu.empty()) m_weights.mlp.xielu = at::cat(m_xielu);
  m_toPack = matricesOf(m_weights);
  m_reader.reset();
}

bool LayerLoad::work(const std::function<bool()>& goesOn) {
  if (m_reader) {
    if (!m_reader->read(goesOn)) return false;
    finish();
  }
  forEachInParallel(at::get_num_threads(), [&](std::int64_t) {
    while (goesOn()) {
      const std::size_t matrix = m_packed++;
      if (matrix >= m_toPack.size()) break;
      m_toPack[matrix]->pack();
    }
  });
  return m_packed >= m_toPack.size();
}

at::Tensor embeddingRows(const Model& model, const std::vector<std::int32_t>& tokens,
                         const Compute& compute) {
  const auto count = std::ssize(tokens);
  for (const auto token : tokens) {
    if (token < 0 || token >= model.spec.vocabulary) {
      throw InputError("token " + std::to_string(token) + " is outside the model's vocabulary of " +
                       withCommas(model.spec.vocabulary));
    }
  }
  const at::Tensor rows = at::empty({count, model.spec.hidden}, compute.dtype);
  // The factor is rounded to the compute type, as in the reference implementations.
  const at::Tensor scale = at::empty({}, compute.dtype).fill_(model.spec.embeddingScale);
  forRowBlocks(at::kCPU, count, [&](std::int64_t first, std::int64_t blockRows) {
    const at::Tensor wide = at::empty({blockRows, model.spec.hidden}, at::kFloat);
    for (std::int64_t i = 0; i < blockRows; ++i) {
      const at::Tensor row = wide.select(0, i);
      model.readEmbeddingRow(tokens[first + i],
                             {row.data_ptr<float>(), static_cast<std::size_t>(row.numel())});
    }
    const at::Tensor block = rows.narrow(0, first, blockRows);
    block.copy_(wide);
    if (model.spec.embeddingScale != 1) block.mul_(scale);
  });
  return rows.to(compute.device);
}

at::Tensor embed(const Model& model, const std::vector<std::int32_t>& tokens, const Compute& compute) {
  const at::Tensor rows = embeddingRows(model, tokens, compute);
  model.weights->dropPageCache(model.embedding.info);  // a long text reads most of it
  return rows;
}

LayerInput::LayerInput(const Model& model, std::int64_t layer, const Compute& compute, LayerReader& reader)
    : m_model(model),
      m_layer(layer),
      m_compute(compute),
      m_gate(reader.tensor(TensorRole::LayerInputGate)),
      m_output(reader.tensor(TensorRole::LayerInputOutput)),
      m_outputNorm(reader.norm(TensorRole::LayerInputNorm)) {
  const std::int64_t width = model.spec.layerInput;
  const at::Tensor projection = at::empty({width, model.spec.hidden}, at::kFloat);
  readFloat32Rows(*model.weights, model.besideLayers.at(TensorRole::LayerInputProjection).info, layer * width,
                  width, floatsOf(projection));
  m_projection = projection.to(compute.device, compute.dtype);
  const at::Tensor norm = at::empty({width}, at::kFloat);
  model.read(model.besideLayers.at(TensorRole::LayerInputProjectionNorm), floatsOf(norm));
  m_projectionNorm.weight =
      norm.to(compute.device, model.spec.norm.computeInFloat32 ? at::kFloat : compute.dtype);
}

// Scale factors are rounded to the compute type, as in the reference implementations.
at::Tensor LayerInput::vectorsOf(const std::vector<std::int32_t>& tokens) const {
  const ModelSpec& spec = m_model.spec;
  const std::int64_t width = spec.layerInput, count = std::ssize(tokens);
  const TensorInfo& embedding = m_model.besideLayers.at(TensorRole::LayerInputEmbedding).info;
  const at::Tensor wide = at::empty({count, width}, at::kFloat);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t token = tokens[i] < spec.layerInputVocabulary ? tokens[i] : 0;
    const std::int64_t first = (token * spec.layerCount + m_layer) * width;
    m_model.weights->readValues(embedding, first, floatsOf(wide.select(0, i)));
  }
  const at::Tensor scale = at::empty({}, m_compute.dtype).fill_(std::sqrt(static_cast<double>(width)));
  const at::Tensor own = wide.to(m_compute.dtype).mul_(scale).to(m_compute.device);
  const at::Tensor projected = at::linear(embeddingRows(m_model, tokens, m_compute), m_projection)
                                   .mul_(1 / std::sqrt(static_cast<double>(spec.hidden)));
  return normalised(projected, m_projectionNorm, spec.norm).add_(own).mul_(1 / std::sqrt(2.0));
}

at::Tensor LayerInput::outputs(const at::Tensor& rows, const std::vector<std::int32_t>& tokens) const {
  const at::Tensor inner = gated(at::linear(rows, m_gate), vectorsOf(tokens), m_model.spec.activation);
  return normalised(at::linear(inner, m_output), m_outputNorm, m_model.spec.norm);
}

void LayerInput::dropPageCache() const {
  m_model.weights->dropPageCache(m_model.embedding.info);
  m_model.weights->dropPageCache(m_model.besideLayers.at(TensorRole::LayerInputEmbedding).info);
}

void LayersAhead::begin(std::int64_t layer, LayerUse use) {
  stop();
  m_layer = layer;
  m_load = std::make_unique<LayerLoad>(m_model, layer, m_compute, use);
  m_goesOn = true;
  m_thread = std::async(std::launch::async, [this] {
    const auto work = [this] { m_load->work([this] { return m_goesOn.load(); }); };
    if (m_compute.device.is_cpu()) return onThisThreadAlone(work);
    const c10::InferenceMode inference;  // is a per-thread setting
    work();
  });
}

LayerWeights LayersAhead::take(std::int64_t layer, LayerUse use) {
  m_goesOn = false;
  if (m_thread.valid()) m_thread.get();
  if (m_load == nullptr || m_layer != layer)
    m_load = std::make_unique<LayerLoad>(m_model, layer, m_compute, use);
  m_load->work([] { return true; });
  return std::move(*std::exchange(m_load, nullptr)).weights();
}

// The thread ends after its current piece; its exceptions are ignored.
void LayersAhead::stop() {
  m_goesOn = false;
  if (m_thread.valid()) m_thread.wait();
  m_thread = {};
  m_load.reset();
}

}  // namespace plastiscope
