#pragma once
// A capture that is made again with a head or the model's RoPE changed: the same texts, positions and heads,
// so that both can be compared.
#include <filesystem>
#include <string>

#include "core/base/json_value.h"
#include "core/base/progress.h"
#include "core/capture/capture_request.h"
#include "core/capture/head_list.h"
#include "core/store/capture_file.h"
#include "core/views/study.h"

namespace plastiscope {

// Ablate: the output of a head is zero. ClampBias: it sees keys without their drift along the position axis.
// Rope: the whole model has these settings of RoPE in place of its own. OnlyLoss: nothing, but the loss of
// every token is kept, so that later changes have one to compare with.
enum class Intervention { Ablate, ClampBias, Rope, OnlyLoss };
struct CaptureChange {
  Intervention kind = Intervention::Ablate;
  HeadName head = {};                    // of Ablate and ClampBias
  std::filesystem::path clampFrom = {};  // ClampBias: the analysis that says how the keys drift
  JsonValue rope = {};                   // Rope: as --rope-override, an object
};

// What captures the texts of `origin` again with this change beside those that it has, into `out`. The
// model's place is left to the caller; the texts come from the file `tokens`, which writeTokensOf() makes.
// UsageError where the capture does not say all that it takes: a part or a snapshot, an import, one without
// its texts or with clamped heads; of OnlyLoss where it has its losses.
CaptureRequest changedCapture(const CaptureFile& origin, const CaptureChange& change,
                              const std::filesystem::path& tokens, const std::filesystem::path& out);

// The tokens of its texts with their ids, as --tokens reads them: atomically. InputError, ResourceError.
void writeTokensOf(const CaptureFile& capture, const std::filesystem::path& file);

// "The loss goes from 4.7123 to 4.7301 nats a token (+0.0178), 95 % over texts +0.0102 to +0.0254, that of
// passages seen before from ..."; "" where one of them has no losses. InputError.
std::string lossEffect(const CaptureFile& before, const CaptureFile& after);

// What What-if says of the change: of a clamped head itself, whose own vectors the changed capture keeps,
// "What-if: AP of L12H6 itself from 0.412 to 0.871 without the drift of its keys."; of other changes, and
// where the head has no such numbers, why it says nothing of them. InputError, Stopped.
std::string predictedEffect(const Study& origin, const CaptureChange& change, const Progress& progress);

// How a plan changes the model, for the name of a file: "rope-yarn-4.without-L12H6"; "" when it does not.
std::string changeName(const CapturePlan& plan);
// "study.h5" -> "study.without-L12H6.h5", "study.clamped-L12H6.h5", "study.rope-yarn-4.h5",
// "study.with-loss.h5", beside it.
std::filesystem::path fileOfChange(const std::filesystem::path& capture, const CaptureChange& change);

}  // namespace plastiscope
