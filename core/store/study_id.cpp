#include "core/store/study_id.h"

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/store/foreign_file.h"
#include "core/store/schema.h"
#include "core/store/stored_kind.h"
#include "core/store/trial_process.h"

namespace plastiscope {

namespace {

std::string textOf(const Hdf5Object& object, const char* attribute) {
  return object.has(attribute) ? object.text(attribute) : std::string();
}

StudyId readId(const std::filesystem::path& file) {
  const Hdf5Group root = Hdf5Group::openFile(file);
  const std::string own = textOf(root, schema::kSettingsHash);
  switch (storedKindOf(root)) {
    case StoredKind::Capture:
      return {textOf(root.group(schema::kModel), schema::kFingerprint), own, {}};
    case StoredKind::Analysis:
      return {textOf(root, schema::kCaptureFingerprint), textOf(root, schema::kCaptureSettingsHash), own};
    case StoredKind::Other:
      break;
  }
  throw InputError({file, "", "a capture or an analysis of this program", foreignContentOf(file)});
}

std::string textIn(const Json& value, const char* key) {
  return value.contains(key) && value[key].is_string() ? value[key].get<std::string>() : std::string();
}

// What other writers put in the place of a hash, such as zeros, tells no capture from another.
bool tellsNothing(const std::string& hash) {
  return hash.find_first_not_of(hash.substr(0, 1)) == std::string::npos;
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
  if (!value.is_object() || tellsNothing(textIn(value, "capture"))) return {};
  return {textIn(value, "model"), textIn(value, "capture"), textIn(value, "analysis")};
}

StudyId studyIdOf(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    throw InputError({file, "", "", "there is no such file"});
  if (!hasHdf5Signature(file))
    throw InputError({file, "", "a capture or an analysis of this program", foreignContentOf(file)});
  requireHarmless(file, [&] { readId(file); });
  return StudyId::fromJson(readId(file).toJson());
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
