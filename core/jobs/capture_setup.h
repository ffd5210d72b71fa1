#pragma once
// Everything a capture needs before the first example runs: model, texts as tokens, the plan with no value
// left open.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/capture/capture_unit.h"
#include "core/forward/forward.h"
#include "core/jobs/capture_job.h"
#include "core/model/model.h"
#include "core/store/capture_file.h"
#include "core/store/capture_writer.h"
#include "core/store/unit_file.h"

namespace plastiscope {

struct CaptureSetup {
  std::shared_ptr<const Model> model;
  CapturePlan plan;  // window, bucket size, compute type and device resolved
  UnitLayout layout;
  std::vector<CaptureExample> examples;  // of the part, cut to the window
  std::vector<UnitFacts> facts;          // of every example
  std::int64_t tokensBeforeCut = 0;      // of the part
  std::int64_t trainedContext = 0;       // tokens, with RoPE as it was overridden
  std::vector<std::string> tokenWarnings;  // of unusual tokens in the texts
  ForwardOptions forward;
  ResolvedDevice device;
  std::int64_t lastLayer = 0;  // nothing after it is computed; the number of layers: with the model's output
  JsonValue clamp;             // what decides how keys are clamped; null when none are
  JsonValue settings;          // those that decide the data
  std::string settingsHash;    // SHA-256 of canonicalJson(settings)

  bool onGpu() const { return device.device != "cpu"; }
};

// Reads model, texts and tokenizer. Warnings (texts without tokens, equal ids) go to `progress`. UsageError,
// InputError, Stopped.
CaptureSetup prepareCapture(const CaptureRequest& request, Progress& progress);

// The settings that unfinished work must share; another version of the program might compute other bytes.
Json workSettings(const CaptureSetup& setup);

// What the sealed file says about the capture.
CaptureInfo captureInfoOf(const CaptureSetup& setup);

// Seed of a text for the position sampler: an integer id itself (64-bit two's complement), else the BLAKE2b
// number of the id.
std::int64_t seedIdOf(const CorpusText& text);

// The tokens of all examples, and the words of those that occur. Nothing when they are not wanted, or the
// model has no tokenizer that this program reads: then the examples came as token ids.
std::optional<StoredTexts> storedTextsOf(const CaptureRequest& request, const CaptureSetup& setup);
// Whether storedTextsOf() will give any.
bool storesTexts(const CaptureRequest& request, const CaptureSetup& setup);

}  // namespace plastiscope
