// Sizes of panels: docks that open and close, many columns, small windows.
#include <gtest/gtest.h>

#include <QAction>

#include "gui/window_fixture.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/panel_dock.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

class Room : public test::WindowFixture {
 protected:
  void SetUp() override {
    provide("grouped.h5", "a.h5");
    renew();
    window->resize(1600, 1000);
    settle();
  }
  PanelDock& dock(const char* name) { return *window->findChild<PanelDock*>(QLatin1String(name)); }
  void showSideDocks(bool shown) {
    for (const char* name : {"helpDock", "notesDock"}) dock(name).setVisible(shown);
    settle();
  }
  static void expectNear(QSize found, QSize before) {
    EXPECT_NEAR(found.width(), before.width(), 8);
    EXPECT_NEAR(found.height(), before.height(), 8);
  }
};

TEST_F(Room, ClosingADockRestoresTheOthers) {
  window->openPaths({folder / "a.h5"});
  settle();
  const QSize grid = dock("headGridDock").size(), plane = dock("planeDock").size(),
              library = dock("libraryDock").size();
  window->resize(1280, 720);
  showSideDocks(true);
  EXPECT_GE(dock("libraryDock").width(), 180);
  EXPECT_GE(dock("headGridDock").width(), 180);
  EXPECT_EQ(window->width(), 1280);
  showSideDocks(false);
  window->resize(1600, 1000);
  settle();
  expectNear(dock("headGridDock").size(), grid);
  expectNear(dock("planeDock").size(), plane);
  expectNear(dock("libraryDock").size(), library);
}

// Panels that were narrow at the end of the last run become wide again in a larger window.
TEST_F(Room, ClosingADockRestoresTheOthersAfterARestart) {
  window->openPaths({folder / "a.h5"});
  settle();
  const QSize grid = dock("headGridDock").size();
  window->resize(1280, 720);
  showSideDocks(true);
  window->close();
  session->state.finishWriting();
  renew();
  window->resize(1280, 720);
  window->openPaths({folder / "a.h5"});
  settle();
  showSideDocks(false);
  window->resize(1600, 1000);
  settle();
  EXPECT_GE(dock("libraryDock").width(), 180);
  EXPECT_NEAR(dock("headGridDock").width(), grid.width(), 80);
}

TEST_F(Room, ChartsDoNotShrinkTheLibraryOrTheGrids) {
  window->resize(1280, 720);
  fs::copy_file(folder / "a.h5", folder / "b.h5");
  compareInCharts({"a", "b", "published:llama3.2-1b"});
  showSideDocks(true);
  EXPECT_EQ(window->width(), 1280);
  EXPECT_GE(dock("libraryDock").width(), 180);
  EXPECT_GE(dock("compareGridsDock").height(), 120);
}

class ManyColumns : public Room, public testing::WithParamInterface<int> {};

// In the matrix, in charts and in the benchmarks tab.
TEST_P(ManyColumns, NeverWidenTheWindow) {
  const QSize size = GetParam() == 720 ? QSize(1280, 720) : QSize(1600, 1000);
  window->resize(size);
  std::vector<std::string> names;
  for (int i = 0; i < 14; ++i) {
    names.push_back("capture of a model with a long name " + std::to_string(i));
    fs::copy_file(folder / "a.h5", folder / (names.back() + ".h5"));
  }
  for (const bool charts : {false, true}) {
    CompareChoices choices;
    choices.charts = charts;
    compare(names, choices);
    EXPECT_EQ(window->size(), size);
    window->findChild<QAction*>(QStringLiteral("actionBenchmarks"))->trigger();
    settle();
    ASSERT_NE(window->currentBenchmarks(), nullptr);
    EXPECT_EQ(window->currentBenchmarks()->model().files().size(), names.size());
    EXPECT_EQ(window->size(), size);
    EXPECT_LE(window->currentBenchmarks()->minimumSizeHint().width(), size.width());
  }
}

INSTANTIATE_TEST_SUITE_P(Screens, ManyColumns, testing::Values(720, 1000));

}  // namespace
}  // namespace plastiscope
