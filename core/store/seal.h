#pragma once
// Joining the finished units of a capture, in example order, into the sealed file.
#include <filesystem>
#include <map>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/capture/capture_unit.h"
#include "core/store/capture_writer.h"
#include "core/store/unit_file.h"

namespace plastiscope {

// Units that are not what the manifest says: a byte was changed, or a file is gone, since they were finished.
struct DamagedUnits : InputError {
  DamagedUnits(const std::string& sentence, std::vector<std::int64_t> damaged)
      : InputError(sentence), examples(std::move(damaged)) {}
  std::vector<std::int64_t> examples;
};

struct FinishedUnits {
  const CaptureInfo& info;   // with everything but layerInfos' rows filled in
  const StoredTexts* texts;  // may be null
  const UnitLayout& layout;
  const std::map<std::int64_t, UnitIndex>& units;  // one per example
  std::vector<std::int32_t> firstPlaces = {};      // of all tokens, where there are losses
};

// A head that overflowed float16 in any example is stored as float32 and reported as a warning. Every byte
// taken from a unit is compared with the manifest's checksum. Stopped, ResourceError, DamagedUnits.
void sealCapture(const FinishedUnits& finished, const std::filesystem::path& out, Progress& progress);

}  // namespace plastiscope
