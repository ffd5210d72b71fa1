// Labels of points overlap neither points nor each other nor earlier drawing.
#include <gtest/gtest.h>

#include "core/figures/parts.h"
#include "widgets/plots/mark_shapes.h"

namespace plastiscope {
namespace {

constexpr double kRadius = 4;

QRectF box(const QPointF& at) {
  return QRectF(at - QPointF(kRadius, kRadius), QSizeF(2 * kRadius, 2 * kRadius))
      .adjusted(0.5, 0.5, -0.5, -0.5);
}

TEST(LabelPlaces, OverlapNothing) {
  const QRectF bounds(0, 0, 500, 300), taken(380, 10, 110, 40);
  std::vector<QPointF> points;
  for (int i = 0; i < 14; ++i) points.emplace_back(30 + 37 * (i % 13) % 440, 25 + 71 * i % 250);
  points.emplace_back(points.front() + QPointF(6, 3));  // nearly the same place
  const std::vector<QSizeF> sizes(points.size(), QSizeF(78, 13));
  const std::vector<QRectF> places = placeLabels(points, sizes, {bounds, kRadius, {taken}, std::nullopt});
  ASSERT_EQ(places.size(), points.size());
  int shown = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].isEmpty()) continue;
    ++shown;
    EXPECT_TRUE(bounds.contains(places[i])) << i;
    EXPECT_FALSE(places[i].intersects(taken)) << i;
    for (const QPointF& point : points) EXPECT_FALSE(places[i].intersects(box(point))) << i;
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(places[i].intersects(places[j])) << i << ", " << j;
  }
  EXPECT_GE(shown, 13);
}

TEST(LabelPlaces, AvoidLinesWherePossible) {
  const QPointF point(100, 100);
  const QLineF line(100, 100, 300, 100);  // to the right, the first place that is tried
  const auto places = placeLabels({point}, {QSizeF(60, 12)}, {QRectF(0, 0, 400, 200), kRadius, {}, line});
  EXPECT_LT(places.front().right(), 100);
}

TEST(LabelPlaces, OmitLabelsThatDoNotFit) {
  const auto places =
      placeLabels({QPointF(10, 10)}, {QSizeF(60, 12)}, {QRectF(0, 0, 20, 20), kRadius, {}, {}});
  EXPECT_TRUE(places.front().isEmpty());
}

TEST(FreestCorner, IsTheCornerWithoutPoints) {
  const QRectF bounds(0, 0, 300, 200);
  const std::vector<QPointF> points = {{270, 20}, {30, 20}, {270, 180}};
  const QRectF corner = freestCorner({bounds, kRadius, {}, {}}, QSizeF(80, 30), 5, points);
  EXPECT_EQ(corner.bottomLeft(), QPointF(5, 195));
}

TEST(NumberLabel, RoundsHalvesUp) {
  EXPECT_EQ(numberLabel(62.5, 0), "63");
  EXPECT_EQ(numberLabel(-0.125, 2), "\u22120.13");
  EXPECT_EQ(numberLabel(62.49999999999999, 0), "62");
  EXPECT_EQ(numberLabel(1.005, 2), "1.00");  // the nearest double lies below the half
  EXPECT_EQ(numberLabel(1234.5, 0), "1,235");
}

}  // namespace
}  // namespace plastiscope
