// Selecting several heads, and the views of the selection.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <set>

#include "core/base/json.h"
#include "figures/figure_study.h"
#include "gui/held_mouse.h"
#include "gui/page_fixture.h"
#include "support/temporary_folder.h"
#include "widgets/models/head_table_model.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/plots/figure_view.h"
#include "widgets/plots/profile_view.h"
#include "widgets/plots/qcp.h"

namespace plastiscope {
namespace {

using Heads = std::vector<HeadName>;

class SeveralHeadsTest : public test::PageTest {
 protected:
  void SetUp() override {
    open(test::figureStudy(120), folder / "study.h5", {4, 2});
    grid = find<HeadGridView>("headGrid");
    plot = grid->findChild<QCustomPlot*>();
  }
  const Heads& several() const { return page->selection().value().several; }
  QPoint placeOf(HeadName head) const { return grid->placeOf(head)->center().toPoint(); }
  void drag(HeadName from, HeadName to, Qt::KeyboardModifiers keys = {}) {
    const QPoint begin = placeOf(from), end = placeOf(to);
    QTest::mousePress(plot, Qt::LeftButton, keys, begin);
    for (int i = 1; i <= 4; ++i) test::moveHeld(*plot, begin + (end - begin) * i / 4, keys);
    QTest::mouseRelease(plot, Qt::LeftButton, keys, end);
  }
  // The first legend entry of the profile.
  std::string shownName() {
    settle();
    return find<ProfileView>("profile")->shownPlot()->legend.front().text;
  }

