#pragma once
// Windows that compare three small captures in a matrix.
#include "gui/window_fixture.h"
#include "widgets/compare/matrix_view.h"
#include "widgets/pages/compare_page.h"

namespace plastiscope::test {

class MatrixFixture : public WindowFixture {
 protected:
  MatrixFixture() {
    for (const char* file : {"grouped.h5", "small.h5", "mixed.h5"}) provide(file, file);
    renew();
  }
  MatrixView& matrix() {
    return *window->currentCompare()->findChild<MatrixView*>(QStringLiteral("compareMatrix"));
  }
};

}  // namespace plastiscope::test
