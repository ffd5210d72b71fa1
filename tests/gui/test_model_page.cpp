// A model tab on a synthetic study: all views share one selection.
#include <gtest/gtest.h>

#include <QAction>
#include <QComboBox>
#include <QHoverEvent>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <numeric>
#include <set>

#include "core/base/json.h"
#include "figures/figure_study.h"
#include "gui/held_mouse.h"
#include "gui/wait_for.h"
#include "support/temporary_folder.h"
#include "widgets/models/head_table_model.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/panel_dock.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/figure_view.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/plots/plane_view.h"
#include "widgets/plots/plasticity_map_view.h"
#include "widgets/plots/profile_view.h"

namespace plastiscope {
namespace {

using test::waitFor;

class ModelPageTest : public testing::Test {
 protected:
  ModelPageTest() {
    page = std::make_unique<ModelPage>(ModelTab{test::figureStudy(120), folder / "study.h5", start()},
                                       PageServices{workers, ranges});
    page->resize(1300, 800);
    page->show();
    EXPECT_TRUE(waitFor([this] { return page->model().settled(); }));
    test::settleEvents();
  }
  static ViewSelection start() {
    ViewSelection selection;
    selection.head = HeadName{4, 2};
    return selection;
  }
  template <typename Widget>
  Widget* find(const char* name) {
    auto* widget = page->findChild<Widget*>(QString::fromLatin1(name));
    EXPECT_NE(widget, nullptr) << name;
    return widget;
  }
  QString tableHead() {
    auto* table = find<QTableView>("headTable");
    return table->currentIndex().siblingAtColumn(HeadTableModel::NameColumn).data().toString();
  }

  test::TemporaryFolder folder;
  Workers workers;
  LockedRanges ranges;
  std::unique_ptr<ModelPage> page;
};

TEST_F(ModelPageTest, EveryViewOfTheCatalogueIsThereAndDrawn) {
  for (const ViewSpec& view : viewCatalogue())
    EXPECT_NE(page->findChild<QWidget*>(view.id), nullptr) << view.id.toStdString();
  EXPECT_EQ(find<HeadGridView>("headGrid")->message(), QString());
  EXPECT_EQ(find<AbPlaneView>("abPlane")->message(), QString());
  EXPECT_EQ(find<ProfileView>("profile")->message(), QString());
  EXPECT_EQ(find<PlasticityMapView>("plasticityMap")->message(), QString());
  EXPECT_TRUE(find<FigureView>("softmaxView")->message().contains(QStringLiteral("--dense")));
  EXPECT_NE(find<AttentionMapView>("attentionMap"), nullptr);
}

TEST_F(ModelPageTest, AnExampleOfWhatAHeadLooksAtIsShownInTheText) {
  page->showView(QStringLiteral("attendedDock"));
  auto* view = find<FigureView>("attendedView");
  ASSERT_TRUE(waitFor([&] { return view->message().isEmpty(); })) << view->message().toStdString();
  EXPECT_FALSE(find<QLabel>("attendedSentence")->text().isEmpty());
  page->selection().setAttended(AttendedPart::Queries, {"1", "2048..4095", ""});
  auto* list = find<QTableView>("attendedList");
  ASSERT_TRUE(waitFor([&] { return page->model().settled() && list->model()->rowCount() > 0; }));
  EXPECT_EQ(ViewSelection::fromJson(page->selection().value().toJson()).attended,
            page->selection().value().attended);
  Q_EMIT list->clicked(list->model()->index(0, 0));
  const auto& rows = page->selection().value().rows;
  ASSERT_TRUE(rows && rows->query.size() == 1);
  const PlaneRows& queries = page->model().views()->plane->query;
  EXPECT_EQ(queries.example[static_cast<std::size_t>(rows->query.front())], 1);
  EXPECT_GE(queries.position[static_cast<std::size_t>(rows->query.front())], 2048);
  ASSERT_TRUE(page->model().shownText());
  EXPECT_EQ(page->model().shownText()->example, 1);
}

TEST_F(ModelPageTest, AHeadChosenAnywhereIsChosenEverywhere) {
  auto* grid = find<HeadGridView>("headGrid");
  EXPECT_EQ(grid->selectedHead(), (HeadName{4, 2}));
  EXPECT_EQ(tableHead(), QStringLiteral("L4 H2"));

  Q_EMIT grid->headActivated({6, 1});
  EXPECT_EQ(page->selection().value().head, (HeadName{6, 1}));
  EXPECT_EQ(tableHead(), QStringLiteral("L6 H1"));

  auto* table = find<QTableView>("headTable");
  const QModelIndex row = table->model()->index(3, HeadTableModel::NameColumn);
  const QRect place = table->visualRect(row);
  table->scrollTo(row);
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(row).center());
  EXPECT_EQ(page->selection().value().head, (HeadName{0, 3})) << place.y();
  EXPECT_EQ(grid->selectedHead(), (HeadName{0, 3}));

