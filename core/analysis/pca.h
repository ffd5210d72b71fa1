#pragma once
// Computes principal components of a head's queries and keys, and its taxonomy class (method.md, Principal
// components and Head classes).
#include <string>
#include <vector>

#include "core/analysis/matrix.h"
#include "core/analysis/moments.h"
#include "core/analysis/settings.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

struct PcaResult {
  // [components]; empty if the head has no PCA.
  std::vector<double> explainedVarianceRatio, rQuery, rKey;
  Matrix components;  // [head_dim, components], unit columns
  std::string taxonomy = "undefined";
  double linFracQuery = kMissing, linFracKey = kMissing;
  Vector mean;                   // of the rows used for the components; projections use x - mean
  double fisher = kMissing;      // on component 0: squared gap of the means over the sum of the variances
  double meanGap = kMissing;     // on component 0: mean query - mean key, activation
  double qkAccuracy = kMissing;  // of a linear discriminant on components 0 and 1
  // Sum of explained_variance_ratio * r^2 over the components: the author's "variance linear in position".
  double pooledAuthorQuery = kMissing, pooledAuthorKey = kMissing;
};

PcaResult pcaOf(const MeasuredRows& query, const MeasuredRows& key, const AnalysisSettings& settings);

// Pearson's r; missing or 0 if a side is constant, depending on the settings.
double correlationOf(const LineStats& stats, const AnalysisSettings& settings);

// The first component from moments only, without values that need rows: for resamples.
PcaResult leadingComponentOf(const Moments& queryMoments, const Moments& keyMoments,
                             const AnalysisSettings& settings);

// Class of a head from r_q and r_k on component 0; "undefined" if one is missing.
std::string taxonomyClass(double rQuery, double rKey, const AnalysisSettings& settings);
// The classes of a rule (thesis, notes), without "undefined".
std::vector<std::string> taxonomyClasses(const std::string& rule);

// Sign of a component, +1 or -1 (method.md, Principal components).
double componentSign(const Vector& component, double rQuery, double rKey, const std::string& rule);

// The coordinate of largest size (lowest index on ties) is positive: +1, else -1.
double largestCoordinateSign(const Vector& direction);

// Training accuracy of a two-class linear discriminant with pooled covariance and equal priors in the span of
// `directions`, [head_dim, 1 or 2]; a row on the boundary counts half. Missing if the means are equal or a
// kind has fewer than 2 rows.
double discriminantAccuracy(const MeasuredRows& query, const MeasuredRows& key, const Matrix& directions);

struct Eigenpair {
  double value = 0;
  Vector vector;  // unit
};

// Lanczos method with full orthogonalisation from a fixed start, until |A v - value v| <= 1e-14 value; small
// matrices and those with slow convergence are decomposed fully. The matrix must not have a negative
// eigenvalue of larger absolute value.
Eigenpair leadingEigenpair(const Matrix& symmetric);

}  // namespace plastiscope
