// Predictions of What-if for an intervention, and reasons why there is none.
#include "core/jobs/capture_again.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/base/json.h"
#include "core/jobs/analyze_job.h"
#include "tests/jobs/memory_capture.h"

namespace plastiscope {
namespace {

class PredictedEffect : public ::testing::Test {
 protected:
  static Study studyOf(std::shared_ptr<test::MemoryCapture> capture) {
    AnalysisSettings settings;
    settings.pairs = 64;
    settings.minQueries = 2;
    settings.minPairs = 1;
    Progress progress;
    Study study;
    study.analysis = std::make_shared<const AnalysisFile>(analyzeCapture(*capture, settings, 1, progress));
    study.capture = std::move(capture);
    return study;
  }
  static Study withSetting(const char* name, int value) {
    Study study = studyOf(std::make_shared<test::MemoryCapture>());
    AnalysisFile analysis = *study.analysis;
    Json settings = analysis.provenance.settings;
    settings[name] = value;
    analysis.provenance.settings = settings;
    study.analysis = std::make_shared<const AnalysisFile>(std::move(analysis));
    return study;
  }
  static std::string ofClamped(const Study& study) {
    return predictedEffect(study, {Intervention::ClampBias, {{1, 3}}}, Progress());
  }
};

TEST_F(PredictedEffect, ClampedHeadShowsItsOwnPlasticity) {
  const std::string said = ofClamped(studyOf(std::make_shared<test::MemoryCapture>()));
  EXPECT_EQ(said.find("What-if: AP of L1H3 itself from 0."), 0U) << said;
}

TEST_F(PredictedEffect, ReportsAMissingCapture) {
  Study study = studyOf(std::make_shared<test::MemoryCapture>());
  study.capture = nullptr;
  EXPECT_EQ(ofClamped(study), "What-if has no prediction for L1H3: the capture with its rows is not open.");
}

TEST_F(PredictedEffect, ReportsUnknownPlasticity) {
  EXPECT_EQ(ofClamped(withSetting("min_pairs", 1000000)),
            "What-if has no prediction for L1H3: its AP is not known.");
}

TEST_F(PredictedEffect, NamesAnUnknownSetting) {
  const std::string said = ofClamped(withSetting("of_a_later_version", 1));
  EXPECT_EQ(said.find("What-if has no prediction for L1H3 with the settings of its analysis ("), 0U) << said;
  EXPECT_NE(said.find("of_a_later_version"), std::string::npos) << said;
}

// Ten tokens a text, each with the loss of its text.
class WithLosses : public test::MemoryCapture {
 public:
  explicit WithLosses(std::vector<float> ofTexts) : m_ofTexts(std::move(ofTexts)) {}
  bool hasLosses() const override { return true; }
  TokenLosses losses(std::int64_t example) const override {
    TokenLosses losses{std::vector<float>(11, m_ofTexts[static_cast<std::size_t>(example)]),
                       std::vector<std::int32_t>(11, -1)};
    losses.nll.front() = std::numeric_limits<float>::quiet_NaN();
    return losses;
  }

 private:
  std::vector<float> m_ofTexts;
};

// With texts of one length the jackknife is Student's interval of the means of the texts: the differences
// 0.1, 0.2, 0.3, 0.2, 0.2 have the mean 0.2 and the standard error 0.0316, and t of four degrees is 2.776.
TEST(LossEffect, HasAnIntervalOverTexts) {
  const WithLosses before({2, 3, 2, 3, 2});
  EXPECT_EQ(
      lossEffect(before, WithLosses({2.1F, 3.2F, 2.3F, 3.2F, 2.2F})),
      "The loss goes from 2.4000 to 2.6000 nats per token (+0.2000), 95 % over 5 texts +0.1122 to +0.2878.");
  EXPECT_EQ(lossEffect(before, WithLosses({1.9F, 3.1F, 2, 3, 2})),
            "The loss goes from 2.4000 to 2.4000 nats per token (0.0000), 95 % over 5 texts \u22120.0878 to "
            "+0.0878: no difference shown.");
  EXPECT_EQ(lossEffect(before, test::MemoryCapture()), "") << "the second capture has no losses";
}

}  // namespace
}  // namespace plastiscope
