// Output and refusals of compare, correlate and reference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/cli/command.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

using ::testing::StartsWith;

// The analysis of the shipped example capture, made once.
const std::string& exampleAnalysis() {
  static const TemporaryFolder folder;
  static const std::string file = [] {
    const std::string out = (folder / "smollm2-135m-licences.analysis.h5").string();
    const fs::path capture = fs::path(PLASTISCOPE_RESOURCES) / "example" / "smollm2-135m-licences.h5";
    EXPECT_EQ(run({"analyze", capture.string(), "--out", out}).exitCode, 0);
    return out;
  }();
  return file;
}

// A copy of a small capture, so that its cached analysis does not land among the test data.
std::string captureIn(const TemporaryFolder& folder, const std::string& name, const std::string& as) {
  fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "analysis" / name, folder / as);
  return (folder / as).string();
}

TEST(Runs, PrintsTheChosenRowsAndColumns) {
  const TemporaryFolder folder;
  captureIn(folder, "grouped.h5", "grouped.h5");
  captureIn(folder, "grouped.analysis.h5", "grouped.analysis.h5");
  captureIn(folder, "small.h5", "small.h5");
  captureIn(folder, "turning.h5", "turning.h5");
  const std::string place = folder.path().string();
  const ProgramResult result = run({"runs", place, "--filter", "window > 1000", "--sort", "window",
                                    "--reverse", "--columns", "name,kind,window,bins", "--quiet"});
  EXPECT_EQ(result.out,
            "name     kind      window  bins\n"
            "grouped  analysed  4096    density\n"
            "turning  capture   1500    -\n")
      << result.err;
  EXPECT_THAT(run({"runs", place, "--csv"}).out,
              HasSubstr("\nsmall,\"window 600, 0 … 5, rate 3\",capture,random"));
  const ProgramResult unknown = run({"runs", place, "--filter", "windo > 1"});
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean window?"));
  EXPECT_EQ(run({"runs", place, "--columns", "nam"}).exitCode, 2);
  EXPECT_EQ(run({"runs", (folder / "none").string()}).exitCode, 3);
}

TEST(Compare, WritesEveryTableWithProvenance) {
  const TemporaryFolder folder;
  const std::string capture = captureIn(folder, "grouped.h5", "grouped.h5"), out = (folder / "out").string();
  const ProgramResult result =
      run({"compare", exampleAnalysis(), capture, captureIn(folder, "odd.h5", "odd.h5"), "--names",
           "one,two,three", "--csv", out, "--benchmark", "longbench_pro", "--reference-model", "lc2-20k"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("the windows differ (1,000 to 4,096 tokens)"));
  EXPECT_THAT(result.err, HasSubstr("the captured heads differ"));
  EXPECT_THAT(result.err, HasSubstr("no input has a score in longbench_pro"));
  for (const char* table : {"models",
                            "families",
                            "depth",
                            "relative_depth",
                            "trajectory",
                            "paired_heads",
                            "paired",
                            "paired_heads_tests",
                            "profiles",
                            "equal_positions",
                            "bumps",
                            "map_difference",
                            "loss",
                            "settings_differences",
                            "correlations",
                            "leave_one_out",
                            "benchmark_points",
                            "length_correlations",
                            "length_points",
                            "deviation"})
    EXPECT_TRUE(fs::exists(fs::path(out) / (std::string(table) + ".csv"))) << table;
  EXPECT_THAT(readFile(fs::path(out) / "paired_heads.csv"),
              StartsWith("layer,head,metric,one,two,three,two_difference,three_difference\n"));
  EXPECT_THAT(readFile(fs::path(out) / "deviation.csv"), HasSubstr("one,lc2-20k,ap_overall,"));
  EXPECT_EQ(readJsonFile(fs::path(out) / "provenance.json")["inputs"].size(), 3u);
}

TEST(Compare, SameBytesForAnyNumberOfThreads) {
  const TemporaryFolder folder;
  const std::string a = captureIn(folder, "grouped.h5", "a.h5"), b = captureIn(folder, "grouped.h5", "b.h5");
  std::vector<std::string> text;
  for (const std::string threads : {"1", "2"}) {
    const fs::path out = folder / ("out" + threads);
    ASSERT_EQ(run({"compare", a, b, "--drift", "--csv", out.string(), "--threads", threads}).exitCode, 0);
    std::string all;
    for (const char* table : {"models", "paired", "depth", "drift", "drift_heads", "equal_positions"})
      all += readFile(out / (std::string(table) + ".csv"));
    text.push_back(all);
    fs::remove(folder / "a.analysis.h5");
    fs::remove(folder / "b.analysis.h5");
  }
  EXPECT_EQ(text[0], text[1]);
}

TEST(Compare, SameFileTwiceHasNoDifferenceAndTwoNames) {
  const TemporaryFolder folder;
  const std::string out = (folder / "out").string();
  const ProgramResult result = run({"compare", exampleAnalysis(), exampleAnalysis(), "--metrics", "ap_drop",
                                    "--interval", "heads", "--csv", out});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("binned AP is up to 0.16 above the aligned value"));
  const std::string paired = readFile(fs::path(out) / "paired.csv");
  EXPECT_THAT(paired, HasSubstr("ap_drop,smollm2-135m-licences 2,24,"));
  EXPECT_THAT(paired, HasSubstr(",0,0,0,0,0,"));  // difference, SD, standard error, limits
}

