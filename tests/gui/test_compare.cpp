// A compare tab in the whole window, on small captures.
#include <gtest/gtest.h>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QMimeData>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>
#include <algorithm>
#include <fstream>

#include "app/desktop/main_window.h"
#include "core/base/json.h"
#include "core/views/map_data.h"
#include "core/views/profile_data.h"
#include "core/views/study_facts.h"
#include "gui/window_fixture.h"
#include "widgets/compare/drift_panel.h"
#include "widgets/compare/matrix_view.h"
#include "widgets/export/figure_panels.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/plots/figure_view.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/plots/plasticity_map_view.h"
#include "widgets/plots/qcp.h"

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
  ComparePage* page = compareInCharts({"grouped", "small"});
  ASSERT_NE(page, nullptr);
  const auto views = page->model().views();
  ASSERT_NE(views, nullptr);
  EXPECT_EQ(views->comparison->models.size(), 2u);
  EXPECT_EQ(views->matching, HeadMatching::SameHead);
  ASSERT_NE(grid(0), nullptr);
  ASSERT_NE(grid(1), nullptr);
  const auto start = headOfInterest(*page->model().studies().front()->analysis);
  EXPECT_NE(start, (HeadName{0, 0})) << "a head with data, not the first head";
  EXPECT_EQ(grid(0)->selectedHead(), start);
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
  ComparePage* page = compareInCharts({"grouped", "mixed"});
  const auto views = page->model().views();
  ASSERT_NE(views, nullptr);
  EXPECT_EQ(views->matching, HeadMatching::RelativeDepth);
  EXPECT_EQ(views->difference, nullptr);
  Q_EMIT grid(1)->headActivated(HeadName{1, 4});
  settled();
  EXPECT_EQ(grid(0)->selectedHead(), (HeadName{1, 3})) << "the last head of four for the last of five";
  EXPECT_EQ(grid(1)->selectedHead(), (HeadName{1, 4}));
}

TEST_F(CompareTest, ToolBarChangesAreUndone) {
  ComparePage* page = compareInCharts({"grouped", "small"});
  auto* metric = window->findChild<QComboBox*>(QStringLiteral("metricBox"));
  ASSERT_TRUE(metric->isEnabled());
  metric->setCurrentIndex(metric->findData(QStringLiteral("ap_drop")));
  Q_EMIT metric->activated(metric->currentIndex());
  settled();
  EXPECT_EQ(page->model().views()->metric, "ap_drop");
  EXPECT_EQ(page->model().views()->numbers.front().metric.column, "ap_drop");
  QTest::keyClick(window.get(), Qt::Key_BracketRight);
  settled();
  EXPECT_EQ(page->selection().value().head, (HeadName{1, 1}));
  page->selection().undo();
  page->selection().undo();
  settled();
  EXPECT_EQ(page->model().views()->metric, "ap_aligned");
  EXPECT_EQ(grid(1)->selectedHead(), (HeadName{1, 0}));
}

TEST_F(CompareTest, OneModelAloneIsNamedInFullAndOffersNothingToChoose) {
  window->resize(1280, 720);
  window->openPaths({"published:qwen3-4b"});
  settle();
  const auto choices = {"compareProfiles", "compareAxis", "compareMatching", "compareOrder", "matrixRows"};
  const auto shown = [this](const char* name) {
    return window->findChild<QWidget*>(QString::fromLatin1(name))->isVisible();
  };
  for (const char* name : choices) EXPECT_FALSE(shown(name)) << name;
  QStringList words;
  for (const QLabel* label :
       window->findChild<QWidget*>(QStringLiteral("compareChip"))->findChildren<QLabel*>())
    words.append(label->text());
  EXPECT_TRUE(words.contains(QStringLiteral("Qwen3-4B"))) << words.join(QLatin1Char(' ')).toStdString();
  window->currentCompare()->add({folder / "small.h5"});
  settle();
  for (const char* name : choices) EXPECT_TRUE(shown(name)) << name;
}

TEST_F(CompareTest, WarningsDoNotCoverTheMatrix) {
  ComparePage* page = compare({"small", "published:qwen3-4b"});
  const auto* warnings = page->findChild<MessageBar*>();
  ASSERT_TRUE(warnings->isVisible());
  const auto* matrix = page->findChild<MatrixView*>();
  ASSERT_TRUE(matrix->isVisible());
  const QRect shown(matrix->mapTo(page, QPoint()), matrix->size());
  EXPECT_FALSE(shown.intersects(warnings->geometry()));
}

