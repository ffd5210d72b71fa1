// Wheel and drag over the cells of a matrix, in the whole window: with Ctrl they zoom and move all columns of
// a row, without it the matrix scrolls.
#include <gtest/gtest.h>

#include <QApplication>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>
#include <cmath>

#include "app/desktop/main_window.h"
#include "gui/held_mouse.h"
#include "gui/matrix_fixture.h"
#include "widgets/plots/figure_view.h"
#include "widgets/plots/qcp.h"

namespace plastiscope {
namespace {

using test::waitFor;

class MatrixMouseTest : public test::MatrixFixture {
 protected:
  // The plot of a cell, once it is drawn.
  QCustomPlot* plotOf(MatrixRow row, std::size_t column) {
    auto* plot = matrix().cellAt(row, column)->findChild<QCustomPlot*>();
    EXPECT_TRUE(waitFor([plot] { return plot->axisRectCount() > 0 && plot->axisRect(0)->width() > 40; }))
        << titleOf(row) << column << ": " << matrix().cellAt(row, column)->message().toStdString();
    return plot;
  }
};

// Sends a spontaneous wheel event, which Qt passes on to parents; other events stay at their widget.
void turnWheel(QWidget* over, QPointF at, int notches, Qt::KeyboardModifiers keys = {}) {
  QWheelEvent turn(at, over->mapToGlobal(at), {}, {0, 120 * notches}, {}, keys, Qt::NoScrollPhase, false);
  QSpontaneKeyEvent::setSpontaneous(&turn);
  qApp->notify(over, &turn);
}

bool isAbout(const ViewRange& a, const ViewRange& b) {
  const double width = b.xHigh - b.xLow, height = b.yHigh - b.yLow, most = 1e-6;
  return std::fabs(a.xLow - b.xLow) < most * width && std::fabs(a.xHigh - b.xHigh) < most * width &&
         std::fabs(a.yLow - b.yLow) < most * height && std::fabs(a.yHigh - b.yHigh) < most * height;
}

TEST_F(MatrixMouseTest, CtrlAndWheelZoomAroundThePointerInAllColumns) {
  window->resize(1400, 1500);  // every row is seen
  provide("grouped.h5", "again.h5");
  compare({"grouped", "mixed", "again"});  // all have planes and profiles
  for (const MatrixRow row : {MatrixRow::Plane, MatrixRow::Profile, MatrixRow::Quintiles}) {
    const auto range = [&](std::size_t column) { return *matrix().cellAt(row, column)->shownRange(); };
    for (const std::size_t column : {0, 1, 2}) plotOf(row, column);
    const ViewRange whole = range(0);
    auto* plot = plotOf(row, 1);
    const QRect box = plot->axisRect(0)->rect();
    const QPointF at(box.left() + box.width() / 4, box.top() + box.height() / 3);
    const auto across = [plot]() -> const QCPAxis& { return *plot->axisRect(0)->axis(QCPAxis::atBottom); };
    const double held = across().pixelToCoord(at.x());
    turnWheel(plot, at, 3, Qt::ControlModifier);
    settle();
    EXPECT_LT(range(1).xHigh - range(1).xLow, 0.7 * (whole.xHigh - whole.xLow)) << titleOf(row);
    EXPECT_LT(range(1).yHigh - range(1).yLow, 0.7 * (whole.yHigh - whole.yLow)) << titleOf(row);
    EXPECT_NEAR(across().coordToPixel(held), at.x(), 6) << titleOf(row) << ": labels may become wider";
    for (const std::size_t column : {0, 2}) EXPECT_TRUE(isAbout(range(column), range(1))) << titleOf(row);
    QTest::mouseDClick(plotOf(row, 2), Qt::LeftButton, {}, at.toPoint());
    settle();
    for (const std::size_t column : {0, 1, 2})
      EXPECT_TRUE(isAbout(range(column), whole)) << titleOf(row) << column;
    turnWheel(plot, at, 3);
    settle();
    EXPECT_TRUE(isAbout(range(1), whole)) << "without Ctrl the matrix scrolls";
  }
}

TEST_F(MatrixMouseTest, MapsOfOtherWindowsZoomAndMoveTogether) {
  window->resize(1400, 1500);  // every row is seen
  compare({"grouped", "small", "mixed"});
  const auto range = [&](std::size_t column) {
    return *matrix().cellAt(MatrixRow::Map, column)->shownRange();
  };
  std::vector<ViewRange> wholes;
  for (const std::size_t column : {0, 1, 2}) wholes.push_back(range(column));
  auto* plot = plotOf(MatrixRow::Map, 0);
  const QPoint middle = plot->axisRect(0)->rect().center();
  const auto expectSameShares = [&] {
    for (const std::size_t column : {1, 2}) {
      EXPECT_NEAR(range(column).xLow / wholes[column].xHigh, range(0).xLow / wholes[0].xHigh, 1e-6);
      EXPECT_NEAR(range(column).yHigh / wholes[column].yHigh, range(0).yHigh / wholes[0].yHigh, 1e-6);
    }
  };
  turnWheel(plot, middle, 4, Qt::ControlModifier);
  settle();
  const ViewRange zoomed = range(0);
  EXPECT_GT(zoomed.xLow, 0);
  expectSameShares();
  const auto drag = [&](Qt::KeyboardModifiers keys) {
    QTest::mousePress(plot, Qt::LeftButton, keys, middle);
    test::moveHeld(*plot, middle + QPoint(-8, 0));
    test::moveHeld(*plot, middle + QPoint(-16, 0));
    QTest::mouseRelease(plot, Qt::LeftButton, keys, middle + QPoint(-16, 0));
    settle();
  };
  drag({});
  EXPECT_TRUE(isAbout(range(0), zoomed));
  drag(Qt::ControlModifier);
  EXPECT_GT(range(0).xLow, zoomed.xLow);
  EXPECT_NEAR(range(0).xHigh - range(0).xLow, zoomed.xHigh - zoomed.xLow, 1e-6 * wholes[0].xHigh);
  expectSameShares();
  turnWheel(plot, middle, -40, Qt::ControlModifier);
  settle();
  for (const std::size_t column : {0, 1, 2})
    EXPECT_TRUE(isAbout(range(column), wholes[column])) << "zooms out to the full range at most";
}

// Same behaviour as in the views of one capture.
TEST_F(MatrixMouseTest, AnotherHeadKeepsTheZoomOfProfilesNotOfPlanes) {
  window->resize(1400, 1500);  // every row is seen
  ComparePage* page = compare({"grouped", "mixed"});
  const auto width = [&](MatrixRow row) {
    const ViewRange range = *matrix().cellAt(row, 1)->shownRange(),
                    whole = *matrix().cellAt(row, 1)->wholeRange();
    return (range.xHigh - range.xLow) / (whole.xHigh - whole.xLow);
  };
  for (const MatrixRow row : {MatrixRow::Plane, MatrixRow::Profile}) {
    auto* plot = plotOf(row, 0);
    turnWheel(plot, plot->axisRect(0)->rect().center(), 3, Qt::ControlModifier);
  }
  settle();
  EXPECT_LT(width(MatrixRow::Plane), 0.7);
  const double profile = width(MatrixRow::Profile);
  EXPECT_LT(profile, 0.7);
  page->model().selection().setHead(*page->model().neighbour(1));
  settle();
  EXPECT_DOUBLE_EQ(width(MatrixRow::Plane), 1);
  EXPECT_NEAR(width(MatrixRow::Profile), profile, 1e-9);
}

TEST_F(MatrixMouseTest, TheWheelOverACellOrATitleScrollsBoth) {
  window->resize(1280, 720);
  compare({"grouped", "small", "mixed"});
  auto* cell = matrix().cellAt(MatrixRow::Grid, 0)->findChild<QCustomPlot*>();
  const auto areas = matrix().findChildren<QScrollArea*>(Qt::FindDirectChildrenOnly);
  const auto at = [&areas](bool body) {
    for (const QScrollArea* area : areas) {
      const bool cells = area->verticalScrollBarPolicy() == Qt::ScrollBarAsNeeded;
      if (cells == body && area->verticalScrollBar()->maximum() > 0) return area;
    }
    return static_cast<const QScrollArea*>(nullptr);
  };
  const QScrollArea *body = at(true), *titles = at(false);
  ASSERT_TRUE(body != nullptr && titles != nullptr);
  const auto turn = [](QWidget* over) { turnWheel(over, over->rect().center(), -1); };
  turn(cell);
  const int once = body->verticalScrollBar()->value();
  EXPECT_GT(once, 0);
  EXPECT_EQ(titles->verticalScrollBar()->value(), once);
  turn(titles->viewport());
  EXPECT_GT(body->verticalScrollBar()->value(), once);
  EXPECT_EQ(titles->verticalScrollBar()->value(), body->verticalScrollBar()->value());
}

}  // namespace
}  // namespace plastiscope
