// The active panel, under the pointer or with the keyboard focus: help opens at it, export and F10 apply to
// it. The pointer is moved through the window system, so that Qt decides which widget it enters.
#include <gtest/gtest.h>

#include <QApplication>
#include <QTabBar>
#include <QTest>
#include <QWindow>
#include <set>

#include "gui/held_mouse.h"
#include "gui/window_fixture.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/compare_panels.h"
#include "widgets/pages/help_panel.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/panel_dock.h"

namespace plastiscope {
namespace {

class EnteredPanelTest : public test::WindowFixture {
 protected:
  EnteredPanelTest() {
    for (const char* file : {"grouped.h5", "small.h5"}) provide(file, file);
    renew();
    find<PanelDock>("helpDock").show();
    test::settleEvents();
    leave();
  }
  template <typename Widget>
  Widget& find(const QString& name) {
    return *window->findChild<Widget*>(name);
  }
  void leave() {  // to the menu bar, from any position
    QTest::mouseMove(window->windowHandle(), QPoint(2, 2));
    test::settleEvents();
  }
  void pointAt(QWidget& widget) {
    const QPoint middle = widget.mapTo(window.get(), widget.rect().center());
    leave();
    QTest::mouseMove(window->windowHandle(), middle);
    test::settleEvents();
  }
  void pointAtDock(const QString& id) {
    auto& dock = find<PanelDock>(id);
    dock.bringForward();
    test::settleEvents();
    pointAt(*dock.widget());
  }
  std::string helpBegins() {
    return window->findChild<HelpPanel*>()->toPlainText().section(QLatin1Char('\n'), 0, 0).toStdString();
  }
};

TEST_F(EnteredPanelTest, EveryPanelOfAComparisonHasItsHelp) {
  compareInCharts({"grouped", "small"});
  EXPECT_EQ(helpBegins(), "Compare");
  std::set<std::string> seen;
  ASSERT_EQ(comparePanels().size(), 13U);
  for (const ComparePanel& panel : comparePanels()) {
    const QString& dock = panel.id;
    pointAtDock(dock);
    EXPECT_NE(helpBegins(), "Compare") << dock.toStdString() << " has no entry in views.json";
    EXPECT_TRUE(seen.insert(helpBegins()).second) << dock.toStdString() << ": " << helpBegins();
  }
  pointAtDock(QStringLiteral("compareMetricDock"));
  EXPECT_EQ(helpBegins(), "By model");
  pointAt(find<QWidget>(QStringLiteral("compareBar")));
  EXPECT_EQ(helpBegins(), "Compare") << "a panel without an entry uses the entry of its page";
}

TEST_F(EnteredPanelTest, HelpDistinguishesTheBenchmarksPlotFromItsTable) {
  window->openBenchmarks({});
  settle();
  EXPECT_EQ(helpBegins(), "Benchmarks");
  pointAt(find<QWidget>(QStringLiteral("benchmarkView")));
  EXPECT_EQ(helpBegins(), "Predictor against score");
  pointAt(find<QWidget>(QStringLiteral("benchmarkSide")));
  EXPECT_EQ(helpBegins(), "All predictors");
  compareInCharts({"grouped", "small"});
  EXPECT_EQ(helpBegins(), "Compare") << "the tab in front counts";
}

TEST_F(EnteredPanelTest, HelpFollowsTheKeyboardFocus) {
  ComparePage& page = *compareInCharts({"grouped", "small"});
  pointAtDock(QStringLiteral("compareProfilesDock"));
  EXPECT_EQ(page.panels().currentFigure(), QStringLiteral("compare"));
  window->activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
  find<PanelDock>(QStringLiteral("compareClassesDock")).raise();
  find<QWidget>(QStringLiteral("compareAdd")).setFocus(Qt::TabFocusReason);
  find<QWidget>(QStringLiteral("compareClassesDockView")).setFocus(Qt::TabFocusReason);
  EXPECT_EQ(page.panels().currentFigure(), QStringLiteral("compare-taxonomy"));
  EXPECT_EQ(helpBegins(), "Classes of models");

  auto& quintiles = find<PanelDock>(QStringLiteral("compareQuintilesDock"));
  find<QWidget>(QStringLiteral("compareQuintilesDockView")).setFocus(Qt::TabFocusReason);
  pointAtDock(QStringLiteral("compareProfilesDock"));
  quintiles.hide();
  EXPECT_TRUE(find<QWidget>(QStringLiteral("compareDepthDock")).isAncestorOf(QApplication::focusWidget()));
  EXPECT_EQ(helpBegins(), "Profiles of models") << "Qt moved the focus, not the user";
}

TEST_F(EnteredPanelTest, F10EnlargesThePanelUnderThePointer) {
  ComparePage& page = *compareInCharts({"grouped", "small"});
  pointAtDock(QStringLiteral("compareDepthDock"));
  page.panels().maximiseCurrent();
  EXPECT_TRUE(find<PanelDock>(QStringLiteral("compareGridsDock")).isHidden());
  EXPECT_FALSE(find<PanelDock>(QStringLiteral("compareDepthDock")).isHidden());
  page.panels().maximiseCurrent();
  EXPECT_FALSE(find<PanelDock>(QStringLiteral("compareGridsDock")).isHidden());
  pointAt(find<QWidget>(QStringLiteral("compareBar")));
  page.panels().maximiseCurrent();
  EXPECT_FALSE(find<PanelDock>(QStringLiteral("compareGridsDock")).isHidden()) << "a bar is no panel";
}

TEST_F(EnteredPanelTest, TheQueryPositionStripCannotBeEnlarged) {
  window->openPaths({folder / "grouped.h5"});
  settle();
  ModelPage& page = *window->currentPage();
  pointAt(*find<PanelDock>(QStringLiteral("scrubberDock")).widget());
  EXPECT_EQ(helpBegins(), "Query position");
  page.maximiseCurrent();
  EXPECT_FALSE(find<PanelDock>(QStringLiteral("mapDock")).isHidden()) << "a one-line strip is not enlarged";
  pointAtDock(QStringLiteral("mapDock"));
  EXPECT_EQ(page.currentFigure(), QStringLiteral("map"));
  page.maximiseCurrent();
  EXPECT_TRUE(find<PanelDock>(QStringLiteral("planeDock")).isHidden());
  page.maximiseCurrent();
}

TEST_F(EnteredPanelTest, AnEnlargedPanelFillsTheWindow) {
  window->openPaths({folder / "grouped.h5"});
  settle();
  auto& library = find<PanelDock>(QStringLiteral("libraryDock"));
  const int width = library.width();
  pointAtDock(QStringLiteral("mapDock"));
  window->currentPage()->maximiseCurrent();
  EXPECT_TRUE(library.isHidden());
  EXPECT_TRUE(find<PanelDock>(QStringLiteral("scrubberDock")).isHidden());
  settle();
  EXPECT_GT(find<PanelDock>(QStringLiteral("mapDock")).width(), window->width() - 40);
  window->currentPage()->maximiseCurrent();
  settle();
  EXPECT_FALSE(library.isHidden());
  EXPECT_FALSE(find<PanelDock>(QStringLiteral("scrubberDock")).isHidden());
  EXPECT_NEAR(library.width(), width, 2);
}

TEST_F(EnteredPanelTest, FloatingAnEnlargedPanelShowsTheOthersAgain) {
  window->openPaths({folder / "grouped.h5"});
  settle();
  auto& map = find<PanelDock>(QStringLiteral("mapDock"));
  pointAtDock(QStringLiteral("mapDock"));
  window->currentPage()->maximiseCurrent();
  map.setFloating(true);
  settle();
  EXPECT_FALSE(find<PanelDock>(QStringLiteral("planeDock")).isHidden()) << "the page would be empty";
  EXPECT_TRUE(map.isFloating());
}

// The tab bar of hidden panels stays until the next layout, which is late when the last panel is hidden.
TEST_F(EnteredPanelTest, TabsOfHiddenPanelsDoNotMove) {
  window->openPaths({folder / "grouped.h5"});
  settle();
  PanelWindow& panels = *window->currentPage();
  auto& map = find<PanelDock>(QStringLiteral("mapDock"));
  map.setFloating(true);
  settle();
  const auto bars = panels.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly);
  ASSERT_FALSE(bars.isEmpty());
  for (PanelDock* dock : panels.docks()) dock->hide();
  for (QTabBar* bar : bars) {
    if (bar->count() == 0) continue;  // kept by Qt for later
    const QPoint from = bar->tabRect(0).center();
    QTest::mousePress(bar, Qt::LeftButton, {}, from);
    for (int i = 1; i <= 6; ++i) test::moveHeld(*bar, from + QPoint(40 * i, 0));
    QTest::mouseRelease(bar, Qt::LeftButton, {}, from);
  }
  panels.resetLayout();
  EXPECT_FALSE(find<PanelDock>(QStringLiteral("planeDock")).isHidden());
}

}  // namespace
}  // namespace plastiscope
