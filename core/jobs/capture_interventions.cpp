#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/capture/head_list.h"
#include "core/jobs/capture_setup.h"
#include "core/store/analysis_file.h"
#include "core/store/table_columns.h"

namespace plastiscope {

namespace {

class ClampSource {
 public:
  explicit ClampSource(const std::filesystem::path& file) : m_file(file), m_analysis(readAnalysis(file)) {}

  const std::string& fingerprint() const { return m_analysis.provenance.captureFingerprint; }  // of the model

  std::int64_t fact(const std::string& key) const {
    const Json& facts = m_analysis.provenance.capture;
    const auto found = facts.find(key);
    if (found == facts.end() || !found->is_number_integer() || *found < 1)
      refuse("capture " + key, "a number above 0", found == facts.end() ? "none" : canonicalJson(*found));
    return found->get<std::int64_t>();
  }

  void requireFitting(const ModelSpec& spec) const {
    const std::int64_t width = fact("head_dim");
    if (width != spec.headDim) refuse("head_dim", std::to_string(spec.headDim), std::to_string(width));
    const std::string point = canonicalJson(m_analysis.provenance.capture->value("point", Json("post-rope")));
    if (point == "\"pre-rope\"")
      refuse("point", "keys after the rotation, which are the ones to clamp", point);
  }

  // `clamps`: by head, with axes of the right length.
  void read(const std::map<HeadName, KeyClamp*>& clamps) const {
    try {
      const Table &heads = table("heads"), &axes = table("axes");
      const HeadColumns head(heads), axisHead(axes);
      const NumberColumn slope(heads, "alpha_k"), dimension(axes, "dimension"), value(axes, "value");
      for (std::size_t row = 0; row < heads.rows(); ++row) {
        const auto clamp = clamps.find(head[row]);
        if (clamp != clamps.end()) clamp->second->slope = slope[row];
      }
      const std::vector<std::string>& name = textColumn(axes, "axis");
      for (std::size_t row = 0; row < axes.rows(); ++row) {
        const auto clamp = name[row] == "a" ? clamps.find(axisHead[row]) : clamps.end();
        if (clamp == clamps.end()) continue;
        std::vector<double>& axis = clamp->second->axis;
        axis[static_cast<std::size_t>(dimension.index(row, std::ssize(axis)))] = value[row];
      }
    } catch (const InputError& error) {
      throw InputError(pathText(m_file) + ": " + error.what());
    }
    for (const auto& [head, clamp] : clamps) requireComplete(head, *clamp);
  }

 private:
  [[noreturn]] void refuse(const std::string& place, const std::string& expected,
                           const std::string& found) const {
    throw InputError({m_file, place, expected, found});
  }

  const Table& table(const std::string& name) const {
    const Table* found = m_analysis.find(name);
    if (found == nullptr) throw InputError("table " + name + ": expected a table, found none");
    return *found;
  }

  void requireComplete(const HeadName& head, const KeyClamp& clamp) const {
    if (!std::isfinite(clamp.slope)) refuse("head " + head.text(), "its alpha_k in the table heads", "none");
    double length = 0;
    for (const double value : clamp.axis) length += value * value;
    if (std::isnan(length)) refuse("head " + head.text(), "its axis a in the table axes", "none");
    if (std::abs(length - 1) > 1e-6)
      refuse("head " + head.text(), "an axis a of length 1", std::to_string(std::sqrt(length)));
  }

  std::filesystem::path m_file;
  AnalysisFile m_analysis;
};

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

std::vector<KeyClamp> keyClamps(const std::filesystem::path& analysis, const std::vector<HeadName>& heads,
                                const Model& model, Progress& progress) {
  const ClampSource source(analysis);
  source.requireFitting(model.spec);
  if (source.fingerprint() != model.fingerprint)
    progress.warned(pathText(analysis) + " is an analysis of another model than this one");
  const double centre = static_cast<double>(source.fact("window") - 1) / 2;
  std::vector<KeyClamp> all(heads.size());
  std::map<HeadName, KeyClamp*> places;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const auto width = static_cast<std::size_t>(model.spec.layer(heads[i].layer).headDim);
    all[i] = {{heads[i].layer, heads[i].head}, std::vector<double>(width, kMissing), kMissing, centre};
    places[heads[i]] = &all[i];
  }
  source.read(places);
  return all;
}

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
