// Tables as LaTeX and Markdown: rounding to intervals, merged columns, escaping.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/views/table_text.h"

namespace plastiscope::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Numbers = std::vector<double>;
using Words = std::vector<std::string>;

// Half widths 0.0225, 12.3, 0.00041 and none; two significant digits of each by hand.
const Table kTable{"t",
                   {{"model", Words{"a_b|c", "<x> & y", "z", "w"}},
                    {"ap", Numbers{0.31234, 2051.23, -0.0012345, 0.25}},
                    {"ap_low", Numbers{0.29, 2040.0, -0.00165, kMissing}},
                    {"ap_high", Numbers{0.335, 2064.6, -0.00083, kMissing}},
                    {"heads", std::vector<std::int64_t>{270, 1, 2, 3}}}};

TEST(TableText, RoundsToTwoDigitsOfTheHalfWidth) {
  const std::string text = tableText(kTable, TableFormat::Markdown);
  EXPECT_THAT(text, HasSubstr("| model | ap | heads |\n| :-- | --: | --: |\n"));
  EXPECT_THAT(text, HasSubstr("| a\\_b\\|c | 0.312 [0.290, 0.335] | 270 |"));
  EXPECT_THAT(text, HasSubstr("| \\<x> & y | 2051 [2040, 2065] | 1 |"));
  EXPECT_THAT(text, HasSubstr("| z | \u22120.00123 [\u22120.00165, \u22120.00083] | 2 |"));
  EXPECT_THAT(text, HasSubstr("| w | 0.25"));
}

TEST(TableText, LatexHasTheSameNumbersEscaped) {
  const std::string text = tableText(kTable, TableFormat::Latex);
  EXPECT_THAT(text, HasSubstr("\\begin{tabular}{lrr}\n    \\toprule\n    model & ap & heads \\\\"));
  EXPECT_THAT(text, HasSubstr("    a\\_b$|$c & 0.312 [0.290, 0.335] & 270 \\\\"));
  EXPECT_THAT(text, HasSubstr("    $<$x$>$ \\& y & 2051 [2040, 2065] & 1 \\\\"));
  EXPECT_THAT(text, HasSubstr("$-$0.00123 [$-$0.00165, $-$0.00083]"));
  EXPECT_THAT(text, Not(HasSubstr("\\begin{table}")));
  EXPECT_EQ(tableText(kTable, TableFormat::Csv), toCsv(kTable));
}

// As in the tables of correlations: low and high belong to pearson.
TEST(TableText, BareIntervalsBelongToTheirNumber) {
  const Table table{
      "t",
      {{"n", Numbers{7}}, {"pearson", Numbers{-0.6712}}, {"low", Numbers{-0.95}}, {"high", Numbers{0.16}}}};
  EXPECT_EQ(tableText(table, TableFormat::Markdown),
            "| n | pearson |\n| --: | --: |\n| 7 | \u22120.67 [\u22120.95, 0.16] |\n");
}

}  // namespace
}  // namespace plastiscope::test
