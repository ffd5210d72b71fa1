// The matrix of a compare tab, in the whole window: columns, baseline, rows, linked selections, adding
// captures.
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>
#include <cmath>

#include "app/desktop/main_window.h"
#include "app/desktop/thesis_page.h"
#include "core/base/json.h"
#include "core/compare/published_figures.h"
#include "core/figures/parts.h"
#include "gui/matrix_fixture.h"
#include "gui/same_bytes.h"
#include "widgets/compare/add_captures.h"
#include "widgets/compare/matrix_view.h"
#include "widgets/export/figure_kinds.h"
#include "widgets/export/figure_panels.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/message_bar.h"
#include "widgets/plots/figure_view.h"
#include "widgets/plots/qcp.h"
#include "widgets/state/icons.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

using test::waitFor;

class CompareMatrixTest : public test::MatrixFixture {
 protected:
  std::vector<std::string> columns() {
    std::vector<std::string> names;
    for (const ComparedName& column : window->currentCompare()->model().views()->matrix->columns)
      names.push_back(column.name);
    return names;
  }
  AddCaptures* listToAddFrom(ComparePage& page) {
    page.findChild<QPushButton*>(QStringLiteral("compareAdd"))->click();
    return page.findChild<AddCaptures*>(QStringLiteral("addCaptures"));
  }
};

TEST_F(CompareMatrixTest, HasACellForEveryRowAndCapture) {
  ComparePage* page = compare({"grouped", "small", "mixed"});
  ASSERT_NE(page->model().views(), nullptr);
  for (const MatrixRow row :
       {MatrixRow::Grid, MatrixRow::Plane, MatrixRow::Map, MatrixRow::Profile, MatrixRow::Quintiles}) {
    for (std::size_t column = 0; column < 3; ++column) {
      FigureView* cell = matrix().cellAt(row, column);
      ASSERT_NE(cell, nullptr) << titleOf(row) << column;
      EXPECT_TRUE(cell->isVisible());
      EXPECT_GE(cell->height(), 90) << titleOf(row);
    }
    EXPECT_EQ(matrix().cellAt(row, 3), nullptr);
  }
  EXPECT_FALSE(matrix().numbersAt(2).isEmpty());
}

TEST_F(CompareMatrixTest, AClickSelectsTheSameHeadAndPlaceInAllColumns) {
  ComparePage* page = compare({"grouped", "small"});
  Q_EMIT matrix().cellAt(MatrixRow::Grid, 1) -> pointActivated(QPointF(2, 1));
  settle();
  EXPECT_EQ(page->selection().value().head, (HeadName{1, 2}));
  EXPECT_EQ(page->model().views()->matrix->heads[0], (HeadName{1, 2}));
  EXPECT_EQ(page->model().views()->matrix->heads[1], (HeadName{1, 2}));
  Q_EMIT matrix().cellAt(MatrixRow::Profile, 1) -> pointActivated(QPointF(0.5, 0.3));
  settle();
  const std::int64_t tokens = page->model().views()->profiles.models.front().window;
  ASSERT_TRUE(page->selection().value().position.has_value());
  EXPECT_NEAR(static_cast<double>(*page->selection().value().position), 0.5 * static_cast<double>(tokens), 2);
}

TEST_F(CompareMatrixTest, ThePinChangesTheBaselineAndRowsShowDifferencesFromIt) {
  ComparePage* page = compare({"grouped", "small", "mixed"});
  const std::vector<std::string> before = columns();
  page->model().pin(2);
  settle();
  EXPECT_EQ(columns(), (std::vector<std::string>{before[2], before[0], before[1]}));
  auto* less = page->findChild<QPushButton*>(QStringLiteral("matrixDifference-profile"));
  ASSERT_NE(less, nullptr);
  less->click();
  settle();
  EXPECT_TRUE(page->model().views()->matrix->differs(MatrixRow::Profile));
  EXPECT_FALSE(page->model().views()->matrix->differs(MatrixRow::Quintiles));
  EXPECT_EQ(page->sessionTab().compare.differences, std::set<std::string>{"profile"});
}

