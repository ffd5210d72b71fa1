// Intervals in a model tab: shown where an analysis has them, hidden at a click, computed in the background.
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QTest>

#include "core/jobs/study_job.h"
#include "gui/window_fixture.h"
#include "widgets/pages/model_page.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/profile_view.h"

namespace plastiscope {
namespace {

using test::waitFor;

class IntervalsTest : public testing::Test {
 protected:
  // Shows the first head of a small capture, analysed with so many resamples.
  void open(std::int64_t resamples) {
    std::filesystem::copy_file(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "analysis" / "grouped.h5",
                               folder / "grouped.h5", std::filesystem::copy_options::overwrite_existing);
    AnalysisSettings settings;
    settings.minQueries = 2;
    settings.minPairs = 1;
    settings.bootstrap = resamples;
    Progress quiet;
    auto study = std::make_shared<Study>(*openStudy(folder / "grouped.h5", settings, 1, quiet));
    ViewSelection start;
    start.head = HeadName{0, 1};
    page = std::make_unique<ModelPage>(ModelTab{study, folder / "study.h5", start},
                                       PageServices{workers, ranges});
    page->resize(1500, 900);
    page->show();
    ASSERT_TRUE(waitFor([this] { return page->model().settled(); }));
  }
  QCheckBox& box() const { return *page->findChild<QCheckBox*>(QStringLiteral("profileIntervals")); }
  QImage picture() const { return page->findChild<ProfileView*>()->grab().toImage(); }

  test::TemporaryFolder folder;
  Workers workers;
  LockedRanges ranges;
  std::unique_ptr<ModelPage> page;
};

TEST_F(IntervalsTest, AClickHidesThem) {
  open(20);
  ASSERT_TRUE(box().isVisible());
  EXPECT_TRUE(box().isChecked());
  const QImage with = picture();
  QTest::mouseClick(&box(), Qt::LeftButton, {}, QPoint(8, box().height() / 2));
  EXPECT_FALSE(box().isChecked());
  EXPECT_TRUE(waitFor([&] { return picture() != with; }));
  QTest::keyClick(&box(), Qt::Key_Space);
  EXPECT_TRUE(waitFor([&] { return picture() == with; }));
}

// Intervals over heads need no bootstrap.
TEST_F(IntervalsTest, TheMeanOverHeadsHasThemWithoutABootstrap) {
  open(0);
  ASSERT_TRUE(box().isVisible());
  const QImage with = picture();
  QTest::mouseClick(&box(), Qt::LeftButton, {}, QPoint(8, box().height() / 2));
  EXPECT_TRUE(waitFor([&] { return picture() != with; }));
}

// A published curve of another window length is drawn over shares of the window unless tokens are chosen.
TEST_F(IntervalsTest, PositionScaleOfPublishedCurvesCanBeChosen) {
  open(0);
  auto* view = page->findChild<ProfileView*>();
  auto* axis = page->findChild<QComboBox*>(QStringLiteral("profileAxis"));
  auto* published = page->findChild<QComboBox*>(QStringLiteral("publishedModel"));
  ASSERT_TRUE(axis && published);
  EXPECT_EQ(axis->currentData(), "tokens");
  EXPECT_FALSE(axis->isVisible()) << "no published curve is shown";
  published->setCurrentIndex(published->findData(QStringLiteral("qwen3-0.6b")));
  EXPECT_EQ(view->positionAxis(), PositionAxis::Share);
  EXPECT_EQ(axis->currentData(), "share");
  const QImage shares = picture();
  axis->setFocus();
  QTest::keyClick(axis, Qt::Key_Up);
  EXPECT_EQ(view->positionAxis(), PositionAxis::Tokens);
  EXPECT_TRUE(waitFor([&] { return picture() != shares; }));
  published->setCurrentIndex(0);
  published->setCurrentIndex(published->findData(QStringLiteral("qwen3-0.6b")));
  EXPECT_EQ(view->positionAxis(), PositionAxis::Tokens) << "the user's choice is kept";
}

// Opening a capture shows its heads first and computes intervals in the background.
class AddedIntervalsTest : public test::WindowFixture {
 protected:
  AddedIntervalsTest() {
    intervals = true;
    file = provide("grouped.h5", "study.h5");
    start();
  }
  void start() {
    renew();
    titles.clear();
    QObject::connect(&session->jobs, &JobList::changed, window.get(), [this] {
      for (JobHandle* job : session->jobs.active()) {
        if (!job->title().startsWith(QStringLiteral("intervals of")) || titles.contains(job->title()))
          continue;
        titles.append(job->title());
        if (cancels) QMetaObject::invokeMethod(job, &JobHandle::cancel, Qt::QueuedConnection);
      }
    });
  }
  void open() {
    window->openPaths({file});
    ASSERT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
  }
  bool complete() { return hasAddedIntervals(window->currentPage()->study()); }
  bool idle() { return session->jobs.active().isEmpty(); }

  std::filesystem::path file;
  QStringList titles;  // titles of interval jobs
  bool cancels = false;
};

TEST_F(AddedIntervalsTest, AreComputedAfterTheHeadsAndKept) {
  open();
  window->currentPage()->selection().setHead({1, 2});
  ASSERT_TRUE(waitFor([this] { return complete() && window->settled(); }));
  settle();
  EXPECT_EQ(titles, QStringList(QStringLiteral("intervals of study.h5")));
  ModelPage& page = *window->currentPage();
  EXPECT_EQ(page.selection().value().head, (HeadName{1, 2}));
  ASSERT_NE(page.model().views(), nullptr);
  EXPECT_FALSE(page.model().views()->profile.data->field->apLow.empty());
  EXPECT_EQ(tabs().count(), 2) << "welcome and the capture";
  start();
  open();
  EXPECT_TRUE(complete()) << "kept";
  settle();
  EXPECT_TRUE(titles.isEmpty());
}

TEST_F(AddedIntervalsTest, CancelIsRememberedUntilTheNextStart) {
  cancels = true;
  open();
  ASSERT_TRUE(waitFor([this] { return titles.size() == 1 && idle(); }));
  EXPECT_FALSE(complete());
  cancels = false;
  Q_EMIT tabs().tabCloseRequested(tabs().currentIndex());
  settle();
  open();
  settle();
  EXPECT_TRUE(idle());
  EXPECT_EQ(titles.size(), 1);
  EXPECT_FALSE(complete());
  start();
  open();
  EXPECT_TRUE(waitFor([this] { return complete(); }));
}

TEST_F(AddedIntervalsTest, AreNotComputedWhenSwitchedOff) {
  session->state.settings().intervals = false;
  open();
  settle();
  EXPECT_TRUE(titles.isEmpty());
  EXPECT_FALSE(complete());
}

}  // namespace
}  // namespace plastiscope
