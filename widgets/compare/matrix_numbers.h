#pragma once
// The row of numbers of the matrix as tables in rich text, whose lines stand beside each other.
#include <QString>

#include "core/compare/compare_matrix.h"

namespace plastiscope {

QString matrixNumberTitles(const CompareMatrix& matrix);
// Of one capture: values, of the baseline with their intervals, of others with their differences from it.
QString matrixNumbersText(const CompareMatrix& matrix, std::size_t column);

}  // namespace plastiscope
