// Density pictures of very many rows, drawn by a worker thread, and the rows inside a drawn outline.
#include <gtest/gtest.h>

#include <QTest>

#include "figures/drawn_view.h"
#include "widgets/plots/plane_view.h"
#include "widgets/plots/rasters.h"

namespace plastiscope {
namespace {

constexpr QRgb kBlue = 0xff2040c0, kDark = 0xff101840, kRed = 0xffc04020;

// One pixel per unit.
const PixelMap kUnit{1, 0, 1, 0};

TEST(Density, AlphaGrowsWithTheRowsOnAPixel) {
  // Pixel (0, 0): one row; (1, 0): three; (2, 0): seven, the fullest; (3, 0): none.
  const std::vector<float> x = {0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, -5, NAN}, y(x.size(), 0.5F);
  const std::vector<std::int32_t> position(x.size(), 0);
  const PointBatch batch{x, y, position, {kBlue}, 100};
  const QImage image = drawDensity({4, 1}, std::span(&batch, 1), kUnit);
  const auto alpha = [&](int column) { return qAlpha(image.pixel(column, 0)); };
  EXPECT_EQ(alpha(3), 0);
  EXPECT_EQ(alpha(2), 255);
  EXPECT_NEAR(alpha(0), 0.35 * 255, 1);
  // log(4 / 2) / log(8 / 2) = 1/2 of the way.
  EXPECT_NEAR(alpha(1), (0.35 + 0.65 / 2) * 255, 1.5);
  EXPECT_EQ(image.pixelColor(2, 0).rgb(), kBlue);
}

TEST(Density, ColoursByMeanPositionAndMixesQueriesAndKeys) {
  const std::vector<float> one = {0, 0}, y = {0, 0};
  const std::vector<std::int32_t> late = {90, 80}, early = {0, 10};
  const PointBatch lateRows{one, y, late, {kBlue, kDark}, 100}, earlyRows{one, y, early, {kRed, kDark}, 100};
  EXPECT_EQ(drawDensity({1, 1}, std::span(&lateRows, 1), kUnit).pixelColor(0, 0).rgb(), kDark);
  const std::array<PointBatch, 2> both = {earlyRows, lateRows};
  const QColor mixed = drawDensity({1, 1}, both, kUnit).pixelColor(0, 0);
  EXPECT_EQ(mixed.red(), (qRed(kRed) + qRed(kDark)) / 2);
  EXPECT_EQ(mixed.blue(), (qBlue(kRed) + qBlue(kDark)) / 2);
}

std::shared_ptr<const PlaneData> gridOfRows(int side) {
  auto plane = std::make_shared<PlaneData>();
  plane->window = 100;
  for (int i = 0; i < side * side; ++i) {
    plane->query.x.push_back(static_cast<float>(i % side));
    plane->query.y.push_back(static_cast<float>(i / side));
    plane->query.position.push_back(i % 100);
    plane->query.example.push_back(0);
  }
  plane->range = {-1, side + 0.0, -1, side + 0.0, 0};
  return plane;
}

TEST(LiveCloud, ManyRowsAppearAWhileLaterAndFollowTheAxes) {
  AbPlaneView view;
  view.setData(gridOfRows(260));
  ASSERT_TRUE(test::showDrawn(view, {420, 340}));  // the first drawing requests the picture
  ASSERT_TRUE(QTest::qWaitFor([&] { return !view.drawing(); }, 20000));
  const QColor middle = view.grab().toImage().pixelColor(240, 150);
  EXPECT_GT(middle.blue(), middle.red()) << "queries are blue";
  auto* plot = view.findChild<QCustomPlot*>();
  plot->axisRect(0)->axis(QCPAxis::atBottom)->setRange(1000, 2000);  // no rows here
  plot->replot();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !view.drawing(); }, 20000));
  plot->replot();
  const QColor empty = view.grab().toImage().pixelColor(240, 150);
  EXPECT_GT(empty.lightness(), 200);
}

TEST(RowsInside, FindsTheRowsWithinTheLine) {
  AbPlaneView view;
  const auto plane = gridOfRows(10);
  view.setData(plane);
  ASSERT_TRUE(test::showDrawn(view, {420, 340}));
  const QCPAxisRect& rect = *view.findChild<QCustomPlot*>()->axisRect(0);
  const auto at = [&](double x, double y) {
    return QPointF(rect.axis(QCPAxis::atBottom)->coordToPixel(x),
                   rect.axis(QCPAxis::atLeft)->coordToPixel(y));
  };
  // A triangle: rows with x + y < 4.5.
  const auto rows = rowsInside(plane->query, rect, QPolygonF({at(-0.5, -0.5), at(5, -0.5), at(-0.5, 5)}));
  std::vector<std::int64_t> expected;
  for (int i = 0; i < 100; ++i) {
    if (i % 10 + i / 10 < 4.5) expected.push_back(i);
  }
  EXPECT_EQ(rows, expected);
  EXPECT_TRUE(rowsInside(plane->query, rect, QPolygonF()).empty());
}

}  // namespace
}  // namespace plastiscope
