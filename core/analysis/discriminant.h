#pragma once
// How well a straight line tells queries from keys on two components (method.md section 2).
#include "core/analysis/matrix.h"

namespace plastiscope {

// Two-class linear discriminant with pooled covariance and equal priors: the share of the rows that made it
// which it puts on the right side; a row on the line counts half. Rows: [n, 1 or 2]. Missing where the means
// are equal or a kind has fewer than 2 rows.
double discriminantAccuracy(const Matrix& query, const Matrix& key);

}  // namespace plastiscope