  QTest::keyClick(table, Qt::Key_Down);
  EXPECT_EQ(page->selection().value().head, (HeadName{0, 4}));
  QTest::keyClick(grid, Qt::Key_Down);
  EXPECT_EQ(page->selection().value().head, (HeadName{1, 4}));
  EXPECT_EQ(tableHead(), QStringLiteral("L1 H4"));
}

TEST_F(ModelPageTest, OnlyTheLastOfManyHeadsIsDrawn) {
  std::vector<HeadName> drawn;
  QObject::connect(&page->model(), &StudyModel::headReady,
                   [&](const std::shared_ptr<const HeadViews>& views) { drawn.push_back(views->head); });
  for (std::int64_t head = 0; head < 6; ++head) page->selection().setHead({8, head});
  ASSERT_TRUE(waitFor([&] { return page->model().settled(); }));
  EXPECT_EQ(drawn, std::vector<HeadName>({{8, 5}}));
  // A head seen before is drawn at once.
  page->selection().setHead({4, 2});
  EXPECT_EQ(drawn.back(), (HeadName{4, 2}));
}

TEST_F(ModelPageTest, AnotherMetricColoursTheGrid) {
  std::shared_ptr<const HeadGridData> grid;
  QObject::connect(&page->model(), &StudyModel::gridReady,
                   [&](const std::shared_ptr<const HeadGridData>& data) { grid = data; });
  page->selection().setMetric("ap_drop");
  ASSERT_TRUE(waitFor([&] { return grid != nullptr; }));
  EXPECT_EQ(grid->metric.column, "ap_drop");
  EXPECT_TRUE(page->findChild<PanelDock*>(QStringLiteral("headGridDock"))
                  ->windowTitle()
                  .contains(QStringLiteral("drop"), Qt::CaseInsensitive));
}

TEST_F(ModelPageTest, ReportsAnAnalysisWithoutAlignedValues) {
  EXPECT_EQ(page->selection().value().metric, "ap_overall");
  EXPECT_EQ(page->model().plasticity().kind, ApKind::Binned);
  EXPECT_TRUE(find<QLabel>("headSentence")->text().contains(QStringLiteral("analyse the capture again")));
}

TEST_F(ModelPageTest, SwitchesBetweenAlignedAndBinned) {
  page->model().setStudy(test::withAligned(*test::figureStudy(120)));
  page->selection().setPlasticity(ApKind::Binned);
  page->selection().setPlasticity(ApKind::Aligned);
  EXPECT_TRUE(waitFor([this] { return page->model().settled(); }));
  EXPECT_EQ(page->selection().value().metric, "ap_aligned");
  EXPECT_EQ(page->model().views()->profile.data->field->plasticity, ApKind::Aligned);
  EXPECT_EQ(page->model().views()->map.data->plasticity, ApKind::Aligned);
  page->selection().undo();
  EXPECT_TRUE(waitFor([this] { return page->model().settled(); }));
  EXPECT_EQ(page->selection().value().metric, "ap_overall");
  EXPECT_EQ(page->model().views()->profile.data->field->plasticity, ApKind::Binned);
  EXPECT_TRUE(find<QLabel>("headSentence")->text().contains(QStringLiteral("above the aligned value")));
}

// The cells of the attention map.
const CellMarks& cellsOf(const AttentionMapView& view) {
  return std::get<CellMarks>(view.shownPlot()->boxes.front().marks.front().kind);
}

TEST_F(ModelPageTest, AttentionMapZoomsToPairsAndChoosesAQuery) {
  page->model().setStudy(test::withDense(*test::figureStudy(120)));
  page->showView(QStringLiteral("attentionDock"));
  auto* view = find<AttentionMapView>("attentionMap");
  const auto settle = [this, view] {
    test::settleEvents();
    return waitFor([&] { return page->model().settled() && view->message().isEmpty() && view->shownPlot(); });
  };
  ASSERT_TRUE(settle());
  const auto span = [&] {
    return cellsOf(*view).columns.back().second - cellsOf(*view).columns.front().first;
  };
  EXPECT_EQ(span(), 1024);
  const double coarse = cellsOf(*view).columns[0].second;
  Q_EMIT view->zoomed(ViewRange{100, 130, 600, 640});
  ASSERT_TRUE(settle());
  EXPECT_TRUE(waitFor([&] { return span() < 40; }));
  EXPECT_GT(coarse, 1);
  EXPECT_EQ(cellsOf(*view).rows.front(), (std::pair{600.0, 601.0})) << "one query";
  EXPECT_EQ(view->shownRange(), (ViewRange{100, 130, 600, 640}));

  Q_EMIT view->pointActivated({110.5, 620.5});
  EXPECT_EQ(page->model().askedToken(), (TokenPlace{0, 620}));
  auto* list = find<QTableView>("attentionKeys");
  EXPECT_EQ(list->model()->rowCount(), 100);
  const CaptureFile& capture = *page->model().study()->capture;
  const CapturedRows queries = capture.denseRows({4, 2, RowSet::DenseQuery}, 0),
                     keys = capture.denseRows({4, 0, RowSet::DenseKey}, 0);
  std::pair<float, int> best;
  for (int key = 0; key <= 620; ++key) {
    const auto at = [](const CapturedRows& rows, int row) {
      return rows.vectors.begin() + row * rows.headDim;
    };
    best =
        std::max(best, {std::inner_product(at(keys, key), at(keys, key + 1), at(queries, 620), 0.0F), key});
  }
  EXPECT_EQ(list->model()->index(0, 0).data().toString().toInt(), best.second);

  find<QComboBox>("attentionQuantity")->setCurrentIndex(1);
  Q_EMIT find<QComboBox>("attentionQuantity")->activated(1);
  EXPECT_EQ(page->selection().value().attention.quantity, AttentionQuantity::Score);
  ASSERT_TRUE(settle());
  EXPECT_TRUE(waitFor(
      [&] { return view->shownPlot()->boxes.front().scale->title.find("logits") != std::string::npos; }));
  const ViewSelection stored = ViewSelection::fromJson(page->selection().value().toJson());
  EXPECT_EQ(stored.attention, page->selection().value().attention);
  EXPECT_EQ(stored.zoom, page->selection().value().zoom);

  page->selection().setHead({4, 3});
  EXPECT_TRUE(
      waitFor([&] { return view->message().contains(QStringLiteral("Captured at every position: L4H2")); }));
}

TEST_F(ModelPageTest, FilterCountsHeadsAndAWrongOneChangesNothing) {
  auto* filter = find<QLineEdit>("headFilter");
  auto* count = find<QLabel>("headCount");
  EXPECT_EQ(count->text(), QStringLiteral("68 heads"));
  std::optional<std::set<HeadName>> shown;
  QObject::connect(&page->model(), &StudyModel::shownHeadsChanged, [&](const auto& heads) { shown = heads; });
  const auto grid = [this] { return find<HeadGridView>("headGrid")->grab().toImage(); };
  const QImage all = grid();
  filter->setText(QStringLiteral("layer == 3"));
  QTest::keyClick(filter, Qt::Key_Return);
  EXPECT_EQ(count->text(), QStringLiteral("6 of 68"));
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->size(), 6u);
  EXPECT_TRUE(waitFor([&] { return grid() != all; })) << "excluded heads are faded";
  filter->setText(QStringLiteral("layer == "));
  QTest::keyClick(filter, Qt::Key_Return);
  EXPECT_EQ(count->text(), QStringLiteral("invalid filter"));
  auto* problem = find<QLabel>("headFilterProblem");
  EXPECT_TRUE(problem->isVisible());
  EXPECT_EQ(problem->text(), QStringLiteral("Character 10: the expression is incomplete at the end"));
  EXPECT_EQ(find<QTableView>("headTable")->model()->rowCount(), 6);
  page->selection().setFilter("");
  EXPECT_EQ(count->text(), QStringLiteral("68 heads"));
  EXPECT_FALSE(problem->isVisible());
  EXPECT_TRUE(waitFor([&] { return grid() == all; }));
}

