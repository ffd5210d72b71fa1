// Imports metrics of heads from other programs and exports them for HeadVis.
#include "core/jobs/head_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/views/head_grid_data.h"
#include "core/views/metric_export.h"
#include "core/views/metric_info.h"
#include "core/views/study_facts.h"
#include "tests/support/failure.h"
#include "tests/support/temporary_folder.h"
#include "tests/views/literal_study.h"

namespace plastiscope {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Output of HeadVis' data_pipeline.py: json.dumps of one flat row per head.
constexpr const char* kScatterData =
    "[{\"layer\": 0, \"head\": 1, \"induction_score\": 0.42, \"qk_distance\": 17, \"note\": \"x\"}, "
    "{\"layer\": 1, \"head\": 2, \"induction_score\": -1e-05, \"qk_distance\": null, \"note\": \"y\"}, "
    "{\"layer\": 7, \"head\": 0, \"induction_score\": 1.0}]";

class HeadMetrics : public ::testing::Test {
 protected:
  std::filesystem::path file(const std::string& name, const std::string& content) {
    writeFileAtomically(m_folder / name, content);
    return m_folder / name;
  }
  static ImportedMetrics import(const std::filesystem::path& file, const std::string& prefix = "imported_") {
    return importHeadMetrics(*test::literalAnalysis(), {file, prefix});
  }
  std::string refusal(const std::string& name, const std::string& content,
                      const std::string& prefix = "imported_") {
    const auto written = file(name, content);
    return test::failureOf([&] { import(written, prefix); }, true);
  }
  static double value(const AnalysisFile& analysis, HeadName head, const std::string& column) {
    const Table& heads = requiredTable(analysis, "heads");
    return numberAt(heads, column, *headRow(heads, head));
  }

  test::TemporaryFolder m_folder;
};

TEST_F(HeadMetrics, HeadVisRowsBecomeColumns) {
  const auto scatter = file("scatter_data.json", kScatterData);
  const ImportedMetrics imported = import(scatter);
  EXPECT_THAT(imported.columns, ElementsAre("imported_induction_score", "imported_qk_distance"));
  EXPECT_THAT(imported.leftOut, ElementsAre("note"));
  EXPECT_EQ(imported.heads, 2);
  EXPECT_EQ(imported.otherHeads, 1);
  EXPECT_EQ(value(imported.analysis, {0, 1}, "imported_induction_score"), 0.42);
  EXPECT_EQ(value(imported.analysis, {1, 2}, "imported_induction_score"), -1e-05);
  EXPECT_TRUE(std::isnan(value(imported.analysis, {0, 3}, "imported_induction_score")));  // has no row
  EXPECT_EQ(value(imported.analysis, {0, 1}, "imported_qk_distance"), 17);
  EXPECT_TRUE(std::isnan(value(imported.analysis, {1, 2}, "imported_qk_distance")));       // null
  EXPECT_EQ(value(import(m_folder.path()).analysis, {0, 1}, "imported_qk_distance"), 17);  // from a folder
}

TEST_F(HeadMetrics, CanBeChosenLikeOwnColumns) {
  const auto analysis = std::make_shared<AnalysisFile>(import(file("a.json", kScatterData)).analysis);
  const MetricInfo metric = requiredMetric(requiredTable(*analysis, "heads"), "imported_induction_score");
  EXPECT_EQ(metric.group, "Imported");
  const HeadGridData grid = makeHeadGrid(analysis, factsOf(*analysis), "imported_induction_score");
  EXPECT_EQ(grid.at(0, 1).value, 0.42);
}

TEST_F(HeadMetrics, AreReadFromCsv) {
  const auto csv = file("m.csv", "head,layer,AP drop,class,empty\n1,0,0.25,mixed,\n2,1,,other,\n");
  const ImportedMetrics imported = import(csv, "my_");
  EXPECT_THAT(imported.columns, ElementsAre("my_AP_drop"));
  EXPECT_THAT(imported.leftOut, ElementsAre("class", "empty"));
  EXPECT_EQ(value(imported.analysis, {0, 1}, "my_AP_drop"), 0.25);
  EXPECT_TRUE(std::isnan(value(imported.analysis, {1, 2}, "my_AP_drop")));
}

TEST_F(HeadMetrics, RoundTripThroughExport) {
  const auto analysis = test::literalAnalysis();
  const Table& heads = requiredTable(*analysis, "heads");
  const ImportedMetrics imported = import(file("rows.json", headVisRows(*analysis)), "again_");
  const std::vector<MetricInfo> metrics = metricsOf(heads);
  EXPECT_EQ(imported.columns.size(), metrics.size());
  EXPECT_EQ(imported.heads, 3);
  for (const MetricInfo& metric : metrics) {
    for (std::size_t row = 0; row < heads.rows(); ++row) {
      const double before = numberAt(heads, metric.column, row),
                   after = numberAt(requiredTable(imported.analysis, "heads"), "again_" + metric.column, row);
      EXPECT_TRUE(before == after || (std::isnan(before) && std::isnan(after))) << metric.column << row;
    }
  }
}

TEST_F(HeadMetrics, AreKeptInTheFileWithTheirSource) {
  const auto source = file("scatter_data.json", kScatterData);
  const auto stored = m_folder / "a.h5";
  writeAnalysis(import(source).analysis, stored);
  const AnalysisFile read = readAnalysis(stored);
  EXPECT_EQ(value(read, {0, 1}, "imported_induction_score"), 0.42);
  EXPECT_THAT(importedColumns(read.provenance),
              ElementsAre("imported_induction_score", "imported_qk_distance"));
  const Json record = read.provenance.toJson()["imported"][0];
  EXPECT_EQ(record["file"], "scatter_data.json");
  EXPECT_EQ(record["sha256"], sha256Hex(kScatterData));
  // A column imported again has only values of the new file.
  const AnalysisFile again =
      importHeadMetrics(read, {file("m.csv", "layer,head,qk_distance\n0,1,3\n")}).analysis;
  EXPECT_EQ(value(again, {0, 1}, "imported_qk_distance"), 3);
  EXPECT_EQ(value(again, {0, 1}, "imported_induction_score"), 0.42);
  const Json records = again.provenance.toJson()["imported"];
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0]["columns"], Json({"imported_induction_score"}));
  EXPECT_EQ(records[1]["columns"], Json({"imported_qk_distance"}));
  EXPECT_EQ(requiredTable(again, "heads").columns.size(), requiredTable(read, "heads").columns.size());
}

