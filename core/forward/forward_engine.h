#pragma once
// Interface of the engines that compute the forward pass of a model: this program's own layers (native), or
// transformers in a Python process (core/transformers).
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/forward/forward.h"

namespace plastiscope {

// Auto: native if it knows the family, else transformers if a Python has it.
enum class EngineKind { Auto, Native, Transformers };
constexpr std::array<const char*, 3> namesOf(EngineKind) {
  return {"auto", "native", "transformers"};
}

class ForwardEngine {
 public:
  virtual ~ForwardEngine() = default;
  // Errors if the engine cannot give the losses or change the heads of this model.
  virtual void requireSupport(const Model& model, const ForwardOptions& options) const = 0;
  // Whether all weights stay in memory between runs and every row of a layer is computed; else each run reads
  // each layer, and computes of the last one only what is asked.
  virtual bool keepsWeights() const = 0;

  // Whether sequences may be changed, share layers and give outcomes of single tokens (TokenSequence, QkSink).
  virtual bool runsVariants() const { return false; }

  // As the functions in forward.h.
  virtual ResolvedDevice resolveDevice(const Model& model, const ForwardOptions& options) const = 0;
  virtual ForwardMemory memory(const ModelSpec& spec, const GroupSize& size, std::int64_t lastLayer,
                               const ResolvedDevice& device, const ForwardOptions& options) const = 0;
  virtual DeviceMemory memoryOn(const ResolvedDevice& device) const = 0;
  virtual ForwardFit fit(const ModelSpec& spec, const GroupSize& size, std::int64_t lastLayer,
                         const DeviceMemory& room, const ForwardOptions& options) const = 0;
  virtual std::uint64_t stateBytes(const ModelSpec& spec, const GroupSize& size,
                                   const ResolvedDevice& device) const = 0;
  virtual double flops(const ModelSpec& spec, const std::vector<TextSize>& texts, std::int64_t lastLayer,
                       const std::optional<GroupStep>& until = {}) const = 0;
  virtual std::unique_ptr<ForwardRunner> makeRunner(std::shared_ptr<const Model> model,
                                                    std::int64_t lastLayer,
                                                    const ForwardOptions& options) const = 0;
};

// The layers of this program, which read the weights layer by layer (forward.h).
std::shared_ptr<const ForwardEngine> nativeEngine();

}  // namespace plastiscope
