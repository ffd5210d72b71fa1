// The benchmarks tab in the whole window.
#include <gtest/gtest.h>

#include <QAction>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QTableView>
#include <QToolButton>
#include <QUrl>
#include <algorithm>
#include <fstream>

#include "app/desktop/main_window.h"
#include "gui/window_fixture.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/plots/figure_view.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

using test::waitFor;

class BenchmarksTest : public test::WindowFixture {
 protected:
  BenchmarksTest() {
    provide("small.h5", "small.h5");
    renew();
  }

  BenchmarksPage* settled() {
    settle();
    return window->currentBenchmarks();
  }
  BenchmarksPage* open() {
    window->openBenchmarks();
    return settled();
  }
  // Scores of a capture named "random", as in the test data, beside those of the thesis' models.
  fs::path scores(const std::string& text) {
    const fs::path file = folder / "scores.csv";
    std::ofstream(file) << text;
    return file;
  }
  template <typename Widget>
  Widget* find(const char* name) {
    return window->currentBenchmarks()->findChild<Widget*>(QLatin1String(name));
  }
  void choose(const char* box, const QString& value) {
    auto* combo = find<QComboBox>(box);
    combo->setCurrentIndex(combo->findData(value));
    Q_EMIT combo->activated(combo->currentIndex());
    settled();
  }
};

TEST_F(BenchmarksTest, TheMenuShowsTheThesisFigure) {
  window->findChild<QAction*>(QStringLiteral("actionBenchmarks"))->trigger();
  BenchmarksPage* page = settled();
  ASSERT_NE(page, nullptr);
  ASSERT_NE(page->model().data(), nullptr);
  EXPECT_EQ(page->model().data()->points.size(), 7u);
  EXPECT_TRUE(find<BenchmarkView>("benchmarkView")->message().isEmpty());
  const auto* table = find<QTableView>("benchmarkTable");
  EXPECT_EQ(table->model()->rowCount(), static_cast<int>(page->model().data()->predictors.size()));
  EXPECT_EQ(table->model()->index(0, 1).data().toString(), QStringLiteral("\u22120.67"));
  EXPECT_TRUE(find<QLabel>("benchmarkCaveats")->text().contains(QStringLiteral("instruct variants")));
  window->findChild<QAction*>(QStringLiteral("actionBenchmarks"))->trigger();
  EXPECT_EQ(window->findChildren<BenchmarksPage*>().size(), 1) << "one tab is enough";
}

// Published models are in the figure already and are not files.
TEST_F(BenchmarksTest, OpenFromAComparisonWithPublishedModels) {
  compare({"small", "published:llama3.2-1b", "published:qwen3-4b"});
  window->findChild<QAction*>(QStringLiteral("actionBenchmarks"))->trigger();
  BenchmarksPage* page = settled();
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->model().files(), std::vector<fs::path>{folder / "small.h5"});
  EXPECT_FALSE(page->model().failed()) << page->model().problem().toStdString();
  EXPECT_EQ(page->model().data()->points.size(), 7u);
  page->add({"published:qwen3-8b"});
  settled();
  EXPECT_EQ(page->model().files().size(), 1u);
}

TEST_F(BenchmarksTest, ARowOrABoxChoosesThePredictor) {
  BenchmarksPage* page = open();
  auto* table = find<QTableView>("benchmarkTable");
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                    table->visualRect(table->model()->index(1, 0)).center());
  settled();
  EXPECT_EQ(page->model().data()->predictor.column, "ap_overall");
  EXPECT_EQ(find<QComboBox>("benchmarkPredictor")->currentData().toString(), QStringLiteral("ap_overall"));
  choose("benchmarkPredictor", QStringLiteral("bias_window"));
  EXPECT_EQ(page->model().data()->predictor.column, "bias_window");
  EXPECT_EQ(table->currentIndex().row(), 6);
}

TEST_F(BenchmarksTest, TheKeyboardWalksPredictorsAndPoints) {
  BenchmarksPage* page = open();
  auto* table = find<QTableView>("benchmarkTable");
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Down);
  settled();
  EXPECT_EQ(page->model().data()->predictor.column, "ap_overall");
  QTest::keyClick(table, Qt::Key_Down);
  settled();
  EXPECT_EQ(table->currentIndex().row(), 2) << "the table keeps its place when the picture changes";
  auto* view = find<BenchmarkView>("benchmarkView");
  const QImage before = view->grab().toImage();
  QTest::keyClick(view, Qt::Key_Right);
  const auto& points = page->model().data()->points;
  const auto first = std::ranges::min_element(points, {}, &BenchmarkPoint::x);
  EXPECT_TRUE(view->accessibleDescription().startsWith(QString::fromStdString(first->label())))
      << view->accessibleDescription().toStdString();
  EXPECT_NE(view->grab().toImage(), before) << "the selected point has a ring";
  QTest::keyClick(view, Qt::Key_Left);
  EXPECT_TRUE(view->accessibleDescription().startsWith(QString::fromStdString(first->label())));
}

