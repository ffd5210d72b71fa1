#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "core/analysis/bootstrap.h"
#include "core/analysis/position_rotation.h"
#include "core/analysis/tables.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/views/metric_export.h"
#include "tests/analysis/sample_heads.h"

namespace plastiscope {
namespace {

using ::testing::HasSubstr;

// Every table that an analysis can have.
std::vector<Table> everyTable() {
  AnalysisSettings settings;
  settings.bins = "4";  // enough queries in each for aligned values
  settings.projections = settings.decomposition = settings.placement = settings.salience = "on";
  settings.vectorDimensions = "0,3";
  const auto rotation = std::make_shared<PositionRotation>();
  rotation->frequencies = {{1, 0.1, 0.01}};
  const Resamples groups = leaveOut(3, 3);
  std::vector<HeadResult> heads;
  std::vector<HeadSamples> leftOut;
  for (std::int64_t head = 0; head < 4; ++head) {
    test::SampleHead sample = test::randomHead(static_cast<unsigned>(head), 6, 400, 3, 1000);
    sample.place = {head / 2, head, head / 2, "full", true, 0};
    if (head > 0) sample.place.rotation = rotation;  // one head gives a reason for missing aligned values
    heads.push_back(test::analyze(sample, settings));
    heads.back().dense = heads.back().scored = head == 0;
    if (head == 0) heads.back().probe = AttentionScores();
    leftOut.push_back(alignedSamples(heads.back(), settings, groups));
    if (head == 0) heads.back().softmax.emplace().rows.resize(2);
  }
  TableContext context;
  context.settings = settings;
  context.losses = LossSummary(1000);
  context.textLosses = {LossSummary(1000)};
  context.texts = {{"a", "", 1000}};
  context.leftOut = leftOut;
  context.groups = &groups;
  return makeTables(heads, context);
}

TEST(MetricCatalogue, ExplainsEveryColumnOfEveryTable) {
  const MetricCatalogue& catalogue = metricCatalogue();
  std::set<std::string> tables;
  for (const Table& table : everyTable()) {
    tables.insert(table.name);
    EXPECT_NE(catalogue.table(table.name), nullptr) << table.name;
    for (const Column& column : table.columns) {
      const auto metric = catalogue.find(table.name, column.name);
      ASSERT_TRUE(metric) << table.name << "." << column.name;
      EXPECT_EQ(metric->column, column.name);
      EXPECT_TRUE(metric->meaning.ends_with(".")) << table.name << "." << column.name;
    }
  }
  for (const TableInfo& table : catalogue.tables) EXPECT_TRUE(tables.contains(table.name)) << table.name;
}

// Every entry belongs to a column of a table.
TEST(MetricCatalogue, HasNoEntryWithoutAColumn) {
  const std::vector<Table> tables = everyTable();
  for (const MetricInfo& metric : metricCatalogue().metrics) {
    for (const std::string& name : metric.tables) {
      const auto table =
          std::find_if(tables.begin(), tables.end(), [&](const Table& t) { return t.name == name; });
      ASSERT_NE(table, tables.end()) << name;
      const bool open = metric.column.ends_with('#');
      EXPECT_TRUE(open || table->find(metric.column) != nullptr) << name << "." << metric.column;
    }
    EXPECT_EQ(metric.isSigned, !metric.sign.empty())
        << metric.column << ": a signed number explains its + sign";
  }
}

TEST(MetricCatalogue, NamesPlacesInTheThesis) {
  for (const ThesisPlace& of : thesisPlaces()) {
    std::string column(of.column);
    if (column.ends_with('#')) column.back() = '3';
    const auto metric = metricCatalogue().find(of.table, column);
    ASSERT_TRUE(metric) << of.table << "." << of.column;
    EXPECT_THAT(metric->thesis, HasSubstr(of.equations)) << of.table << "." << of.column;
    EXPECT_THAT(metric->thesis, HasSubstr(of.printed)) << of.table << "." << of.column;
  }
  EXPECT_EQ(metricCatalogue().find("components", "r_q")->thesis, "figure 6.1");
  EXPECT_EQ(metricCatalogue().find("heads", "ap_drop")->thesis,
            "equations 4.7–4.14; figure 6.7; tables 6.2 and 6.3");
  EXPECT_EQ(metricCatalogue().find("heads", "lin_frac_q")->thesis, "");
  EXPECT_EQ(metricCatalogue().find("heads", "ap_drop_low")->thesis, "");
}

TEST(MetricCatalogue, DescribesDerivedColumns) {
  const MetricCatalogue& catalogue = metricCatalogue();
  const auto low = catalogue.find("model", "bias_strength_low");
  ASSERT_TRUE(low);
  EXPECT_EQ(low->title, "Bias per token, lower end");
  EXPECT_EQ(low->unit, "score / token");
  EXPECT_TRUE(low->isSigned);
  const auto heads = catalogue.find("layers", "bias_strength_heads");
  ASSERT_TRUE(heads);
  EXPECT_FALSE(heads->isSigned);
  EXPECT_EQ(heads->unit, "");
  EXPECT_EQ(catalogue.find("heads", "ap_decile_3")->label, "AP<sub>20\u201330 %</sub>");
  EXPECT_EQ(catalogue.find("projections", "x12")->title, "Dimension 12");
  EXPECT_EQ(catalogue.find("facets", "value")->title, "Value");  // not the coordinate of axes.csv
  EXPECT_FALSE(catalogue.find("heads", "nonsense"));
  EXPECT_FALSE(catalogue.find("heads", "nonsense_low"));
}

TEST(MetricHelp, HelpPageIsUpToDate) {
  const std::filesystem::path page = std::filesystem::path(PLASTISCOPE_RESOURCES) / "help" / "metrics.md";
  EXPECT_EQ(readFile(page), metricsMarkdown(metricCatalogue()))
      << "write it again: plastiscope-cli metrics --markdown";
}

TEST(MetricHelp, WritesLinesAndJson) {
  const MetricInfo drop = *metricCatalogue().find("heads", "ap_drop");
  EXPECT_THAT(metricLines(drop), HasSubstr("AP_first20 \u2212 AP_last20"));
  EXPECT_THAT(metricLines(drop), HasSubstr("beware: Relative to the window"));
  EXPECT_THAT(metricLines(drop), HasSubstr("thesis: equations 4.7–4.14; figure 6.7"));
  const Json json = metricJson(drop);
  EXPECT_EQ(json["thesis"], drop.thesis);
  EXPECT_EQ(json["label"], "APdrop");
  EXPECT_EQ(json["range"], Json::parse("[-1.0, 1.0]"));
  EXPECT_EQ(metricJson(*metricCatalogue().find("heads", "alpha_q"))["range"], Json());
}

}  // namespace
}  // namespace plastiscope
