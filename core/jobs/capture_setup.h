#pragma once
// Prepares a capture: model, tokenized texts, and the plan with all values resolved.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/capture/capture_unit.h"
#include "core/capture/head_list.h"
#include "core/forward/forward_engine.h"
#include "core/jobs/capture_job.h"
#include "core/model/model.h"
#include "core/store/capture_file.h"
#include "core/store/capture_writer.h"
#include "core/store/unit_file.h"

namespace plastiscope {

struct CaptureSetup {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const ForwardEngine> engine;  // that runs it
  CapturePlan plan;                             // window, bucket size, compute type and device resolved
  UnitLayout layout;
  std::vector<CaptureExample> examples;    // of the part, cut to the window
  std::optional<CaptureExample> probe;     // repeated random tokens, as one more text
  std::vector<UnitFacts> facts;            // of every example, then of the probe
  std::int64_t tokensBeforeCut = 0;        // of the part
  std::int64_t trainedContext = 0;         // tokens, after RoPE override
  std::vector<std::string> tokenWarnings;  // about unusual tokens in the texts
  ForwardOptions forward;
  ResolvedDevice device;
  std::int64_t lastLayer = 0;  // last computed layer; with the model's output the number of layers
  JsonValue clamp;             // settings of the clamp; null if there is none
  JsonValue settings;          // those that the data depend on
  std::string settingsHash;    // SHA-256 of canonicalJson(settings)

  // The example with this running number, or the probe, whose number follows those of all examples.
  const CaptureExample& text(std::int64_t number) const {
    return number == std::ssize(examples) && probe ? *probe : examples.at(static_cast<std::size_t>(number));
  }
  bool isProbe(std::int64_t number) const { return number == std::ssize(examples); }
  bool onGpu() const { return device.device != "cpu"; }
  std::string deviceType() const { return device.device.substr(0, device.device.find(':')); }  // "cuda"
};

// Reads model, texts and tokenizer. Warnings (texts without tokens, equal ids) go to `progress`. UsageError,
// InputError, Stopped.
CaptureSetup prepareCapture(const CaptureRequest& request, Progress& progress);

// The settings that unfinished work must have, including the program version, whose bytes might differ.
Json workSettings(const CaptureSetup& setup);

// Metadata of the sealed file.
CaptureInfo captureInfoOf(const CaptureSetup& setup);

// The texts or token ids of a request, in the form of the model's chat template if that is wanted.
std::vector<CorpusText> readTexts(const CaptureRequest& request, const Model& model, Progress& progress);

// Seed of a text for the position sampler: an integer id itself (64-bit two's complement), else the BLAKE2b
// hash of the id (method.md, Position sampling).
std::int64_t seedIdOf(const CorpusText& text);

// The tokens of all examples and their texts. Nothing if they are not requested, or the model has no
// tokenizer that this program reads because the examples came as token ids.
std::optional<StoredTexts> storedTextsOf(const CaptureRequest& request, const CaptureSetup& setup);
// Whether storedTextsOf() will return texts.
bool storesTexts(const CaptureRequest& request, const CaptureSetup& setup);

// ---- capture_interventions.cpp: interventions on heads, with axis and slope for clamped ones from an
// analysis

// nullptr if no head is changed. Axis and slope of a clamped head are a and alpha_K of the analysis
// request.clampFrom, the centre is (L - 1) / 2 for its window L (resources/help/capture-format.md). Warns if
// the analysis is of another model, and about heads in `lastLayer` or later, on which no captured vector
// depends. UsageError for heads that the model does not have, heads in both lists, or one clamp option
// without the other; InputError if the analysis lacks axis or slope.
std::shared_ptr<const Interventions> chosenInterventions(const CaptureRequest& request, const Model& model,
                                                         std::int64_t lastLayer, Progress& progress);

// a and alpha_K of the heads in an analysis, in the given order. Warns if it is of another model. InputError
// naming what the file lacks.
std::vector<KeyClamp> keyClamps(const std::filesystem::path& analysis, const std::vector<HeadName>& heads,
                                const Model& model, Progress& progress);

// Settings of the clamp that the data depend on, in addition to the heads: centre, and a digest of all axes
// and slopes. null if no head is clamped.
Json clampSettings(const Interventions* interventions);

}  // namespace plastiscope
