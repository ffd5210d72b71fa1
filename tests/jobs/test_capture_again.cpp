// What What-if says of a change, and why it says nothing.
#include "core/jobs/capture_again.h"

#include <gtest/gtest.h>

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
    return predictedEffect(study, {Intervention::ClampBias, {1, 3}}, Progress());
  }
};

TEST_F(PredictedEffect, OfAClampedHeadIsItsOwnPlasticity) {
  const std::string said = ofClamped(studyOf(std::make_shared<test::MemoryCapture>()));
  EXPECT_EQ(said.find("What-if: AP of L1H3 itself from 0."), 0U) << said;
}

TEST_F(PredictedEffect, SaysThatTheRowsAreNotHere) {
  Study study = studyOf(std::make_shared<test::MemoryCapture>());
  study.capture = nullptr;
  EXPECT_EQ(ofClamped(study), "What-if has no prediction for L1H3: its rows are not here.");
}

TEST_F(PredictedEffect, SaysThatNoPlasticityIsKnown) {
  EXPECT_EQ(ofClamped(withSetting("min_pairs", 1000000)),
            "What-if has no prediction for L1H3: its AP is not known.");
}

TEST_F(PredictedEffect, SaysWhichSettingItDoesNotKnow) {
  const std::string said = ofClamped(withSetting("of_a_later_version", 1));
  EXPECT_EQ(said.find("What-if has no prediction for L1H3 with the settings of its analysis ("), 0U) << said;
  EXPECT_NE(said.find("of_a_later_version"), std::string::npos) << said;
}

}  // namespace
}  // namespace plastiscope
