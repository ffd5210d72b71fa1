#pragma once
// Reads the weights of the next layer in a separate thread while a layer is computed.
#include <atomic>
#include <cstdint>
#include <future>
#include <memory>

#include "core/forward/device.h"
#include "core/forward/layer_weights.h"
#include "core/model/model.h"

namespace plastiscope {

class LayersAhead {
 public:
  LayersAhead(const Model& model, const Compute& compute) : m_model(model), m_compute(compute) {}
  ~LayersAhead() { stop(); }
  LayersAhead(const LayersAhead&) = delete;
  LayersAhead& operator=(const LayersAhead&) = delete;

  // Starts reading a layer in a thread; several threads for a GPU, which leaves the CPU idle.
  void begin(std::int64_t layer, LayerUse use);
  // Weights of a layer, whether begun or not. All threads read the rest. Rethrows errors of reading.
  LayerWeights take(std::int64_t layer, LayerUse use);

 private:
  void stop();

  const Model& m_model;
  Compute m_compute;
  std::int64_t m_layer = -1;          // of m_load
  std::unique_ptr<LayerLoad> m_load;  // used by the thread until it ends
  std::atomic<bool> m_goesOn = false;
  std::future<void> m_thread;
};

}  // namespace plastiscope
