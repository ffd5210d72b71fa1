#include "core/jobs/study_damage.h"

#include "core/base/error.h"

namespace plastiscope {

namespace {

constexpr std::size_t kNamedHeads = 12;

template <typename Read>
std::string problemOf(const Progress& progress, const Read& read) {
  progress.throwIfStopped();
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void checkLayer(const CaptureFile& capture, const CaptureLayerInfo& layer, const Progress& progress,
                StudyDamage& damage) {
  const auto problem = [&](std::int64_t head, RowSet set) {
    return problemOf(progress, [&] { capture.rows({layer.layer, head, set}); });
  };
  std::map<std::int64_t, std::string> keys;
  for (const std::int64_t head : layer.keyHeads) keys[head] = problem(head, RowSet::Key);
  const std::int64_t groupSize = capture.info().groupSize(layer);
  for (const std::int64_t head : layer.queryHeads) {
    std::string found = problem(head, RowSet::Query);
    if (found.empty()) found = keys[head / groupSize];
    if (!found.empty()) damage.heads[{layer.layer, head}] = found;
  }
}

}  // namespace

StudyDamage damageOf(const Study& study, const Progress& progress) {
  StudyDamage damage;
  for (const auto& [table, problem] : study.analysis->leftOut) damage.other.push_back(problem);
  if (!study.capture) return damage;
  for (const CaptureLayerInfo& layer : study.capture->info().layerInfos)
    checkLayer(*study.capture, layer, progress, damage);
  if (!study.capture->info().examples.empty()) {
    const std::string texts = problemOf(progress, [&] { study.capture->tokenTexts(0); });
    if (!texts.empty()) damage.other.push_back(texts);
  }
  return damage;
}

std::string damageText(const StudyDamage& damage) {
  std::string text;
  if (!damage.heads.empty()) {
    text = damage.heads.size() == 1 ? "1 head is damaged: "
                                    : withCommas(damage.heads.size()) + " heads are damaged: ";
    std::size_t named = 0;
    for (const auto& [head, problem] : damage.heads) {
      if (named == kNamedHeads) {
        text += ", ...";
        break;
      }
      text += (named++ > 0 ? ", " : "") + head.text();
    }
    text += ". " + damage.heads.begin()->second + ".";
  }
  for (const std::string& problem : damage.other) text += (text.empty() ? "" : " ") + problem + ".";
  return text;
}

}  // namespace plastiscope
