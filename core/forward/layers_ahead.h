#pragma once
// The weights of the layer that comes next are read by a thread of their own while one is computed.
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

  // A thread begins to read that layer; on a card, which leaves the processor to it, several.
  void begin(std::int64_t layer, LayerUse use);
  // The weights of that layer, which begin() named or not. What the thread has not read yet is read by all
  // threads. Throws what reading threw.
  LayerWeights take(std::int64_t layer, LayerUse use);

 private:
  void stop();

  const Model& m_model;
  Compute m_compute;
  std::int64_t m_layer = -1;          // of m_load
  std::unique_ptr<LayerLoad> m_load;  // used by the thread until it has ended
  std::atomic<bool> m_goesOn = false;
  std::future<void> m_thread;
};

}  // namespace plastiscope
