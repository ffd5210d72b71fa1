// The shipped numbers, untrusted files, and tables made from them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/table.h"
#include "core/compare/benchmark_link.h"
#include "core/compare/published_figures.h"
#include "core/compare/reference_check.h"
#include "core/compare/reference_data.h"
#include "tests/compare/compared_data.h"
#include "tests/support/failure.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

using ::testing::HasSubstr;

TEST(Reference, EveryShippedFileIsListedAndReadable) {
  std::size_t files = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(PLASTISCOPE_RESOURCES) / "reference"))
    files += file.path().extension() == ".csv" ? 1 : 0;
  const auto tables = referenceTables();
  EXPECT_EQ(tables.size(), files);
  for (const ReferenceTable& table : tables) {
    EXPECT_EQ(table.csv,
              readFile(std::filesystem::path(PLASTISCOPE_RESOURCES) / "reference" / (table.name + ".csv")));
    const Table rows = referenceTable(table.name);
    EXPECT_GT(rows.rows(), 0u) << table.name;
    if (rows.find("source") == nullptr) continue;
    for (const std::string& source : rows.texts("source"))
      EXPECT_FALSE(accuracyOf(source).empty()) << table.name;
  }
}

TEST(Reference, FindsModelsByIdAndRepository) {
  EXPECT_EQ(recogniseReferenceModel("Qwen3-0.6B")->id, "qwen3-0.6b");
  EXPECT_EQ(recogniseReferenceModel("mistralai/Ministral-3-8B-Base-2512")->id, "ministral3-8b");
  EXPECT_EQ(recogniseReferenceModel("lc2-20k")->window, 65536);
  EXPECT_FALSE(recogniseReferenceModel("Llama-3.2-1B-Instruct"));
  EXPECT_THAT(test::failureOf([] { requiredReferenceModel("qwen3-0.6"); }),
              HasSubstr("did you mean qwen3-0.6b?"));
  EXPECT_THAT(test::failureOf([] { requiredReference("plasticity_model"); }), HasSubstr("plasticity_models"));
}

TEST(Reference, PublishedCurvesNameTheirSource) {
  const ReferenceCurve profile = referenceProfile("qwen3-0.6b");
  ASSERT_EQ(profile.x.size(), 10u);
  EXPECT_DOUBLE_EQ(profile.x[0], 0.05);
  EXPECT_DOUBLE_EQ(profile.y[0], 0.726);
  EXPECT_EQ(profile.source, "notes");
  EXPECT_EQ(referenceQuintiles("llama3.2-1b").y.size(), 5u);
  EXPECT_EQ(referenceDepth("qwen3-4b", "abs_r_k_a").y.size(), 10u);
  EXPECT_EQ(referenceDepth("s1-40k", "r_q").y.front(), 0.58);
  EXPECT_LT(referenceProfile("lc1-20k").x.back(), 1);
  EXPECT_TRUE(referenceProfile("gpt2").empty());
  EXPECT_GT(std::ranges::count(publishedMap("qwen3-14b").count, 1), 100);
}

TEST(ReferenceCheck, DiffersOnlyWhereTheThesisContradictsItself) {
  std::vector<std::string> differing;
  for (const ReferenceCheck& check : referenceChecks()) {
    EXPECT_TRUE(std::isfinite(check.recomputed)) << check.quantity << " " << check.model;
    EXPECT_FALSE(check.note.empty());
    if (!check.agrees()) differing.push_back(check.quantity + ": " + check.model);
  }
  EXPECT_THAT(
      differing,
      testing::UnorderedElementsAre(
          "AP_drop, as printed elsewhere: ministral3-8b", "AP_drop, as printed elsewhere: qwen3-0.6b",
          "AP_drop, as printed elsewhere: qwen3-4b", "rises from decile to decile: ministral3-14b",
          "rises from decile to decile: llama3.2-1b", "rises from decile to decile: llama3.2-11b",
          "rises from decile to decile: llama3.1-8b", "rises from decile to decile: mistral-v0.2-7b",
          "growth of the separation, per cent: smollm3-3b", "growth of the separation, per cent: smollm3-3b",
          "least plane variance, per cent: 11 models", "least plane variance, per cent: 11 models",
          "most plane variance, per cent: 11 models", "most plane variance, per cent: 11 models",
          "variance of PC1, per cent: 11 models", "variance of PC1, per cent: 11 models",
          "mean r_q on PC1: 11 models", "LongBench-Pro, overall: ministral3-14b"));
}