TEST_F(CompareTest, CapturesAreAddedByDroppingAndRemovedByTheirChip) {
  ComparePage* page = compareInCharts({"grouped"});
  EXPECT_EQ(page->model().views(), nullptr);
  EXPECT_TRUE(hint().contains(QStringLiteral("Two to 32"))) << hint().toStdString();
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
    if (!close && button->toolTip().startsWith(QStringLiteral("Remove "))) close = button;
  }
  ASSERT_NE(close, nullptr);
  close->click();
  settled();
  EXPECT_EQ(page->model().files().front(), folder / "small.h5");
  EXPECT_EQ(page->model().views()->comparison->models.size(), 2u);
}

TEST_F(CompareTest, AFileThatCannotBeUsedIsNamedAndTheRestIsCompared) {
  std::ofstream(folder / "broken.h5") << "not HDF5 at all";
  ComparePage* page = compareInCharts({"grouped", "broken"});
  EXPECT_EQ(page->model().views(), nullptr);
  EXPECT_TRUE(hint().contains(QStringLiteral("broken.h5"))) << hint().toStdString();
  page->add({folder / "small.h5"});
  settled();
  ASSERT_NE(page->model().views(), nullptr);
  EXPECT_EQ(page->model().views()->comparison->models.size(), 2u);
}

TEST_F(CompareTest, ComparesThirtyTwoCaptures) {
  std::vector<std::string> names;
  for (int i = 0; i < 33; ++i) {
    names.push_back("copy" + std::to_string(i));
    fs::copy_file(folder / "small.h5", folder / (names.back() + ".h5"));
  }
  ComparePage* page = compareInCharts(names);
  EXPECT_EQ(page->model().size(), 32u);
  ASSERT_NE(page->model().views(), nullptr);
  EXPECT_EQ(page->model().views()->comparison->models.size(), 32u);
}

TEST_F(CompareTest, AFolderOfCapturesOpensAsATrajectoryInTheOrderOfTheirSteps) {
  fs::create_directory(folder / "run");
  for (const char* step : {"step1000", "step64", "step512"})
    fs::copy_file(folder / "small.h5", folder / "run" / (std::string(step) + ".h5"));
  window->openPaths({folder / "run"});
  ASSERT_TRUE(waitFor([this] { return window->currentCompare() != nullptr; }));
  ComparePage* page = settled();
  std::vector<std::string> names;
  for (const fs::path& file : page->model().files()) names.push_back(file.stem().string());
  names.resize(3);
  for (std::string& name : names) name = name.substr(0, name.find('.'));
  EXPECT_EQ(names, (std::vector<std::string>{"step64", "step512", "step1000"}));
  EXPECT_TRUE(page->sessionTab().compare.charts);
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
  ComparePage* page = compareInCharts({"grouped", "small"});
  page->selection().setHead({1, 1});
  CompareChoices choices;
  choices.tokens = true;
  choices.ofHead = true;
  page->model().setChoices(choices);
  settled();
  window->close();
  renew();
  window->sessions().restore({}, {});
  ASSERT_TRUE(waitFor([this] { return window->currentCompare() && window->settled(); }));
  page = settled();
  EXPECT_EQ(page->model().files().size(), 2u);
  EXPECT_EQ(page->model().choices(), choices);
  EXPECT_EQ(page->selection().value().head, (HeadName{1, 1}));
  EXPECT_EQ(page->model().views()->profiles.models[1].head, (HeadName{1, 1}));
}

TEST_F(CompareTest, ShowsTheDifferenceOfHeadsOrOfMaps) {
  provide("grouped.h5", "twin.h5");
  ComparePage* page = compareInCharts({"grouped", "twin"});
  auto* what = page->findChild<QComboBox*>(QStringLiteral("compareDifferenceOf"));
  auto* map = page->findChild<PlasticityMapView*>(QStringLiteral("compareMapDifference"));
  auto* heads = page->findChild<HeadGridView*>(QStringLiteral("compareDifference"));
  ASSERT_NE(what, nullptr);
  ASSERT_NE(map, nullptr);
  EXPECT_EQ(page->model().views()->mapDifference, nullptr) << "computed on demand";
  what->setCurrentIndex(1);
  Q_EMIT what->activated(1);
  settled();
  const auto difference = page->model().views()->mapDifference;
  ASSERT_NE(difference, nullptr) << "both have the same window and cells";
  for (std::size_t i = 0; i < difference->map.mean.size(); ++i) {
    if (difference->map.count[i] == 0) continue;
    EXPECT_EQ(difference->map.mean[i], 0) << "the same capture twice";
  }
  EXPECT_TRUE(map->isVisibleTo(page));
  EXPECT_FALSE(heads->isVisibleTo(page));
  EXPECT_TRUE(map->message().isEmpty()) << map->message().toStdString();
  EXPECT_TRUE(page->sessionTab().compare.mapDifference);
  what->setCurrentIndex(0);
  Q_EMIT what->activated(0);
  settled();
  EXPECT_TRUE(heads->isVisibleTo(page));
}

