#pragma once
// Joins the finished units of a capture, in example order, into the sealed file.
#include <filesystem>
#include <map>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/capture/capture_unit.h"
#include "core/store/capture_writer.h"
#include "core/store/unit_file.h"

namespace plastiscope {

// Thrown for units that differ from the manifest because a byte was changed or a file is missing.
struct DamagedUnits : InputError {
  DamagedUnits(const std::string& sentence, std::vector<std::int64_t> damaged)
      : InputError(sentence), examples(std::move(damaged)) {}
  std::vector<std::int64_t> examples;
};

struct FinishedUnits {
  const CaptureInfo& info;   // complete except for the rows in layerInfos
  const StoredTexts* texts;  // may be null
  const UnitLayout& layout;
  const std::map<std::int64_t, UnitIndex>& units;  // one per example
  std::vector<std::int32_t> firstPlaces = {};      // of all tokens, if there are losses
};

// A head that overflowed float16 in any example is stored as float32 and reported as a warning. Every byte
// taken from a unit is compared with the manifest's checksum. Stopped, ResourceError, DamagedUnits.
void sealCapture(const FinishedUnits& finished, const std::filesystem::path& out, Progress& progress);

}  // namespace plastiscope
