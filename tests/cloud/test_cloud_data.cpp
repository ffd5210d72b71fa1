// Compares the projected cloud with NumPy (tests/data/cloud/make_cloud.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/views/cloud_data.h"

namespace plastiscope {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

Json fixture() {
  return readJsonFile(PLASTISCOPE_TEST_DATA "/cloud/cloud.json");
}

CapturedRows rowsFrom(const Json& json) {
  CapturedRows rows;
  rows.position = json.at("position").get<std::vector<std::int32_t>>();
  rows.example.assign(rows.position.size(), 0);
  rows.bucket.assign(rows.position.size(), 0);
  for (const Json& vector : json.at("vectors")) {
    rows.headDim = static_cast<std::int64_t>(vector.size());
    for (const Json& value : vector) rows.vectors.push_back(value.get<float>());
  }
  return rows;
}

CloudDirections directionsFrom(const Json& json) {
  CloudDirections directions;
  directions.a = json.at("a").get<std::vector<double>>();
  directions.b = json.at("b").get<std::vector<double>>();
  for (std::size_t i = 0; i < 3; ++i) directions.pc[i] = json.at("pc")[i].get<std::vector<double>>();
  return directions;
}

CloudData fixtureCloud() {
  const Json json = fixture();
  return projectCloud(rowsFrom(json.at("query")), rowsFrom(json.at("key")),
                      directionsFrom(json.at("directions")), json.at("window"));
}

std::vector<std::string> frameIds(const CloudData& cloud) {
  std::vector<std::string> ids;
  for (const CloudFrame& frame : cloud.frames) ids.push_back(frame.id);
  return ids;
}

// A capture of one layer in memory: head 0 of two query heads, key head 0.
class MemoryCapture : public CaptureFile {
 public:
  explicit MemoryCapture(const Json& json)
      : m_query(rowsFrom(json.at("query"))), m_key(rowsFrom(json.at("key"))) {
    m_info.window = json.at("window");
    m_info.layers = 1;
    m_info.queryHeads = 2;
    m_info.keyHeads = 1;
    m_info.headDim = m_query.headDim;
    m_info.examples.resize(1);
    m_info.examples[0].id = "moon.txt";
  }
  const CaptureInfo& info() const override { return m_info; }
  const std::filesystem::path& path() const override { return m_path; }
  CapturedRows rows(const RowPlace& place) const override {
    const auto& [layer, head, set] = place;
    if (layer != 0 || head != (set == RowSet::Query ? 1 : 0)) throw InputError("not captured");
    return set == RowSet::Query ? m_query : m_key;
  }

 private:
  CaptureInfo m_info;
  std::filesystem::path m_path;
  CapturedRows m_query, m_key;
};

// An analysis with the fixture's axes for L0H1.
AnalysisFile analysisOf(const Json& directions) {
  std::vector<std::int64_t> layer, head, dimension;
  std::vector<std::string> name;
  std::vector<double> value;
  const auto add = [&](const std::string& axis, const Json& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      layer.push_back(0);
      head.push_back(1);
      name.push_back(axis);
      dimension.push_back(static_cast<std::int64_t>(i));
      value.push_back(values[i].is_null() ? std::nan("") : values[i].get<double>());
    }
  };
  add("a", directions.at("a"));
  add("b", directions.at("b"));
  for (std::size_t i = 0; i < 3; ++i) add("pc" + std::to_string(i), directions.at("pc")[i]);
  AnalysisFile analysis;
  using Numbers = std::vector<std::int64_t>;
  analysis.tables.push_back({"heads", {{"layer", Numbers{0}}, {"head", Numbers{1}}}});
  analysis.tables.push_back(
      {"axes",
       {{"layer", layer}, {"head", head}, {"axis", name}, {"dimension", dimension}, {"value", value}}});
  return analysis;
}

