// Mouse and keyboard in the widgets around the figures.
#include <gtest/gtest.h>

#include <QApplication>
#include <QFile>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>
#include <QtMath>
#include <algorithm>

#include "core/figures/figures.h"
#include "figures/drawn_view.h"
#include "figures/figure_study.h"
#include "figures/picture_compare.h"
#include "widgets/plots/figure_view.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/plots/plane_view.h"
#include "widgets/plots/plasticity_map_view.h"
#include "widgets/plots/plot_renderer.h"
#include "widgets/plots/plot_style.h"
#include "widgets/plots/profile_view.h"

namespace plastiscope {

namespace {

std::shared_ptr<const HeadGridData> gridOf(const Study& study, const std::string& metric = "ap_overall") {
  return std::make_shared<const HeadGridData>(makeHeadGrid(study.analysis, factsOf(study), metric));
}

void showAt(QWidget& view) {
  ASSERT_TRUE(test::showDrawn(view, {420, 360}));
}

QWidget* plotOf(QWidget& view) {
  return view.findChild<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
}

HeadName lastHead(const QSignalSpy& spy) {
  return spy.last().first().value<HeadName>();
}

// Moves the pointer over a grid of places until `found` returns true.
template <typename Found>
bool sweep(QWidget& view, Found found) {
  QWidget* plot = plotOf(view);
  for (int y = 4; y < plot->height(); y += 6) {
    for (int x = 4; x < plot->width(); x += 6) {
      QTest::mouseMove(plot, {x, y});
      if (found()) return true;
    }
  }
  return false;
}

std::shared_ptr<const HeadGridData> largeGrid() {
  auto data = std::make_shared<HeadGridData>();
  data->metric = describeMetric("ap_overall");
  data->layers = 80;
  data->heads = 64;
  data->groupSize = 8;
  for (int i = 0; i < 80 * 64; ++i) data->cells.push_back({true, false, false, (i % 97) / 96.0});
  return data;
}

void wheel(QWidget& view, QPoint at, int steps) {
  QWidget* plot = plotOf(view);
  QWheelEvent event(at, plot->mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(plot, &event);
  QCoreApplication::processEvents();
}

}  // namespace

TEST(HeadGridPlaces, FindsHeadsBetweenTheirGaps) {
  HeadGridData data;
  data.layers = 3;
  data.heads = 6;
  data.groupSize = 3;
  const HeadGridPlaces places(data);
  for (std::int64_t head = 0; head < 6; ++head) EXPECT_EQ(places.headAt(places.ofHead(head)), head);
  EXPECT_EQ(places.headAt(places.ofHead(2) + 0.55), std::nullopt) << "the gap between two groups";
  EXPECT_EQ(places.headAt(-0.6), std::nullopt);
  EXPECT_EQ(places.headAt(places.headsEnd() + 0.1), std::nullopt);
  EXPECT_EQ(places.layerAt(1.4), 1);
  EXPECT_EQ(places.layerAt(2.6), std::nullopt);
}

TEST(HeadGridView, ArrowKeysWalkOverCapturedHeads) {
  const auto study = test::figureStudy();
  HeadGridView view;
  view.setData(gridOf(*study));
  showAt(view);
  QSignalSpy activated(&view, &HeadGridView::headActivated);
  view.setSelectedHead(HeadName{4, 3});
  EXPECT_EQ(activated.count(), 0) << "setting the head emits no signal";
  QTest::keyClick(&view, Qt::Key_Right);
  EXPECT_EQ(lastHead(activated), (HeadName{4, 4}));
  QTest::keyClick(&view, Qt::Key_Down);
  EXPECT_EQ(lastHead(activated), (HeadName{6, 4})) << "L5H4 was not captured";
  QTest::keyClick(&view, Qt::Key_Home);
  EXPECT_EQ(lastHead(activated), (HeadName{0, 0}));
  QTest::keyClick(&view, Qt::Key_Left);
  EXPECT_EQ(activated.count(), 3) << "no head beyond the edge";
  QTest::keyClick(&view, Qt::Key_End);
  EXPECT_EQ(lastHead(activated), (HeadName{11, 5}));
}

TEST(HeadGridView, ClickAndHoverNameTheHead) {
  const auto study = test::figureStudy();
  HeadGridView view;
  view.setData(gridOf(*study));
  showAt(view);
  QSignalSpy hovered(&view, &HeadGridView::headHovered), activated(&view, &HeadGridView::headActivated);
  ASSERT_TRUE(sweep(view, [&] { return hovered.count() > 0 && lastHead(hovered) == HeadName{3, 2}; }));
  const QPoint place = plotOf(view)->mapFromGlobal(QCursor::pos());
  QTest::mouseClick(plotOf(view), Qt::LeftButton, {}, place);
  ASSERT_EQ(activated.count(), 1);
  EXPECT_EQ(lastHead(activated), (HeadName{3, 2}));
}

TEST(HeadGridView, WideAndDeepModelsFitEverySize) {
  HeadGridView view;
  view.setData(largeGrid());
  for (const QSize size : {QSize(200, 220), QSize(420, 360), QSize(1200, 900)}) {
    ASSERT_TRUE(test::showDrawn(view, size));
    QSizeF smallest(1000, 1000);
    for (std::int64_t i = 0; i < 80 * 64; ++i) {
      const auto place = view.placeOf({i / 64, i % 64});
      ASSERT_TRUE(place) << i;
      smallest = smallest.boundedTo(place->size());
    }
    EXPECT_GE(smallest.width(), 2) << size.width();
    EXPECT_GE(smallest.height(), 2) << size.height();
  }
  EXPECT_TRUE(view.findChildren<QScrollBar*>().isEmpty());
  QSignalSpy activated(&view, &HeadGridView::headActivated);
  QTest::keyClick(&view, Qt::Key_End);
  EXPECT_EQ(lastHead(activated), (HeadName{79, 63}));
}

QStringList g_warnings;

// A dock can leave its view no pixels.
TEST(PlotViews, PaintWithoutWarningsAtEverySize) {
  const auto study = test::figureStudy();
  QWidget window;
  window.resize(400, 400);
  auto* grid = new HeadGridView(&window);
  grid->setData(gridOf(*study));
  auto* map = new FigureView(&window);
  map->setPlot(mapPlot(makeMap(*study->analysis, {HeadName{4, 2}, std::nullopt})));
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  g_warnings.clear();
  const auto before = qInstallMessageHandler(
      [](QtMsgType, const QMessageLogContext&, const QString& text) { g_warnings.append(text); });
  for (const QSize size :
       {QSize(0, 0), QSize(300, 0), QSize(0, 300), QSize(1, 1), QSize(40, 25), QSize(25, 200)}) {
    for (QWidget* view : {static_cast<QWidget*>(grid), static_cast<QWidget*>(map)}) {
      view->setGeometry(QRect(QPoint(10, 10), size));
      view->show();
      QTest::qWait(30);
      view->findChild<QCustomPlot*>()->replot();
    }
  }
  qInstallMessageHandler(before);
  EXPECT_EQ(g_warnings.filter(QStringLiteral("QPainter")).join(u'\n').toStdString(), "");
}

TEST(HeadGridView, MarksDoNotHideSmallCells) {
  const HeadName head{40, 30};
  for (const QSize size : {QSize(420, 360), QSize(1200, 900)}) {
    HeadGridView view;
    view.setData(largeGrid());
    ASSERT_TRUE(test::showDrawn(view, size));
    const QPoint middle = view.placeOf(head)->center().toPoint();
    const auto picture = [&view] {
      QTest::qWait(30);
      return view.grab().toImage();
    };
    const QImage plain = picture();
    view.setSelectedHead(head);
    EXPECT_EQ(picture().pixel(middle), plain.pixel(middle)) << "the frame is outside of the cell";
    view.setSelectedHead({});
    view.setStarred({head});
    view.setNotes({{head, "a note"}});
    EXPECT_EQ(picture() == plain, size.width() < 1000) << "marks where they leave the colour visible";
  }
}

TEST(HeadGridView, TheWheelZoomsAroundThePointerAndEscapeShowsAll) {
  HeadGridView view;
  view.setData(largeGrid());
  ASSERT_TRUE(test::showDrawn(view, {600, 500}));
  const QImage whole = view.grab().toImage();
  QSignalSpy zoomed(&view, &PlotView::zoomed);
  const HeadName held{30, 20};
  const QPoint at = view.placeOf(held)->center().toPoint();
  wheel(view, at, 6);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !zoomed.isEmpty(); }));
  ASSERT_TRUE(view.placeOf(held));
  EXPECT_TRUE(view.placeOf(held)->contains(at)) << "the cell under the pointer stays there";
  EXPECT_GT(view.placeOf(held)->width(), 12);
  EXPECT_FALSE(view.placeOf({79, 63}));
  view.setSelectedHead(HeadName{79, 63});
  EXPECT_TRUE(QTest::qWaitFor([&] { return view.placeOf({79, 63}).has_value(); })) << "brought into view";
  wheel(view, at, -40);
  EXPECT_TRUE(QTest::qWaitFor([&] { return view.placeOf({0, 0}) && view.placeOf({79, 63}); }));
  EXPECT_EQ(zoomed.last()[0].value<std::optional<ViewRange>>(), std::nullopt) << "zoom stops at the grid";
  wheel(view, at, 8);
  QTest::keyClick(&view, Qt::Key_Escape);
  view.setSelectedHead({});
  EXPECT_TRUE(QTest::qWaitFor([&] { return view.grab().toImage() == whole; }));
}

