// A compare tab in the whole window, on small captures.
#include <gtest/gtest.h>

#include <QAction>
#include <QComboBox>
#include <QDropEvent>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <fstream>

#include "app/desktop/main_window.h"
#include "gui/window_fixture.h"
#include "widgets/export/export_dialog.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/plots/head_grid_view.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

using test::waitFor;

class CompareTest : public test::WindowFixture {
 protected:
  CompareTest() {
    for (const char* file : {"grouped.h5", "small.h5", "mixed.h5"}) provide(file, file);
    renew();
  }

  ComparePage* compare(const std::vector<std::string>& names) {
    SessionTab start;
    for (const std::string& name : names) start.compared.push_back(folder / (name + ".h5"));
    window->openComparison(start);
    return settled();
  }
  ComparePage* settled() {
    settle();
    return window->currentCompare();
  }
  HeadGridView* grid(int index) {
    return window->currentCompare()->findChild<HeadGridView*>(QStringLiteral("compareGrid%1").arg(index));
  }
  QString hint() {
    return window->currentCompare()->findChild<QLabel*>(QStringLiteral("compareHint"))->text();
  }
};

TEST_F(CompareTest, ShowsTwoModelsSideBySideWithOneRangeAndOneHead) {
  ComparePage* page = compare({"grouped", "small"});
  ASSERT_NE(page, nullptr);
  const auto views = page->model().views();
  ASSERT_NE(views, nullptr);
  EXPECT_EQ(views->comparison->models.size(), 2u);
  EXPECT_EQ(views->matching, HeadMatching::SameHead);
  ASSERT_NE(grid(0), nullptr);
  ASSERT_NE(grid(1), nullptr);
  EXPECT_EQ(grid(0)->selectedHead(), (HeadName{0, 0}));
  Q_EMIT grid(1)->headActivated(HeadName{1, 2});
  settled();
  EXPECT_EQ(page->selection().value().head, (HeadName{1, 2}));
  EXPECT_EQ(grid(0)->selectedHead(), (HeadName{1, 2}));
  EXPECT_EQ(grid(1)->selectedHead(), (HeadName{1, 2}));
  EXPECT_NE(page->model().views()->difference, nullptr) << "both have 2 layers of 4 heads";
  const auto* numbers = page->findChild<QTableView*>(QStringLiteral("compareNumbers"));
  EXPECT_EQ(numbers->model()->columnCount(), 3);
  EXPECT_GT(numbers->model()->rowCount(), 5);
}

TEST_F(CompareTest, OtherShapesAreMatchedByDepthAndHaveNoDifference) {
  ComparePage* page = compare({"grouped", "mixed"});
  const auto views = page->model().views();
  ASSERT_NE(views, nullptr);
  EXPECT_EQ(views->matching, HeadMatching::RelativeDepth);
  EXPECT_EQ(views->difference, nullptr);
  Q_EMIT grid(1)->headActivated(HeadName{1, 4});
  settled();
  EXPECT_EQ(grid(0)->selectedHead(), (HeadName{1, 3})) << "the last head of four for the last of five";
  EXPECT_EQ(grid(1)->selectedHead(), (HeadName{1, 4}));
}

TEST_F(CompareTest, ToolBarLeadsAndUndoGoesBack) {
  ComparePage* page = compare({"grouped", "small"});
  auto* metric = window->findChild<QComboBox*>(QStringLiteral("metricBox"));
  ASSERT_TRUE(metric->isEnabled());
  metric->setCurrentIndex(metric->findData(QStringLiteral("ap_drop")));
  Q_EMIT metric->activated(metric->currentIndex());
  settled();
  EXPECT_EQ(page->model().views()->metric, "ap_drop");
  EXPECT_EQ(page->model().views()->numbers.front().metric.column, "ap_drop");
  QTest::keyClick(window.get(), Qt::Key_BracketRight);
  settled();
  EXPECT_EQ(page->selection().value().head, (HeadName{0, 1}));
  page->selection().undo();
  page->selection().undo();
  settled();
  EXPECT_EQ(page->model().views()->metric, "ap_overall");
  EXPECT_EQ(grid(1)->selectedHead(), (HeadName{0, 0}));
}

