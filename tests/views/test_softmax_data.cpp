#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/views/softmax_data.h"
#include "views/literal_study.h"

namespace plastiscope {

namespace {

// L0H1 and L0H3 at every position, with two bins.
std::shared_ptr<AnalysisFile> denseAnalysis() {
  using I = std::vector<std::int64_t>;
  using D = std::vector<double>;
  auto analysis = test::literalAnalysis();
  analysis->provenance.capture = Json{{"examples", 5}, {"window", 1000}};
  std::vector<Column>& heads = analysis->tables.front().columns;
  heads.push_back({"pp_sp_correlation", D{-0.5, 0.1, kMissing}});
  Table table{"softmax",
              {{"layer", I{0, 0, 0, 0, 0, 0}},
               {"head", I{1, 1, 1, 3, 3, 3}},
               {"bin", std::vector<std::string>{"0", "1", "all", "0", "1", "all"}},
               {"tau", D{250, 750, kMissing, 250, 750, kMissing}},
               {"queries", I{10, 20, 30, 1, 2, 3}}}};
  for (const char* name : namesOf(SoftmaxValue())) {
    const bool isPlasticity = name == std::string("sp");
    table.columns.push_back(
        {name, isPlasticity ? D{0.2, 0.4, 0.3, 0.6, kMissing, 0.6} : D{1, 1, 1, 3, 3, 3}});
    table.columns.push_back({name + std::string("_low"), D{0.1, 0.3, 0.2, 0.5, kMissing, 0.5}});
    table.columns.push_back({name + std::string("_high"), D{0.3, 0.5, 0.4, 0.7, kMissing, 0.7}});
  }
  analysis->tables.push_back(std::move(table));
  return analysis;
}

}  // namespace

TEST(SoftmaxData, OneHeadHasIntervalsOverTexts) {
  const SoftmaxData data = makeSoftmax(*denseAnalysis(), {HeadName{0, 1}, {}});
  EXPECT_EQ(data.tau, (std::vector<double>{250, 750})) << "without the row of all bins";
  EXPECT_EQ(data.of(SoftmaxValue::Plasticity).value, (std::vector<double>{0.2, 0.4}));
  EXPECT_EQ(data.of(SoftmaxValue::Plasticity).high, (std::vector<double>{0.3, 0.5}));
  EXPECT_EQ(data.queries, (std::vector<std::int64_t>{10, 20}));
  EXPECT_EQ(data.over, IntervalOver::Examples);
  EXPECT_DOUBLE_EQ(data.correlation.value, -0.5);
  EXPECT_EQ(tableOf(data).numbers("sp_low"), (std::vector<double>{0.1, 0.3}));
}

TEST(SoftmaxData, SeveralHeadsGiveTheirMean) {
  const SoftmaxData data = makeSoftmax(*denseAnalysis(), {});
  EXPECT_EQ(data.of(SoftmaxValue::Distance).value, (std::vector<double>{2, 2}));
  EXPECT_DOUBLE_EQ(data.of(SoftmaxValue::Plasticity).value[1], 0.4) << "of the heads that have it";
  EXPECT_EQ(data.over, IntervalOver::Heads);
  EXPECT_TRUE(std::isfinite(data.of(SoftmaxValue::Plasticity).low[0]));
  EXPECT_FALSE(std::isfinite(data.of(SoftmaxValue::Plasticity).low[1]));
  EXPECT_DOUBLE_EQ(data.correlation.value, -0.2);
}

TEST(SoftmaxData, OtherHeadsAreExplained) {
  for (const bool anyDense : {false, true}) {
    try {
      makeSoftmax(anyDense ? *denseAnalysis() : *test::literalAnalysis(), {HeadName{1, 2}, {}});
      FAIL();
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("--dense"));
    }
  }
}

}  // namespace plastiscope
