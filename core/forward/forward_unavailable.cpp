// Replaces the forward pass in a build without libtorch: reports that it is missing.
#include "core/base/error.h"
#include "core/forward/availability.h"
#include "core/forward/forward.h"

namespace plastiscope {

namespace {

[[noreturn]] void refuse() {
  if (!missingForwardReason().empty()) throw UsageError(missingForwardReason());
  throw UsageError(
      "this program has no capture backend: it was built without libtorch, or "
      "libexec/plastiscope/plastiscope-capture (package plastiscope-capture) "
      "is missing beside its bin folder, so it can open and analyse captures but not make them");
}

}  // namespace

bool forwardAvailable() {
  return false;
}

const std::string& gpuProblem() {
  static const std::string none;
  return none;
}

ResolvedDevice resolveDevice(const Model&, const ForwardOptions&) {
  refuse();
}

bool readsEveryRow(const TextSize&) {
  refuse();
}

ForwardMemory forwardMemory(const ModelSpec&, const GroupSize&, std::int64_t, const ResolvedDevice&,
                            const ForwardOptions&) {
  refuse();
}

DeviceMemory memoryOn(const ResolvedDevice&) {
  refuse();
}

ForwardFit fitForward(const ModelSpec&, const GroupSize&, std::int64_t, const DeviceMemory&,
                      const ForwardOptions&) {
  refuse();
}

std::uint64_t groupStateBytes(const ModelSpec&, const GroupSize&, const ResolvedDevice&) {
  refuse();
}

double groupFlops(const ModelSpec&, const std::vector<TextSize>&, std::int64_t,
                  const std::optional<GroupStep>&) {
  refuse();
}

std::unique_ptr<ForwardRunner> makeForwardRunner(std::shared_ptr<const Model>, std::int64_t,
                                                 const ForwardOptions&) {
  refuse();
}

}  // namespace plastiscope
