// Layer by layer over a group of texts: load a layer, run every text through it, release it.
#include <ATen/ops/empty.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/error.h"
#include "core/forward/decoder_layer.h"
#include "core/forward/device.h"
#include "core/forward/forward.h"
#include "core/forward/memory_plan.h"
#include "core/forward/torch_errors.h"

namespace plastiscope {

namespace {

class LayerRunner : public ForwardRunner {
 public:
  LayerRunner(std::shared_ptr<const Model> model, std::int64_t lastLayer, const ForwardOptions& options)
      : m_model(std::move(model)),
        m_lastLayer(lastLayer),
        m_options(options),
        m_resolved(resolveDevice(*m_model, options)),
        m_compute(computeOf(m_resolved)) {
    if (lastLayer < 0 || lastLayer >= m_model->spec.layerCount) {
      throw UsageError("layer " + std::to_string(lastLayer) + " is not one of the model's " +
                       std::to_string(m_model->spec.layerCount) + " layers");
    }
  }

  void run(const std::vector<TokenSequence>& group, QkSink& sink, Progress& progress,
           const std::function<void(double)>& onFlops) override {
    withTorchErrors([&] {
      const c10::InferenceMode inference;
      useThreads(m_options.threads);
      checkMemory(group);
      runGroup(group, sink, progress, onFlops);
    });
  }

 private:
  void checkMemory(const std::vector<TokenSequence>& group) const {
    std::vector<std::int64_t> lengths;
    lengths.reserve(group.size());
    for (const auto& sequence : group) lengths.push_back(static_cast<std::int64_t>(sequence.tokens.size()));
    const auto need = forwardCost(m_model->spec, lengths, m_lastLayer, m_resolved, m_options).peakBytes;
    const auto free = freeDeviceBytes(m_compute.device);
    if (!free || need <= *free) return;
    throw ResourceError("the forward pass needs " + byteText(need) + " of memory but only " +
                        byteText(*free) + " are free on " + m_resolved.device +
                        "; use a shorter window, a 16-bit compute type, fewer threads, or free some memory");
  }

  std::vector<SequenceState> start(const std::vector<TokenSequence>& group) const {
    std::vector<SequenceState> texts;
    for (const auto& sequence : group) {
      const auto tokens = static_cast<std::int64_t>(sequence.tokens.size());
      std::vector<RopeFrequencies> ropes;
      for (const RopeSpec& spec : m_model->spec.ropes) {
        ropes.push_back(ropeFrequencies(spec, tokens));
        ropes.back().inverse = ropes.back().inverse.to(m_compute.device);
      }
      texts.push_back({embed(*m_model, sequence.tokens, m_compute), std::move(ropes)});
    }
    return texts;
  }

  KeyValues keyValues(const std::vector<TokenSequence>& group) const {
    std::size_t longest = 0;
    for (const auto& sequence : group) longest = std::max(longest, sequence.tokens.size());
    const std::vector<std::int64_t> shape{m_model->spec.keyHeads, static_cast<std::int64_t>(longest),
                                          m_model->spec.headDim};
    const auto options = at::TensorOptions(m_compute.device).dtype(m_compute.dtype);
    return {at::empty(shape, options), at::empty(shape, options)};
  }

  void runGroup(const std::vector<TokenSequence>& group, QkSink& sink, Progress& progress,
                const std::function<void(double)>& onFlops) const {
    const auto checkpoint = [&progress] { progress.throwIfStopped(); };
    std::vector<SequenceState> texts = start(group);
    KeyValues memory = keyValues(group);
    for (std::int64_t index = 0; index <= m_lastLayer; ++index) {
      checkpoint();
      if (m_model->spec.layers[static_cast<std::size_t>(index)].attention == AttentionKind::Cross) continue;
      const bool operandsOnly = index == m_lastLayer;
      DecoderLayer layer(*m_model, index, m_compute, operandsOnly, m_options.interventions.get());
      for (std::size_t i = 0; i < group.size(); ++i) {
        OperandRows wanted(sink, index, group[i], m_model->spec.headDim);
        const std::int64_t tokens = texts[i].hidden.size(0), chunk = chunkRows(m_options.queryChunk);
        for (std::int64_t first = 0; first < tokens; first += chunk) {
          checkpoint();
          const std::int64_t rows = std::min(chunk, tokens - first);
          layer.run(texts[i], memory, first, rows, wanted, checkpoint);
          if (onFlops) onFlops(layerFlops(m_model->spec, index, first, rows, operandsOnly));
        }
        if (m_model->spec.layers[static_cast<std::size_t>(index)].hasVectors()) wanted.deliver(sink);
      }
    }
  }

  std::shared_ptr<const Model> m_model;
  std::int64_t m_lastLayer;
  ForwardOptions m_options;
  ResolvedDevice m_resolved;
  Compute m_compute;
};

}  // namespace

bool forwardAvailable() {
  return true;
}

std::unique_ptr<ForwardRunner> makeForwardRunner(std::shared_ptr<const Model> model, std::int64_t lastLayer,
                                                 const ForwardOptions& options) {
  return withTorchErrors([&] { return std::make_unique<LayerRunner>(std::move(model), lastLayer, options); });
}

}  // namespace plastiscope
