// The intervals of a bootstrap in a model tab: shown where an analysis has them, hidden at a click.
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QTest>

#include "app/desktop/view_catalogue.h"
#include "core/jobs/study_job.h"
#include "gui/wait_for.h"
#include "support/temporary_folder.h"
#include "widgets/pages/model_page.h"
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
    page = std::make_unique<ModelPage>(study, folder / "study.h5", start, viewCatalogue(),
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

// Over heads there are some without it too.
TEST_F(IntervalsTest, TheMeanOverHeadsHasThemWithoutABootstrap) {
  open(0);
  ASSERT_TRUE(box().isVisible());
  const QImage with = picture();
  QTest::mouseClick(&box(), Qt::LeftButton, {}, QPoint(8, box().height() / 2));
  EXPECT_TRUE(waitFor([&] { return picture() != with; }));
}

// A published curve of another window: shares of the window, unless tokens are wanted.
TEST_F(IntervalsTest, PublishedCurvesStandOnAScaleThatCanBeChosen) {
  open(0);
  auto* view = page->findChild<ProfileView*>();
  auto* axis = page->findChild<QComboBox*>(QStringLiteral("profileAxis"));
  auto* published = page->findChild<QComboBox*>(QStringLiteral("publishedModel"));
  ASSERT_TRUE(axis && published);
  EXPECT_EQ(axis->currentData(), "tokens");
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
  EXPECT_EQ(view->positionAxis(), PositionAxis::Tokens) << "a person's choice stays";
}

}  // namespace
}  // namespace plastiscope
