// Intervals and convergence from the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/cli/command.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

using ::testing::StartsWith;

const std::string kSmallCapture = std::string(PLASTISCOPE_TEST_DATA) + "/analysis/small.h5";

TEST(Uncertainty, AnalyzeWithBootstrapAddsIntervals) {
  const TemporaryFolder folder;
  const std::string out = (folder / "a.analysis.h5").string(), csv = (folder / "csv").string();
  const ProgramResult result = run({"analyze", kSmallCapture, "--out", out, "--csv", csv, "--bootstrap", "3"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  for (const char* table : {"heads.csv", "layers.csv", "model.csv"})
    EXPECT_THAT(readFile(folder / "csv" / table), HasSubstr(",ap_overall_low,ap_overall_high,")) << table;
  EXPECT_THAT(readFile(folder / "csv" / "model.csv"), HasSubstr(",ap_drop_sd,ap_drop_se,"));
  EXPECT_EQ(readJsonFile(folder / "csv" / "provenance.json")["settings"]["bootstrap"], 3);
}

TEST(Uncertainty, AnalyzeCorrectsForBias) {
  const TemporaryFolder folder;
  const std::string out = (folder / "a.analysis.h5").string(), csv = (folder / "csv").string();
  const ProgramResult result = run({"analyze", kSmallCapture, "--out", out, "--csv", csv, "--estimate",
                                    "jackknife", "--interval", "jackknife"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  for (const char* table : {"heads.csv", "layers.csv", "model.csv"})
    EXPECT_THAT(readFile(folder / "csv" / table), HasSubstr(",ap_overall_low,ap_overall_high,")) << table;
  EXPECT_THAT(readFile(folder / "csv" / "heads.csv"), HasSubstr(",ap_overall_plain,"));
  const Json settings = readJsonFile(folder / "csv" / "provenance.json")["settings"];
  EXPECT_EQ(settings["estimate"], "jackknife");
  EXPECT_EQ(settings["interval"], "jackknife");
  EXPECT_EQ(settings["jackknife_groups"], 100);
  EXPECT_EQ(run({"analyze", kSmallCapture, "--out", out, "--bootstrap", "9", "--interval", "jackknife"}).exitCode,
            2);
}

TEST(Uncertainty, ConvergeWritesItsTable) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run({"converge", kSmallCapture, "--csv", (folder / "csv").string(), "--pairs", "32", "--min-queries", "2"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  const std::string table = readFile(folder / "csv" / "convergence.csv");
  EXPECT_THAT(table, StartsWith("what,value,heads,ap_overall,ap_overall_rms,ap_overall_max,"));
  for (const char* row : {"\npairs,16,", "\npairs,32,", "\nbins,16,", "\nexamples,6,", "\nseed,9,"})
    EXPECT_THAT(table, HasSubstr(row));
}

TEST(Uncertainty, ConvergeNeedsAFolder) {
  EXPECT_EQ(run({"converge", kSmallCapture}).exitCode, 2);
  EXPECT_EQ(run({"converge", kSmallCapture + ".none", "--csv", "/dev/null/x"}).exitCode, 3);
}

}  // namespace
}  // namespace plastiscope::test