TEST(Deviation, ComparesWithTheSameModel) {
  ComparisonInput input = inputOf("a");
  auto analysis = std::make_shared<AnalysisFile>(*input.analysis);
  analysis->provenance.capture.set("model", "Qwen3-0.6B");
  input.analysis = analysis;
  const Comparison comparison = makeComparison({input});
  ASSERT_TRUE(comparison.models[0].reference);
  const Table table = deviationTable(deviationsOf(comparison, 0, *comparison.models[0].reference));
  const std::size_t row = rowWhere(table, {{"metric", "ap_overall"}});
  EXPECT_EQ(table.numbers("published")[row], 0.6045);
  EXPECT_DOUBLE_EQ(table.numbers("difference")[row], table.numbers("own")[row] - 0.6045);
  EXPECT_THAT(table.texts("tolerance")[row], HasSubstr("the windows differ: 4,096 and 131,072"));
  EXPECT_EQ(table.numbers("published")[rowWhere(table, {{"metric", "slope_ratio_median"}})], 7.83);
}

// A range may end at the end of the window, but not behind it.
TEST(Deviation, ComparesRangesUpToTheEndOfTheWindow) {
  const Comparison comparison = compareLetters("a");  // 4,096 tokens
  std::optional<ReferenceModel> checkpoint;
  for (const ReferenceModel& model : referenceModels()) {
    if (model.id == "s1-40k") checkpoint = model;
  }
  ASSERT_TRUE(checkpoint);
  const Table table = deviationTable(deviationsOf(comparison, 0, *checkpoint));
  EXPECT_EQ(table.numbers("published")[rowWhere(table, {{"metric", "ap from 3,584 to 4,096"}})], 0.565);

  ReferenceModel longer = *checkpoint;
  longer.id = "qwen3-4b";
  const Table beyond = deviationTable(deviationsOf(comparison, 0, longer));
  EXPECT_THROW(rowWhere(beyond, {{"metric", "ap from 0 to 8,192"}}), std::runtime_error);
}

// ---- Untrusted files

TEST(Csv, RefusesWithLineAndColumn) {
  EXPECT_THAT(test::failureOf([] { parseCsv("a,b\n1\n", "f.csv"); }),
              HasSubstr("f.csv: line 2: expected 2 columns"));
  EXPECT_THAT(test::failureOf([] { parseCsv("a,a\n", "f.csv"); }), HasSubstr("twice"));
  EXPECT_THAT(test::failureOf([] { parseCsv("", "f.csv"); }), HasSubstr("header"));
  EXPECT_THAT(test::failureOf([] { parseCsv("a\n\"x\n", "f.csv"); }),
              HasSubstr("line 2: expected a closing quote"));
  EXPECT_THAT(test::failureOf([] { parseCsv(std::string("a\n\0\n", 4), "f.csv"); }), HasSubstr("zero bytes"));
  const CsvText csv = parseCsv("\xEF\xBB\xBFname,v\r\n\"a, \"\"b\"\"\",1e-3\r\n\r\nc,\r\n", "f.csv");
  ASSERT_EQ(csv.rows.size(), 2u);
  EXPECT_EQ(csv.rows[0][0], "a, \"b\"");
  EXPECT_EQ(csv.lines[1], 4u);
  EXPECT_EQ(numberCell(csv, 0, 1), 1e-3);
  EXPECT_TRUE(std::isnan(numberCell(csv, 1, 1)));
  EXPECT_THAT(test::failureOf([&] { numberCell(csv, 1, 0); }),
              HasSubstr("line 4, column name: expected a number"));
}

TEST(Csv, ReadsTextsThatLookLikeFormulas) {
  const std::vector<std::string> texts = {"=1+1", "'=1+1", "-x", "plain", "@a,b", "don't"};
  const Table table{"t", {{"model", texts}, {"=score", std::vector<double>{-1, 2, 3, 4, 5, 6}}}};
  const std::string csv = toCsv(table);
  EXPECT_THAT(csv, testing::StartsWith("model,'=score\n'=1+1,-1\n''=1+1,2\n'-x,3\nplain,4\n\"'@a,b\",5\n"));
  const Table again = tableOf(parseCsv(csv, "f.csv"), "t");
  EXPECT_EQ(again.texts("model"), texts);
  EXPECT_EQ(again.numbers("=score"), table.numbers("=score"));
}

