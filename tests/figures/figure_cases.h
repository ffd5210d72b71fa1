#pragma once
// Cases of every figure for the tests and the gallery, drawn from the formula studies.
#include <iosfwd>
#include <string>
#include <vector>

#include "widgets/export/figure_kinds.h"

namespace plastiscope::test {

struct FigureCase {
  std::string figure;
  Theme theme = Theme::Light;
  std::size_t studies = 1;  // none: the published numbers
  RowColour colour = RowColour::Position;
  ApKind plasticity = ApKind::Aligned;
  bool aligned = false;  // the analyses have aligned values
  bool groups = false;   // groups of heads instead of a head
};

void PrintTo(const FigureCase& figure, std::ostream* out);  // for GoogleTest

std::vector<FigureCase> figureCases();
// The formula studies of a case; figures of two studies get two with the same window.
Studies studiesOf(const FigureCase& figure, std::int64_t rows = 800);
FigureSpec specOf(const FigureCase& figure, double widthInches = 3.25);

}  // namespace plastiscope::test
