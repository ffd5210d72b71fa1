#include "core/forward/forward_engine.h"

namespace plastiscope {

namespace {

class NativeEngine : public ForwardEngine {
 public:
  void requireSupport(const Model& model, const ForwardOptions& options) const override {
    if (options.output) outputHeadOf(model);
  }
  bool keepsWeights() const override { return false; }
  bool runsVariants() const override { return true; }
  ResolvedDevice resolveDevice(const Model& model, const ForwardOptions& options) const override {
    return plastiscope::resolveDevice(model, options);
  }
  ForwardMemory memory(const ModelSpec& spec, const GroupSize& size, std::int64_t lastLayer,
                       const ResolvedDevice& device, const ForwardOptions& options) const override {
    return forwardMemory(spec, size, lastLayer, device, options);
  }
  DeviceMemory memoryOn(const ResolvedDevice& device) const override { return plastiscope::memoryOn(device); }
  ForwardFit fit(const ModelSpec& spec, const GroupSize& size, std::int64_t lastLayer,
                 const DeviceMemory& room, const ForwardOptions& options) const override {
    return fitForward(spec, size, lastLayer, room, options);
  }
  std::uint64_t stateBytes(const ModelSpec& spec, const GroupSize& size,
                           const ResolvedDevice& device) const override {
    return groupStateBytes(spec, size, device);
  }
  double flops(const ModelSpec& spec, const std::vector<TextSize>& texts, std::int64_t lastLayer,
               const std::optional<GroupStep>& until) const override {
    return groupFlops(spec, texts, lastLayer, until);
  }
  std::unique_ptr<ForwardRunner> makeRunner(std::shared_ptr<const Model> model, std::int64_t lastLayer,
                                            const ForwardOptions& options) const override {
    return makeForwardRunner(std::move(model), lastLayer, options);
  }
};

}  // namespace

std::shared_ptr<const ForwardEngine> nativeEngine() {
  return std::make_shared<const NativeEngine>();
}

}  // namespace plastiscope
