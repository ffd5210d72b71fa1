// Layer by layer over a group of texts: load a layer, run every text through it, release it.
#include <c10/core/InferenceMode.h>

#include <memory>
#include <utility>

#include "core/base/error.h"
#include "core/forward/device.h"
#include "core/forward/forward.h"
#include "core/forward/group_run.h"

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
           GroupWatch& watch) override {
    withTorchErrors([&] {
      const c10::InferenceMode inference;
      useThreads(m_options.threads);
      checkMemory(group);
      GroupRun(*m_model, m_lastLayer, m_options, m_compute, group).run(sink, progress, watch);
    });
  }

 private:
  void checkMemory(const std::vector<TokenSequence>& group) const {
    std::vector<TextSize> texts;
    texts.reserve(group.size());
    for (const auto& sequence : group) texts.emplace_back(std::ssize(sequence.tokens));
    const auto need = forwardCost(m_model->spec, texts, m_lastLayer, m_resolved, m_options).peakBytes;
    const auto free = freeDeviceBytes(m_compute.device);
    if (!free || need <= *free) return;
    throw ResourceError("the forward pass needs " + byteText(need) + " of memory but only " +
                        byteText(*free) + " are free on " + m_resolved.device +
                        "; use a shorter window, a 16-bit compute type, fewer threads, or free some memory");
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
