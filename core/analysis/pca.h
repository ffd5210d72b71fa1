#pragma once
// Principal components of a head's queries and keys, and its taxonomy class (method.md, Principal components
// and Head classes).
#include <string>
#include <vector>

#include "core/analysis/moments.h"
#include "core/analysis/settings.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

struct PcaResult {
  // [components]; empty when the head has no PCA.
  std::vector<double> explainedVarianceRatio, rQuery, rKey;
  Matrix components;  // [head_dim, components], unit columns
  std::string taxonomy = "undefined";
  double linFracQuery = kMissing, linFracKey = kMissing;
  Vector mean;               // of the rows that the components are made from; stored projections use x - mean
  double fisher = kMissing;  // on component 0: squared gap of the means over the sum of the variances
  double meanGap = kMissing;     // on component 0: mean query - mean key, activation
  double qkAccuracy = kMissing;  // of a straight line between queries and keys on components 0 and 1
  // Sum of explained_variance_ratio * r^2 over the components: the author's "variance linear in position".
  double pooledAuthorQuery = kMissing, pooledAuthorKey = kMissing;
};

PcaResult pcaOf(const MeasuredRows& query, const MeasuredRows& key, const AnalysisSettings& settings);

// Pearson's r; of a constant side missing or 0, as the settings say.
double correlationOf(const LineStats& stats, const AnalysisSettings& settings);

// The first component from moments alone, without what needs rows: for resamples.
PcaResult leadingComponentOf(const Moments& queryMoments, const Moments& keyMoments,
                             const AnalysisSettings& settings);

// Class of a head from r_q and r_k on component 0; "undefined" when one is missing.
std::string taxonomyClass(double rQuery, double rKey, const AnalysisSettings& settings);
// The classes of a rule (thesis, notes), without "undefined".
std::vector<std::string> taxonomyClasses(const std::string& rule);

// Sign of a component, +1 or -1 (method.md, Principal components).
double componentSign(const Vector& component, double rQuery, double rKey, const std::string& rule);

// The coordinate of largest size (lowest index on ties) is positive: +1, else -1.
double largestCoordinateSign(const Vector& direction);

// Two-class linear discriminant with pooled covariance and equal priors in the span of `directions`,
// [head_dim, 1 or 2]: the share of the rows that made it which it puts on the right side; a row on the line
// counts half. Missing where the means are equal or a kind has fewer than
// 2 rows.
double discriminantAccuracy(const MeasuredRows& query, const MeasuredRows& key, const Matrix& directions);

}  // namespace plastiscope