TEST_F(CompareTest, GrowsFromOneCaptureByDroppingAndShrinksByTheChip) {
  ComparePage* page = compare({"grouped"});
  EXPECT_EQ(page->model().views(), nullptr);
  EXPECT_TRUE(hint().contains(QStringLiteral("Two to six"))) << hint().toStdString();
  QMimeData files;
  files.setUrls({QUrl::fromLocalFile(QString::fromStdString((folder / "small.h5").string())),
                 QUrl::fromLocalFile(QString::fromStdString((folder / "mixed.h5").string()))});
  QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &files, Qt::LeftButton, {});
  QCoreApplication::sendEvent(page, &enter);  // a drop goes to the widget that was entered
  ASSERT_TRUE(enter.isAccepted());
  QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &files, Qt::LeftButton, {});
  QCoreApplication::sendEvent(page, &drop);
  settled();
  ASSERT_NE(page->model().views(), nullptr);
  EXPECT_EQ(page->model().views()->comparison->models.size(), 3u);
  EXPECT_TRUE(tabs().tabText(tabs().currentIndex()).startsWith(QStringLiteral("Compare: ")));
  QToolButton* close = nullptr;
  for (QToolButton* button : page->findChildren<QToolButton*>()) {
    if (!close && button->toolTip().startsWith(QStringLiteral("Take "))) close = button;
  }
  ASSERT_NE(close, nullptr);
  close->click();
  settled();
  EXPECT_EQ(page->model().files().front(), folder / "small.h5");
  EXPECT_EQ(page->model().views()->comparison->models.size(), 2u);
}

TEST_F(CompareTest, AFileThatCannotBeUsedIsNamedAndTheRestIsCompared) {
  std::ofstream(folder / "broken.h5") << "not HDF5 at all";
  ComparePage* page = compare({"grouped", "broken"});
  EXPECT_EQ(page->model().views(), nullptr);
  EXPECT_TRUE(hint().contains(QStringLiteral("broken.h5"))) << hint().toStdString();
  page->add({folder / "small.h5"});
  settled();
  ASSERT_NE(page->model().views(), nullptr);
  EXPECT_EQ(page->model().views()->comparison->models.size(), 2u);
}

TEST_F(CompareTest, HoldsSix) {
  std::vector<std::string> names;
  for (int i = 0; i < 7; ++i) {
    names.push_back("copy" + std::to_string(i));
    fs::copy_file(folder / "small.h5", folder / (names.back() + ".h5"));
  }
  ComparePage* page = compare(names);
  EXPECT_EQ(page->model().size(), 6u);
  ASSERT_NE(page->model().views(), nullptr);
  EXPECT_EQ(page->model().views()->comparison->models.size(), 6u);
}

TEST_F(CompareTest, TheMenuComparesTheOpenCapture) {
  window->openPaths({folder / "grouped.h5"});
  ASSERT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
  window->compareWithCurrent(folder / "small.h5");
  ComparePage* page = settled();
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->model().files(), (std::vector<fs::path>{folder / "grouped.h5", folder / "small.h5"}));
  window->compareWithCurrent(folder / "mixed.h5");
  settled();
  EXPECT_EQ(page->model().size(), 3u) << "the compare tab in front takes it";
}

TEST_F(CompareTest, IsKeptInTheSession) {
  ComparePage* page = compare({"grouped", "small"});
  page->selection().setHead({1, 1});
  CompareChoices choices;
  choices.tokens = true;
  choices.ofHead = true;
  page->model().setChoices(choices);
  settled();
  window->close();
  renew();
  window->restoreSession();
  ASSERT_TRUE(waitFor([this] { return window->currentCompare() && window->settled(); }));
  page = settled();
  EXPECT_EQ(page->model().files().size(), 2u);
  EXPECT_EQ(page->model().choices(), choices);
  EXPECT_EQ(page->selection().value().head, (HeadName{1, 1}));
  EXPECT_EQ(page->model().views()->profiles.models[1].head, (HeadName{1, 1}));
}

// Ctrl+E draws what `plastiscope render --figure compare` draws.
TEST_F(CompareTest, ExportDrawsTheFigureOfTheTab) {
  ComparePage* page = compare({"grouped", "small"});
  window->exportDialog();
  auto* dialog = window->findChild<ExportDialog*>();
  ASSERT_NE(dialog, nullptr);
  const auto lines = dialog->findChildren<QLineEdit*>();
  const auto command = std::find_if(lines.begin(), lines.end(), [](const QLineEdit* line) {
    return line->text().startsWith(QStringLiteral("plastiscope render"));
  });
  ASSERT_NE(command, lines.end());
  const QString grouped = QString::fromStdString((folder / "grouped.h5").string());
  EXPECT_TRUE((*command)->text().contains(grouped)) << (*command)->text().toStdString();
  EXPECT_TRUE((*command)->text().contains(QStringLiteral("small.h5")));
  EXPECT_TRUE((*command)->text().contains(QStringLiteral("--figure compare ")));
  dialog->close();
  FigureSpec spec;
  spec.figure = "compare";
  const FigureContent content = prepareFigure(page->model().studies(), spec);
  EXPECT_EQ(content.data.rows(), tableOf(page->model().views()->profiles).rows());
}

}  // namespace
}  // namespace plastiscope
