#include "core/jobs/capture_again.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/analysis/resamples.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/compare/compared_losses.h"
#include "core/compare/text_inference.h"
#include "core/jobs/head_work.h"
#include "core/jobs/inspect_job.h"
#include "core/store/capture_parts.h"
#include "core/views/metric_info.h"
#include "core/views/study_facts.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxHeadsInName = 60;  // characters, in names of files

[[noreturn]] void refuseAgain(const CaptureFile& capture, const std::string& why) {
  throw UsageError(pathText(capture.path()) + " cannot be captured again: " + why);
}

// Keys of a capture's settings that are not part of the plan.
constexpr const char* kNotOfPlan[] = {"model",      "model_fingerprint", "examples",      "examples_sha256",
                                      "no_special", kTokenWarnings,      "chat_template", "template"};

CapturePlan planOf(const CaptureFile& capture) {
  Json settings = capture.info().settings;
  if (partOf(settings)) refuseAgain(capture, "it is a part of a capture; merge the parts first");
  if (isSnapshot(settings)) refuseAgain(capture, "it is a look at a capture that is not finished");
  if (!settings.is_object() || !settings.contains("examples_sha256"))
    refuseAgain(capture, "another program made it, and its settings do not state how");
  if (settings.contains("clamp"))
    refuseAgain(capture, "its heads were clamped with an analysis that is not stored in it");
  for (const char* key : kNotOfPlan) settings.erase(key);
  return CapturePlan::fromJson(settings);
}

// "rope-yarn-4": kind and numbers, as far as they are valid in file names.
std::string ropeText(const JsonValue& rope) {
  std::string text = "rope";
  const auto add = [&text](const Json& value) {
    if (!value.is_string() && !value.is_number()) return;
    text += "-" + (value.is_string() ? value.get<std::string>() : numberText(value.get<double>()));
  };
  if (rope->contains("rope_type")) add(rope->at("rope_type"));
  for (const auto& [key, value] : rope->items()) {
    if (key != "rope_type") add(value);
  }
  std::erase_if(text, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '.'; });
  return text;
}

// Difference of the mean loss over all tokens, with the interval of a jackknife over texts
// (resources/help/uncertainty.md). Missing for fewer than two texts.
struct ChangeOverTexts {
  Interval interval = {};
  std::size_t texts = 0;
};
ChangeOverTexts changeOverTexts(const CaptureFile& before, const CaptureFile& after) {
  std::vector<LossMean> texts;
  LossMean all;
  for (std::int64_t text = 0; text < std::ssize(before.info().examples); ++text) {
    const std::vector<float> then = before.losses(text).nll, now = after.losses(text).nll;
    LossMean own;
    for (std::size_t t = 0; t < std::min(then.size(), now.size()); ++t) {
      if (!std::isfinite(then[t]) || !std::isfinite(now[t])) continue;
      own.sum += static_cast<double>(now[t]) - static_cast<double>(then[t]);
      ++own.tokens;
    }
    if (own.tokens == 0) continue;
    texts.push_back(own);
    all.sum += own.sum;
    all.tokens += own.tokens;
  }
  const Resamples without = leaveOut(std::ssize(texts), AnalysisSettings().jackknifeGroups);
  std::vector<double> changes;  // [resample]
  for (const std::vector<std::int32_t>& times : without.times) {
    LossMean kept = all;
    for (std::size_t text = 0; text < texts.size(); ++text) {
      if (times[text] > 0) continue;
      kept.sum -= texts[text].sum;
      kept.tokens -= texts[text].tokens;
    }
    changes.push_back(kept.nll());
  }
  return {Estimator(without).of(changes).interval, texts.size()};
}

}  // namespace

CaptureRequest changedCapture(const CaptureFile& origin, const CaptureChange& change, const fs::path& tokens,
                              const fs::path& out) {
  CaptureRequest request;
  request.plan = planOf(origin);
  if (!origin.hasTexts()) refuseAgain(origin, "its texts are not stored in it (--no-texts)");
  std::string& ablated = request.plan.ablate;
  switch (change.kind) {
    case Intervention::Ablate:
      ablated += (ablated.empty() ? "" : ",") + headListText(change.heads);
      break;
    case Intervention::ClampBias:
      request.plan.clampBias = headListText(change.heads);
      request.clampFrom = change.clampFrom;
      break;
    case Intervention::Rope:
      request.plan.ropeOverride = change.rope;
      break;
    case Intervention::OnlyLoss:
      if (origin.hasLosses()) refuseAgain(origin, "it already has the loss of every token");
      request.plan.loss = true;
      break;
  }
  request.plan.validate();
  request.tokens = tokens;
  request.out = out;
  return request;
}