TEST(HeadGridView, OverviewClickMovesTheVisiblePart) {
  HeadGridView view;
  view.setData(largeGrid());
  ASSERT_TRUE(test::showDrawn(view, {600, 500}));
  const QPoint corner = view.placeOf({79, 63})->center().toPoint();
  wheel(view, view.placeOf({0, 0})->center().toPoint(), 8);
  ASSERT_TRUE(QTest::qWaitFor([&] { return view.placeOf({0, 0}) && !view.placeOf({79, 63}); }));
  QTest::mousePress(plotOf(view), Qt::LeftButton, {}, corner - QPoint(8, 8));
  QTest::mouseRelease(plotOf(view), Qt::LeftButton, {}, corner - QPoint(8, 8));
  EXPECT_TRUE(QTest::qWaitFor([&] { return view.placeOf({79, 63}) && !view.placeOf({0, 0}); }));
}

TEST(HeadGridView, ShowsLayersBesideTheGridOnlyWhenWide) {
  HeadGridView view;
  const auto study = test::figureStudy();
  view.setData(gridOf(*study));
  ASSERT_TRUE(test::showDrawn(view, {600, 400}));
  EXPECT_EQ(view.shownPlot()->boxes.front().beside.size(), 1U);
  ASSERT_TRUE(test::showDrawn(view, {300, 400}));
  EXPECT_TRUE(QTest::qWaitFor([&] { return view.shownPlot()->boxes.front().beside.empty(); }));
}

