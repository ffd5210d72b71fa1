#pragma once
// The engine "transformers": a Python process of the user runs the model as PyTorch does, with all weights in
// memory, text after text.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/forward/forward_engine.h"
#include "core/model/model.h"

namespace plastiscope {

class PythonSession;

// What Python says about a model, beside its ModelSpec.
struct TransformersFacts {
  std::int64_t parameters = 0;
  bool ablation = false, losses = false;
  bool storesScores = false;  // the scores of a layer are in memory as one tensor
  struct Device {
    std::string name;
    std::optional<std::uint64_t> free;
  };
  std::vector<Device> devices;  // "cpu", "cuda:0", "mps", ...
  std::string acceleratorType;  // compute type of --dtype auto, other than on a CPU
};

class TransformersEngine : public ForwardEngine {
 public:
  // Starts `python` and asks it about the model, without loading weights. `reason`: why this engine was
  // chosen; "" if the user did.
  struct Opened {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const TransformersEngine> engine;
  };
  static Opened open(const std::filesystem::path& python, const FolderFacts& folder,
                     const JsonValue& ropeOverride, bool followLinks, const std::string& reason,
                     const Progress& progress);

  TransformersEngine(std::shared_ptr<PythonSession> session, TransformersFacts facts)
      : m_session(std::move(session)), m_facts(std::move(facts)) {}

  const TransformersFacts& facts() const { return m_facts; }
  std::string needs(const Model& model) const;  // "1.1 GB for all weights in float32, on cpu"
  void requireSupport(const Model& model, const ForwardOptions& options) const override;
  bool keepsWeights() const override { return true; }
  ResolvedDevice resolveDevice(const Model& model, const ForwardOptions& options) const override;
  ForwardMemory memory(const ModelSpec& spec, const GroupSize& size, std::int64_t lastLayer,
                       const ResolvedDevice& device, const ForwardOptions& options) const override;
  DeviceMemory memoryOn(const ResolvedDevice& device) const override;
  ForwardFit fit(const ModelSpec& spec, const GroupSize& size, std::int64_t lastLayer,
                 const DeviceMemory& room, const ForwardOptions& options) const override;
  std::uint64_t stateBytes(const ModelSpec&, const GroupSize&, const ResolvedDevice&) const override {
    return 0;
  }
  double flops(const ModelSpec& spec, const std::vector<TextSize>& texts, std::int64_t lastLayer,
               const std::optional<GroupStep>& until) const override;
  double layerFlops(const ModelSpec& spec, std::int64_t tokens) const;
  std::unique_ptr<ForwardRunner> makeRunner(std::shared_ptr<const Model> model, std::int64_t lastLayer,
                                            const ForwardOptions& options) const override;

 private:
  std::shared_ptr<PythonSession> m_session;
  TransformersFacts m_facts;
};

}  // namespace plastiscope
