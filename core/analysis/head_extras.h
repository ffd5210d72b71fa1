#pragma once
// What the tables say about a head beyond components, plane and plasticity: complement planes, diagnostics,
// projections.
#include <optional>

#include "core/analysis/bins.h"
#include "core/analysis/diagnostics.h"
#include "core/analysis/planes.h"
#include "core/analysis/projections.h"
#include "core/analysis/reflected_head.h"
#include "core/base/progress.h"

namespace plastiscope {

struct HeadResult;
struct KeySide;

struct HeadProjections {
  std::vector<std::int64_t> rawDimensions;  // the columns of raw
  RowProjections query, key;
};

struct HeadExtras {
  std::vector<PlaneResult> planes;
  Diagnostics diagnostics;
  std::optional<HeadProjections> projections;  // only where the settings ask for them
};

// What they are made from; everything outlives the calls.
struct GeometryExtrasInput {
  const CaptureFrame& frame;
  const KindRows& query;
  const Moments& queryMoments;
  const KeySide& key;
  const AnalysisSettings& settings;
};
struct DiagnosticsInput {
  const CaptureFrame& frame;
  const KindRows& query;
  const KeySide& key;
  const BinGrid& grid;
  const AnalysisSettings& settings;
  const ReflectedHead& reflected;
  double contentVariance;  // v_content of the head's pairs
  const Progress& progress;
};

// Planes and projections, added to a result that has its components and axes.
void addGeometryExtras(HeadResult& result, const GeometryExtrasInput& input);
// Added to a result that has its plasticity and bias_window.
void addDiagnostics(HeadResult& result, const DiagnosticsInput& input);

}  // namespace plastiscope