TEST_F(ModelPageTest, MarksAreSharedAndUndone) {
  page->selection().toggleMark({4, 2});
  auto* table = find<QTableView>("headTable");
  const QModelIndex star = table->currentIndex().siblingAtColumn(HeadTableModel::StarColumn);
  EXPECT_TRUE(star.data(Qt::DecorationRole).isValid());
  page->selection().undo();
  EXPECT_FALSE(star.data(Qt::DecorationRole).isValid());
}

// Presses the left button on `part` and moves the mouse.
void beginDrag(QWidget& part, QPoint from, QPoint by) {
  QTest::mousePress(&part, Qt::LeftButton, {}, from);
  for (int i = 1; i <= 4; ++i) test::moveHeld(part, from + by * i / 4);
}

TEST_F(ModelPageTest, APanelIsDraggedByItsTitleOnly) {
  auto* map = find<PanelDock>("mapDock");
  auto* range = find<QComboBox>("mapRange");
  range->showPopup();  // an open box passes a press to its parents but not the release
  beginDrag(*range, {8, 8}, {60, 90});
  EXPECT_FALSE(map->isFloating());
  QTest::mouseRelease(range, Qt::LeftButton, {}, {8, 8});
  range->hidePopup();

  auto* title = map->findChild<QWidget*>(QStringLiteral("panelTitleText"));
  beginDrag(*title, {8, 8}, {60, 90});
  EXPECT_TRUE(map->isFloating());
  QTest::mouseRelease(title, Qt::LeftButton, {}, {8, 8});
}

