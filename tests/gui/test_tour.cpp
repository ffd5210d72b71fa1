// The tour of the example: its steps, the panels it shows, and ways to end it.
#include <gtest/gtest.h>

#include <QPushButton>
#include <QTest>

#include "gui/window_fixture.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/panel_dock.h"
#include "widgets/pages/tour.h"
#include "widgets/panels/view_panel.h"

namespace plastiscope {
namespace {

class TourWindow : public test::WindowFixture {
 protected:
  TourWindow() { renew(); }
  TourCard* card() {  // null where it is closed
    for (auto* each : window->findChildren<TourCard*>()) {
      if (!each->isHidden()) return each;
    }
    return nullptr;
  }
  void begin() {
    settle();
    window->findChild<QPushButton*>(QStringLiteral("takeTour"))->click();
    ASSERT_TRUE(test::waitFor([this] { return card() != nullptr; }));
    settle();
  }
  void press(const char* button) {
    card()->findChild<QAbstractButton*>(QString::fromLatin1(button))->click();
    test::settleEvents();
  }
};

TEST(Tour, EveryStepNamesAnExistingPanel) {
  ASSERT_EQ(tourSteps().size(), 6U);
  for (const TourStep& step : tourSteps()) {
    EXPECT_TRUE(std::ranges::any_of(viewCatalogue(), [&](const ViewSpec& view) {
      return view.id == step.view;
    })) << step.view.toStdString();
    EXPECT_FALSE(step.title.isEmpty() || step.text.isEmpty());
  }
}

TEST_F(TourWindow, StepsAreShownBesideTheirPanels) {
  ASSERT_NO_FATAL_FAILURE(begin());
  ASSERT_NE(window->currentPage(), nullptr) << "the example was opened";
  for (int step = 0; step < 6; ++step) {
    ASSERT_NE(card(), nullptr);
    EXPECT_EQ(card()->step(), step);
    const QWidget* panel = card()->panel();
    ASSERT_NE(panel, nullptr);
    EXPECT_FALSE(panel->visibleRegion().isEmpty()) << step;
    const QRect at(panel->mapTo(window.get(), QPoint()), panel->size());
    EXPECT_FALSE(card()->geometry().intersects(at)) << step;
    EXPECT_TRUE(window->rect().contains(card()->geometry())) << step;
    press("tourNext");
  }
  EXPECT_EQ(card(), nullptr) << "the last step ends it";
}

TEST_F(TourWindow, ShowsAPanelThatIsHidden) {
  ASSERT_NO_FATAL_FAILURE(begin());
  auto* map = window->currentPage()->findChild<PanelDock*>(QStringLiteral("mapDock"));
  map->hide();
  press("tourNext");
  EXPECT_TRUE(map->isHidden()) << "that step is about the plane";
  press("tourNext");
  EXPECT_EQ(card()->panel(), map);
  EXPECT_FALSE(map->isHidden());
  press("tourBack");
  EXPECT_EQ(card()->step(), 1);
}

TEST_F(TourWindow, IsSteeredByKeysAndEndsWithEscOrAnotherTab) {
  ASSERT_NO_FATAL_FAILURE(begin());
  window->activateWindow();
  ASSERT_TRUE(test::waitFor([this] { return window->isActiveWindow(); }));
  auto* next = card()->findChild<QPushButton*>(QStringLiteral("tourNext"));
  ASSERT_TRUE(next->hasFocus());
  QTest::keyClick(next, Qt::Key_Right);
  EXPECT_EQ(card()->step(), 1);
  QTest::keyClick(next, Qt::Key_Left);
  EXPECT_EQ(card()->step(), 0);
  QTest::keyClick(next, Qt::Key_Escape);
  test::settleEvents();
  EXPECT_EQ(card(), nullptr);
  window->findChild<QAction*>(QStringLiteral("actionTour"))->trigger();
  settle();
  ASSERT_NE(card(), nullptr) << "the tour of the open tab";
  tabs().setCurrentIndex(0);
  test::settleEvents();
  EXPECT_EQ(card(), nullptr);
}

}  // namespace
}  // namespace plastiscope