Study studyOf(const Json& json) {
  Study study;
  study.capture = std::make_shared<MemoryCapture>(json);
  study.analysis = std::make_shared<AnalysisFile>(analysisOf(json.at("directions")));
  return study;
}

TEST(CloudData, CoordinatesAndSharesEqualNumPy) {
  const Json json = fixture();
  const CloudData cloud = fixtureCloud();
  ASSERT_EQ(cloud.axes.size(), 7u);
  for (const CloudAxis& axis : cloud.axes) {
    const auto expected = json.at("expected").at(axis.label).get<std::vector<double>>();
    ASSERT_EQ(axis.value.size(), expected.size()) << axis.label;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(axis.value[i]), expected[i], 2e-6 * (1 + std::abs(expected[i])))
          << axis.label << " row " << i;
    }
    if (axis.label == "t") {
      EXPECT_TRUE(std::isnan(axis.share));
      EXPECT_FALSE(axis.activation);
    } else {
      EXPECT_NEAR(axis.share, json.at("shares").at(axis.label).get<double>(), 1e-9) << axis.label;
    }
  }
}

TEST(CloudData, FramesComeInOrderAndPointAtTheirAxes) {
  const CloudData cloud = fixtureCloud();
  EXPECT_EQ(cloud.missing, "");
  EXPECT_THAT(frameIds(cloud), ElementsAre("complement", "principal", "position"));
  std::vector<std::string> labels;
  for (const std::size_t axis : cloud.frames[2].axes) labels.push_back(cloud.axes[axis].label);
  EXPECT_THAT(labels, ElementsAre("a", "b", "t"));
}

TEST(CloudData, TitlesHaveTheShareOfVariance) {
  const Json json = fixture();
  const CloudData cloud = fixtureCloud();
  const double percent = 100 * json.at("shares").at("a").get<double>();
  EXPECT_EQ(cloud.axes[0].title,
            "a, position axis \u00b7 " + std::to_string(std::lround(percent)) + "\u00a0%");
  EXPECT_EQ(cloud.axes.back().title, "position (tokens)");
}

TEST(CloudData, QueriesComeFirstThenKeys) {
  const CloudData cloud = fixtureCloud();
  EXPECT_EQ(cloud.rows(), 30u);
  EXPECT_EQ(cloud.queryRows, 17u);
  EXPECT_EQ(cloud.kind(16), QueryOrKey::Query);
  EXPECT_EQ(cloud.kind(17), QueryOrKey::Key);
  EXPECT_EQ(cloud.rowOfKind(16), 16);
  EXPECT_EQ(cloud.rowOfKind(18), 1);
  EXPECT_DOUBLE_EQ(cloud.positionShare(3), cloud.position[3] / 511.0);
}

TEST(CloudData, RowsThatAreNotFiniteAreMissingAndChangeNothingElse) {
  const Json json = fixture();
  CapturedRows query = rowsFrom(json.at("query"));
  query.position.push_back(500);
  query.example.push_back(0);
  query.bucket.push_back(0);
  for (int i = 0; i < 6; ++i) query.vectors.push_back(i == 2 ? std::nanf("") : 1e30f);
  const CloudData cloud =
      projectCloud(query, rowsFrom(json.at("key")), directionsFrom(json.at("directions")), 512);
  const CloudData clean = fixtureCloud();
  for (std::size_t axis = 0; axis + 1 < cloud.axes.size(); ++axis) {
    EXPECT_TRUE(std::isnan(cloud.axes[axis].value[17]));
    EXPECT_EQ(cloud.axes[axis].value[18], clean.axes[axis].value[17]);
    EXPECT_EQ(cloud.axes[axis].share, clean.axes[axis].share);
    EXPECT_EQ(cloud.axes[axis].high, clean.axes[axis].high);
  }
}