// From wide to narrow: the choice shrinks to its current text first, then the title is abbreviated.
TEST(PanelTitle, OptionsShrinkBeforeTheTitle) {
  QMainWindow window;
  auto* dock = new PanelDock(QStringLiteral("dock"), QStringLiteral("Profile and quintiles"));
  auto* choice = new QComboBox;
  choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  choice->addItems({QStringLiteral("none"), QStringLiteral("a model with a rather long name")});
  dock->bar().addOption(choice);
  dock->bar().setTitle(QStringLiteral("Profile and quintiles|Profile"));
  window.addDockWidget(Qt::LeftDockWidgetArea, dock);
  window.show();
  const auto* title = dock->findChild<QLabel*>(QStringLiteral("panelTitleText"));
  const int readable = choice->fontMetrics().horizontalAdvance(choice->currentText());
  std::vector<std::pair<QString, bool>> seen;  // title, and whether the choice has full width
  for (int width = 700; width > dock->bar().minimumSizeHint().width() + 20; width -= 10) {
    window.resize(width, 200);
    test::settleEvents();
    ASSERT_LE(dock->width(), width);
    EXPECT_GT(choice->width(), readable) << width;
    const std::pair now(title->text(), choice->width() >= choice->sizeHint().width());
    if (seen.empty() || seen.back() != now) seen.push_back(now);
  }
  const QString whole = QStringLiteral("Profile and quintiles"), brief = QStringLiteral("Profile");
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0], std::pair(whole, true));
  EXPECT_EQ(seen[1], std::pair(whole, false));
  EXPECT_EQ(seen[2], std::pair(brief, false));
}