TEST_F(CompareMatrixTest, AllRowsSwitchToDifferencesAtOnce) {
  ComparePage* page = compare({"grouped", "small", "mixed"});
  EXPECT_FALSE(matrix().numbersAt(0).contains(QStringLiteral("diff.")));
  EXPECT_TRUE(matrix().numbersAt(1).contains(QStringLiteral("diff."))) << "beside the values, always";
  auto* values = page->findChild<QPushButton*>(QStringLiteral("matrixValues"));
  auto* less = page->findChild<QPushButton*>(QStringLiteral("matrixDifferences"));
  auto* ofProfile = page->findChild<QPushButton*>(QStringLiteral("matrixDifference-profile"));
  ASSERT_TRUE(values != nullptr && less != nullptr && ofProfile != nullptr);
  EXPECT_TRUE(values->isChecked());
  less->click();
  settle();
  for (const MatrixRow row : kMatrixRows)
    EXPECT_EQ(page->model().views()->matrix->differs(row), row != MatrixRow::Plane) << titleOf(row);
  EXPECT_TRUE(less->isChecked() && ofProfile->isChecked());
  ofProfile->click();
  settle();
  EXPECT_FALSE(values->isChecked() || less->isChecked()) << "some rows show the one, some the other";
  values->click();
  settle();
  EXPECT_TRUE(values->isChecked());
  EXPECT_FALSE(page->model().views()->matrix->differs(MatrixRow::Map));
}

TEST_F(CompareMatrixTest, RowsAreSwitchedOffAndOnAndKeptInTheSession) {
  ComparePage* page = compare({"grouped", "small"});
  auto* rows = page->findChild<QAction*>(QStringLiteral("matrixRow-plane"));
  ASSERT_NE(rows, nullptr);
  rows->trigger();
  settle();
  EXPECT_EQ(matrix().cellAt(MatrixRow::Plane, 0), nullptr);
  EXPECT_NE(matrix().cellAt(MatrixRow::Map, 0), nullptr);
  const CompareChoices kept = CompareChoices::fromJson(page->sessionTab().compare.toJson());
  EXPECT_EQ(kept.hiddenRows, std::set<std::string>{"plane"});
  rows->trigger();
  settle();
  EXPECT_NE(matrix().cellAt(MatrixRow::Plane, 0), nullptr);
}

TEST_F(CompareMatrixTest, ColumnsThatDoNotFitAreScrolledBelowTheirTitles) {
  std::vector<std::string> names = {"grouped", "small", "mixed"};
  for (const AtlasEntry& entry : publishedAtlas()) names.push_back(publishedInput(entry.model.id));
  ComparePage* page = compare(names);
  EXPECT_EQ(columns().size(), names.size());
  EXPECT_EQ(matrix().cellAt(MatrixRow::Grid, 0), nullptr) << "overview rows alone";
  FigureView* last = matrix().cellAt(MatrixRow::Profile, names.size() - 1);
  ASSERT_NE(last, nullptr);
  EXPECT_GT(last->x(), matrix().width());
  EXPECT_GE(last->width(), 180);
  EXPECT_EQ(page->model().views()->comparison->models.size(), names.size());
}

TEST_F(CompareMatrixTest, ACaptureHasOneLookInTabsColumnsAndLegends) {
  ComparePage* page = compare({"grouped", "small", "mixed", "published:qwen3-14b", "published:smollm3-3b"});
  const auto looksOf = [&page] {
    std::map<std::string, std::pair<std::uint32_t, Marker>> looks;
    const auto& names = page->model().views()->matrix->columns;
    const auto styles = seriesStyles(names);
    for (std::size_t i = 0; i < names.size(); ++i)
      looks[names[i].name] = {styles[i].colour.light, styles[i].marker};
    return looks;
  };
  const auto before = looksOf();
  ASSERT_EQ(before.size(), 5U);
  page->model().removeCompared(0);
  settle();
  EXPECT_EQ(looksOf().size(), 4U);
  for (const auto& [name, look] : looksOf()) EXPECT_EQ(look, before.at(name)) << name;
  // The tab of a capture has the mark of its column.
  window->openPaths({folder / "small.h5"});
  settle();
  const ComparedName& column = page->model().views()->matrix->columns.front();
  ASSERT_EQ(column.name, "small");
  const QIcon mark =
      captureIcon(QString::fromStdString(column.digest), QString::fromStdString(column.family));
  const auto picture = [](const QIcon& icon) { return icon.pixmap(QSize(16, 16)).toImage(); };
  EXPECT_EQ(picture(tabs().tabIcon(tabs().currentIndex())), picture(mark));
}