TEST(CloudData, TheBoxSpansAllRowsUnlessOneLiesFarOutside) {
  CapturedRows query;
  query.headDim = 3;
  for (int i = 0; i < 1001; ++i) {
    query.position.push_back(i);
    query.example.push_back(0);
    const float x = static_cast<float>(i) / 1000.0f;
    for (const float value : {i == 500 ? 1000.0f : x, x, 0.0f}) query.vectors.push_back(value);
  }
  CapturedRows key = query;
  CloudDirections directions;
  directions.a = {1, 0, 0};
  directions.b = {0, 1, 0};
  const CloudData cloud = projectCloud(query, key, directions, 1001);
  EXPECT_DOUBLE_EQ(cloud.axes[0].low, 0);
  EXPECT_THAT(cloud.axes[0].high, DoubleNear(1.2425, 0.003));  // 0.995 + a quarter of 0.99
  EXPECT_DOUBLE_EQ(cloud.axes[1].low, 0);
  EXPECT_DOUBLE_EQ(cloud.axes[1].high, 1);
}

TEST(CloudData, WithoutVarianceOutsideThePlaneThereIsNoComplement) {
  CapturedRows query, key;
  query.headDim = key.headDim = 3;
  query.position = key.position = {0, 1};
  query.example = key.example = {0, 0};
  query.vectors = {1, 0, 0, 0, 1, 0};
  key.vectors = {2, 0, 0, 0, 3, 0};
  CloudDirections directions;
  directions.a = {1, 0, 0};
  directions.b = {0, 1, 0};
  EXPECT_THAT(frameIds(projectCloud(query, key, directions, 2)), ElementsAre("position"));
}

TEST(CloudData, MissingDirectionsAreReported) {
  const Json json = fixture();
  const CloudData cloud = projectCloud(rowsFrom(json.at("query")), rowsFrom(json.at("key")), {}, 512);
  EXPECT_TRUE(cloud.frames.empty());
  EXPECT_NE(cloud.missing, "");
}

TEST(CloudData, DirectionsOfAnotherLengthAreRefused) {
  const Json json = fixture();
  CloudDirections directions = directionsFrom(json.at("directions"));
  directions.b.pop_back();
  EXPECT_THROW(projectCloud(rowsFrom(json.at("query")), rowsFrom(json.at("key")), directions, 512),
               InputError);
}

TEST(CloudData, AStudyIsReadThroughItsTables) {
  const Json json = fixture();
  const CloudData cloud = makeCloud(studyOf(json), {0, 1});
  const CloudData direct = fixtureCloud();
  EXPECT_EQ(cloud.head, (HeadName{0, 1}));
  EXPECT_EQ(cloud.window, 512);
  EXPECT_THAT(cloud.exampleIds, ElementsAre("moon.txt"));
  ASSERT_EQ(cloud.axes.size(), direct.axes.size());
  for (std::size_t i = 0; i < cloud.axes.size(); ++i) EXPECT_EQ(cloud.axes[i].value, direct.axes[i].value);
}

TEST(CloudData, AnAxisWithAMissingNumberIsLeftOut) {
  Json json = fixture();
  json.at("directions").at("b")[2] = nullptr;
  EXPECT_THAT(frameIds(makeCloud(studyOf(json), {0, 1})), ElementsAre("principal"));
}

TEST(CloudData, ADimensionOutsideTheHeadIsRefused) {
  Json json = fixture();
  json.at("directions").at("b").push_back(0.5);
  EXPECT_THROW(makeCloud(studyOf(json), {0, 1}), InputError);
}

TEST(CloudData, AMissingCaptureIsReported) {
  Study study = studyOf(fixture());
  study.capture = nullptr;
  EXPECT_THAT(makeCloud(study, {0, 1}).missing, HasSubstr("capture"));
}

TEST(CloudData, AHeadThatWasNotCapturedIsRefused) {
  EXPECT_THROW(makeCloud(studyOf(fixture()), {3, 0}), UsageError);
}

}  // namespace
}  // namespace plastiscope
