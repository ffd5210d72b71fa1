// The next start restores the open tabs in their order, even when the program was closed while they were
// loading.
#include <gtest/gtest.h>

#include <QDockWidget>
#include <algorithm>
#include <cmath>

#include "core/sweep/sweep_library.h"
#include "gui/window_fixture.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/plots/figure_view.h"

namespace plastiscope {
namespace {

using test::waitFor;

class RestoredSession : public test::WindowFixture {
 protected:
  RestoredSession() {
    renew();
    window->openPaths({provide("grouped.h5", "first.h5")});
    EXPECT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
    window->openBenchmarks();
    window->openPaths({provide("mixed.h5", "second.h5")});
    EXPECT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
    tabs().setCurrentIndex(1);
    window->close();
    names = tabNames();
    EXPECT_EQ(names.size(), 4);  // and the welcome page
  }
  QStringList tabNames() {
    QStringList list;
    for (int i = 0; i < tabs().count(); ++i) list.append(tabs().tabText(i));
    return list;
  }
  void start() {
    renew();
    window->sessions().restore({}, {});
  }

  QStringList names;
};

TEST_F(RestoredSession, KeepsOrderAndTheTabInFront) {
  start();
  ASSERT_TRUE(waitFor([this] { return tabs().count() == 4 && window->settled() && tabNames() == names; }))
      << tabNames().join(QStringLiteral(", ")).toStdString();
  EXPECT_EQ(tabs().currentIndex(), 1);
  EXPECT_EQ(window->currentPage()->file(), folder / "first.h5");
}

TEST_F(RestoredSession, ClosingWhileTabsLoadLosesNone) {
  start();
  window->close();
  EXPECT_EQ(session->state.sessions().read().tabs.size(), 3U);
  start();
  EXPECT_TRUE(waitFor([this] { return tabNames() == names; }));
}

// A missing file keeps its tab and does not delay the others.
TEST_F(RestoredSession, AMissingFileKeepsItsTab) {
  std::filesystem::remove(folder / "first.h5");
  start();
  ASSERT_TRUE(waitFor([this] { return window->settled() && tabs().count() == 4 && tabNames() == names; }))
      << tabNames().join(QStringLiteral(", ")).toStdString();
  window->close();
  EXPECT_EQ(session->state.sessions().read().tabs.size(), 3U);
}

// Checkpoints of a sweep open as comparisons, in the order of their steps.
class SweptLibrary : public test::WindowFixture {};

TEST_F(SweptLibrary, OpensAsComparisonsOfItsCheckpoints) {
  std::vector<SweepRun> runs;
  for (const char* model : {"step-1000", "step-30", "step-200", "step-90"}) {
    SweepRun run;
    run.model = model;
    run.analyses.push_back({{}, provide("grouped.h5", std::string(model) + ".h5"), {}});
    runs.push_back(std::move(run));
  }
  runs.back().analyses.front().out = folder / "not yet made.h5";
  writeLibrarySession(runs, folder.path());
  renew();
  window->sessions().start({folder.path()}, {});
  ASSERT_TRUE(waitFor([this] { return window->currentCompare() != nullptr; }));
  settle();
  EXPECT_EQ(window->currentCompare()->model().files(),
            (std::vector<std::filesystem::path>{folder / "step-30.h5", folder / "step-200.h5",
                                                folder / "step-1000.h5"}));

  // They are the trajectory of one run, in that order.
  const auto& model = window->currentCompare()->model();
  ASSERT_TRUE(waitFor([&] { return model.views() && model.views()->choices.charts; }));
  const TrajectoryData& trajectory = model.views()->checkpoints;
  ASSERT_EQ(trajectory.models.size(), 3U);
  EXPECT_TRUE(trajectory.run);
  ASSERT_FALSE(trajectory.series.empty());
  const bool known = std::ranges::any_of(trajectory.series, [](const auto& series) {
    return std::ranges::none_of(series.middle, [](double middle) { return std::isnan(middle); });
  });
  EXPECT_TRUE(known);  // one text has no aligned values
  auto* dock = window->findChild<QDockWidget*>(QStringLiteral("compareTrajectoryDock"));
  dock->raise();
  settle();
  const auto& marks = window->findChild<FigureView*>(QStringLiteral("compareTrajectoryDockView"))
                          ->shownPlot()
                          ->boxes.front()
                          .marks;
  EXPECT_TRUE(std::ranges::any_of(marks, [](const Mark& mark) { return mark.tips.size() == 3; }));
}

}  // namespace
}  // namespace plastiscope
