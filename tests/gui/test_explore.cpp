// Exploring one head with the mouse: lasso, box, hover, a click on the map, scrubber, what-if sliders.
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QAbstractScrollArea>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QToolTip>
#include <numeric>

#include "core/base/json.h"
#include "core/jobs/inspect_job.h"
#include "gui/held_mouse.h"
#include "gui/page_fixture.h"
#include "support/temporary_folder.h"
#include "widgets/pages/panel_dock.h"
#include "widgets/panels/row_tables.h"
#include "widgets/panels/scrubber_panel.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/plane_view.h"
#include "widgets/plots/plasticity_map_view.h"
#include "widgets/plots/profile_view.h"
#include "widgets/plots/qcp.h"

namespace plastiscope {
namespace {

using test::waitFor;

class ExploreTest : public test::PageTest {
 protected:
  static constexpr HeadName kHead{0, 1};

  ExploreTest() {
    std::filesystem::copy_file(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "analysis" / "grouped.h5",
                               folder / "grouped.h5");
    Progress quiet;
    study = std::make_shared<Study>(*openStudy(folder / "grouped.h5", AnalysisSettings(), 1, quiet));
    study->capture = std::make_shared<test::WithWords>(study->capture, wordsOf);
    open(study, folder / "study.h5", kHead);
  }
  // Token t of text e is " te_t".
  static std::vector<std::string> wordsOf(std::int64_t example) {
    std::vector<std::string> tokens;
    for (int t = 0; t < 4096; ++t) tokens.push_back(" t" + std::to_string(example) + "_" + std::to_string(t));
    return tokens;
  }
  ~ExploreTest() override { page.reset(); }  // before its folder
  const ViewSelection& selected() { return page->selection().value(); }
  QWidget* plotOf(QWidget* view) { return view->findChild<QWidget*>(QString(), Qt::FindDirectChildrenOnly); }

