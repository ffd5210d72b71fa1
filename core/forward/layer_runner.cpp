// Runs a group of texts layer by layer: load a layer, run every text, release it.
#include <c10/core/InferenceMode.h>

#include <algorithm>
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
    if (lastLayer < 0 || lastLayer >= m_model->spec.layerCount + (options.output ? 1 : 0)) {
      throw UsageError("layer " + std::to_string(lastLayer) + " is not one of the model's " +
                       std::to_string(m_model->spec.layerCount) + " layers");
    }
  }

  void run(const std::vector<TokenSequence>& group, QkSink& sink, Progress& progress,
           GroupWatch& watch) override {
    withTorchErrors([&] {
      const c10::InferenceMode inference;
      useThreads(m_options.threads);
      GroupRun(*m_model, m_lastLayer, fitting(group), m_compute, group).run(sink, progress, watch);
    });
  }

 private:
  ForwardOptions fitting(const std::vector<TokenSequence>& group) const {
    GroupSize size;
    for (const auto& sequence : group) {
      size.tokens += std::ssize(sequence.tokens);
      size.longest = std::max(size.longest, std::ssize(sequence.tokens));
    }
    const DeviceMemory room = memoryOn(m_resolved);
    const ForwardFit fit = fitForward(m_model->spec, size, m_lastLayer, room, m_options);
    if (room.holds(fit.bytes)) return fit.options;
    throw ResourceError("the forward pass needs " + byteText(fit.bytes) + " of memory but only " +
                        byteText(*room.free) + " are free on " + m_resolved.device +
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

DeviceMemory memoryOn(const ResolvedDevice& device) {
  return {device, withTorchErrors([&] { return freeDeviceBytes(computeOf(device).device); })};
}

std::unique_ptr<ForwardRunner> makeForwardRunner(std::shared_ptr<const Model> model, std::int64_t lastLayer,
                                                 const ForwardOptions& options) {
  return withTorchErrors([&] { return std::make_unique<LayerRunner>(std::move(model), lastLayer, options); });
}

}  // namespace plastiscope
