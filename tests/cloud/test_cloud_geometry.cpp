#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "widgets/cloud/cloud_geometry.h"

namespace plastiscope {
namespace {

using testing::ElementsAre;

// Three axes over four rows; the second row has no position.
CloudData smallCloud() {
  CloudData cloud;
  cloud.window = 101;
  cloud.queryRows = 2;
  cloud.position = {0, 50, 100, 25};
  cloud.example = {0, 0, 0, 0};
  const auto axis = [](const char* label, std::vector<float> value, double low, double high,
                       bool activation) {
    CloudAxis result;
    result.label = result.title = label;
    result.value = std::move(value);
    result.low = low;
    result.high = high;
    result.activation = activation;
    return result;
  };
  cloud.axes = {axis("a", {-10, NAN, 0, 10}, -10, 10, true), axis("b", {0, 1, 4, 8}, 0, 8, true),
                axis("t", {0, 50, 100, 25}, 0, 100, false)};
  cloud.frames = {{"position", "a, b, position", {0, 1, 2}}};
  return cloud;
}

// Looks along -z onto a square of the scene from -1 to 1 that fills 200 x 100 pixels.
SceneView flatView() {
  SceneView view;
  view.matrix = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1};
  view.width = 200;
  view.height = 100;
  return view;
}

TEST(CloudGeometry, ActivationAxesShareOneScaleAndPositionIsAsLongAsTheLongest) {
  const CloudData cloud = smallCloud();
  const CloudLayout layout = layOut(cloud, cloud.frames[0]);
  EXPECT_DOUBLE_EQ(layout.axes[0].half, 1);
  EXPECT_DOUBLE_EQ(layout.axes[1].half, 0.4);
  EXPECT_DOUBLE_EQ(layout.axes[2].half, 1);
  EXPECT_TRUE(layout.axes[2].tokens);
}

TEST(CloudGeometry, RowsWithoutAPlaceAreLeftOut) {
  const CloudData cloud = smallCloud();
  const CloudLayout layout = layOut(cloud, cloud.frames[0]);
  EXPECT_THAT(layout.row, ElementsAre(0u, 2u, 3u));
  EXPECT_THAT(layout.xyz, testing::Pointwise(testing::FloatNear(1e-6f),
                                             {-1.0f, -0.4f, -1.0f, 0.0f, 0.0f, 1.0f, 1.0f, 0.4f, -0.5f}));
}

TEST(CloudGeometry, AnAxisWithoutExtentDoesNotDivideByZero) {
  CloudData cloud = smallCloud();
  cloud.axes[1].low = cloud.axes[1].high = 4;
  const CloudLayout layout = layOut(cloud, cloud.frames[0]);
  for (const float value : layout.xyz) EXPECT_TRUE(std::isfinite(value));
}

TEST(CloudGeometry, TicksAreRoundNumbersInsideTheBox) {
  EXPECT_THAT(axisTicks(-17.3, 16.9, 5), ElementsAre(-10, 0, 10));
  EXPECT_THAT(axisTicks(0, 1, 6), ElementsAre(0, 0.2, 0.4, testing::DoubleNear(0.6, 1e-12), 0.8, 1));
  EXPECT_THAT(axisTicks(3, 3, 5), ElementsAre());
  EXPECT_THAT(axisTicks(0, 10, 0), ElementsAre());
  for (const double extent : {1e-6, 0.3, 7.0, 99.0, 4095.0, 1e9}) {
    for (int most = 1; most <= 8; ++most) {
      const auto ticks = axisTicks(-0.37 * extent, 0.63 * extent, most);
      EXPECT_LE(ticks.size(), static_cast<std::size_t>(most)) << extent << " " << most;
    }
  }
}

TEST(CloudGeometry, TickTextsHaveTheDigitsOfTheirStep) {
  SceneAxis axis;
  EXPECT_EQ(tickText(axis, -10, 5), "\u221210");
  EXPECT_EQ(tickText(axis, 0.4, 0.2), "0.4");
  EXPECT_EQ(tickText(axis, 0.35, 0.05), "0.35");
  axis.tokens = true;
  EXPECT_EQ(tickText(axis, 4000, 2000), "4,000");
}

TEST(CloudGeometry, TheScreenRunsFromTheTopLeftCorner) {
  const auto place = flatView().project({-1, 1, 0.5});
  ASSERT_TRUE(place);
  EXPECT_DOUBLE_EQ(place->x, 0);
  EXPECT_DOUBLE_EQ(place->y, 0);
  EXPECT_DOUBLE_EQ(place->depth, -0.5);
  SceneView behind = flatView();
  behind.matrix[15] = -1;
  EXPECT_FALSE(behind.project({0, 0, 0}));
}

TEST(CloudGeometry, PickingPrefersTheFrontUnderTheCursorThenTheNearest) {
  CloudLayout layout;
  layout.xyz = {0, 0, -0.5f, 0.01f, 0, 0.5f, 0.06f, 0, 0.9f};  // at x = 100 (behind), 101 (in front), 106
  layout.row = {0, 1, 2};
  EXPECT_EQ(pickPoint(layout, flatView(), {100, 50, 2, 8}), 1u);
  EXPECT_EQ(pickPoint(layout, flatView(), {104, 50, 1, 8}), 2u);
  EXPECT_EQ(pickPoint(layout, flatView(), {96, 50, 1, 8}), 0u);
  EXPECT_FALSE(pickPoint(layout, flatView(), {150, 50, 2, 8}));
}

}  // namespace
}  // namespace plastiscope
