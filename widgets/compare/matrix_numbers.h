#pragma once
// The row of numbers of the matrix as tables in rich text, whose lines stand beside each other.
#include <QString>

#include "core/compare/compare_matrix.h"

namespace plastiscope {

QString matrixNumberTitles(const CompareMatrix& matrix);
// Of one capture: values with their intervals, or differences from the baseline.
QString matrixNumbersText(const CompareMatrix& matrix, std::size_t column);

}  // namespace plastiscope
