#pragma once
// What the tables say about a head beyond components, plane and plasticity: complement planes, diagnostics,
// projections.
#include <optional>

#include "core/analysis/bins.h"
#include "core/analysis/content_spread.h"
#include "core/analysis/diagnostics.h"
#include "core/analysis/parts.h"
#include "core/analysis/planes.h"
#include "core/analysis/projections.h"
#include "core/base/progress.h"

namespace plastiscope {

struct HeadResult;
struct KeySide;

struct HeadProjections {
  std::vector<std::int64_t> rawDimensions;  // the columns of raw
  KindProjections query, key;
};

struct HeadExtras {
  std::vector<PlaneResult> planes;
  Diagnostics diagnostics;
  std::optional<HeadProjections> projections;  // only where the settings ask for them
};

// What they are made from; everything outlives the call.
struct ExtrasInput {
  const CaptureFrame& frame;
  const KindRows& query;
  const KeySide& key;
  const BinGrid& grid;
  const AnalysisSettings& settings;
  const ContentSpread*
      spread;  // has watched the pairs of the head's plasticity; null where that is not wanted
  const Progress& progress;
};

// Adds them to a result that has everything else.
void addExtras(HeadResult& result, const ExtrasInput& input, const AnalysisParts& wanted);

}  // namespace plastiscope
