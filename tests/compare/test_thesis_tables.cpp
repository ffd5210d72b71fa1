// The tables of the thesis by number, and tables as LaTeX.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/compare/thesis_tables.h"
#include "core/views/table_text.h"
#include "tests/compare/compared_data.h"

namespace plastiscope::test {
namespace {

using ::testing::HasSubstr;

TEST(ThesisTables, AllHaveRowsAndNoMissingName) {
  for (const ThesisTable& each : thesisTables()) {
    const Table table = makeThesisTable(each.number);
    EXPECT_GT(table.rows(), 2U) << each.number;
    for (std::size_t row = 0; row < table.rows(); ++row) EXPECT_NE(table.cellText(0, row), "") << each.number;
  }
  EXPECT_EQ(makeThesisTable("6.1").rows(), 11U);
  EXPECT_EQ(makeThesisTable("6.2").rows(), 10U);
  EXPECT_EQ(makeThesisTable("6.3").rows(), 7U);
  EXPECT_THROW(makeThesisTable("6.9"), UsageError);
}

TEST(ThesisTables, OwnRowsFollowThePublishedOnes) {
  const Comparison own = compareLetters("ab");
  const Table table = makeThesisTable("6.2", &own);
  ASSERT_EQ(table.rows(), 12U);
  EXPECT_EQ(table.cellText(0, 10), "a");
  double sum = 0, count = 0;
  for (const double value : own.models[0].column("bias_strength")) {
    if (value != value) continue;
    sum += value;
    count += 1;
  }
  EXPECT_NEAR(table.numbers("bias")[10], sum / count, 1e-12);
  EXPECT_THROW(makeThesisTable("6.4", &own), UsageError);
}

TEST(ThesisTables, LatexEscapesAndDashes) {
  const Table table{
      "t", {{"a_b %", std::vector<std::string>{"x & y", "\\z"}}, {"n", std::vector<double>{-0.5, kMissing}}}};
  EXPECT_EQ(
      toLatex(table, "50 % of it", "tab:t"),
      "% needs \\usepackage{booktabs,graphicx}\n\\begin{table}\n  \\centering\n  \\caption{50 \\% of it}\n"
      "  \\label{tab:t}\n  \\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n"
      "  \\begin{tabular}{lr}\n    \\toprule\n    a\\_b \\% & n \\\\\n    \\midrule\n"
      "    x \\& y & $-$0.5 \\\\\n    \\textbackslash{}z & -- \\\\\n    \\bottomrule\n"
      "  \\end{tabular}}\n\\end{table}\n");
}

// Quotients and means have sixteen digits; a column has as many decimals as its printed numbers.
TEST(ThesisTables, LatexRoundsToWhatIsPrinted) {
  const Table table{
      "t",
      {{"printed", std::vector<double>{0.64, 0.695, 0.6568039175297861, 9.331848193084885e-07}},
       {"computed", std::vector<double>{0.16899999999999993, -0.01133625169, 1.0 / 3, kMissing}},
       {"whole", std::vector<double>{50000, 2e+06, 5e+06, 5e+06}}}};
  const std::string latex = toLatex(table, "", "");
  EXPECT_THAT(latex, HasSubstr("    0.640 & 0.169 & 50000 \\\\\n"));
  EXPECT_THAT(latex, HasSubstr("    0.695 & $-$0.011 & 2000000 \\\\\n"));
  EXPECT_THAT(latex, HasSubstr("    0.657 & 0.333 & 5000000 \\\\\n"));
  EXPECT_THAT(latex, HasSubstr("    $9.3 \\cdot 10^{-7}$ & -- & 5000000 \\\\\n"));
}

TEST(ThesisTables, PositionsOfCheckpointsAreInOneRow) {
  const Table table = makeThesisTable("A.1");
  EXPECT_EQ(table.rows(), 17U);
  EXPECT_EQ(table.columns.size(), 10U);
  EXPECT_EQ(table.numbers("s1-40k")[0], 0.619);  // smollm3_position.csv
  EXPECT_TRUE(std::isnan(table.numbers("lc2-20k")[0]));
  EXPECT_EQ(toLatex(makeThesisTable("6.1"), "", "").find("99999"), std::string::npos);
}

}  // namespace
}  // namespace plastiscope::test