  // Drags a lasso around a part of the plot, given as fractions of its size.
  void drawAround(QWidget* plot, QRectF share, Qt::KeyboardModifiers keys = {}) {
    const auto at = [&](double x, double y) {
      return QPoint(static_cast<int>(x * plot->width()), static_cast<int>(y * plot->height()));
    };
    QTest::mousePress(plot, Qt::LeftButton, keys, at(share.left(), share.top()));
    for (const QPoint& point : {at(share.right(), share.top()), at(share.right(), share.bottom()),
                                at(share.left(), share.bottom()), at(share.left(), share.top())})
      test::moveHeld(*plot, point, keys);
    QTest::mouseRelease(plot, Qt::LeftButton, keys, at(share.left(), share.top()));
  }
  static void turnWheel(QWidget* plot, QPoint place, int angle) {
    QWheelEvent turn(place, plot->mapToGlobal(place), {}, {0, angle}, Qt::NoButton, Qt::NoModifier,
                     Qt::NoScrollPhase, false);
    QApplication::sendEvent(plot, &turn);
    test::settleEvents();
  }
  static void choose(ListView& list, int row) {
    list.selectionModel()->select(list.model()->index(row, 0),
                                  QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  }
  static void expectWholeTitles(const ListView& list) {
    for (int column = 0; column < list.model()->columnCount(); ++column)
      EXPECT_GE(list.columnWidth(column), list.horizontalHeader()->sectionSizeHint(column)) << column;
  }
  QString details() {
    auto* tabs = find<QTabWidget>("details");
    return tabs->tabText(tabs->currentIndex());
  }

  test::TemporaryFolder folder;
  std::shared_ptr<Study> study;
};

// Fractions of the widget that enclose all of the plot, or its left half.
constexpr QRectF kAll(0.13, 0.1, 0.84, 0.74), kLeftHalf(0.13, 0.1, 0.4, 0.74);

TEST_F(ExploreTest, ALassoSelectsRowsEverywhereAndIsUndone) {
  auto* plane = find<AbPlaneView>("abPlane");
  drawAround(plotOf(plane), kLeftHalf, Qt::ShiftModifier);
  ASSERT_TRUE(selected().rows);
  const SelectedRows rows = *selected().rows;
  EXPECT_EQ(rows.layer, 0);
  EXPECT_GT(rows.key.size() + rows.query.size(), 50u);
  settle();
  EXPECT_EQ(details(), QStringLiteral("Rows"));
  auto* list = find<ListView>("rowsList");
  EXPECT_EQ(static_cast<std::size_t>(list->model()->rowCount()), rows.query.size() + rows.key.size());
  EXPECT_TRUE(list->isVisible());
  // A row lists its token and the tokens around it.
  const QModelIndex first = list->model()->index(0, RowsModel::TokenColumn);
  ASSERT_TRUE(waitFor([&] { return !first.data().toString().isEmpty(); }));
  const QString position =
      first.siblingAtColumn(RowsModel::PositionColumn).data(RowsModel::kSortRole).toString();
  EXPECT_TRUE(first.data().toString().endsWith(QStringLiteral("_") + position))
      << first.data().toString().toStdString();
  EXPECT_TRUE(
      first.siblingAtColumn(RowsModel::AfterColumn).data().toString().startsWith(QStringLiteral(" t")));

  // Copy includes the titles of the columns.
  choose(*list, 0);
  list->actions().front()->trigger();  // Copy
  const QString copied = QApplication::clipboard()->text();
  EXPECT_EQ(copied.count(QLatin1Char('\n')), 1);
  EXPECT_TRUE(copied.contains(QStringLiteral("Position\tBefore\tToken")));

  page->selection().undo();
  EXPECT_FALSE(selected().rows);
  page->selection().redo();
  EXPECT_EQ(*selected().rows, rows);
}

TEST_F(ExploreTest, SelectedQueriesAreMarkedInTheProfileToo) {
  auto* profile = find<ProfileView>("profile");
  const QImage before = profile->grab().toImage();
  drawAround(plotOf(find<AbPlaneView>("abPlane")), kAll, Qt::ShiftModifier);
  ASSERT_TRUE(selected().rows && !selected().rows->query.empty());
  EXPECT_TRUE(waitFor([&] { return profile->grab().toImage() != before; }));
}

TEST_F(ExploreTest, SelectingRowsInThePlaneKeepsTheCloudInFront) {
  find<QTabWidget>("details")->setCurrentWidget(find<QWidget>("cloud"));
  drawAround(plotOf(find<AbPlaneView>("abPlane")), kLeftHalf, Qt::ShiftModifier);
  ASSERT_TRUE(selected().rows);
  EXPECT_EQ(details(), QStringLiteral("Cloud"));
  EXPECT_GT(find<ListView>("rowsList")->model()->rowCount(), 0);
}

TEST_F(ExploreTest, TheBoxToolSelectsControlAddsAndEscapeClears) {
  auto* plane = find<AbPlaneView>("abPlane");
  auto* box = find<QToolButton>("planeBox");
  auto* lasso = find<QToolButton>("planeLasso");
  lasso->click();
  box->click();
  EXPECT_FALSE(lasso->isChecked());
  EXPECT_EQ(plane->tool(), PlaneTool::Box);
  // A box is spanned by its corners: the last point is the first one here, so only two corners are given.
  QWidget* plot = plotOf(plane);
  const QPoint from(static_cast<int>(0.13 * plot->width()), static_cast<int>(0.1 * plot->height()));
  const auto drag = [&](double right, Qt::KeyboardModifiers keys) {
    const QPoint to(static_cast<int>(right * plot->width()), static_cast<int>(0.84 * plot->height()));
    QTest::mousePress(plot, Qt::LeftButton, keys, from);
    test::moveHeld(*plot, to, keys);
    QTest::mouseRelease(plot, Qt::LeftButton, keys, to);
  };
  drag(0.97, {});
  ASSERT_TRUE(selected().rows);
  const std::size_t all = selected().rows->query.size() + selected().rows->key.size();
  EXPECT_GT(all, 400u);
  drag(0.4, {});
  ASSERT_TRUE(selected().rows);
  const std::size_t left = selected().rows->query.size() + selected().rows->key.size();
  EXPECT_LT(left, all);
  drag(0.97, Qt::ControlModifier);
  EXPECT_EQ(selected().rows->query.size() + selected().rows->key.size(), all);
  QTest::keyClick(plane, Qt::Key_Escape);
  EXPECT_FALSE(selected().rows);
  box->click();
  EXPECT_EQ(plane->tool(), PlaneTool::Pan);
}

// The centre and the arrow are drawn again above the selected rows.
TEST_F(ExploreTest, CentreAndArrowStandAboveTheSelectedRows) {
  auto* view = find<AbPlaneView>("abPlane");
  std::vector<std::int64_t> all(page->model().views()->plane->query.size());
  std::iota(all.begin(), all.end(), std::int64_t{0});
  const PlaneRows& rows = page->model().views()->plane->query;
  const auto [x, y] = std::pair(rows.centroid.x, rows.centroid.y);
  const auto centre = [&] {
    auto* plot = view->findChild<QCustomPlot*>();
    const QPoint at = QPointF(plot->axisRect(0)->axis(QCPAxis::atBottom)->coordToPixel(x),
                              plot->axisRect(0)->axis(QCPAxis::atLeft)->coordToPixel(y))
                          .toPoint();
    return plot->grab(QRect(at - QPoint(2, 2), QSize(5, 5))).toImage();
  };
  const QImage before = centre();
  page->selection().setRows(all, {});
  settle();
  EXPECT_EQ(centre(), before);
  ASSERT_TRUE(find<ListView>("rowsList")->isVisible());
  expectWholeTitles(*find<ListView>("rowsList"));
}

// The widget under the pointer receives a right click first.
TEST_F(ExploreTest, ARightClickOnAPictureOpensItsMenu) {
  auto* plane = find<AbPlaneView>("abPlane");
  QWidget* hit = plane->childAt(plane->rect().center());
  ASSERT_NE(hit, nullptr);
  const QPoint place = hit->rect().center();
  QContextMenuEvent asked(QContextMenuEvent::Mouse, place, hit->mapToGlobal(place));
  QApplication::sendEvent(hit, &asked);
  auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  ASSERT_NE(menu, nullptr);
  QStringList titles;
  for (const QAction* each : menu->actions()) titles.append(each->text());
  EXPECT_TRUE(titles.contains(QStringLiteral("Select rows in a box"))) << titles.join(u' ').toStdString();
}

// A page can be destroyed while its menu is open.
TEST_F(ExploreTest, AMenuClosesWithItsPage) {
  for (const char* name : {"abPlane", "headTable", "panelTitle"}) {
    open(study, folder / "study.h5", kHead);
    auto* widget = find<QWidget>(name);
    const auto* area = qobject_cast<QAbstractScrollArea*>(widget);
    QWidget* clicked = area ? area->viewport() : widget;
    QPointer<QWidget> menu;
    QTimer::singleShot(0, qApp, [&] {
      menu = QApplication::activePopupWidget();
      EXPECT_NE(menu, nullptr) << name;
      page.reset();
    });
    QContextMenuEvent asked(QContextMenuEvent::Mouse, {5, 5}, clicked->mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(clicked, &asked);
    ASSERT_TRUE(waitFor([this] { return page == nullptr; }));
    EXPECT_EQ(menu, nullptr) << name;
  }
}

TEST_F(ExploreTest, ContextMenusOfferTheTitleBarActions) {
  auto* plane = find<AbPlaneView>("abPlane");
  const auto entry = [](QWidget& view, const QString& text) -> QAction* {
    const QList<QAction*> actions = view.actions();
    const auto found = std::ranges::find(actions, text, &QAction::text);
    return found == actions.end() ? nullptr : *found;
  };
  page->selection().setRows({0, 1}, {2});
  ASSERT_NE(entry(*plane, "Clear the selection"), nullptr);
  entry(*plane, "Clear the selection")->trigger();
  EXPECT_FALSE(selected().rows);
  QAction* box = entry(*plane, "Select rows in a box");
  ASSERT_NE(box, nullptr);
  box->trigger();
  EXPECT_TRUE(find<QToolButton>("planeBox")->isChecked());
  EXPECT_EQ(plane->tool(), PlaneTool::Box);
  find<QToolButton>("planeBox")->click();
  EXPECT_FALSE(box->isChecked());
  QAction* shown = entry(*plane, "Show as");
  ASSERT_NE(shown, nullptr);
  Q_EMIT shown->menu()->aboutToShow();
  shown->menu()->actions().back()->trigger();
  EXPECT_EQ(find<QComboBox>("planeDisplay")->currentText(), shown->menu()->actions().back()->text());

  page->selection().setPlasticity(ApKind::Binned);  // few aligned pairs reach from 0 to 1
  settle();
  auto* map = find<PlasticityMapView>("plasticityMap");
  QAction* range = entry(*map, "Range of the colours");
  ASSERT_NE(range, nullptr);
  Q_EMIT range->menu()->aboutToShow();
  const auto whole = map->range();
  range->menu()->actions().back()->trigger();
  EXPECT_NE(map->range(), whole);
  page->selection().setCell(CellChoice{2, 5});
  entry(*map, "Unmark the cell")->trigger();
  EXPECT_FALSE(selected().cell);
}

TEST_F(ExploreTest, SelectedRowsAreKeptWithinALayerOnly) {
  drawAround(plotOf(find<AbPlaneView>("abPlane")), kAll, Qt::ShiftModifier);
  ASSERT_TRUE(selected().rows);
  page->selection().setHead({0, 3});
  EXPECT_TRUE(selected().rows);
  page->selection().setHead({1, 2});
  EXPECT_FALSE(selected().rows);
  settle();
  EXPECT_EQ(find<ListView>("rowsList")->model()->rowCount(), 0);
}

TEST_F(ExploreTest, HoveringARowShowsItsWords) {
  auto* plane = find<AbPlaneView>("abPlane");
  QWidget* plot = plotOf(plane);
  bool told = false;
  for (int y = 60; y < plot->height() - 60 && !told; y += 7) {
    for (int x = 60; x < plot->width() - 20 && !told; x += 7) {
      QTest::mouseMove(plot, QPoint(x, y));
      test::settleEvents();
      if (!QToolTip::text().contains(QStringLiteral("position"))) continue;
      told = waitFor([] { return QToolTip::text().contains(QStringLiteral("<b> t")); });
    }
  }
  EXPECT_TRUE(told) << QToolTip::text().toStdString();
}

TEST_F(ExploreTest, AClickOnACellListsItsKeyPairs) {
  auto* view = find<PlasticityMapView>("plasticityMap");
  Q_EMIT view->cellActivated(2, 5);
  settle();
  EXPECT_EQ(selected().cell, (CellChoice{2, 5}));
  EXPECT_EQ(details(), QStringLiteral("Rows"));
  auto* list = find<ListView>("pairsList");
  AnalysisSettings settings = settingsOf(*study->analysis);
  settings.pairs = 0;
  settings.prefix = "start";
  const CellPairs expected = inspectCell(*study->capture, kHead, settings, {2, 5, 500}, Progress());
  ASSERT_GT(expected.pairs, 0);
  ASSERT_EQ(static_cast<std::size_t>(list->model()->rowCount()), expected.listed.size());
  EXPECT_EQ(list->model()->index(0, PairsModel::PpColumn).data(PairsModel::kSortRole).toDouble(),
            expected.listed[0].pp);
  EXPECT_TRUE(find<QPushButton>("pairsButton")->text().contains(QString::number(expected.pairs).right(3)));
  const QModelIndex words = list->model()->index(0, PairsModel::EarlierTextColumn);
  EXPECT_TRUE(waitFor([&] { return words.data().toString().contains(QLatin1Char('[')); }));
  expectWholeTitles(*list);
  EXPECT_GE(list->columnWidth(PairsModel::EarlierTextColumn), 24 * list->fontMetrics().averageCharWidth());
  // Choosing a pair of the list, sorted by PP, marks its keys in the plane.
  std::vector<qint64> pointed;
  QObject::connect(&page->model(), &StudyModel::pointedAt,
                   [&](const std::vector<qint64>&, const std::vector<qint64>& keys) { pointed = keys; });
  list->sortByColumn(PairsModel::PpColumn, Qt::DescendingOrder);
  choose(*list, 0);
  EXPECT_EQ(pointed.size(), 2u);
  // Another head keeps the chosen cell.
  page->selection().setHead({1, 2});
  settle();
  EXPECT_EQ(selected().cell, (CellChoice{2, 5}));
  EXPECT_GT(list->model()->rowCount(), 0);
  // The arrow keys start from the chosen cell.
  QTest::keyClick(view, Qt::Key_Right);
  EXPECT_EQ(selected().cell, (CellChoice{3, 5}));
}

TEST_F(ExploreTest, TheScrubberAndTheSelectionFollowEachOther) {
  auto* slider = find<QSlider>("scrubber");
  auto* text = find<QLabel>("scrubberText");
  auto* on = find<QCheckBox>("scrubberOn");
  EXPECT_FALSE(on->isChecked());
  slider->setValue(2000);
  EXPECT_EQ(selected().position, 2000);
  EXPECT_TRUE(on->isChecked());
  EXPECT_EQ(find<QSpinBox>("scrubberPosition")->value(), 2000);
  const PpSpread expected = inspectSpread(*study->capture, kHead, settingsOf(*study->analysis), Progress());
  for (std::size_t b = 0; b < expected.bins.size(); ++b) {
    if (2000 < expected.bins[b].start || 2000 >= expected.bins[b].end) continue;
    EXPECT_EQ(find<SpreadBars>("scrubberSpread")->counts(), expected.counts[b]);
    EXPECT_TRUE(text->toolTip().startsWith(QStringLiteral("bin %1 ·").arg(b)))
        << text->toolTip().toStdString();
  }
  Q_EMIT find<ProfileView>("profile")->positionActivated(3100.5, 30);
  EXPECT_EQ(slider->value(), 3100);
  on->setChecked(false);
  EXPECT_FALSE(selected().position);
  page->selection().undo();
  EXPECT_EQ(selected().position, 3100);
}

TEST_F(ExploreTest, WhatIfSlidersChangeTheNumbersAndResetBringsThemBack) {
  page->showView(QStringLiteral("whatIf"));
  settle();
  auto* numbers = find<QLabel>("whatIfNumbers");
  const WhatIfHead head = prepareWhatIf(*study->capture, kHead, settingsOf(*study->analysis), Progress());
  const auto shown = [](double value) { return QString::number(value, 'f', 3); };
  const double before = head.evaluate({}).summary.overall;
  ASSERT_TRUE(numbers->text().contains(shown(before))) << numbers->text().toStdString();
  WhatIf change;
  change.beta = 0;
  change.contentVariance = 1.5;
  const double after = head.evaluate(change).summary.overall;
  ASSERT_NE(shown(after), shown(before));
  find<QSlider>("whatIfQueries")->setValue(0);
  find<QSlider>("whatIfContent")->setValue(150);
  settle();
  EXPECT_TRUE(numbers->text().contains(QStringLiteral("<b>%1</b>").arg(shown(after))))
      << numbers->text().toStdString();
  for (const char* slider : {"whatIfQueries", "whatIfKeys", "whatIfContent"})
    EXPECT_GE(find<QSlider>(slider)->width(), 100) << "a step of two per cent is a pixel";
  find<QPushButton>("whatIfReset")->click();
  settle();
  EXPECT_FALSE(numbers->text().contains(shown(after)));
  EXPECT_EQ(find<QSlider>("whatIfContent")->value(), 100);
}

TEST_F(ExploreTest, APanelIsEnlargedAndRestored) {
  auto* map = find<PanelDock>("mapDock");
  auto* plane = find<PanelDock>("planeDock");
  const QByteArray before = page->layoutState();
  const QSize room = map->size(), beside = plane->size();
  Q_EMIT map->bar().maximiseRequested();
  EXPECT_TRUE(plane->isHidden());
  EXPECT_FALSE(map->isHidden());
  EXPECT_EQ(page->layoutState(), before);  // the saved layout does not change
  Q_EMIT map->bar().maximiseRequested();
  EXPECT_FALSE(plane->isHidden());
  EXPECT_TRUE(waitFor([&] { return map->size() == room && plane->size() == beside; }));
}

TEST_F(ExploreTest, ZoomIsAStepOfTheHistory) {
  for (const char* name : {"abPlane", "profile"}) {
    auto* view = find<PlotView>(name);
    const ViewRange whole = view->shownRange().value();
    turnWheel(plotOf(view), {view->width() / 2, view->height() / 4}, 120);
    const ViewRange near = view->shownRange().value();
    EXPECT_GT(near.xLow, whole.xLow) << name;
    EXPECT_LT(near.yHigh, whole.yHigh) << name;
    page->selection().undo();
    EXPECT_EQ(view->shownRange(), whole) << name;
    page->selection().redo();
    EXPECT_EQ(view->shownRange(), near) << name;
    view->resetView();
    EXPECT_EQ(view->shownRange(), whole) << name;
    page->selection().undo();
    EXPECT_EQ(view->shownRange(), near) << name;
  }
  // The profile keeps its range for another head; the plane does not.
  auto *plane = find<PlotView>("abPlane"), *profile = find<PlotView>("profile");
  const ViewRange planeNear = plane->shownRange().value(), profileNear = profile->shownRange().value();
  page->selection().setHead({1, 0});
  settle();
  EXPECT_NE(plane->shownRange(), planeNear);
  EXPECT_EQ(profile->shownRange(), profileNear);
  page->selection().undo();
  settle();
  EXPECT_EQ(plane->shownRange(), planeNear);
}

TEST_F(ExploreTest, ALockedRangeAppliesToAllHeadsAndTabs) {
  auto* plane = find<AbPlaneView>("abPlane");
  const ViewRange here = plane->shownRange().value();
  find<QToolButton>("planeLock")->click();
  page->selection().setHead({1, 0});
  settle();
  EXPECT_EQ(plane->shownRange()->xLow, here.xLow);
  EXPECT_EQ(plane->shownRange()->yHigh, here.yHigh);

  auto* map = find<PlasticityMapView>("plasticityMap");
  auto* choice = find<QComboBox>("mapRange");
  choice->setCurrentIndex(1);
  Q_EMIT choice->activated(1);
  const auto range = map->range();
  ASSERT_NE(range, std::pair(0.0, 1.0));
  find<QToolButton>("mapLock")->click();
  EXPECT_FALSE(choice->isEnabled());
  ModelPage other({study, folder / "other.h5"}, PageServices{workers, ranges});
  EXPECT_EQ(other.findChild<PlasticityMapView*>(QStringLiteral("plasticityMap"))->range(), range);
  find<QToolButton>("mapLock")->click();
  EXPECT_TRUE(choice->isEnabled());
  EXPECT_TRUE(other.findChild<QComboBox*>(QStringLiteral("mapRange"))->isEnabled());
}

TEST_F(ExploreTest, ItemModelsPassTheModelTester) {
  constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;
  RowTexts texts(study->capture, workers);
  RowsModel rows(texts);
  PairsModel pairs(texts, {"a", "b"});
  const QAbstractItemModelTester rowsTester(&rows, kFatal), pairsTester(&pairs, kFatal);
  const auto plane = page->model().views()->plane;
  rows.show(plane, std::make_shared<SelectedRows>(SelectedRows{0, {0, 5, 279, 100000}, {3, -1}}));
  EXPECT_EQ(rows.rowCount(), 4);  // 100000 and -1 are no rows
  EXPECT_EQ(rows.rowAt(3), (std::pair<QueryOrKey, std::int64_t>(QueryOrKey::Key, 3)));
  pairs.setRows({{0, 12, 3, 7, 0, 1, 0.5, -0.7}});
  EXPECT_EQ(pairs.index(0, PairsModel::ExampleColumn).data().toString(), QStringLiteral("a · b"));
  rows.show(nullptr, nullptr);
  pairs.setRows({});
  EXPECT_EQ(rows.rowCount() + pairs.rowCount(), 0);
}

TEST(ExploreSelection, PositionAndCellSurviveASession) {
  ViewSelection selection;
  selection.head = HeadName{1, 2};
  selection.position = 77;
  selection.cell = CellChoice{3, 4};
  EXPECT_EQ(ViewSelection::fromJson(selection.toJson()), selection);
  const ViewSelection strange =
      ViewSelection::fromJson({{"head", "L1H2"}, {"position", "far"}, {"cell", Json::array({1, "x"})}});
  EXPECT_EQ(strange.head, (HeadName{1, 2}));
  EXPECT_FALSE(strange.position || strange.cell);
}

}  // namespace
}  // namespace plastiscope