TEST(Benchmark, ReadsAndRefusesOwnFiles) {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& text) {
    writeFileAtomically(folder / "scores.csv", text);
    return loadBenchmark((folder / "scores.csv").string());
  };
  const Benchmark good = read("model,score,length\nqwen3-8b,1.5,4096\nqwen3-8b,2,\n");
  EXPECT_EQ(read("model,score\nQwen3-8B,1\n").scores.front().model, "qwen3-8b") << "the name in plots";
  ASSERT_EQ(good.scores.size(), 2u);
  EXPECT_EQ(good.scores[0].length, 4096);
  EXPECT_FALSE(good.scores[1].length);
  const auto refused = [&](const std::string& text) { return test::failureOf([&] { read(text); }); };
  EXPECT_THAT(refused("model,points\na,1\n"), HasSubstr("line 1: expected the columns model and score"));
  EXPECT_THAT(refused("model,score\na,high\n"),
              HasSubstr("line 2, column score: expected a number, found \"high\""));
  EXPECT_THAT(refused("model,score\na,\n"), HasSubstr("line 2, column score"));
  EXPECT_THAT(refused("model,score\na,nan\n"), HasSubstr("line 2, column score"));
  EXPECT_THAT(refused("model,score,length\na,1,2.5\n"), HasSubstr("line 2, column length"));
  EXPECT_THAT(refused("model,score\na,1\na,2\n"), HasSubstr("line 3, column model"));
  EXPECT_THAT(refused("model,score\n"), HasSubstr("at least one score"));
  EXPECT_THAT(test::failureOf([] { loadBenchmark("longbench"); }), HasSubstr("did you mean longbench_pro?"));
}

TEST(Benchmark, OwnScoresAreAddedToTheOneTheyName) {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& text) {
    writeFileAtomically(folder / "mine.csv", text);
    return loadBenchmark((folder / "mine.csv").string());
  };
  const Benchmark shipped = loadBenchmark("longbench_pro");
  const BenchmarkScore& known = shipped.scores.front();
  const Benchmark both = read("model,score,mode,benchmark\nmy model,33.5," + known.mode + ",longbench_pro\n" +
                              known.model + ",1.25," + known.mode + ",longbench_pro\n");
  EXPECT_EQ(both.title, "LongBench-Pro and mine");
  EXPECT_EQ(both.ranges, shipped.ranges);
  ASSERT_EQ(both.scores.size(), shipped.scores.size() + 1) << "one is new, one replaces a shipped one";
  const BenchmarkScore &fresh = both.scores[both.scores.size() - 2], &instead = both.scores.back();
  EXPECT_EQ(fresh.model, "my model");
  EXPECT_EQ(fresh.suite, known.suite);
  EXPECT_EQ(fresh.source, "mine.csv");
  EXPECT_EQ(instead.score, 1.25);
  for (const BenchmarkScore& score : both.scores) {
    const bool same = score.model == known.model && score.suite == known.suite && score.mode == known.mode;
    if (same && !score.length) {
      EXPECT_EQ(score.score, 1.25);
    }
  }
  const auto refused = [&](const std::string& text) { return test::failureOf([&] { read(text); }); };
  EXPECT_THAT(refused("model,score,benchmark\na,1,longbench\n"), HasSubstr("line 2, column benchmark"));
  EXPECT_THAT(refused("model,score,benchmark\na,1,ruler\nb,2,\n"), HasSubstr("line 3, column benchmark"));
}

TEST(Predictors, ReadsAndRefusesOwnFiles) {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& text) {
    writeFileAtomically(folder / "p.csv", text);
    return readPredictors((folder / "p.csv").string());
  };
  const PredictorTable good = read("model,x,y\nqwen3-8b,1,\nqwen3-4b,2,3\n");
  EXPECT_EQ(good.columns, (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(std::isnan(good.rows[0].values[1]));
  EXPECT_THAT(test::failureOf([&] { read("model,x\na,b\n"); }), HasSubstr("line 2, column x"));
  EXPECT_THAT(test::failureOf([&] { read("x,y\n1,2\n"); }), HasSubstr("the column model"));
  EXPECT_THAT(test::failureOf([&] { read("model,x\na,1\na,2\n"); }), HasSubstr("line 3"));
}

TEST(TableBuilder, KeepsTypes) {
  TableBuilder builder("t", {integers("i"), numbers("n"), texts("s")});
  builder.row({std::int64_t{1}, 0.5, "x"});
  EXPECT_THROW(builder.row({0.5, 0.5, "x"}), Error);
  EXPECT_THROW(builder.row({0.5}), Error);
  EXPECT_EQ(toCsv(builder.take()), "i,n,s\n1,0.5,x\n");
}

}  // namespace
}  // namespace plastiscope::test