TEST_F(ModelPageTest, TabsThatDoNotFitAreInAMenu) {
  auto* tabs = find<QTabWidget>("details");
  const auto shownTabs = [tabs] {
    int shown = 0;
    for (int i = 0; i < tabs->count(); ++i) shown += tabs->tabBar()->isTabVisible(i) ? 1 : 0;
    return shown;
  };
  const auto* more = find<QToolButton>("detailTabsMore");
  page->resize(2400, 800);
  test::settleEvents();
  EXPECT_EQ(shownTabs(), tabs->count());
  EXPECT_FALSE(more->isVisible());
  tabs->setMaximumWidth(280);
  test::settleEvents();
  const int shown = shownTabs(), last = tabs->count() - 1;
  ASSERT_LT(shown, tabs->count());
  EXPECT_GT(shown, 1);
  EXPECT_TRUE(more->isVisible());
  EXPECT_LE(tabs->tabBar()->tabRect(shown - 1).right(), more->x());
  Q_EMIT more->menu()->aboutToShow();
  ASSERT_EQ(more->menu()->actions().size(), tabs->count() - shown);
  EXPECT_EQ(more->menu()->actions().back()->text(), tabs->tabText(last));
  more->menu()->actions().back()->trigger();
  test::settleEvents();
  EXPECT_EQ(tabs->currentIndex(), last);
  EXPECT_TRUE(tabs->tabBar()->isTabVisible(last)) << "the current tab is always visible";
  EXPECT_LE(tabs->tabBar()->tabRect(last).right(), more->x());
}

TEST_F(ModelPageTest, LayoutIsResetWhileAPanelIsDragged) {
  auto* details = find<PanelDock>("detailsDock");
  beginDrag(*details, {60, 10}, {-300, -200});
  ASSERT_TRUE(details->isFloating());
  page->resetLayout();
  std::multiset<QWidget*> placed;
  for (int i = 0; const QLayoutItem* item = page->layout()->itemAt(i); ++i) placed.insert(item->widget());
  for (PanelDock* dock : page->findChildren<PanelDock*>()) {
    EXPECT_FALSE(dock->isFloating()) << dock->objectName().toStdString();
    EXPECT_EQ(placed.count(dock), 1u) << dock->objectName().toStdString();
  }
  QTest::mouseRelease(details, Qt::LeftButton, {}, {60, 10});
  EXPECT_FALSE(details->isFloating());
}

// Results of causes: empty without their tables, and one selection with the other views.
TEST_F(ModelPageTest, ShowsCompositionAndCausesWhereTheAnalysisHasThem) {
  auto* view = find<HeadPointsView>("compositionView");
  page->showView(QStringLiteral("compositionDock"));
  test::settleEvents();
  EXPECT_TRUE(view->message().contains(QStringLiteral("Analysis > Causes"))) << view->message().toStdString();
  page->setStudy(test::withAligned(page->study()));
  const HeadName end{2, 2};  // of a drawn edge
  ASSERT_TRUE(waitFor([&] { return view->message().isEmpty() && view->placeOf(end); }));
  test::settleEvents();
  EXPECT_NE(page->selection().value().head, end);
  QTest::mouseClick(view->findChild<QWidget*>(QString(), Qt::FindDirectChildrenOnly), Qt::LeftButton, {},
                    view->placeOf(end)->toPoint());
  EXPECT_EQ(page->selection().value().head, end);
  EXPECT_EQ(find<HeadGridView>("headGrid")->selectedHead(), end);
  const auto faded = [&] {
    std::size_t count = 0;
    for (const Mark& mark : view->shownPlot()->boxes.front().marks) {
      if (const auto* lines = std::get_if<SegmentMarks>(&mark.kind))
        count +=
            std::ranges::count_if(lines->strokes, [](const Stroke& line) { return line.colour.alpha < 1; });
    }
    return count;
  };
  EXPECT_TRUE(waitFor([&] { return faded() > 0; })) << "edges of other heads";

  auto* choice = find<QComboBox>("causesChoice");
  ASSERT_EQ(choice->count(), 3);
  choice->setCurrentIndex(2);
  Q_EMIT choice->activated(2);
  EXPECT_EQ(page->selection().value().causes, "doses");
  ModelTab tab{page->whole(), folder / "again.h5",
               ViewSelection::fromJson(page->selection().value().toJson())};
  ModelPage again(tab, PageServices{workers, ranges});
  EXPECT_EQ(again.findChild<QComboBox*>(QStringLiteral("causesChoice"))->currentText(), choice->itemText(2));
}