TEST(Compare, RefusesUnsuitableInputs) {
  const TemporaryFolder folder;
  writeFileAtomically(folder / "text.h5", std::string_view("not HDF5"));
  const std::string grouped = captureIn(folder, "grouped.h5", "grouped.h5"),
                    odd = captureIn(folder, "odd.h5", "odd.h5");
  struct Case {
    std::vector<std::string> arguments;
    int code;
    std::string sentence;
  };
  const Case cases[] = {
      {{"compare"}, 2, "FILE"},
      {{"compare", (folder / "text.h5").string()}, 3, "text.h5"},
      {{"compare", (folder / "none.h5").string()}, 3, "none.h5"},
      {{"compare", exampleAnalysis(), "--metrics", "ap_dorp"}, 2, "did you mean ap_drop?"},
      {{"compare", exampleAnalysis(), "--names", "a,b"}, 2, "2 names for 1 inputs"},
      {{"compare", exampleAnalysis(), "--order", "nmae"}, 2, "did you mean name?"},
      {{"compare", exampleAnalysis(), "--interval", "text"}, 2, "did you mean texts?"},
      {{"compare", exampleAnalysis(), "--margin", "0"}, 2, "--margin"},
      {{"compare", exampleAnalysis(), "--reference-model", "qwen3-0.6"}, 2, "did you mean qwen3-0.6b?"},
      {{"compare", exampleAnalysis(), "--benchmark", "rulre"}, 2, "did you mean ruler?"},
      {{"compare", exampleAnalysis(), "--benchmark", (folder / "none.csv").string()}, 3, "none.csv"},
      {{"compare", exampleAnalysis(), "--drift"}, 2, "--drift compares two captures, found 1"},
      {{"compare", grouped, odd, "--drift"},
       3,
       "odd.h5: window: expected 4,096 as in the first capture, found 1,000"},
      {{"compare", exampleAnalysis(), exampleAnalysis(), "--drift"}, 3, "smollm2-135m-licences.analysis.h5"},
      {{"correlate", "--predictors", exampleAnalysis(), "reference"},
       2,
       "cannot be combined with other inputs"},
      {{"reference", "plasticity_model"}, 2, "did you mean plasticity_models?"},
      {{"reference", "models", "--check"}, 2, "--check"},
      {{"reference", "--csv", "x"}, 2, "--csv needs --check"},
  };
  for (const Case& one : cases) {
    const ProgramResult result = run(one.arguments);
    EXPECT_EQ(result.exitCode, one.code) << result.err;
    EXPECT_THAT(result.err, HasSubstr(one.sentence));
  }
}

TEST(Correlate, PrintsTheThesisAndTheCounterExample) {
  const ProgramResult result = run({"correlate"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("ap_drop             7  -0.6735"));
  EXPECT_THAT(result.out, HasSubstr("Counter-example, RULER scores of base models"));
}

TEST(Correlate, JoinsOwnScoresAndPredictors) {
  const TemporaryFolder folder;
  writeFileAtomically(folder / "scores.csv", std::string_view("model,score\na,1\nb,2\nc,4\n"));
  writeFileAtomically(folder / "predictors.csv", std::string_view("model,x\na,1\nb,2\nc,3\nd,9\n"));
  const std::string out = (folder / "out").string();
  const ProgramResult result = run({"correlate", "--benchmark", (folder / "scores.csv").string(),
                                    "--predictors", (folder / "predictors.csv").string(), "--csv", out});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(readFile(fs::path(out) / "correlations.csv"), HasSubstr("scores,,,,x,3,0.98198"));
  writeFileAtomically(folder / "scores.csv", std::string_view("model,score\na,high\n"));
  const ProgramResult refused = run({"correlate", "--benchmark", (folder / "scores.csv").string()});
  EXPECT_EQ(refused.exitCode, 3);
  EXPECT_THAT(refused.err, HasSubstr("line 2, column score: expected a number, found \"high\""));
}

TEST(Reference, ListsPrintsAndChecks) {
  EXPECT_THAT(run({"reference"}).out, HasSubstr("plasticity_models "));
  const std::string csv = readFile(fs::path(PLASTISCOPE_RESOURCES) / "reference" / "plasticity_models.csv");
  EXPECT_EQ(run({"reference", "plasticity_models"}).out, csv);
  const Json json = Json::parse(run({"reference", "plasticity_models", "--json"}).out);
  EXPECT_EQ(json["rows"][0]["ap_overall"], 0.6224);
  EXPECT_FALSE(json["caveats"].empty());
  const TemporaryFolder folder;
  ASSERT_EQ(run({"reference", "--check", "--csv", folder.path().string()}).exitCode, 0);
  EXPECT_THAT(readFile(folder / "reference_check.csv"),
              HasSubstr("quantity,model,printed,recomputed,difference,agrees,note\n"));
}

}  // namespace
}  // namespace plastiscope::test