TEST_F(CompareTest, MapsStandSideBySideAndFollowTheHead) {
  ComparePage* page = compareInCharts({"grouped", "small"});
  for (int i = 0; i < 2; ++i) {
    auto* map = page->findChild<PlasticityMapView*>(QStringLiteral("compareMap%1").arg(i));
    ASSERT_NE(map, nullptr);
    const auto& shown = page->model().views()->maps[static_cast<std::size_t>(i)];
    EXPECT_EQ(map->message().toStdString(), whyNoMap(*shown));
  }
  EXPECT_EQ(page->model().views()->maps[1]->scopeText, "all heads");
  CompareChoices choices;
  choices.ofHead = true;
  page->model().setChoices(choices);
  page->selection().setHead({1, 2});
  settled();
  EXPECT_EQ(page->model().views()->maps[1]->scopeText, "L1H2");
}

TEST_F(CompareTest, MapsOfOtherWindowsHaveNoDifference) {
  CompareChoices choices;
  choices.mapDifference = true;
  ComparePage* page = compare({"grouped", "mixed"}, choices);
  const auto first = makeMap(*page->model().studies()[0]->analysis, {});
  const auto other = makeMap(*page->model().studies()[1]->analysis, {});
  const bool same = first.window == other.window && first.cell == other.cell;
  EXPECT_EQ(page->model().views()->mapDifference != nullptr, same);
  auto* map = page->findChild<PlasticityMapView*>(QStringLiteral("compareMapDifference"));
  EXPECT_EQ(map->message().isEmpty(), same);
}

TEST_F(CompareTest, OneColourRangeForAllCanBeUnlocked) {
  ComparePage* page = compareInCharts({"grouped", "small"});
  auto* locked = page->findChild<QCheckBox*>(QStringLiteral("compareLocked"));
  ASSERT_NE(locked, nullptr);
  EXPECT_TRUE(locked->isChecked());
  const QImage first = grid(0)->grab().toImage(), second = grid(1)->grab().toImage();
  locked->click();
  settled();
  EXPECT_TRUE(page->model().choices().ownRanges);
  EXPECT_TRUE(grid(0)->grab().toImage() != first || grid(1)->grab().toImage() != second)
      << "the colours of its own range";
  EXPECT_FALSE(page->findChild<QCheckBox*>(QStringLiteral("comparePublished"))->isEnabled())
      << "the thesis has no numbers of these models";
}

TEST_F(CompareTest, ProfilesShowAToolTipForTheCurve) {
  ComparePage* page = compareInCharts({"grouped", "small"});
  const ComparedProfile& first = page->model().views()->profiles.models.front();
  std::size_t bins = 0;
  for (const ComparedProfile& model : page->model().views()->profiles.models)
    bins += static_cast<std::size_t>(std::ranges::count_if(model.mean, [](double ap) { return ap == ap; }));
  auto* view = page->findChild<FigureView*>(QStringLiteral("compareProfilesDockView"));
  ASSERT_NE(view, nullptr);
  ASSERT_NE(view->shownPlot(), nullptr);
  std::vector<std::string> tips;
  for (const Mark& mark : view->shownPlot()->boxes.front().marks)
    std::ranges::copy_if(mark.tips, std::back_inserter(tips),
                         [](const std::string& tip) { return !tip.empty(); });
  ASSERT_FALSE(tips.empty());
  EXPECT_EQ(tips.size(), bins);
  EXPECT_NE(tips.front().find(first.model.name), std::string::npos);
  EXPECT_NE(tips.front().find("heads"), std::string::npos) << tips.front();
  // A tool tip appears at some point along the curves.
  bool shown = false;
  for (int y = 4; y < view->height() && !shown; y += 6) {
    for (int x = 4; x < view->width() && !shown; x += 6) {
      QTest::mouseMove(view->findChild<QWidget*>(), QPoint(x, y));
      shown = QToolTip::text().contains(QStringLiteral("AP "));
    }
  }
  EXPECT_TRUE(shown);
}