TEST_F(HeadMetrics, AreAbsentWithoutAnImport) {
  const auto stored = m_folder / "a.h5";
  writeAnalysis(*test::literalAnalysis(), stored);
  EXPECT_THAT(importedColumns(readAnalysis(stored).provenance), IsEmpty());
  EXPECT_FALSE(readAnalysis(stored).provenance.toJson().contains("imported"));
}

TEST_F(HeadMetrics, AreKeptWhenAStudyIsAnalysedAgain) {
  const ImportedMetrics imported = import(file("a.json", kScatterData));
  AnalysisFile fewer = *test::literalAnalysis();
  fewer.tables[0] = {"heads",
                     {{"layer", std::vector<std::int64_t>{1, 5}}, {"head", std::vector<std::int64_t>{2, 5}}}};
  const AnalysisFile with = withImportedOf(imported.analysis, fewer);
  EXPECT_EQ(value(with, {1, 2}, "imported_induction_score"), -1e-05);
  EXPECT_TRUE(std::isnan(value(with, {5, 5}, "imported_induction_score")));
  EXPECT_EQ(with.provenance.imported, imported.analysis.provenance.imported);
}

TEST_F(HeadMetrics, AreRefusedWithPlaceExpectedAndFound) {
  EXPECT_THAT(refusal("a.json", "{\"model_name\": \"x\"}"),
              AllOf(HasSubstr("3 "), HasSubstr("a.json: expected a list with one object per head"),
                    HasSubstr("found an object")));
  EXPECT_THAT(refusal("b.json", "[{\"layer\": 0, \"head\": 1, \"s\": 1}, 7]"),
              HasSubstr("b.json: [1]: expected an object with layer, head and numbers, found 7"));
  EXPECT_THAT(refusal("c.json", "[{\"layer\": 0, \"head\": -1, \"s\": 1}]"),
              HasSubstr("c.json: [0].head: expected a whole number"));
  EXPECT_THAT(refusal("d.json", "[{\"layer\": 0, \"s\": 1}]"), HasSubstr("d.json: [0].head: expected"));
  EXPECT_THAT(
      refusal("e.json", "[{\"layer\": 0, \"head\": 1, \"s\": 1}, {\"layer\": 0, \"head\": 3, \"s\": \"x\"}]"),
      AllOf(HasSubstr("e.json: [1].s: expected a number or null"), HasSubstr("found \"x\"")));
  EXPECT_THAT(refusal("f.json", "[{\"layer\": 0, \"head\": 1, \"s\": 1},{\"layer\": 0, \"head\": 1}]"),
              HasSubstr("f.json: [1]: expected each head once, found L0H1 again, after [0]"));
  EXPECT_THAT(refusal("g.json", "[{\"layer\": 9, \"head\": 1, \"s\": 1}]"),
              HasSubstr("expected heads of the analysis, such as L0H1, found other heads, such as L9H1"));
  EXPECT_THAT(refusal("h.json", "[{\"layer\": 0, \"head\": 1, \"s\": null}]"),
              HasSubstr("expected numbers beside layer and head, found none"));
  EXPECT_THAT(refusal("i.json", "[{\"layer\": 0, \"head\": 1, \"s\": NaN}]"), HasSubstr("i.json"));
  EXPECT_THAT(refusal("j.csv", "L,H,s\n0,1,2\n"),
              HasSubstr("line 1: expected a list in JSON, or a header line with the columns layer and head"));
  EXPECT_THAT(refusal("k.csv", "layer,head,s\n0,1,2\n0,1.5,2\n"),
              HasSubstr("line 3, column head: expected a whole number from 0, found \"1.5\""));
  EXPECT_THAT(refusal("l.csv", "layer,head,s\n0,1,2\n0,3,two\n"),
              HasSubstr("line 3, column s: expected a number, found \"two\""));
  EXPECT_THAT(refusal("m.csv", "layer,head,a b,a-b\n0,1,2,3\n"), HasSubstr("two that become imported_a_b"));
  EXPECT_THAT(refusal("n.csv", "layer,head," + std::string(120, 'x') + "\n0,1,2\n"),
              HasSubstr("expected a name of at most 91 bytes, found 120"));
  EXPECT_THAT(refusal("o.csv", "layer,head,ap_drop\n0,1,2\n", ""),
              HasSubstr("2 the analysis has a column ap_drop of its own: give another --prefix"));
  EXPECT_THAT(refusal("p.csv", "layer,head,s\n0,1,2\n", "a b"), HasSubstr("2 --prefix: expected letters"));
  EXPECT_EQ(test::failureOf([&] { import(m_folder / "none.json"); }, true).substr(0, 2), "3 ");
}