  test::TemporaryFolder folder;
  HeadGridView* grid = nullptr;
  QCustomPlot* plot = nullptr;
};

TEST(HeadGridView, LabelsTheKeyHeadsWhenTheyFit) {
  const auto study = test::figureStudy(120);
  HeadGridView view;
  const auto show = [&](HeadShow what, QSize size) {
    const HeadGridShape shape{HeadOrder::Layers, what};
    view.setData(
        std::make_shared<HeadGridData>(makeHeadGrid(study->analysis, factsOf(*study), "ap_overall", shape)));
    view.resize(size);
    view.show();
    test::settleEvents();
    view.findChild<QCustomPlot*>()->replot();
  };
  const auto names = [&view](QCPAxis::AxisType side) {
    const QCPAxis& axis = *view.findChild<QCustomPlot*>()->axisRect(0)->axis(side);
    return axis.tickLabels() ? axis.tickVectorLabels() : QVector<QString>();
  };
  const QVector<QString> groups = {QStringLiteral("KV0"), QStringLiteral("KV1")};
  show(HeadShow::Heads, {500, 400});
  EXPECT_EQ(names(QCPAxis::atTop).front(), QStringLiteral("H0"));
  EXPECT_EQ(names(QCPAxis::atBottom), groups);
  view.setTransposed(true);
  test::settleEvents();
  view.findChild<QCustomPlot*>()->replot();
  EXPECT_EQ(names(QCPAxis::atRight), groups);
  view.setTransposed(false);
  show(HeadShow::Heads, {500, 260});
  EXPECT_TRUE(names(QCPAxis::atBottom).isEmpty()) << "the labels do not fit";
  show(HeadShow::KeyGroups, {500, 400});
  EXPECT_EQ(names(QCPAxis::atTop), groups);
  EXPECT_TRUE(names(QCPAxis::atBottom).isEmpty()) << "the cells are the groups";
}

TEST_F(SeveralHeadsTest, ARectangleSelectsTheHeadsItTouches) {
  drag({6, 1}, {8, 3});
  EXPECT_EQ(several(), (Heads{{6, 1}, {6, 2}, {6, 3}, {7, 1}, {7, 2}, {7, 3}, {8, 1}, {8, 2}, {8, 3}}));
  EXPECT_EQ(page->selection().value().head, (HeadName{6, 1}));
  EXPECT_EQ(shownName(), "mean of 9 selected");
  auto* chip = find<QToolButton>("severalChip");
  EXPECT_TRUE(chip->isVisible());
  EXPECT_EQ(chip->text(), QStringLiteral("L6–L8 × H1–H3: 9"));

  drag({5, 0}, {5, 5}, Qt::ControlModifier);
  EXPECT_EQ(several().size(), 11U) << "two of layer 5 were captured";
  EXPECT_EQ(chip->text(), QStringLiteral("11 heads"));
  page->selection().undo();
  EXPECT_EQ(several().size(), 9U);
  chip->click();
  EXPECT_TRUE(several().empty());
  EXPECT_FALSE(chip->isVisible());
  EXPECT_EQ(shownName(), "L6H1");
}

TEST_F(SeveralHeadsTest, TheSelectionIsNamedInFullWithoutWideningThePanel) {
  QWidget* panel = grid->parentWidget();
  const int before = panel->minimumSizeHint().width();
  drag({6, 1}, {8, 3});
  settle();
  const auto* chip = find<QToolButton>("severalChip");
  EXPECT_EQ(panel->minimumSizeHint().width(), before);
  EXPECT_GE(chip->width(), chip->sizeHint().width());
}

TEST_F(SeveralHeadsTest, ClicksWithModifiersAddAndRemoveHeads) {
  QTest::mouseClick(plot, Qt::LeftButton, Qt::ControlModifier, placeOf({6, 1}));
  EXPECT_EQ(several(), (Heads{{4, 2}, {6, 1}}));
  QTest::mouseClick(plot, Qt::LeftButton, Qt::ControlModifier, placeOf({4, 2}));
  EXPECT_TRUE(several().empty());
  EXPECT_EQ(page->selection().value().head, (HeadName{6, 1}));
  QTest::mouseClick(plot, Qt::LeftButton, Qt::ShiftModifier, placeOf({7, 2}));
  EXPECT_EQ(several(), (Heads{{6, 1}, {6, 2}, {7, 1}, {7, 2}}));
  QTest::mouseClick(plot, Qt::LeftButton, {}, placeOf({7, 1}));
  EXPECT_EQ(several().size(), 4U) << "the current head is one of them";
  EXPECT_EQ(page->selection().value().head, (HeadName{7, 1}));
  QTest::keyClick(grid, Qt::Key_Escape);
  EXPECT_TRUE(several().empty());
  QTest::mouseClick(plot, Qt::LeftButton, Qt::ShiftModifier, placeOf({7, 2}));
  EXPECT_EQ(several().size(), 2U);
  QTest::mouseClick(plot, Qt::LeftButton, {}, placeOf({0, 0}));
  EXPECT_TRUE(several().empty()) << "choosing another head clears the selection";
}

TEST_F(SeveralHeadsTest, TheTableSelectsThemToo) {
  auto* filter = find<QLineEdit>("headFilter");
  auto* all = find<QPushButton>("selectMatching");
  auto* only = find<QCheckBox>("onlySelected");
  EXPECT_FALSE(all->isVisible());
  filter->setText(QStringLiteral("layer == 3"));
  QTest::keyClick(filter, Qt::Key_Return);
  all->click();
  EXPECT_EQ(several(), (Heads{{3, 0}, {3, 1}, {3, 2}, {3, 3}, {3, 4}, {3, 5}}));
  page->selection().setFilter("");
  auto* table = find<QTableView>("headTable");
  EXPECT_EQ(table->selectionModel()->selectedRows().size(), 6);
  EXPECT_EQ(table->model()->rowCount(), 68);
  only->setChecked(true);
  EXPECT_EQ(table->model()->rowCount(), 6);
  EXPECT_EQ(find<QLabel>("headCount")->text(), QStringLiteral("6 of 68"));
  const QModelIndex third = table->model()->index(2, HeadTableModel::NameColumn);
  QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::ControlModifier,
                    table->visualRect(third).center());
  EXPECT_EQ(several(), (Heads{{3, 0}, {3, 1}, {3, 3}, {3, 4}, {3, 5}}));
  page->selection().setSeveral({});
  EXPECT_EQ(table->model()->rowCount(), 68);
}

TEST_F(SeveralHeadsTest, AClassIsSelectedAsAWhole) {
  for (QAction* action : grid->actions()) {
    if (action->text() == QStringLiteral("Select all heads of its class")) action->trigger();
  }
  const Table& heads = *page->study().analysis->find("heads");
  const auto& classes = textColumn(heads, "taxonomy");
  const std::string& wanted = classes[*headRow(heads, {4, 2})];
  EXPECT_EQ(several().size(), static_cast<std::size_t>(std::ranges::count(classes, wanted)));
  for (const HeadName& head : several()) EXPECT_EQ(classes[*headRow(heads, head)], wanted);
}

TEST_F(SeveralHeadsTest, ASessionKeepsThem) {
  drag({6, 1}, {8, 3});
  const ViewSelection& now = page->selection().value();
  EXPECT_EQ(Json(now.toJson())["several"], "L6H1-3,L7H1-3,L8H1-3");
  EXPECT_EQ(ViewSelection::fromJson(now.toJson()), now);
}

TEST_F(SeveralHeadsTest, HeadsAsPointsShareTheSelection) {
  page->showView(QStringLiteral("headMetricsDock"));
  settle();
  auto* view = find<HeadPointsView>("headPoints");
  ASSERT_TRUE(test::waitFor([&] {
    return view->placeOf({6, 1}).has_value();
  })) << view->message().toStdString();
  auto* points = view->findChild<QCustomPlot*>();
  QTest::mouseClick(points, Qt::LeftButton, {}, view->placeOf({6, 1})->toPoint());
  const HeadName nearest = *page->selection().value().head;
  EXPECT_LT(QLineF(*view->placeOf(nearest), *view->placeOf({6, 1})).length(), 3);

  auto* x = find<QComboBox>("headAxisX");
  x->setCurrentIndex(x->findData(QStringLiteral("r_q")));
  Q_EMIT x->activated(x->currentIndex());
  EXPECT_EQ(page->selection().value().axes.x, "r_q");
  settle();
  EXPECT_NE(view->shownPlot()->boxes.front().x.title.find("<i>r</i>"), std::string::npos);
  page->selection().undo();
  EXPECT_EQ(x->currentData().toString(), QStringLiteral("bias_window"));
  settle();

  const QRect inside = points->axisRect(0)->rect();
  QTest::mousePress(points, Qt::LeftButton, {}, inside.topLeft());
  for (int i = 1; i <= 4; ++i)
    test::moveHeld(*points, inside.topLeft() + (inside.bottomRight() - inside.topLeft()) * i / 4);
  QTest::mouseRelease(points, Qt::LeftButton, {}, inside.bottomRight());
  EXPECT_EQ(several().size(), 67U) << "all but the head without plasticity";
}

TEST_F(SeveralHeadsTest, GroupsAndOrdersOfTheGrid) {
  auto* order = find<QComboBox>("gridOrder");
  auto* show = find<QComboBox>("gridShow");
  const auto choose = [this](QComboBox* box, int index) {
    box->setCurrentIndex(index);
    Q_EMIT box->activated(index);
    settle();
  };
  choose(show, 1);
  EXPECT_EQ(grid->placeOf({6, 0}), grid->placeOf({6, 2})) << "one cell for the heads of a key head";
  EXPECT_NE(grid->placeOf({6, 0}), grid->placeOf({6, 3}));
  QTest::mouseClick(plot, Qt::LeftButton, {}, placeOf({6, 4}));
  EXPECT_EQ(several(), (Heads{{6, 3}, {6, 4}, {6, 5}}));
  choose(show, 0);
  choose(order, 2);
  EXPECT_FALSE(show->isEnabled());
  std::set<std::pair<double, double>> places;
  for (const HeadName& head : page->model().heads()) {
    ASSERT_TRUE(grid->placeOf(head));
    places.emplace(grid->placeOf(head)->x(), grid->placeOf(head)->y());
  }
  EXPECT_EQ(places.size(), 68U) << "each head at a place of its own";
  QTest::mouseClick(plot, Qt::LeftButton, {}, placeOf({9, 5}));
  EXPECT_EQ(page->selection().value().head, (HeadName{9, 5}));
  EXPECT_EQ(ViewSelection::fromJson(page->selection().value().toJson()).order, HeadOrder::Similar);
  page->selection().undo();
  page->selection().undo();
  settle();
  EXPECT_EQ(order->currentIndex(), 0);
}

}  // namespace
}  // namespace plastiscope
