#pragma once
// Rich-text tables for the numbers row of the matrix, with aligned lines.
#include <QString>

#include "core/compare/compare_matrix.h"

namespace plastiscope {

QString matrixNumberTitles(const CompareMatrix& matrix);
// One capture: values; for the baseline with intervals, for others with differences from it.
QString matrixNumbersText(const CompareMatrix& matrix, std::size_t column);

}  // namespace plastiscope
