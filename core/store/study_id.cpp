#include "core/store/study_id.h"

#include "core/base/hash.h"
#include "core/base/json.h"

namespace plastiscope {

namespace {

std::string textIn(const Json& value, const char* key) {
  return value.contains(key) && value[key].is_string() ? value[key].get<std::string>() : std::string();
}

}  // namespace

std::string StudyId::digest() const {
  return sha256Hex(model + "\n" + capture + "\n" + analysis).substr(0, 16);
}

Json StudyId::toJson() const {
  Json result = {{"model", model}, {"capture", capture}};
  if (!analysis.empty()) result["analysis"] = analysis;
  return result;
}

StudyId StudyId::fromJson(const Json& value) {
  if (!value.is_object()) return {};
  return StudyId{textIn(value, "model"), textIn(value, "capture"), textIn(value, "analysis")}.ifTelling();
}

StudyId StudyId::ifTelling() const {
  const bool tells = capture.find_first_not_of(capture.substr(0, 1)) != std::string::npos;
  return tells ? *this : StudyId();
}

std::string differenceOf(const StudyId& wanted, const StudyId& found) {
  if (!wanted.known()) return {};
  if (!found.known()) return "carries no hash that tells which capture it is";
  if (wanted.analysis.empty() && !found.analysis.empty()) return "is an analysis, not a capture";
  if (!wanted.analysis.empty() && found.analysis.empty()) return "is a capture, not an analysis";
  if (wanted.model != found.model) return "is of another model";
  if (wanted.capture != found.capture) return "was captured with other settings or texts";
  if (wanted.analysis != found.analysis) return "was analysed with other settings";
  return {};
}

}  // namespace plastiscope
