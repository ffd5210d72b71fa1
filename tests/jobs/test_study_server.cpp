// Requests of the page: answers equal the data they are made of, and mistakes are sentences.
#include "core/jobs/study_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/json.h"
#include "core/jobs/study_job.h"
#include "core/views/plane_data.h"
#include "core/views/study_facts.h"
#include "tests/support/recorded_progress.h"

namespace plastiscope {
namespace {

using ::testing::HasSubstr;

class StudyServerTest : public ::testing::Test {
 protected:
  static std::shared_ptr<const Study> example() {
    static const auto study = [] {
      test::RecordedProgress progress;
      return openStudy(std::filesystem::path(PLASTISCOPE_RESOURCES) / "example" / "smollm2-135m-licences.h5",
                       AnalysisSettings(), 2, progress);
    }();
    return study;
  }
  Json ask(const std::string& path, const RequestParameters& parameters = {}) const {
    return server.answer({path, parameters});
  }
  std::string errorOf(const std::string& path, const RequestParameters& parameters = {}) const {
    return ask(path, parameters).value("error", "");
  }

  StudyServer server{{example(), example()}};
};

TEST_F(StudyServerTest, AnswersEveryViewOfTheExample) {
  for (const StudyView& view : server.views(server.studies().front())) {
    const Json answer = ask(view.path, {{"head", "L16H4"}});
    EXPECT_FALSE(answer.contains("error")) << view.path << ": " << answer.value("error", "");
    EXPECT_FALSE(answer["boxes"].empty() && answer["panels"].empty()) << view.path;
  }
}

TEST_F(StudyServerTest, FiltersByTheExpressionsOfTheWindow) {
  const Table& heads = requiredTable(*example()->analysis, "heads");
  const NumberColumn drop(heads, "ap_drop"), layer(heads, "layer");
  Json wanted = Json::array();
  for (std::size_t row = 0; row < heads.rows(); ++row)
    if (drop[row] > 0.1 && !(layer[row] < 10)) wanted.push_back(row);
  ASSERT_GT(wanted.size(), 2u);
  EXPECT_EQ(ask("filter", {{"expression", "ap_drop > 0.1 && !(layer < 10)"}})["rows"], wanted);
  const Json wrong = ask("filter", {{"expression", "layer > 1 && ap_drp > 0.2"}});
  EXPECT_THAT(wrong["error"], HasSubstr("did you mean ap_drop?"));
  EXPECT_EQ(wrong["position"], 13);
}

TEST_F(StudyServerTest, GivesRowsOfThePlaneToFourDigits) {
  const PlaneData plane = makeAbPlane(*example(), {16, 4});
  const Json sets = ask("plane", {{"head", "L16H4"}, {"study", "1"}})["boxes"][0]["marks"][0]["sets"];
  for (const Json& set : sets) {
    const PlaneRows& rows = plane.rows(set["name"] == "query" ? QueryOrKey::Query : QueryOrKey::Key);
    ASSERT_EQ(set["x"].size(), rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      EXPECT_NEAR(set["x"][row].get<double>(), rows.x[row], 5.1e-4 * std::abs(rows.x[row]));
      EXPECT_EQ(set["position"][row], rows.position[row]);
    }
  }
}

TEST_F(StudyServerTest, ExplainsMistakes) {
  EXPECT_THAT(errorOf("plan"), HasSubstr("no view \"plan\""));
  EXPECT_THAT(errorOf("plane", {{"head", "L5H5"}}), HasSubstr("L5H5"));
  EXPECT_THAT(errorOf("plane"), HasSubstr("expected one head"));
  EXPECT_THAT(errorOf("plane", {{"head", "L16H4"}, {"study", "2"}}), HasSubstr("below 2"));
  EXPECT_THAT(errorOf("text", {{"head", "L16H4"}, {"text", "99"}}), HasSubstr("below 14"));
  EXPECT_THAT(errorOf("text", {{"head", "L16H4"}, {"query", "-1"}}), HasSubstr("whole number"));
  EXPECT_THAT(errorOf("depth", {{"metric", "ap_drp"}}), HasSubstr("ap_drop"));
  EXPECT_THAT(errorOf("probes"), HasSubstr("no data"));
}

}  // namespace
}  // namespace plastiscope
