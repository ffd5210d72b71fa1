#include <gtest/gtest.h>

#include "core/views/head_filter.h"

namespace plastiscope {
namespace {

// Rows: L0H0, L0H1, L1H0, L12H6.
Table heads() {
  Table table{"heads", {}};
  table.columns.push_back({"layer", std::vector<std::int64_t>{0, 0, 1, 12}});
  table.columns.push_back({"head", std::vector<std::int64_t>{0, 1, 0, 6}});
  table.columns.push_back({"ap_drop", std::vector<double>{0.1, 0.25, kMissing, -0.3}});
  table.columns.push_back({"ap_overall", std::vector<double>{0.5, 0.6, 0.7, 0.8}});
  table.columns.push_back({"taxonomy", std::vector<std::string>{"mixed", "position_dominated", "", "Mixed"}});
  return table;
}

struct Case {
  const char* expression;
  const char* rows;  // matching rows of heads(), as digits
};

class FilterAnswers : public testing::TestWithParam<Case> {};

TEST_P(FilterAnswers, MatchesTheseRows) {
  const Table table = heads();
  const HeadFilter filter(GetParam().expression, table, [](std::size_t row) { return row == 3; });
  std::string rows;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (filter.matches(row)) rows += static_cast<char>('0' + row);
  }
  EXPECT_EQ(rows, GetParam().rows) << GetParam().expression;
}

INSTANTIATE_TEST_SUITE_P(
    Expressions, FilterAnswers,
    testing::Values(
        Case{"", "0123"}, Case{"   ", "0123"}, Case{"ap_drop > 0.2", "1"},
        Case{"ap_drop > 0.2 && layer < 10", "1"}, Case{"ap_drop>0.2||layer>=12", "13"},
        Case{"not ap_drop > 0.2", "023"}, Case{"!(layer == 0)", "23"}, Case{"layer = 0 and head = 1", "1"},
        Case{"layer=0 or head=6", "013"}, Case{"0.05 < ap_drop < 0.2", "0"}, Case{"0 <= layer < 1 < 2", "01"},
        Case{"abs(ap_drop) >= 0.25", "13"}, Case{"-ap_drop > 0.2", "3"}, Case{"ap_drop * 2 + 1 > 1.4", "1"},
        Case{"ap_overall - ap_drop / 2 < 0.5", "01"}, Case{"max(ap_drop, 0.2) == 0.2", "03"},
        Case{"min(layer, 5) = 5", "3"}, Case{"2 + 3 * 2 == 8", "0123"}, Case{"(2 + 3) * 2 == 8", ""},
        // a missing value satisfies no comparison, not even !=
        Case{"ap_drop != 0.1", "13"}, Case{"ap_drop <= 1e9", "013"}, Case{"taxonomy == mixed", "03"},
        Case{"taxonomy != mixed", "1"}, Case{"taxonomy == \"position_dominated\"", "1"},
        Case{"'mixed' == taxonomy", "03"}, Case{"name == L12H6", "3"}, Case{"starred", "3"},
        Case{"!starred", "012"}, Case{"mixed", "03"}, Case{"L12", "3"}, Case{"l0h", "01"},
        Case{"1 == 1 || 1 == 2 && 1 == 3", "0123"}, Case{".25 <= ap_drop", "1"},
        Case{"ap_drop > 2e-1", "1"}));

struct Wrong {
  const char* expression;
  const char* says;
  std::size_t position;
};

class FilterRefusals : public testing::TestWithParam<Wrong> {};

TEST_P(FilterRefusals, NamePlaceAndReason) {
  const Table table = heads();
  try {
    HeadFilter(GetParam().expression, table);
    FAIL() << "accepted: " << GetParam().expression;
  } catch (const FilterError& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().says), std::string::npos) << error.what();
    EXPECT_EQ(error.position, GetParam().position) << GetParam().expression;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Expressions, FilterRefusals,
    testing::Values(
        Wrong{"ap_dorp > 0.2", "did you mean ap_drop", 0}, Wrong{"ap_drop >", "incomplete at the end", 9},
        Wrong{"ap_drop > 0.2 &&", "incomplete at the end", 16},
        Wrong{"(ap_drop > 0.2", "\")\" is expected", 14}, Wrong{"ap_drop > 0.2)", "not expected", 13},
        Wrong{"ap_drop 0.2", "not expected", 8}, Wrong{"ap_drop", "comparison such as", 0},
        Wrong{"taxonomy > mixed", "== and !=", 0},
        Wrong{"taxonomy == 3", "cannot be compared with a number", 12},
        Wrong{"taxonomy + 1 > 2", "number is expected", 0}, Wrong{"ap_drop > #", "not a known sign", 10},
        Wrong{"taxonomy == \"mix", "not closed", 12}, Wrong{"sqrt(ap_drop) > 1", "unknown function", 0},
        Wrong{"min(ap_drop) > 1", "\",\" is expected", 11}, Wrong{"foo == bar", "no column \"foo\"", 0},
        Wrong{"&& layer", "not expected", 0}));

TEST(HeadFilter, DeepNestingIsRefused) {
  const Table table = heads();
  const std::string deep = std::string(100000, '(') + "1 == 1" + std::string(100000, ')');
  EXPECT_THROW(HeadFilter(deep, table), FilterError);
  EXPECT_THROW(HeadFilter(std::string(100000, '!') + "starred", table), FilterError);
  EXPECT_THROW(HeadFilter(std::string(100000, '-') + "1 == 1", table), FilterError);
  const std::string fine = std::string(50, '(') + "1 == 1" + std::string(50, ')');
  EXPECT_TRUE(HeadFilter(fine, table).matches(0));
}

// Evaluating each operator recursively would overflow the stack.
TEST(HeadFilter, LongChainsAreEvaluated) {
  const Table table = heads();
  const auto chain = [](const std::string& link, const std::string& last) {
    std::string expression;
    for (int i = 0; i < 50'000; ++i) expression += link;
    return expression + last;
  };
  EXPECT_TRUE(HeadFilter(chain("layer < 99 and ", "head < 99"), table).matches(0));
  EXPECT_FALSE(HeadFilter(chain("layer < 99 and ", "head > 99"), table).matches(0));
  EXPECT_TRUE(HeadFilter(chain("layer > 99 or ", "head < 99"), table).matches(0));
  EXPECT_TRUE(HeadFilter(chain("1 <= ", "1"), table).matches(0));
  EXPECT_TRUE(HeadFilter(chain("1 + ", "1 == 50001"), table).matches(0));
  EXPECT_TRUE(HeadFilter(chain("1 * ", "2 == 2"), table).matches(0));
}

TEST(HeadFilter, NestedMaximaAreComputedOnce) {
  const Table table = heads();
  std::string expression = "layer";
  for (int i = 0; i < 60; ++i) expression = "max(0, " + expression + ")";
  EXPECT_TRUE(HeadFilter(expression + " == 12", table).matches(3));
}

}  // namespace
}  // namespace plastiscope
