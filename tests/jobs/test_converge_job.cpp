#include "core/jobs/converge_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/analyze_job.h"
#include "tests/jobs/memory_capture.h"

namespace plastiscope {
namespace {

using ::testing::ElementsAre;

AnalysisSettings quick() {
  AnalysisSettings settings;
  settings.pairs = 64;
  settings.minQueries = 2;
  settings.minPairs = 1;
  return settings;
}

TEST(ConvergeJob, ReturnsEveryRunInOrder) {
  Progress progress;
  const test::MemoryCapture capture;
  const AnalysisFile file = convergeCapture(capture, quick(), 2, progress);
  const Table& table = *file.find("convergence");
  EXPECT_THAT(table.texts("what"), ElementsAre("pairs", "pairs", "pairs", "bins", "bins", "bins", "examples",
                                               "examples", "examples", "seed", "seed", "seed", "seed", "seed",
                                               "seed", "seed", "seed", "seed", "seed"));
  EXPECT_THAT(table.texts("value"), ElementsAre("16", "32", "64", "8", "16", "32", "1", "2", "5", "0", "1",
                                                "2", "3", "4", "5", "6", "7", "8", "9"));
  const double mean = analyzeCapture(capture, quick(), 1, progress).find("model")->numbers("ap_overall")[0];
  for (const std::size_t reference : {2, 4, 8, 9}) {
    EXPECT_EQ(table.numbers("ap_overall")[reference], mean);
    EXPECT_EQ(table.numbers("ap_overall_max")[reference], 0);
  }
  EXPECT_GT(table.numbers("ap_overall_rms")[0], 0);
  EXPECT_EQ(table.numbers("bias_strength_rms")[0], 0);  // not changed by pairs
  EXPECT_GT(table.numbers("bias_strength_rms")[6], 0);  // changed by examples
  EXPECT_EQ(file.provenance.settings["pairs"], 64);
}

// A subset of rows still belongs to the study of the whole capture.
TEST(ConvergeJob, BelongsToTheWholeCapture) {
  Progress progress;
  const test::MemoryCapture capture;
  AnalysisSettings settings = quick();
  settings.examples = "0,2,3";
  const AnalysisFile file = convergeCapture(capture, settings, 1, progress);
  EXPECT_TRUE(belongsTo(file.provenance, capture.info()));
  EXPECT_EQ(*file.provenance.settings, resolvedSettings(settings, capture.info()).toJson());
}

TEST(ConvergeJob, HasNoSeedsWithoutSampling) {
  Progress progress;
  AnalysisSettings settings = quick();
  settings.pairs = 0;
  const Table table = *convergeCapture(test::MemoryCapture(), settings, 2, progress).find("convergence");
  for (const std::string& what : table.texts("what")) EXPECT_NE(what, "seed");
}

struct Stopping : Progress {
  bool stopRequested() const override { return true; }
};

TEST(ConvergeJob, StopsWhenAsked) {
  Stopping progress;
  EXPECT_THROW((void)convergeCapture(test::MemoryCapture(), quick(), 2, progress), Stopped);
}

}  // namespace
}  // namespace plastiscope