TEST(PlotViews, ShowAMessageWhenThereIsNothingToDraw) {
  HeadGridView grid;
  EXPECT_FALSE(grid.message().isEmpty());
  grid.setData(gridOf(*test::figureStudy()));
  EXPECT_TRUE(grid.message().isEmpty());
  grid.setMessage("Capturing \u2026");
  EXPECT_EQ(grid.message(), "Capturing \u2026");
  AbPlaneView plane;
  auto missing = std::make_shared<PlaneData>();
  missing->missing = "L0H1 has no axis a";
  plane.setData(missing);
  EXPECT_EQ(plane.message(), "L0H1 has no axis a");
}

TEST(PlotViews, FollowThePaletteUntilAThemeIsSet) {
  HeadGridView view;
  view.setData(gridOf(*test::figureStudy()));
  showAt(view);
  QPalette dark;
  dark.setColor(QPalette::Window, QColor("#2a2e32"));
  dark.setColor(QPalette::Base, QColor("#1b1e20"));
  view.setPalette(dark);
  EXPECT_TRUE(QTest::qWaitFor([&] { return view.plotStyle().theme == Theme::Dark; }));
  EXPECT_TRUE(QTest::qWaitFor(
      [&] { return test::shareOf(view.grab().toImage(), QColor("#1b1e20").rgb(), 0) > 0.1; }));
  view.setTheme(Theme::Light);
  EXPECT_EQ(view.plotStyle().theme, Theme::Light);
}

