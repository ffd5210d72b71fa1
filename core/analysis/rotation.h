#pragma once
// Computes the plane {a, b} of a head: position axis, separation axis, and all values of method.md, Planar
// rotation. Names as in heads.csv. Missing values as in method.md, Degenerate cases.
#include "core/analysis/head_rows.h"
#include "core/analysis/moments.h"
#include "core/analysis/settings.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

// Names as in heads.csv. Missing as in method.md, Degenerate cases.
struct RotationResult {
  Vector a, b;  // [head_dim], unit, b by the chosen rule; size 0 if missing
  double muQueryA = kMissing, muKeyA = kMissing, muQueryB = kMissing, muKeyB = kMissing;  // activation
  double alphaQuery = kMissing, alphaKey = kMissing;  // activation / token
  double biasStrength = kMissing;                     // score / token, + = recency
  double biasWindow = kMissing;                       // Bn, score
  double biasLogit = kMissing;                        // logit
  double rQueryA = kMissing, rKeyA = kMissing, positionR = kMissing, slopeRatio = kMissing;
  double interceptQuery = kMissing;  // activation: mean query on a, extrapolated to position 0
  double separation = kMissing, separationCentroid = kMissing, separationEigenvector = kMissing;
  double varFracA = kMissing, varFracB = kMissing, planeVarFraction = kMissing;
  double residualPositionR = kMissing;                    // self-test: below 1e-9
  double contentVarB = kMissing;                          // activation^2
  double slopeAtStart = kMissing, slopeAtEnd = kMissing;  // score / token, for a query at 0 and at window - 1
  double axisBAngle = kMissing;                           // degrees between the two b axes, 0..90
};

// Queries and keys as one pool, weighted by the settings.
Moments rotationPool(const Moments& queryMoments, const Moments& keyMoments,
                     const AnalysisSettings& settings);

// Without rows (moments only) everything is computed from the moments, except the self-test.
RotationResult rotationOf(const MeasuredRows& query, const MeasuredRows& key, const CaptureFrame& frame,
                          const AnalysisSettings& settings);

}  // namespace plastiscope
