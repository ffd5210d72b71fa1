#pragma once
// Computes values of a head beyond components, plane and plasticity: complement planes, diagnostics,
// projections (method.md, Complement planes and Diagnostics).
#include <optional>

#include "core/analysis/bins.h"
#include "core/analysis/head_rows.h"
#include "core/analysis/householder_head.h"
#include "core/analysis/pca.h"
#include "core/analysis/planes.h"
#include "core/analysis/query_model.h"
#include "core/analysis/rotation.h"
#include "core/base/progress.h"

namespace plastiscope {

// How well the position coordinate s = q . beta / |beta| predicts log2(t + 1).
struct ScalarPredictability {
  double r2 = kMissing;
  double error = kMissing;      // mean |log2(t + 1) - line through s|, octaves
  double meanError = kMissing;  // mean |log2(t + 1) - its mean|: the error without s
  double ratio = kMissing;      // error / meanError
};

struct Diagnostics {
  double biasSnr = kMissing;
  double skewness = kMissing, excessKurtosis = kMissing;  // of the queries around their drift line
  double contentSkewness = kMissing,
         contentKurtosis = kMissing;  // medians of absolute values over the other coordinates
  ScalarPredictability scalar;
  double fullMinusEmpirical = kMissing;  // AP_overall with variance full minus that with empirical
  RotationFrequency planeRotation;       // of the plane {a, b} with uncentred coordinates
};

// Projections of the rows of one kind. a and b are raw coordinates (as for mu_q_a and the slopes), pc0 and
// pc1 relative to the mean of the rows used for the components. A missing axis is empty.
struct RowProjections {
  std::vector<std::int64_t> example, position;  // [rows]
  Vector a, b, pc0, pc1;                        // [rows] or empty
  Matrix raw;                                   // [rows, chosen dimensions]
};

struct HeadInput;
struct HeadResult;

struct HeadProjections {
  std::vector<std::int64_t> rawDimensions;  // the columns of raw
  RowProjections query, key;
};

struct HeadExtras {
  std::vector<PlaneResult> planes;
  Diagnostics diagnostics;
  std::optional<HeadProjections> projections;  // if requested
};

// Adds planes and projections to a result with components and axes.
void addGeometryExtras(HeadResult& result, const HeadInput& input, const Moments& queryMoments);
// Adds diagnostics to a result with plasticity and bias_window. `contentVariance`: v_content of the head's
// pairs.
void addDiagnostics(HeadResult& result, const HeadInput& input, const HouseholderHead& reflected,
                    double contentVariance);

}  // namespace plastiscope
