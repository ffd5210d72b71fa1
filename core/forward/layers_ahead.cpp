#include "core/forward/layers_ahead.h"

#include <c10/core/InferenceMode.h>
#include <utility>

#include "core/forward/row_blocks.h"

namespace plastiscope {

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
