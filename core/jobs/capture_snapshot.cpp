#include "core/jobs/capture_snapshot.h"

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/jobs/capture_setup.h"
#include "core/jobs/capture_texts.h"
#include "core/store/seal.h"
#include "core/store/work_folder.h"

namespace plastiscope {

namespace {

// A capture of nothing but these examples.
void keepOnly(const std::map<std::int64_t, UnitIndex>& units, CaptureSetup& setup) {
  std::vector<CaptureExample> kept;
  for (const auto& [example, unit] : units)
    kept.push_back(std::move(setup.examples[static_cast<std::size_t>(example)]));
  setup.settings.set("partial_of", setup.examples.size());
  setup.settings.set("examples", kept.size());
  setup.settingsHash = sha256Hex(canonicalJson(setup.settings));
  setup.examples = std::move(kept);
}

}  // namespace

CaptureSnapshot snapshotCapture(const CaptureRequest& request, const std::filesystem::path& file,
                                Progress& progress) {
  requireWritableFolderOf(file);
  CaptureSetup setup = prepareCapture(request, progress);
  WorkFolder::requireSameSettings(request.out, workSettings(setup));
  const auto units = WorkFolder::finishedUnits(request.out, setup.layout, setup.facts);
  CaptureSnapshot snapshot{static_cast<std::int64_t>(units.size()),
                           static_cast<std::int64_t>(setup.examples.size())};
  if (units.empty())
    throw InputError({WorkFolder::pathFor(request.out), "", "at least one finished example", "none yet"});
  keepOnly(units, setup);
  CaptureInfo info = captureInfoOf(setup);
  info.created = nowIso8601();
  const std::optional<StoredTexts> texts = storedTextsOf(request, setup);
  sealCapture(info, texts ? &*texts : nullptr, setup.layout, units, file, progress);
  return snapshot;
}

}  // namespace plastiscope