void writeTokensOf(const CaptureFile& capture, const fs::path& file) {
  std::string lines;
  for (std::size_t i = 0; i < capture.info().examples.size(); ++i) {
    const CaptureExampleInfo& example = capture.info().examples[i];
    // An id that is a number is its own seed; a text id is hashed even if it looks like one.
    const bool isNumber = example.id == std::to_string(example.seedId);
    lines += canonicalJson({{"id", isNumber ? Json(example.seedId) : Json(example.id)},
                            {"tokens", capture.tokenIds(i)}}) +
             "\n";
  }
  writeFileAtomically(file, lines);
}

std::string lossEffect(const CaptureFile& before, const CaptureFile& after) {
  const auto then = lossesOf(before), now = lossesOf(after);
  if (!then || !now || then->all.tokens == 0 || now->all.tokens == 0) return "";
  const auto change = [](const LossMean& from, const LossMean& to) {
    return "from " + lossText(from.nll(), false) + " to " + lossText(to.nll(), false) + " nats per token (" +
           lossText(to.nll() - from.nll(), true) + ")";
  };
  std::string sentence = "The loss goes " + change(then->all, now->all);
  const auto [over, texts] = changeOverTexts(before, after);
  if (over.known()) {
    sentence += ", 95 % over " + std::to_string(texts) + " texts " + lossText(over.low, true) + " to " +
                lossText(over.high, true);
    if (over.low <= 0 && over.high >= 0) sentence += std::string(": ") + kNoDifferenceShown;
  }
  if (then->repeated.tokens > 0 && now->repeated.tokens > 0)
    sentence += ", that of passages seen before " + change(then->repeated, now->repeated);
  return sentence + ".";
}

std::string predictedEffect(const Study& origin, const CaptureChange& change, const Progress& progress) {
  if (change.kind == Intervention::Rope)
    return "What-if has no prediction for another RoPE: it only scales the drift of vectors that are already "
           "rotated.";
  const std::string head = changedHeadsText(change);
  if (change.kind == Intervention::Ablate)
    return "What-if predicts no change, because it treats each head alone: without their output " + head +
           " keep their own queries and keys, and only later layers change.";
  const std::string none = "What-if has no prediction for " + head;
  if (change.heads.size() != 1) return none + ": it treats each head alone.";
  if (origin.capture == nullptr) return none + ": the capture with its rows is not open.";
  try {
    const WhatIfHead prepared =
        prepareWhatIf(*origin.capture, change.heads.front(), settingsOf(*origin.analysis), progress);
    WhatIf clamped;
    clamped.alphaKey = 0;
    const double before = prepared.evaluate({}).summary.overall,
                 after = prepared.evaluate(clamped).summary.overall;
    if (!std::isfinite(before) || !std::isfinite(after)) return none + ": its AP is not known.";
    return "What-if: AP of " + head + " itself from " + fixedText(before, 3) + " to " + fixedText(after, 3) +
           " without the drift of its keys.";
  } catch (const UsageError& error) {  // settings of the analysis that what-if does not support
    return none + " with the settings of its analysis (" + error.what() + ").";
  }
}

std::string changedHeadsText(const CaptureChange& change) {
  constexpr std::size_t kNamed = 4;
  return change.heads.size() <= kNamed ? headListText(change.heads)
                                       : std::to_string(change.heads.size()) + " heads";
}

std::string changeName(const CapturePlan& plan) {
  std::string name = plan.ropeOverride->is_object() ? ropeText(plan.ropeOverride) : "";
  const auto add = [&name](const std::string& heads, const std::string& what) {
    if (!heads.empty()) name += (name.empty() ? "" : ".") + what + heads.substr(0, kMaxHeadsInName);
  };
  add(plan.ablate, "without-");
  add(plan.clampBias, "clamped-");
  return name;
}

fs::path fileOfChange(const fs::path& capture, const CaptureChange& change) {
  std::string what, heads = headListText(change.heads);
  if (heads.size() > kMaxHeadsInName)
    heads = std::to_string(change.heads.size()) + "-heads-" + sha256Hex(heads).substr(0, 8);
  if (change.kind == Intervention::Ablate) what = "without-" + heads;
  if (change.kind == Intervention::ClampBias) what = "clamped-" + heads;
  if (change.kind == Intervention::Rope) what = ropeText(change.rope);
  if (change.kind == Intervention::OnlyLoss) what = "with-loss";
  return capture.parent_path() / (capture.stem().string() + "." + what + ".h5");
}

}  // namespace plastiscope