// Both captures would get the sixth colour.
TEST_F(CompareMatrixTest, CapturesWithTheSameColourGetDifferentOnes) {
  ComparePage* page = compare({"published:smollm3-3b", "published:qwen3-4b"});
  const auto colours = [&page] {
    std::vector<std::uint32_t> shown;
    for (const SeriesStyle& style : seriesStyles(page->model().views()->matrix->columns))
      shown.push_back(style.colour.light);
    return shown;
  };
  const auto before = colours();
  EXPECT_EQ(before[0], captureStyle("published:smollm3-3b").colour.light) << "the first keeps its own";
  EXPECT_NE(before[0], before[1]);
  page->model().pin(1);
  settle();
  EXPECT_EQ(colours(), (std::vector{before[1], before[0]}));
  // An exported figure uses the colours and markers of the window.
  EXPECT_TRUE(exportCommand().contains(QStringLiteral("--looks 46,29"))) << exportCommand().toStdString();
  FigureSpec spec;
  spec.figure = "compare-matrix";
  spec.looks = {46, 29};
  const FigureContent content = prepareFigure(page->model().studies(), spec);
  EXPECT_EQ(content.plot.panels.front().legend.front().symbol.marker->colour.light, before[1]);
  // The next start uses them too.
  const std::map<std::string, int> looks = page->sessionTab().looks;
  window->close();
  renew();
  window->sessions().restore({}, {});
  ASSERT_TRUE(waitFor([this] { return window->currentCompare() && window->settled(); }));
  page = window->currentCompare();
  settle();
  EXPECT_EQ(page->sessionTab().looks, looks);
  EXPECT_EQ(colours(), (std::vector{before[1], before[0]}));
}

TEST_F(CompareMatrixTest, AddListsTabsLibraryAndAtlasWithAFilter) {
  window->openPaths({folder / "small.h5"});
  settle();
  ComparePage* page = compare({"grouped"});
  AddCaptures* popup = listToAddFrom(*page);
  ASSERT_NE(popup, nullptr);
  auto* list = popup->findChild<QTreeWidget*>(QStringLiteral("addList"));
  auto* filter = popup->findChild<QLineEdit*>(QStringLiteral("addFilter"));
  std::vector<QTreeWidgetItem*> wanted;
  for (int g = 0; g < list->topLevelItemCount(); ++g) {
    for (int i = 0; i < list->topLevelItem(g)->childCount(); ++i) {
      QTreeWidgetItem* item = list->topLevelItem(g)->child(i);
      if (item->text(0) == QStringLiteral("small") || item->text(0) == QStringLiteral("Qwen3-14B"))
        wanted.push_back(item);
    }
  }
  ASSERT_EQ(wanted.size(), 2U) << "an open tab and a model of the thesis";
  filter->setText(QStringLiteral("qwen3 14"));
  EXPECT_TRUE(wanted[0]->isHidden());
  EXPECT_FALSE(wanted[1]->isHidden());
  auto* add = popup->findChild<QPushButton*>(QStringLiteral("addChosen"));
  EXPECT_FALSE(add->isEnabled());
  filter->clear();
  for (QTreeWidgetItem* item : wanted) {
    list->scrollToItem(item);
    const QRect line = list->visualItemRect(item);
    const auto click = [&](const QPoint& at) {
      QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, at);
      return item->checkState(0);
    };
    EXPECT_EQ(click(line.center()), Qt::Checked) << "on the name of " << item->text(0).toStdString();
    EXPECT_EQ(click({line.left() + 10, line.center().y()}), Qt::Unchecked) << "on the box";
    list->setCurrentItem(item);
    QTest::keyClick(list, Qt::Key_Space);
    EXPECT_EQ(item->checkState(0), Qt::Checked) << "by the keyboard";
  }
  ASSERT_TRUE(add->isEnabled());
  add->click();
  settle();
  ASSERT_NE(page->model().views(), nullptr);
  EXPECT_EQ(columns().size(), 3U);
  EXPECT_TRUE(page->model().views()->comparison->models.back().published);
}

