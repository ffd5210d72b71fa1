#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/table.h"

namespace plastiscope {
namespace {

const double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(NumberText, IsTheShortestThatReadsBack) {
  EXPECT_EQ(numberText(0.1), "0.1");
  EXPECT_EQ(numberText(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(numberText(-2), "-2");
  EXPECT_EQ(numberText(kNaN), "");
  for (const double value : {3.604797230188809e-4, 1e300, -0.0, 5e-324}) {
    EXPECT_EQ(std::strtod(numberText(value).c_str(), nullptr), value);
  }
}

TEST(TableCsv, MissingIsEmptyAndTextsAreQuotedWhereNeeded) {
  const Table table{"heads",
                    {{"layer", std::vector<std::int64_t>{0, 12}},
                     {"ap", std::vector<double>{0.5, kNaN}},
                     {"note", std::vector<std::string>{"a,b", "say \"x\""}}}};
  EXPECT_EQ(toCsv(table), "layer,ap,note\n0,0.5,\"a,b\"\n12,,\"say \"\"x\"\"\"\n");
  EXPECT_EQ(table.rows(), 2u);
}

TEST(TableCsv, TextsThatLookLikeFormulasAreMarkedAndNumbersAreNot) {
  const Table table{"heads",
                    {{"=n", std::vector<std::int64_t>{-1}},
                     {"ap", std::vector<double>{-0.5}},
                     {"note", std::vector<std::string>{"=1+1"}}}};
  EXPECT_EQ(toCsv(table), "'=n,ap,note\n-1,-0.5,'=1+1\n");
}

TEST(TableCsv, TypedAccessRefusesTheWrongType) {
  const Table table{"heads", {{"layer", std::vector<std::int64_t>{1}}}};
  EXPECT_EQ(table.integers("layer").at(0), 1);
  EXPECT_THROW(table.numbers("layer"), Error);
  EXPECT_THROW(table.integers("head"), Error);
  EXPECT_EQ(table.find("head"), nullptr);
}

}  // namespace
}  // namespace plastiscope
