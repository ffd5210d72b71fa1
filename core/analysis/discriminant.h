#pragma once
// How well a straight line tells queries from keys on two components (method.md section 2).
#include "core/analysis/moments.h"

namespace plastiscope {

// Two-class linear discriminant with pooled covariance and equal priors in the span of `directions`,
// [head_dim, 1 or 2]: the share of the rows that made it which it puts on the right side; a row on the line
// counts half. The moments are those of the rows. Missing where the means are equal or a kind has fewer than
// 2 rows.
double discriminantAccuracy(const KindRows& query, const KindRows& key, const Moments& queryMoments,
                            const Moments& keyMoments, const Matrix& directions);

}  // namespace plastiscope