TEST_F(CompareTest, TheLayoutIsKeptForTheNextComparison) {
  ComparePage* page = compareInCharts({"grouped", "small"});
  auto* numbers = page->findChild<QDockWidget*>(QStringLiteral("compareNumbersDock"));
  ASSERT_TRUE(numbers->isVisibleTo(page));
  numbers->close();
  settled();
  window->close();
  renew();
  page = compareInCharts({"grouped", "small"});
  EXPECT_FALSE(page->findChild<QDockWidget*>(QStringLiteral("compareNumbersDock"))->isVisibleTo(page));
  page->panels().resetLayout();
  EXPECT_TRUE(page->findChild<QDockWidget*>(QStringLiteral("compareNumbersDock"))->isVisibleTo(page));
}

TEST_F(CompareTest, ACaptureIsDraggedFromTheLibrary) {
  fs::create_directories(folder / "captures");
  fs::copy_file(folder / "mixed.h5", folder / "captures/mixed.h5");
  session->library.refresh();
  ComparePage* page = compareInCharts({"grouped", "small"});
  auto* tree = window->findChild<QTreeView*>(QStringLiteral("libraryTree"));
  const QModelIndexList entries =
      tree->model()->match(tree->model()->index(0, 0), Qt::DisplayRole, QStringLiteral("mixed"), 1,
                           Qt::MatchExactly | Qt::MatchRecursive);
  ASSERT_EQ(entries.size(), 1);
  EXPECT_TRUE(tree->dragEnabled());
  const std::unique_ptr<QMimeData> dragged(tree->model()->mimeData(entries));
  // The page accepts a drop on any plot inside it.
  QWidget* inside = grid(0);
  QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction | Qt::MoveAction, dragged.get(), Qt::LeftButton, {});
  QCoreApplication::sendEvent(inside, &enter);
  ASSERT_TRUE(enter.isAccepted());
  QDropEvent drop(QPointF(5, 5), Qt::CopyAction | Qt::MoveAction, dragged.get(), Qt::LeftButton, {});
  QCoreApplication::sendEvent(inside, &drop);
  settled();
  EXPECT_EQ(page->model().files().back(), folder / "captures/mixed.h5");
  EXPECT_EQ(page->model().views()->comparison->models.size(), 3u);
  EXPECT_TRUE(tabs().tabBar()->changeCurrentOnDrag()) << "a drag over its tab brings the page to the front";
}

class DriftTest : public test::WindowFixture {
 protected:
  const QString kNotYet = DriftPanel::tr("This panel compares two captures of the same texts and positions.");
  DriftTest() {
    for (const char* file : {"drift_first.h5", "drift_second.h5", "drift_other_rows.h5"})
      fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "compare" / file, folder / file);
    renew();
  }
  DriftPanel* open(const char* first, const char* second) {
    auto* page = compareInCharts({first, second});
    auto* dock = page->findChild<QDockWidget*>(QStringLiteral("compareDriftDock"));
    auto* panel = page->findChild<DriftPanel*>();
    EXPECT_EQ(panel->findChild<HeadGridView*>()->message(), kNotYet) << "not before the panel is shown";
    dock->raise();
    EXPECT_TRUE(waitFor([&] { return panel->findChild<HeadGridView*>()->message() != kNotYet; }));
    settle();
    return panel;
  }
};

TEST_F(DriftTest, RowsOfTwoCapturesAreComparedHeadByHead) {
  DriftPanel* panel = open("drift_first", "drift_second");
  auto* table = panel->findChild<QTableView*>(QStringLiteral("driftTable"));
  ASSERT_TRUE(table->isVisibleTo(panel)) << panel->findChild<HeadGridView*>()->message().toStdString();
  ASSERT_EQ(table->model()->rowCount(), 6) << "two layers of two query heads and one key head";
  // The largest median comes first and equals NumPy's (tests/data/compare/drift.json).
  const Json expected = readJsonFile(fs::path(PLASTISCOPE_TEST_DATA) / "compare/drift.json");
  double largest = 0;
  for (const Json& head : expected["heads"])
    largest = std::max(largest, head["median_relative_error"].get<double>());
  const QModelIndex top = table->model()->index(0, DriftModel::FirstMeasure);
  EXPECT_NEAR(top.data(DriftModel::kSortRole).toDouble(), largest, 1e-12);
  panel->kind()->setCurrentIndex(1);
  Q_EMIT panel->kind()->activated(1);
  EXPECT_TRUE(panel->findChild<HeadGridView*>()->message().isEmpty());
}