TEST(AbPlaneView, HoverFindsTheRowUnderThePointer) {
  const auto study = test::figureStudy();
  AbPlaneView view;
  const auto plane = std::make_shared<const PlaneData>(makeAbPlane(*study, {4, 2}));
  view.setData(plane);
  showAt(view);
  QSignalSpy hovered(&view, &AbPlaneView::rowHovered), activated(&view, &AbPlaneView::rowActivated);
  bool query = false, key = false;
  sweep(view, [&] {
    if (hovered.isEmpty()) return false;
    const auto kind = hovered.last()[0].value<QueryOrKey>();
    const auto row = static_cast<std::size_t>(hovered.last()[1].toLongLong());
    EXPECT_LT(row, plane->rows(kind).size());
    (kind == QueryOrKey::Query ? query : key) = true;
    return query && key;
  });
  EXPECT_TRUE(query && key);
  QTest::mouseClick(plotOf(view), Qt::LeftButton, {}, plotOf(view)->mapFromGlobal(QCursor::pos()));
  EXPECT_EQ(activated.count(), 1);
}

TEST(ProfileView, FindsPositionsUnderThePointer) {
  const auto study = test::figureStudy();
  const auto field = makeProfileField(*study->analysis);
  ProfileView view;
  view.setData(std::make_shared<const ProfileData>(makeProfile(field, HeadName{4, 2})));
  view.setCursor(std::optional<double>(2000));
  showAt(view);
  QSignalSpy hovered(&view, &ProfileView::positionHovered);
  EXPECT_TRUE(sweep(view, [&] { return !hovered.isEmpty() && hovered.last()[1].toLongLong() == 25; }));
  const double tokens = hovered.last()[0].toDouble();
  EXPECT_GE(tokens, field->start[25]);
  EXPECT_LT(tokens, field->end[25]);
}

TEST(PlasticityMapView, FindsCellsUnderThePointerAndKeepsALockedRange) {
  const auto study = test::figureStudy();
  const auto map = std::make_shared<const MapData>(makeMap(*study->analysis, {HeadName{4, 2}, std::nullopt}));
  PlasticityMapView view;
  view.setData(map);
  showAt(view);
  const QRgb top = colourMap("magma").at(1);
  EXPECT_LT(test::shareOf(view.grab().toImage(), top), 0.01);
  QSignalSpy activated(&view, &PlasticityMapView::cellActivated),
      hovered(&view, &PlasticityMapView::cellHovered);
  ASSERT_TRUE(sweep(view, [&] {
    return !hovered.isEmpty() && hovered.last()[0].toLongLong() == 3 && hovered.last()[1].toLongLong() == 7;
  }));
  QTest::mouseClick(plotOf(view), Qt::LeftButton, {}, plotOf(view)->mapFromGlobal(QCursor::pos()));
  ASSERT_EQ(activated.count(), 1);
  EXPECT_EQ(activated.last()[0].toLongLong(), 3);
  view.setRange(std::pair{0.0, 0.01});
  EXPECT_TRUE(QTest::qWaitFor([&] { return test::shareOf(view.grab().toImage(), top) > 0.1; }));
}

TEST(ComponentsPlot, NumbersOverBarsAreNotCutOffInALowPanel) {
  ComponentsData data;
  data.explainedVariance = {0.465, 0.053};
  data.rQuery = data.rKey = {0.9, 0.1};
  const PlotStyle style = PlotStyle::screen(Theme::Light, QFont());
  const LaidOutPanel panel = layOutPlot({330, 150}, style, componentsPlot(data)).panels.front();
  const QFontMetricsF metrics(style.number);
  int numbers = 0;
  for (const Primitive& shape : panel.shapes) {
    if (shape.kind != Primitive::Kind::Text) continue;
    ++numbers;
    EXPECT_GE(shape.at.y() + metrics.ascent() - metrics.capHeight(), panel.box.top() - 0.01)
        << shape.text.toStdString();
  }
  EXPECT_EQ(numbers, 2);
  EXPECT_LT(panel.box.height(), 4 * metrics.height()) << "low";
}