// The keyboard detaches it while the pointer is on a splitter or drags it.
TEST_F(ModelPageTest, APanelIsDetachedWhileThePointerIsBesideIt) {
  auto* map = find<PanelDock>("mapDock");  // without others in its place
  const auto actions = map->bar().actions();
  const auto detach = std::ranges::find_if(
      actions, [](const QAction* action) { return action->text().startsWith(QLatin1String("Detach")); });
  ASSERT_NE(detach, actions.end());
  const auto hover = [this](const QPoint& at) {
    QHoverEvent event(QEvent::HoverMove, at, page->mapToGlobal(at), QPointF());
    QCoreApplication::sendEvent(page.get(), &event);
  };
  const auto sizes = [this] {
    QList<QSize> all;
    for (const auto* dock : page->findChildren<PanelDock*>()) all.append(dock->size());
    return all;
  };
  for (const bool moves : {false, true}) {
    const QRect plane = find<PanelDock>("planeDock")->geometry();
    const QPoint line(plane.center().x(), plane.bottom() + 2), elsewhere(line.x(), line.y() - 90);
    hover(line);
    ASSERT_EQ(page->cursor().shape(), Qt::SplitVCursor);
    if (moves) QTest::mousePress(page.get(), Qt::LeftButton, {}, line);
    (*detach)->trigger();
    EXPECT_TRUE(map->isFloating());
    EXPECT_EQ(page->cursor().shape(), Qt::ArrowCursor);
    test::settleEvents();
    const QList<QSize> before = sizes();
    QMouseEvent move(QEvent::MouseMove, elsewhere, page->mapToGlobal(elsewhere), Qt::NoButton,
                     moves ? Qt::LeftButton : Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(page.get(), &move);
    hover(elsewhere);
    test::settleEvents();
    EXPECT_EQ(sizes(), before);
    QTest::mouseRelease(page.get(), Qt::LeftButton, {}, elsewhere);
    EXPECT_TRUE(map->isFloating());
    page->resetLayout();
    test::settleEvents();
    EXPECT_FALSE(map->isFloating());
  }
}

TEST_F(ModelPageTest, LayoutIsSavedRestoredAndReset) {
  auto* map = page->findChild<PanelDock*>(QStringLiteral("mapDock"));
  map->hide();
  page->resizeDocks({find<PanelDock>("headGridDock"), find<PanelDock>("planeDock")}, {300, 520},
                    Qt::Horizontal);
  find<QTabWidget>("details")->setCurrentIndex(3);
  test::settleEvents();
  const QByteArray state = page->layoutState();
  const auto widthOf = [](const QMainWindow& of, const char* dock) {
    return of.findChild<PanelDock*>(QString::fromLatin1(dock))->width();
  };
  const int grid = widthOf(*page, "headGridDock"), plane = widthOf(*page, "planeDock");
  ModelPage other({test::figureStudy(60), folder / "other.h5"}, PageServices{workers, ranges});
  other.restoreLayout(state);
  EXPECT_EQ(other.layoutState(), state) << "kept until the page is shown";
  other.resize(1300, 800);
  other.show();
  test::settleEvents();
  EXPECT_TRUE(other.findChild<PanelDock*>(QStringLiteral("mapDock"))->isHidden());
  EXPECT_EQ(widthOf(other, "headGridDock"), grid);
  EXPECT_EQ(widthOf(other, "planeDock"), plane);
  EXPECT_EQ(other.findChild<QTabWidget*>(QStringLiteral("details"))->currentIndex(), 3);
  other.resetLayout();
  test::settleEvents();
  EXPECT_FALSE(other.findChild<PanelDock*>(QStringLiteral("mapDock"))->isHidden());
  const QByteArray now = other.layoutState();
  other.restoreLayout("garbage");
  EXPECT_EQ(other.layoutState(), now);
}

TEST(ModelPage, ShowsTheTablesWithoutACapture) {
  auto study = std::make_shared<Study>(*test::figureStudy(60));
  study->capture = nullptr;
  test::TemporaryFolder folder;
  Workers workers;
  LockedRanges ranges;
  ModelPage page({study, folder / "analysis.h5"}, PageServices{workers, ranges});
  page.resize(1300, 800);
  page.show();
  ASSERT_TRUE(waitFor([&] { return page.model().settled(); }));
  EXPECT_FALSE(page.findChild<AbPlaneView*>(QStringLiteral("abPlane"))->message().isEmpty());
  EXPECT_TRUE(page.findChild<HeadGridView*>(QStringLiteral("headGrid"))->message().isEmpty());
}

}  // namespace
}  // namespace plastiscope