TEST_F(BenchmarksTest, OtherBenchmarksHaveTheirOwnGroups) {
  BenchmarksPage* page = open();
  choose("benchmarkScores", QStringLiteral("ruler_base"));
  EXPECT_EQ(page->model().data()->title, "RULER, base models");
  choose("benchmarkGroup", QStringLiteral("smollm3_card_base//65536"));
  EXPECT_EQ(page->model().data()->group.length, 65536);
  choose("benchmarkScores", QStringLiteral("ruler"));
  EXPECT_TRUE(page->model().data()->group.byLength);
  EXPECT_FALSE(find<QComboBox>("benchmarkPredictor")->isEnabled());
}

TEST_F(BenchmarksTest, OwnAnalysesAndScoresAreAddedByDropping) {
  BenchmarksPage* page = open();
  choose("benchmarkPredictor", QStringLiteral("bias_window"));  // the small capture has too few pairs for AP
  const fs::path table = scores("model,score\nqwen3-4b,1\nqwen3-8b,2\nllama3.2-3b,3\nrandom,2.5\n");
  QMimeData files;
  files.setUrls({QUrl::fromLocalFile(QString::fromStdString((folder / "small.h5").string())),
                 QUrl::fromLocalFile(QString::fromStdString(table.string()))});
  QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(page, &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(page, &drop);
  settled();
  const auto data = page->model().data();
  ASSERT_EQ(page->model().files().size(), 1u) << message().text().toStdString();
  ASSERT_EQ(data->points.size(), 4u);
  EXPECT_TRUE(data->points.back().own && data->points.back().counted);
  EXPECT_EQ(data->result.n, 4);
  find<QToolButton>("benchmarkOwn")->click();
  settled();
  EXPECT_EQ(page->model().data()->points.size(), 3u);
}

TEST_F(BenchmarksTest, AnOwnAnalysisWithoutAScoreIsNamed) {
  BenchmarksPage* page = open();
  page->add({folder / "small.h5"});
  settled();
  EXPECT_EQ(page->model().data()->points.size(), 7u);
  EXPECT_TRUE(find<QLabel>("benchmarkNote")->text().contains(QStringLiteral("random")));
}

TEST_F(BenchmarksTest, AWrongTableIsReportedAndTheRestStays) {
  BenchmarksPage* page = open();
  page->add({scores("name,value\na,1\n")});
  settled();
  EXPECT_TRUE(message().text().contains(QStringLiteral("scores.csv"))) << message().text().toStdString();
  EXPECT_TRUE(message().text().contains(QStringLiteral("model and score"))) << message().text().toStdString();
  EXPECT_EQ(page->model().data()->points.size(), 7u);
  EXPECT_EQ(find<QComboBox>("benchmarkScores")->currentData().toString(), QStringLiteral("longbench_pro"));
  page->add({folder / "missing.h5"});
  settled();
  EXPECT_TRUE(message().text().contains(QStringLiteral("missing.h5"))) << message().text().toStdString();
  EXPECT_TRUE(page->model().files().empty());
}

TEST_F(BenchmarksTest, IsKeptInTheSession) {
  BenchmarksPage* page = open();
  choose("benchmarkScores", QStringLiteral("ruler_base"));
  choose("benchmarkPredictor", QStringLiteral("ap_overall"));
  page->add({folder / "small.h5"});
  settled();
  window->close();
  renew();
  window->sessions().restore({}, {});
  ASSERT_TRUE(waitFor([this] { return window->currentBenchmarks() && window->settled(); }));
  page = settled();
  EXPECT_EQ(page->model().choices().scores, "ruler_base");
  EXPECT_EQ(page->model().data()->predictor.column, "ap_overall");
  EXPECT_EQ(page->model().files(), std::vector<fs::path>{folder / "small.h5"});
}

TEST_F(BenchmarksTest, ExportDrawsTheFigureOfTheTab) {
  open();
  choose("benchmarkScores", QStringLiteral("ruler_base"));
  choose("benchmarkPredictor", QStringLiteral("ap_overall"));
  const QString command = exportCommand();
  for (const char* part : {"--figure benchmark ", "--scores ruler_base", "--metric ap_overall", "--group "})
    EXPECT_TRUE(command.contains(QLatin1String(part))) << command.toStdString();
}

}  // namespace
}  // namespace plastiscope