TEST_F(DriftTest, CapturesWithOtherRowsAreRefused) {
  DriftPanel* panel = open("drift_second", "drift_other_rows");
  const QString said = panel->findChild<HeadGridView*>()->message();
  EXPECT_TRUE(said.startsWith(QStringLiteral("The rows of the two captures do not match")))
      << said.toStdString();
  EXPECT_TRUE(said.contains(QStringLiteral("position"))) << said.toStdString();
  EXPECT_FALSE(panel->findChild<QTableView*>()->isVisibleTo(panel));
}

// Ctrl+E exports the same figure as `plastiscope render --figure compare`.
TEST_F(CompareTest, ExportDrawsTheFigureOfTheTab) {
  ComparePage* page = compareInCharts({"grouped", "small"});
  const QString command = exportCommand();
  const QString grouped = QString::fromStdString((folder / "grouped.h5").string());
  for (const QString& part : {grouped, QStringLiteral("small.h5"), QStringLiteral("--figure compare ")})
    EXPECT_TRUE(command.contains(part)) << command.toStdString();
  FigureSpec spec;
  spec.figure = "compare";
  const FigureContent content = prepareFigure(page->model().studies(), spec);
  EXPECT_EQ(content.data.rows(), tableOf(page->model().views()->profiles).rows());
}

TEST_F(CompareTest, ChartsOfFewCapturesHaveRoomOnALowScreen) {
  const std::string stem = "a-model-that-has-quite-a-long-name-step-";
  std::vector<std::string> names;
  window->resize(1280, 720);
  for (const std::string step : {"1000", "2000", "3000", "4000"}) {
    names.push_back(stem + step);
    provide("grouped.h5", names.back() + ".h5");
    if (names.size() < 2) continue;
    ComparePage* page = compareInCharts(names);
    EXPECT_EQ(window->size(), QSize(1280, 720));
    QStringList shown;
    for (const QWidget* chip : page->findChildren<QWidget*>(QStringLiteral("compareChip")))
      shown.append(chip->findChildren<QLabel*>().at(1)->text());
    QStringList steps;
    for (const std::string& name : names) steps.append(QString::fromStdString(name.substr(stem.size())));
    EXPECT_EQ(shown, steps) << "the differing part of each name, in full";
    const auto* curve =
        page->findChild<QWidget*>(QStringLiteral("compareProfilesDockView"))->findChild<QCustomPlot*>();
    EXPECT_GE(curve->axisRect(0)->height(), 60) << names.size();
    page->panels().active().enter(page->panels().docks().front());
    page->panels().maximiseCurrent();
    settle();
    EXPECT_EQ(page->panels().visibleRegion().boundingRect().height(), page->panels().height())
        << "an enlarged chart is shown in full";
    page->panels().maximiseCurrent();
    settle();
    Q_EMIT tabs().tabCloseRequested(tabs().currentIndex());
  }
}

TEST_F(CompareTest, ChartsOfManyCapturesScrollOnALowScreen) {
  std::vector<std::string> names = {"grouped", "small"};
  for (const char* id : {"qwen3-0.6b", "qwen3-1.7b", "qwen3-4b", "qwen3-8b", "qwen3-14b", "llama3.2-1b",
                         "llama3.2-3b", "llama3.1-8b", "ministral3-3b", "ministral3-14b"})
    names.push_back(publishedInput(id));
  ComparePage* page = compareInCharts(names);
  for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
    window->resize(size);
    settle();
    EXPECT_EQ(window->size(), size) << "the charts do not resize the window";
    QList<const QDockWidget*> seen;
    for (const QDockWidget* dock : page->panels().findChildren<QDockWidget*>()) {
      if (!dock->isVisible() || dock->visibleRegion().isEmpty()) continue;
      EXPECT_GE(dock->height(), dock->minimumSizeHint().height()) << dock->objectName().toStdString();
      for (const QDockWidget* other : seen)
        EXPECT_FALSE(dock->geometry().intersects(other->geometry()))
            << dock->objectName().toStdString() << " lies over " << other->objectName().toStdString();
      seen.append(dock);
    }
    EXPECT_GE(seen.size(), 4);
  }
}

}  // namespace
}  // namespace plastiscope