TEST_F(CompareMatrixTest, CapturesAreAddedWithoutTheMouse) {
  ComparePage* page = compare({"grouped"});
  AddCaptures* popup = listToAddFrom(*page);
  ASSERT_NE(popup, nullptr);
  auto* list = popup->findChild<QTreeWidget*>(QStringLiteral("addList"));
  auto* filter = popup->findChild<QLineEdit*>(QStringLiteral("addFilter"));
  ASSERT_EQ(QApplication::focusWidget(), filter);
  QTest::keyClicks(filter, QStringLiteral("llama-3.2"));
  QTest::keyClick(filter, Qt::Key_Return);
  ASSERT_TRUE(popup->isVisible()) << "there are several, and none is marked";
  QTest::keyClick(filter, Qt::Key_Down);
  EXPECT_EQ(QApplication::focusWidget(), list);
  ASSERT_NE(list->currentItem(), nullptr);
  EXPECT_EQ(list->currentItem()->text(0), QStringLiteral("Llama-3.2-1B"));
  filter->setFocus();
  filter->selectAll();
  QTest::keyClicks(filter, QStringLiteral("qwen3-14"));
  QTest::keyClick(filter, Qt::Key_Return);
  settle();
  ASSERT_EQ(columns().size(), 2U) << "the only one that is listed";
  EXPECT_EQ(page->model().views()->comparison->models.back().name, "Qwen3-14B");
}

TEST_F(CompareMatrixTest, TheWindowClosesWithTheListOpenAndWhileItCompares) {
  window->openPaths({folder / "small.h5"});
  settle();
  compare({"grouped", "mixed"});
  ASSERT_NE(listToAddFrom(*window->currentCompare()), nullptr);
  test::settleEvents();
  renew();
  // Closes the window while files are opened and captures are compared.
  for (int turns = 0; turns < 12; ++turns) {
    SessionTab start;
    for (const char* name : {"grouped.h5", "small.h5", "mixed.h5"}) start.compared.push_back(folder / name);
    start.compare.charts = turns % 2 == 1;
    window->openPaths({folder / "small.h5"});
    window->openComparison(start);
    ComparePage* page = window->currentCompare();
    ASSERT_NE(page, nullptr);
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < 15 * turns) QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    page->findChild<QPushButton*>(QStringLiteral("compareAdd"))->click();
    renew();
  }
  settle();
}

TEST_F(CompareMatrixTest, HidingTheWarningRestoresThePanels) {
  for (const bool charts : {false, true}) {
    CompareChoices choices;
    choices.charts = charts;
    ComparePage* page = compare({"grouped", "mixed"}, choices);
    auto* bar = page->findChild<MessageBar*>(QStringLiteral("messageBar"));
    ASSERT_NE(bar, nullptr);
    ASSERT_TRUE(bar->isVisible()) << "windows differ";
    const auto places = [page] {
      std::vector<QRect> found;
      for (const QWidget* panel : page->findChildren<QDockWidget*>()) found.push_back(panel->geometry());
      found.push_back(page->findChild<MatrixView*>()->geometry());
      // Charts keep their height; their scroll areas shrink.
      for (const QWidget* area : page->findChildren<QScrollArea*>()) found.push_back(area->geometry());
      return found;
    };
    bar->hide();
    settle();
    const std::vector<QRect> without = places();
    bar->setVisible(true);
    settle();
    EXPECT_NE(places(), without);
    bar->hide();
    settle();
    EXPECT_EQ(places(), without) << (charts ? "charts" : "matrix");
  }
}

TEST_F(CompareMatrixTest, ExportedNumbersEqualTheWindow) {
  ComparePage* page = compare({"grouped", "small", "published:qwen3-14b"});
  EXPECT_EQ(page->currentFigure(), QStringLiteral("compare-matrix"));
  FigureSpec spec;
  spec.figure = "compare-matrix";
  spec.metric = page->selection().value().metric;
  spec.scope.head = page->selection().value().head;
  const FigureContent content = prepareFigure(page->model().studies(), spec);
  EXPECT_EQ(toCsv(content.data), toCsv(tableOf(*page->model().views()->matrix)));
  EXPECT_EQ(content.plot.panels.size(), 6U * 3U);
}

TEST_F(CompareMatrixTest, TheWindowAndTheCommandWriteTheSameBytes) {
  CompareChoices choices;
  choices.differences = {"map", "quintiles"};
  compare({"grouped", "small", "published:qwen3-14b"}, choices);
  test::expectTheCommandWritesTheSame(*window, folder.path());
}

