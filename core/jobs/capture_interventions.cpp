#include <algorithm>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/capture/head_list.h"
#include "core/jobs/capture_setup.h"
#include "core/jobs/clamp_source.h"

namespace plastiscope {

namespace {

std::vector<HeadName> headsOf(const std::string& list, const ModelSpec& spec) {
  return list.empty() ? std::vector<HeadName>() : headsMeant(list, spec);
}

void requireDifferent(const std::vector<HeadName>& ablated, const std::vector<HeadName>& clamped) {
  for (const HeadName& head : clamped) {
    if (std::binary_search(ablated.begin(), ablated.end(), head))
      throw UsageError("head " + head.text() + " is listed in both --ablate and --clamp-bias; leave one out");
  }
}

void warnOfUnseen(const std::vector<HeadName>& heads, std::int64_t lastLayer, Progress& progress) {
  for (const HeadName& head : heads) {
    if (head.layer < lastLayer) continue;
    progress.warned("head " + head.text() +
                    " is changed, but no captured layer comes after its own: the change will not be visible");
    return;
  }
}

}  // namespace

std::shared_ptr<const Interventions> chosenInterventions(const CaptureRequest& request, const Model& model,
                                                         std::int64_t lastLayer, Progress& progress) {
  if (request.plan.clampBias.empty() != request.clampFrom.empty()) {
    throw UsageError(request.clampFrom.empty() ? "--clamp-bias needs --clamp-from ANALYSIS.h5"
                                               : "--clamp-from needs --clamp-bias HEADS");
  }
  const auto ablated = headsOf(request.plan.ablate, model.spec);
  const auto clamped = headsOf(request.plan.clampBias, model.spec);
  if (ablated.empty() && clamped.empty()) return nullptr;
  requireDifferent(ablated, clamped);
  auto all = std::make_shared<Interventions>();
  for (const HeadName& head : ablated) all->ablated.push_back({head.layer, head.head});
  if (!clamped.empty()) all->clamped = keyClamps(request.clampFrom, clamped, model, progress);
  warnOfUnseen(ablated, lastLayer, progress);
  warnOfUnseen(clamped, lastLayer, progress);
  return all;
}

Json clampSettings(const Interventions* interventions) {
  if (interventions == nullptr || interventions->clamped.empty()) return nullptr;
  Sha256 digest;
  for (const KeyClamp& clamp : interventions->clamped) {
    digest.add(canonicalJson(Json::array({clamp.at.layer, clamp.at.head, clamp.slope, clamp.axis})) + "\n");
  }
  return {{"centre", interventions->clamped.front().centre}, {"slopes_and_axes_sha256", digest.hex()}};
}

}  // namespace plastiscope