TEST_F(HeadMetrics, HeadVisExportHasItsShapes) {
  const auto analysis = test::literalAnalysis();
  for (Column& column : findTable(analysis->tables, "heads")->columns) {
    if (column.name == "slope_ratio") column.values = std::vector<double>(3, kMissing);  // no head has it
  }
  const Json rows = parseJson(headVisRows(*analysis), "rows");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1]["layer"], 0);
  EXPECT_EQ(rows[1]["head"], 3);
  EXPECT_EQ(rows[1]["ap_drop"], 0.4);
  EXPECT_FALSE(rows[1].contains("ap_overall"));  // missing
  for (const Json& row : rows) {
    for (const auto& [name, number] : row.items()) EXPECT_TRUE(number.is_number()) << name;
  }
  const Json config = parseJson(headVisConfig(*analysis), "config");
  EXPECT_EQ(config["model_name"], "Literal");
  EXPECT_EQ(config["heads"], Json({{0, 1}, {0, 3}, {1, 2}}));
  EXPECT_EQ(config["n_layers"], 2);
  EXPECT_EQ(config["n_heads"], 4);
  EXPECT_EQ(config["head_data_pattern"], "L{layer}H{head}.json");
  EXPECT_EQ(config["has_umap"], false);
  EXPECT_THAT(config["metrics"], Contains("r_q"));
  EXPECT_THAT(config["metrics"], Not(Contains("slope_ratio")));
  for (const Json& metric : config["metrics"]) {
    EXPECT_TRUE(config["metric_descriptions"].contains(metric)) << metric;
    EXPECT_TRUE(std::ranges::any_of(rows, [&](const Json& row) { return row.contains(metric); })) << metric;
  }
  EXPECT_EQ(headVisRowsOutput().isOurs(file("rows.json", headVisRows(*analysis))), true);
  EXPECT_EQ(headVisRowsOutput().isOurs(file("theirs.json", kScatterData)), false);
  EXPECT_EQ(headVisConfigOutput().isOurs(file("config.json", headVisConfig(*analysis))), true);
  EXPECT_EQ(headVisConfigOutput().isOurs(file("model.json", "{\"model_type\": \"llama\"}")), false);
}

}  // namespace
}  // namespace plastiscope