TEST_F(CompareMatrixTest, DifferenceAndDriftCanBeDrawnAsFigures) {
  for (const char* file : {"drift_first.h5", "drift_second.h5"})
    fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "compare" / file, folder / file);
  const auto draws = [](const ComparePage& page, const char* id) {
    ASSERT_NE(page.model().views(), nullptr);
    FigureSpec spec;
    spec.figure = id;
    const FigureContent content = prepareFigure(page.model().studies(), spec);
    EXPECT_FALSE(content.plot.allBoxes().empty()) << id;
    EXPECT_GT(content.data.rows(), 0U) << id;
  };
  const ComparePage* drifted = compareInCharts({"drift_first", "drift_second"});
  for (const char* id : {"head-difference", "drift"}) draws(*drifted, id);
  // These captures have enough rows for pairs of keys.
  provide("grouped.h5", "twin.h5");
  draws(*compareInCharts({"grouped", "twin"}), "map-difference");
}

TEST_F(CompareMatrixTest, ACurveIsSwitchedOffInTheLegend) {
  ComparePage* page = compareInCharts({"grouped", "small"});
  auto* profiles = page->findChild<FigureView*>(QStringLiteral("compareProfilesDockView"));
  ASSERT_NE(profiles, nullptr);
  ASSERT_NE(profiles->shownPlot(), nullptr);
  const auto curves = [profiles] {
    std::set<std::string> series;
    for (const Mark& mark : profiles->shownPlot()->boxes.front().marks) series.insert(mark.series);
    series.erase("");
    return series;
  };
  ASSERT_EQ(curves().size(), 2U);
  const std::string first = profiles->shownPlot()->legend.front().text;
  ASSERT_EQ(curves().count(first), 1U);
  // The first entry of the legend is at its left end.
  QWidget* picture = profiles->findChild<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
  for (int y = 2; y < 24 && profiles->hiddenSeries().empty(); y += 3)
    QTest::mouseClick(picture, Qt::LeftButton, {}, QPoint(14, y));
  settle();
  EXPECT_EQ(profiles->hiddenSeries(), std::set<std::string>{first});
  EXPECT_EQ(curves().count(first), 0U);
  EXPECT_EQ(curves().size(), 1U);
}

// The chips of captures are scrolled, so that they do not take width from the library.
TEST_F(CompareMatrixTest, ManyCapturesDoNotShrinkTheLibrary) {
  window->resize(1280, 720);
  settle();
  const auto* library = window->findChild<QDockWidget*>(QStringLiteral("libraryDock"));
  ASSERT_NE(library, nullptr);
  const int width = library->width();
  std::vector<std::string> names = {"grouped"};
  for (const AtlasEntry& entry : publishedAtlas()) names.push_back(publishedInput(entry.model.id));
  compareInCharts(names);
  EXPECT_EQ(window->width(), 1280);
  EXPECT_LE(window->minimumSizeHint().height(), 720 - 40) << "with the frame of the window system";
  EXPECT_EQ(library->width(), width);
}

TEST_F(CompareMatrixTest, ThesisFiguresOpenInOneTab) {
  window->openThesis("AP-03");
  settle();
  ThesisPage* page = window->currentThesis();
  ASSERT_NE(page, nullptr);
  auto* view = page->findChild<FigureView*>(QStringLiteral("thesisView"));
  EXPECT_TRUE(view->message().isEmpty()) << view->message().toStdString();
  ASSERT_NE(view->shownPlot(), nullptr);
  FigureSpec spec;
  spec.figure = "AP-03";
  EXPECT_EQ(view->shownPlot()->allBoxes().size(), prepareFigure({}, spec).plot.allBoxes().size());
  window->openThesis("AP-08");
  settle();
  EXPECT_EQ(window->currentThesis(), page) << "one tab for all";
  EXPECT_TRUE(page->findChild<QLabel*>(QStringLiteral("thesisNote"))
                  ->text()
                  .contains(QStringLiteral("five largest")));
  window->openThesis("AP-05");
  settle();
  EXPECT_TRUE(view->message().isEmpty()) << "the mean over heads is published";
  EXPECT_EQ(view->shownPlot()->allBoxes().size(), 1U);
  window->openThesis("PCA-02");
  settle();
  EXPECT_FALSE(page->isDrawn());
  EXPECT_TRUE(view->message().contains(QStringLiteral("PCA-02")));
}

}  // namespace
}  // namespace plastiscope