// Very many cells are drawn as a picture, one pixel each, in the colours of resources/colour_maps.
TEST(PlasticityMapView, ManyCellsAreAPictureOfOnePixelEach) {
  MapData map;
  map.cell = 8;
  map.columns = map.rows = 160;
  map.window = map.cell * map.columns;
  for (int i = 0; i < 160 * 160; ++i) {
    map.mean.push_back((i % 1200 - 100) / 1000.0);  // beyond both ends too
    map.count.push_back(i % 7 == 0 ? 0 : i % 5 == 0 ? map.minCount - 1 : map.minCount);
  }
  const PlotStyle style = PlotStyle::screen(Theme::Light, QFont());
  const Primitives shapes = layOutPlot({640, 560}, style, mapPlot(map)).panels.front().shapes;
  const auto picture = std::ranges::find(shapes, Primitive::Kind::Picture, &Primitive::kind);
  ASSERT_NE(picture, shapes.end());
  ASSERT_EQ(picture->picture.size(), QSize(160, 160));
  QFile file(PLASTISCOPE_COLOUR_MAPS "/magma.txt");
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const QList<QByteArray> colours = file.readAll().split('\n');
  int wrong = 0;
  for (int row = 0; row < 160; ++row) {
    for (int column = 0; column < 160; ++column) {
      const auto i = static_cast<std::size_t>(row * 160 + column);
      const double share = std::min(std::max(map.mean[i], 0.0), 1.0);
      const QRgb expected = map.count[i] == 0 ? 0
                            : map.count[i] < map.minCount
                                ? colourOf(Ink::FewFill, style).rgba()
                                : 0xff000000U | colours[qFloor(share * 255 + 0.5)].toUInt(nullptr, 16);
      wrong += picture->picture.pixel(column, 159 - row) != expected;
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(HeadPointsView, ClickChoosesTheHead) {
  const auto study = test::figureStudy();
  HeadPointsView view;
  view.setHeads(makeTaxonomy(*study->analysis));
  showAt(view);
  QSignalSpy hovered(&view, &HeadPointsView::headHovered), activated(&view, &HeadPointsView::headActivated);
  ASSERT_TRUE(sweep(view, [&] { return !hovered.isEmpty(); }));
  QTest::mouseClick(plotOf(view), Qt::LeftButton, {}, plotOf(view)->mapFromGlobal(QCursor::pos()));
  ASSERT_EQ(activated.count(), 1);
  EXPECT_EQ(lastHead(activated), lastHead(hovered));
}

namespace {

struct PlantedEdge {
  HeadName from, to;
  const char* into;
  double excess, change, p;
};

// `cut`: with the changes of the loss.
Table edgesTable(const std::vector<PlantedEdge>& edges, bool cut) {
  std::vector<Column> columns{integers("from_layer"), integers("from_head"), integers("to_layer"),
                              integers("to_head"),    texts("into"),         numbers("score"),
                              numbers("excess")};
  if (cut) {
    for (const char* name : {"nll_change", "p_adjusted"}) columns.push_back(numbers(name));
  }
  TableBuilder table(kEdgesTable, columns);
  for (const PlantedEdge& edge : edges) {
    std::vector<Cell> cells{edge.from.layer, edge.from.head,  edge.to.layer, edge.to.head,
                            edge.into,       edge.excess + 1, edge.excess};
    if (cut) cells.insert(cells.end(), {edge.change, edge.p});
    table.row(cells);
  }
  return table.take();
}

const Table& cutEdges() {
  static const Table kEdges = edgesTable({{{0, 0}, {4, 2}, "k", 0.2, 0.5, 0.01},
                                          {{1, 3}, {4, 2}, "q", 0.1, -0.3, 0.02},
                                          {{0, 5}, {3, 0}, "v", 0.4, 0.9, 0.5}},
                                         true);
  return kEdges;
}

// Opacities of the drawn edges, and the first line of their tips.
std::vector<std::pair<double, std::string>> drawnEdges(const Plot& plot) {
  std::vector<std::pair<double, std::string>> edges;
  for (const Mark& mark : plot.boxes.front().marks) {
    const auto* lines = std::get_if<SegmentMarks>(&mark.kind);
    for (std::size_t i = 0; lines != nullptr && i < lines->x0.size(); ++i)
      edges.emplace_back(lines->strokes[i].colour.alpha, mark.tips[i].substr(0, mark.tips[i].find("<br>")));
  }
  return edges;
}

using Edges = std::vector<std::pair<double, std::string>>;

}  // namespace

TEST(Composition, DrawsWhatChangesTheLossAndFadesOtherEdgesThanThoseOfTheHead) {
  const std::string q = "<b>L1H3 into q of L4H2</b>", k = "<b>L0H0 into k of L4H2</b>";
  EXPECT_EQ(drawnEdges(compositionPlot(cutEdges())), (Edges{{1, q}, {1, k}}));
  EXPECT_EQ(drawnEdges(compositionPlot(cutEdges(), HeadName{0, 0})), (Edges{{0.3, q}, {1, k}}));
  EXPECT_EQ(drawnEdges(compositionPlot(cutEdges(), HeadName{4, 2})), (Edges{{1, q}, {1, k}}));
  EXPECT_EQ(drawnEdges(compositionPlot(cutEdges(), HeadName{0, 5})), (Edges{{1, q}, {1, k}}))
      << "a head without a drawn edge";
  EXPECT_EQ(compositionHeads(cutEdges()), (std::vector<HeadName>{{0, 0}, {0, 5}, {1, 3}, {3, 0}, {4, 2}}));
}

// Of many scores the highest are drawn, and those of the selected head, however low.
TEST(Composition, OfManyScoresDrawsTheHighestAndThoseOfTheHead) {
  std::vector<PlantedEdge> planted;
  for (std::int64_t i = 0; i < 300; ++i)
    planted.push_back({{0, i}, {1, i % 7}, "k", 0.001 * static_cast<double>((i * 7) % 300), 0, 0});
  const Table edges = edgesTable(planted, false);
  const Plot all = compositionPlot(edges);
  EXPECT_EQ(drawnEdges(all).size(), 100u);
  for (const auto& [opacity, tip] : drawnEdges(all)) {
    const std::int64_t head = std::stoll(tip.substr(tip.find('H') + 1));
    EXPECT_GE((head * 7) % 300, 200) << tip;
  }
  EXPECT_TRUE(all.legend.back().text.starts_with("the highest 100 of 300 edges"));
  const Edges chosen = drawnEdges(compositionPlot(edges, HeadName{0, 43}));  // 43 * 7 % 300 = 1
  EXPECT_EQ(chosen.size(), 101u);
  EXPECT_EQ(chosen.back(), std::pair(1.0, std::string("<b>L0H43 into k of L1H1</b>")));
  EXPECT_EQ(chosen.front().first, 0.3);
}

TEST(HeadPointsView, HoverNamesAnEdgeAndAClickChoosesItsEnd) {
  HeadPointsView view;
  const std::vector<HeadName> heads = compositionHeads(cutEdges());
  Values layers, numbers;
  for (const HeadName& head : heads) {
    layers.push_back(static_cast<double>(head.layer));
    numbers.push_back(static_cast<double>(head.head));
  }
  view.setHeads(compositionPlot(cutEdges()), heads, layers, numbers);
  showAt(view);
  QSignalSpy hovered(&view, &HeadPointsView::headHovered), activated(&view, &HeadPointsView::headActivated);
  const QPointF from = *view.placeOf({0, 0}), to = *view.placeOf({4, 2});
  const QPoint near = (from + (to - from) * 0.75).toPoint();  // far from the middle
  QTest::mouseMove(plotOf(view), near);
  EXPECT_TRUE(QToolTip::text().contains(QStringLiteral("L0H0 into k of L4H2")))
      << QToolTip::text().toStdString();
  EXPECT_TRUE(QToolTip::text().contains(QStringLiteral("cut: 0.500")));
  EXPECT_TRUE(hovered.isEmpty());
  QTest::mouseClick(plotOf(view), Qt::LeftButton, {}, near);
  EXPECT_TRUE(activated.isEmpty()) << "an edge is no head";
  QTest::mouseMove(plotOf(view), to.toPoint());
  EXPECT_TRUE(QToolTip::text().contains(QStringLiteral("<b>L4H2</b>")));
  QTest::mouseClick(plotOf(view), Qt::LeftButton, {}, to.toPoint());
  ASSERT_EQ(activated.count(), 1);
  EXPECT_EQ(lastHead(activated), (HeadName{4, 2}));
}

}  // namespace plastiscope
