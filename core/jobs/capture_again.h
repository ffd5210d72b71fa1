#pragma once
// Repeats a capture with changed heads or other RoPE settings: same texts, positions and heads, so that both
// can be compared.
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/progress.h"
#include "core/capture/capture_request.h"
#include "core/capture/head_list.h"
#include "core/store/capture_file.h"
#include "core/views/study.h"

namespace plastiscope {

// Ablate: the output of the heads is zero. ClampBias: the keys they see have no drift along the position
// axis. Rope: the whole model has other RoPE settings. OnlyLoss: no change, but the loss of every token is
// stored as a baseline for later changes.
enum class Intervention { Ablate, ClampBias, Rope, OnlyLoss };
struct CaptureChange {
  Intervention kind = Intervention::Ablate;
  std::vector<HeadName> heads = {};      // for Ablate and ClampBias
  std::filesystem::path clampFrom = {};  // ClampBias: the analysis with axis and slope of the keys
  JsonValue rope = {};                   // Rope: as --rope-override, an object
};

// Request that captures the texts of `origin` again into `out`, with this change in addition to its own ones.
// The texts come from the file `tokens` (see writeTokensOf()); the caller sets the model's path. UsageError
// if the capture lacks facts for that: a part or a snapshot, an import, one without its texts or with clamped
// heads; for OnlyLoss if it has losses.
CaptureRequest changedCapture(const CaptureFile& origin, const CaptureChange& change,
                              const std::filesystem::path& tokens, const std::filesystem::path& out);

// Writes the token ids of all texts in the format of --tokens, atomically. InputError, ResourceError.
void writeTokensOf(const CaptureFile& capture, const std::filesystem::path& file);

// "The loss goes from 4.7123 to 4.7301 nats per token (+0.0178), 95 % over 3 texts +0.0102 to +0.0254, that
// of passages seen before from ..."; "" where one of them has no losses. InputError.
std::string lossEffect(const CaptureFile& before, const CaptureFile& after);

// Prediction of what-if for the change. For one clamped head, about that head, whose own vectors the changed
// capture keeps: "What-if: AP of L12H6 itself from 0.412 to 0.871 without the drift of its keys."; for other
// changes, several heads, or one without such numbers, why there is none. InputError, Stopped.
std::string predictedEffect(const Study& origin, const CaptureChange& change, const Progress& progress);

// "L12H6", "L12H6,L14H1", "5 heads".
std::string changedHeadsText(const CaptureChange& change);
// The change of the model by a plan, for file names: "rope-yarn-4.without-L12H6"; "" if there is none.
std::string changeName(const CapturePlan& plan);
// Path next to the capture: "study.h5" -> "study.without-L12H6.h5", "study.clamped-L12H6.h5",
// "study.rope-yarn-4.h5", "study.with-loss.h5".
std::filesystem::path fileOfChange(const std::filesystem::path& capture, const CaptureChange& change);

}  // namespace plastiscope
