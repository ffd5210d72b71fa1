// Attention maps: values of NumPy (tests/data/analysis/reference_attention.py), equal values at every zoom
// and before and after the whole text is known, estimates, and heads without a map.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <random>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/jobs/attention_map.h"
#include "tests/support/failure.h"
#include "tests/views/literal_study.h"

namespace plastiscope {
namespace {

using Precision = AttentionMap::Precision;
using ::testing::HasSubstr;

constexpr HeadName kDenseHead{0, 1};

// L0H1 at every position of one text; other heads are sampled.
std::shared_ptr<test::LiteralCapture> denseCapture(CapturedRows queries, CapturedRows keys) {
  auto capture = std::make_shared<test::LiteralCapture>(
      std::vector<std::string>{"text"},
      [queries = std::move(queries), keys = std::move(keys)](const RowPlace& place) {
        return place.set == RowSet::Query || place.set == RowSet::DenseQuery ? queries : keys;
      });
  capture->editable().scoreScale = 0.4;
  CaptureLayerInfo layer;
  layer.queryHeads = {1, 3};
  layer.keyHeads = {0, 1};
  layer.denseQueryHeads = {1};
  layer.denseKeyHeads = {0};
  capture->editable().layerInfos = {layer};
  return capture;
}

Study studyOf(std::shared_ptr<const CaptureFile> capture) {
  return {std::move(capture), test::literalAnalysis(), "", "", {}};
}

template <typename Number>
CapturedRows rowsOf(int tokens, int headDim, Number number) {
  CapturedRows rows{headDim, {}, {}, {}, {}};
  for (int t = 0; t < tokens; ++t) {
    rows.position.push_back(t);
    rows.example.push_back(0);
    rows.bucket.push_back(0);
    for (int c = 0; c < headDim; ++c) rows.vectors.push_back(static_cast<float>(number(t, c)));
  }
  return rows;
}

CapturedRows formulaRows(int kind) {
  return rowsOf(260, 6, [kind](int t, int c) {
    return ((t * t * (c + 3) + 31 * t * (kind + 1) + 17 * (c + 1) * (c + 1) + 7 * c) % 101 - 50) / 32.0;
  });
}

std::shared_ptr<test::LiteralCapture> randomCapture(int tokens) {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  const auto any = [&](int, int) { return normal(generator); };
  return denseCapture(rowsOf(tokens, 8, any), rowsOf(tokens, 8, any));
}

void expectEqual(const std::vector<float>& found, const Json& expected, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (expected[i].is_null()) {
      ASSERT_TRUE(std::isnan(found[i])) << what << " " << i;
      continue;
    }
    const double number = expected[i].get<double>();
    ASSERT_NEAR(static_cast<double>(found[i]), number, 2e-5 * std::max(0.01, std::fabs(number)))
        << what << " " << i;
  }
}

class AttentionReference : public ::testing::TestWithParam<const char*> {};

TEST_P(AttentionReference, EqualsNumPy) {
  const Json expected =
      readJsonFile(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "analysis" / "attention.json")[GetParam()];
  const auto capture = denseCapture(formulaRows(0), formulaRows(1));
  CaptureLayerInfo& layer = capture->editable().layerInfos.front();
  layer.window = expected["window"];
  layer.attention = expected["chunked"].get<bool>() ? "chunked" : layer.window > 0 ? "sliding" : "full";
  layer.scoreSoftcap = expected["softcap"];
  const AttentionMap map(studyOf(capture), kDenseHead, 0, 2);
  for (const bool complete : {false, true}) {
    if (complete) map.complete(Progress());
    EXPECT_EQ(map.isComplete(), complete);
    for (const AttentionQuantity quantity :
         {AttentionQuantity::Weight, AttentionQuantity::Score, AttentionQuantity::Position}) {
      const AttentionData data = map.view({quantity, {}, {}, 17, 17}, Precision::Quick, Progress());
      EXPECT_EQ(data.cellQueries, 16);
      EXPECT_TRUE(data.exact());
      expectEqual(data.max, expected[nameOf(quantity)]["max"], nameOf(quantity));
      expectEqual(data.mean, expected[nameOf(quantity)]["mean"], nameOf(quantity));
      const bool position = quantity == AttentionQuantity::Position;
      EXPECT_NEAR(position ? data.positionShare : 0, position ? expected["share"].get<double>() : 0, 1e-5);
    }
    const AttentionData zoom =
        map.view({AttentionQuantity::Weight, TokenRange{101, 125}, TokenRange{60, 90}, 64, 64},
                 Precision::Quick, Progress());
    EXPECT_EQ(zoom.queriesOf(3).first, 104);
    expectEqual(zoom.max, expected["zoom"], "zoom");
  }
  const DenseAttention::Row row = map.row(124);
  for (std::int64_t key = std::max<std::int64_t>(60, row.keys.first); key < 90; ++key) {
    const double number = expected["zoom"][static_cast<std::size_t>(23 * 30 + key - 60)];
    EXPECT_NEAR(static_cast<double>(row.weight[static_cast<std::size_t>(key - row.keys.first)]), number,
                1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Jobs, AttentionReference, ::testing::Values("full", "sliding", "chunked", "capped"));

// Cells of 2n tokens have the largest value and the mean over pairs of their four cells of n tokens.
TEST(AttentionMap, LargeCellsConsistOfSmallOnes) {
  constexpr int kTokens = 5000;
  const AttentionMap map(studyOf(randomCapture(kTokens)), kDenseHead, 0, 2);
  const auto at = [&map](std::int64_t cells) {
    return map.view({AttentionQuantity::Weight, {}, {}, cells, cells}, Precision::Exact, Progress());
  };
  const AttentionData before = at(100);
  map.complete(Progress());
  const AttentionData after = at(100), fine = at(200);
  ASSERT_EQ(after.cellKeys, 64);
  ASSERT_EQ(fine.cellKeys, 32);
  const auto pairs = [](TokenRange queries, TokenRange keys) {
    double count = 0;
    for (std::int64_t query = queries.first; query < queries.end; ++query)
      count += static_cast<double>(std::max<std::int64_t>(0, std::min(keys.end, query + 1) - keys.first));
    return count;
  };
  for (std::int64_t row = 0; row < after.rows; ++row) {
    for (std::int64_t column = 0; column <= row; ++column) {
      double most = 0, sum = 0;
      for (std::int64_t i = 2 * row; i < std::min(2 * row + 2, fine.rows); ++i) {
        for (std::int64_t j = 2 * column; j < std::min(2 * column + 2, fine.columns) && j <= i; ++j) {
          const auto cell = static_cast<std::size_t>(i * fine.columns + j);
          most = std::max(most, static_cast<double>(fine.max[cell]));
          sum += static_cast<double>(fine.mean[cell]) * pairs(fine.queriesOf(i), fine.keysOf(j));
        }
      }
      const auto cell = static_cast<std::size_t>(row * after.columns + column);
      const double mean = sum / pairs(after.queriesOf(row), after.keysOf(column));
      ASSERT_FLOAT_EQ(after.max[cell], static_cast<float>(most));
      ASSERT_NEAR(static_cast<double>(after.mean[cell]), mean, 1e-5 * mean);
      ASSERT_NEAR(static_cast<double>(after.mean[cell]), static_cast<double>(before.mean[cell]), 1e-5 * mean);
      ASSERT_NEAR(static_cast<double>(after.max[cell]), static_cast<double>(before.max[cell]), 1e-5 * most);
    }
  }
}

// Stops when it is asked for the n-th time.
class StopsLater : public Progress {
 public:
  explicit StopsLater(int times) : m_left(times) {}
  bool stopRequested() const override { return --m_left < 0; }

 private:
  mutable std::atomic<int> m_left;
};

TEST(AttentionMap, EstimatesUntilTheWholeTextIsKnown) {
  const AttentionMap map(studyOf(randomCapture(12000)), kDenseHead, 0, 2);
  const AttentionView view{AttentionQuantity::Weight, {}, {}, 100, 100};
  const AttentionData quick = map.view(view, Precision::Quick, Progress());
  EXPECT_FALSE(quick.exact());
  EXPECT_THROW(map.complete(StopsLater(700)), Stopped);
  EXPECT_FALSE(map.isComplete());
  EXPECT_GT(map.cost(view), 0);
  map.complete(Progress());
  EXPECT_EQ(map.cost(view), 0);
  const AttentionData exact = map.view(view, Precision::Quick, Progress());
  EXPECT_TRUE(exact.exact());
  double estimated = 0, whole = 0;
  for (std::size_t i = 0; i < exact.max.size(); ++i) {
    if (std::isnan(quick.max[i])) continue;
    EXPECT_LE(quick.max[i], exact.max[i] * 1.0001F);
    estimated += static_cast<double>(quick.mean[i]);
    whole += static_cast<double>(exact.mean[i]);
  }
  EXPECT_NEAR(estimated / whole, 1, 0.05);
}

TEST(AttentionMap, HeadsWithoutAMapAreExplained) {
  const auto capture = denseCapture(formulaRows(0), formulaRows(1));
  const Study study = studyOf(capture);
  const auto reason = [&](HeadName head) {
    return test::failureOf<UsageError>([&] { AttentionMap(study, head, 0); });
  };
  EXPECT_THAT(reason({0, 3}), HasSubstr("Captured at every position: L0H1"));
  EXPECT_THAT(test::failureOf<UsageError>([&] {
                AttentionMap(study, kDenseHead, 0)
                    .view({AttentionQuantity::Weight, TokenRange{260, 270}, {}, 9, 9}, Precision::Quick,
                          Progress());
              }),
              HasSubstr("queries: expected a range within the 260 tokens"));
  capture->editable().layerInfos.front().learnedSinks = true;
  EXPECT_THAT(AttentionMap(study, kDenseHead, 0).view({}, Precision::Quick, Progress()).rule,
              HasSubstr("learned sink"));
  capture->editable().positions = "alibi";
  EXPECT_THAT(reason(kDenseHead), HasSubstr("adds a bias"));
  capture->editable().positions = "";
  capture->editable().point = "pre-rope";
  EXPECT_THAT(reason(kDenseHead), HasSubstr("before RoPE"));
}

}  // namespace
}  // namespace plastiscope
