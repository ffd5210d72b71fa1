#include "core/store/capture_parts.h"

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json.h"

namespace plastiscope {

namespace {

constexpr const char *kPart = "part", *kExamples = "examples", *kDigest = "examples_sha256",
                     *kSnapshot = "partial_of";

std::string countOf(std::int64_t count, std::int64_t all) {
  return withCommas(count) + " of " + withCommas(all) + " texts";
}

}  // namespace

std::optional<CapturePart> partOf(const Json& settings) {
  if (!settings.is_object() || !settings.contains(kPart) || !settings[kPart].is_string()) return {};
  try {
    return CapturePart::parse(settings[kPart].get<std::string>());
  } catch (const UsageError&) {
    return {};  // written by another program
  }
}

std::int64_t examplesOfWhole(const Json& settings) {
  if (!settings.is_object() || !settings.contains(kExamples) || !settings[kExamples].is_number_integer())
    return -1;
  const auto count = settings[kExamples].get<std::int64_t>();
  return count <= INT32_MAX ? count : -1;
}

bool isSnapshot(const Json& settings) {
  return settings.is_object() && settings.contains(kSnapshot);
}

std::string partText(const CaptureInfo& info) {
  const std::optional<CapturePart> part = partOf(info.settings);
  if (!part) return "";
  const auto held = static_cast<std::int64_t>(info.examples.size());
  const std::int64_t all = examplesOfWhole(info.settings);
  return "part " + std::to_string(part->index) + " of " + std::to_string(part->count) + ", " +
         (all < 0 ? withCommas(held) + " texts" : countOf(held, all));
}

std::string partWarning(const CaptureInfo& info) {
  const std::string text = partText(info);
  return text.empty() ? "" : "the capture is " + text + "; merge joins all parts";
}

void warnOfPart(const CaptureInfo& info, Progress& progress) {
  const std::string sentence = partWarning(info);
  if (!sentence.empty()) progress.warned(sentence);
}

Json partSettings(Json settings, CapturePart part) {
  if (!part.isWhole()) settings[kPart] = part.text();
  return settings;
}

Json wholeSettings(Json settings) {
  if (settings.is_object()) settings.erase(kPart);
  return settings;
}

std::string digestOfExamples(const std::vector<CaptureExampleInfo>& examples) {
  Sha256 hash;
  for (const CaptureExampleInfo& example : examples)
    hash.add(canonicalJson(Json::array({example.id, example.seedId, example.sha256})) + "\n");
  return hash.hex();
}

std::string wrongExamples(const CaptureInfo& info) {
  const Json& settings = info.settings;
  const std::int64_t all = examplesOfWhole(settings);
  if (all < 0 || isSnapshot(settings) || !settings.contains(kDigest)) return "";
  const std::optional<CapturePart> part = partOf(settings);
  const std::int64_t wanted = part ? part->end(all) - part->begin(all) : all,
                     held = static_cast<std::int64_t>(info.examples.size());
  if (held != wanted) return "expected " + countOf(wanted, all) + ", found " + withCommas(held);
  if (!part && settings[kDigest] != digestOfExamples(info.examples))
    return "its texts are not those that its settings name";
  return "";
}

}  // namespace plastiscope
