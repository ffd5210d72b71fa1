// Labels of plots, breaks of lines and names of regions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/compare/model_series.h"
#include "core/figures/figures.h"
#include "figures/figure_study.h"

namespace plastiscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// The marks of a kind, in the order of the box.
template <typename Kind>
std::vector<const Kind*> marksOf(const Box& box) {
  std::vector<const Kind*> found;
  for (const Mark& mark : box.marks)
    if (const auto* kind = std::get_if<Kind>(&mark.kind)) found.push_back(kind);
  return found;
}

// Start and end of each part of the line without a gap.
std::vector<std::pair<double, double>> stretchesOf(const LineMark& line) {
  std::vector<std::pair<double, double>> stretches;
  bool open = false;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    const bool known = std::isfinite(line.y[i]);
    if (known && !open) stretches.emplace_back(line.x[i], line.x[i]);
    if (known) stretches.back().second = line.x[i];
    open = known;
  }
  return stretches;
}

TEST(DepthPlot, BreaksOffWhereLayersWereNotCaptured) {
  DepthData data;
  data.metric.label = "AP";
  data.layers = 12;
  data.means.layer = {1, 2, 3, 7, 10, 11};
  data.means.centre = {0.5, 0.6, 0.55, 0.4, 0.3, 0.35};
  data.means.low = data.means.high = data.means.centre;
  const Plot plot = depthPlot(data);
  EXPECT_THAT(
      stretchesOf(*marksOf<LineMark>(plot.boxes.front()).front()),
      ElementsAre(std::pair(1 - kLayerReach, 3 + kLayerReach), std::pair(7 - kLayerReach, 7 + kLayerReach),
                  std::pair(10 - kLayerReach, 11 + kLayerReach)))
      << "a layer by itself is a short line";
}

TEST(HeadGridPlot, SpreadsHaveTheRangeOfTheColours) {
  HeadGridData data;
  data.metric = describeMetric("ap_overall");
  data.layers = 2;
  data.heads = 2;
  data.low = 0.25;
  data.high = 0.75;
  data.cells.resize(4);
  data.cells.back().windowed = true;  // adds a letter beside its layer
  data.spreads.assign(2, headSpread({0.25, 0.75}));
  const Plot plot = headGridPlot(data, {.spreads = true});
  ASSERT_EQ(plot.boxes.front().beside.size(), 1U);
  const Axis& axis = plot.boxes.front().beside.front().x;
  EXPECT_EQ(std::pair(axis.low, axis.high), std::pair(0.25, 0.75));
}

TEST(ComponentBars, LabelMeansOnlyForSeveralHeads) {
  ComponentsData data;
  data.explainedVariance = {0.4};
  data.rQuery = data.rKey = {0.9};
  data.heads = 1;
  EXPECT_EQ(componentSignalBars(data).metric.label, "<i>r</i> with position");
  EXPECT_EQ(componentVarianceBars(data).metric.label, "explained variance");
  data.heads = 9;
  EXPECT_EQ(componentSignalBars(data).metric.label, "mean <i>r</i> with position");
  data.heads = 1;
  data.published = "digitised";
  EXPECT_EQ(componentVarianceBars(data).metric.label, "mean explained variance");
}

TEST(QuintilesPlot, DrawsTheMeanAsAThinDashedLine) {
  const auto study = test::figureStudy();
  const ProfileData data = makeProfile(makeProfileField(*study->analysis, {}), HeadName{4, 2});
  ProfileOptions bars;
  bars.parts = ProfileParts::Quintiles;
  const Plot plot = profilePlot(data, bars);
  const auto means = marksOf<SegmentMarks>(plot.boxes.front());
  ASSERT_EQ(means.size(), 1U);
  const Stroke& stroke = means.front()->strokes.front();
  EXPECT_FALSE(stroke.cased);
  EXPECT_LT(stroke.width, 1);
  EXPECT_FALSE(stroke.dash.empty());
}

TEST(TaxonomyPlot, NamesItsRegionsOnceWherePointsLeaveRoom) {
  const auto study = test::figureStudy();
  TaxonomyData data = makeTaxonomy(*study->analysis);
  const auto namesOf = [&data] {
    const Plot plot = taxonomyPlot(data);
    const auto names = marksOf<TextMarks>(plot.boxes.front());
    return names.size() == 1 ? *names.front() : TextMarks();
  };
  data.points.clear();
  TextMarks names = namesOf();
  ASSERT_THAT(names.texts, ElementsAre("content", "position", "Q", "mixed"));
  EXPECT_EQ(names.x[1], names.y[1]);
  EXPECT_GT(names.x[2], 0.7);
  const double right = names.x[1], up = names.y[1];
  data.points = {{.rQuery = right, .rKey = up}};
  names = namesOf();
  ASSERT_EQ(names.texts.size(), 4U);
  EXPECT_GE(std::fabs(names.y[1] - up), 0.07) << "beside the point";
  for (double y = up - 0.2; y < up + 0.2; y += 0.02) data.points.push_back({.rQuery = right, .rKey = y});
  EXPECT_THAT(namesOf().texts, ElementsAre("content", "Q", "mixed")) << "no room";
}

TEST(ComplementPlot, LabelsItsAxes) {
  auto data = std::make_shared<ComplementData>();
  data->window = 100;
  data->pairs.resize(2);
  const Plot plot = complementPlot(data);
  ASSERT_EQ(plot.panels.size(), 2U);
  EXPECT_THAT(plot.panels.front().boxes.front().x.title, HasSubstr("even direction"));
  EXPECT_THAT(plot.panels.front().boxes.front().y.title, HasSubstr("odd direction"));
}

TEST(MetricText, KeepsThreeDecimalsWhereTheMetricHasLimits) {
  MetricInfo bounded, free;
  bounded.range = {0.0, 1.0};
  EXPECT_EQ(metricText(0.000248, bounded), "0.000");
  EXPECT_EQ(metricText(0.5361, bounded), "0.536");
  EXPECT_EQ(metricText(1, bounded), "1.000");
  EXPECT_EQ(metricText(0.000248, free), metricText(0.000248));
  EXPECT_THAT(metricText(0.000248, free), Not(HasSubstr("0.000")));
}

}  // namespace
}  // namespace plastiscope
