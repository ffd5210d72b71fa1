// Subsets of rows: remaining rows, and an analysis equal to that of a capture with only these rows.
#include "core/jobs/row_subset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/analyze_job.h"
#include "core/jobs/converge_job.h"
#include "core/jobs/inspect_job.h"
#include "tests/jobs/memory_capture.h"

namespace plastiscope {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

AnalysisSettings chosen(const RowChoice& choice) {
  AnalysisSettings settings;
  settings.pairs = 64;
  settings.minQueries = 2;
  settings.minPairs = 1;
  useRowChoice(settings, choice);
  return settings;
}

// A capture with token texts: token t of every text is a number if t is divisible by 3.
class WordyCapture : public test::MemoryCapture {
 public:
  bool hasTexts() const override { return true; }
  std::vector<std::string> tokenTexts(std::int64_t) const override {
    std::vector<std::string> tokens;
    for (int t = 0; t < 2048; ++t) tokens.push_back(t % 3 == 0 ? " 7" : " word");
    return tokens;
  }
};

// A capture with only some rows of some texts.
class Reduced : public WordyCapture {
 public:
  using Keep = std::function<bool(int example, int position)>;
  Reduced(const std::vector<int>& texts, Keep keep) : m_texts(texts), m_keep(std::move(keep)) {
    std::vector<CaptureExampleInfo> examples;
    for (const int text : texts) examples.push_back(editable().examples[static_cast<std::size_t>(text)]);
    editable().examples = examples;
    for (CaptureLayerInfo& layer : editable().layerInfos)
      layer.queryRows = static_cast<std::int64_t>(rows({1, 0, RowSet::Query}).position.size());
  }
  CapturedRows rows(const RowPlace& place) const override {
    const CapturedRows all = WordyCapture::rows(place);
    CapturedRows kept;
    kept.headDim = all.headDim;
    for (std::size_t i = 0; i < all.position.size(); ++i) {
      const auto text = std::ranges::find(m_texts, all.example[i]);
      if (text == m_texts.end() || !m_keep(all.example[i], all.position[i])) continue;
      kept.position.push_back(all.position[i]);
      kept.example.push_back(static_cast<std::int32_t>(text - m_texts.begin()));
      kept.bucket.push_back(all.bucket[i]);
      for (std::int64_t c = 0; c < all.headDim; ++c)
        kept.vectors.push_back(
            all.vectors[i * static_cast<std::size_t>(all.headDim) + static_cast<std::size_t>(c)]);
    }
    return kept;
  }

 private:
  std::vector<int> m_texts;
  Keep m_keep;
};

std::string tablesOf(const AnalysisFile& analysis) {
  std::string bytes;
  for (const Table& table : analysis.tables) bytes += table.name + "\n" + toCsv(table);
  return bytes;
}

AnalysisFile analysisOf(const CaptureFile& capture, const AnalysisSettings& settings) {
  Progress progress;
  return analyzeCapture(capture, settings, 2, progress);
}

struct SubsetCase {
  const char* name;
  RowChoice choice;
  std::vector<int> texts;
  Reduced::Keep keep;
};
class RowSubset : public testing::TestWithParam<SubsetCase> {};

TEST_P(RowSubset, IsAnalysedLikeACaptureOfTheseRows) {
  const Reduced reduced(GetParam().texts, GetParam().keep);
  ASSERT_GT(reduced.rows({1, 0, RowSet::Query}).position.size(), 60u);
  for (const std::int64_t resamples : {0, 20}) {
    AnalysisSettings settings = chosen(GetParam().choice), plain = chosen({});
    settings.bootstrap = plain.bootstrap = resamples;
    EXPECT_EQ(tablesOf(analysisOf(WordyCapture(), settings)), tablesOf(analysisOf(reduced, plain)));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, RowSubset,
    testing::Values(SubsetCase{"texts", {"1,3-4", "", ""}, {1, 3, 4}, [](int, int) { return true; }},
                    SubsetCase{"one_by_name", {"text 2", "", ""}, {2}, [](int, int) { return true; }},
                    SubsetCase{"positions",
                               {"", "300..1500", ""},
                               {0, 1, 2, 3, 4},
                               [](int, int position) { return position >= 300 && position <= 1500; }},
                    SubsetCase{
                        "types", {"", "", "number"}, {0, 1, 2, 3, 4}, [](int, int p) { return p % 3 == 0; }},
                    SubsetCase{"all_three",
                               {"0-2", "100..1900", "word_start,space"},
                               {0, 1, 2},
                               [](int, int p) { return p >= 100 && p <= 1900 && p % 3 != 0; }}),
    [](const auto& of) { return of.param.name; });

TEST(RowSubsetFile, StaysAnAnalysisOfItsCapture) {
  const WordyCapture whole;
  const AnalysisSettings settings = chosen({"1-2", "0..999", ""});
  const AnalysisFile analysis = analysisOf(whole, settings);
  EXPECT_TRUE(belongsTo(analysis.provenance, whole.info()));
  const auto again = AnalysisSettings::fromJson(analysis.provenance.settings);
  EXPECT_EQ(rowChoiceOf(again), (RowChoice{"1-2", "0..999", ""}));
  // The result is the same from this subset (as in a window) and from a subset of other rows.
  EXPECT_EQ(tablesOf(analysisOf(*subsetOf(whole, settings), settings)), tablesOf(analysis));
  EXPECT_EQ(tablesOf(analysisOf(*subsetOf(whole, chosen({"4", "", ""})), settings)), tablesOf(analysis));
  EXPECT_EQ(tablesOf(analysisOf(*subsetOf(whole, settings), chosen({}))),
            tablesOf(analysisOf(whole, chosen({}))));
}

TEST(RowSubsetFile, AllRowsAreNotRecordedAsASubset) {
  EXPECT_FALSE(AnalysisSettings().toJson().contains("examples"));
  const WordyCapture whole;
  EXPECT_EQ(subsetOf(whole, chosen({})).get(), &whole);
  EXPECT_EQ(textOf(RowChoice{}), "");
  EXPECT_EQ(textOf(RowChoice{"0-1", "", "number"}), "texts 0-1 \u00b7 token types number");
}

TEST(RowSubsetRows, KeepTheNumbersOfTheirTexts) {
  const WordyCapture whole;
  const auto subset = subsetOf(whole, chosen({"3", "", ""}));
  EXPECT_EQ(subset->info().examples.size(), whole.info().examples.size());
  EXPECT_THAT(subset->rows({1, 0, RowSet::Key}).example, ::testing::Each(3));
  EXPECT_NEAR(subset->info().queryShare, 0.2, 1e-9);
  const auto dense = subsetOf(whole, chosen({"3", "", ""}), ExampleNumbers::Dense);
  EXPECT_THAT(dense->rows({1, 0, RowSet::Key}).example, ::testing::Each(0));
  EXPECT_EQ(dense->info().examples.front().id, "text 3");
  // Inspection of one head uses the same rows.
  const Progress quiet;
  const PpSpread spread = inspectSpread(whole, {1, 0}, chosen({"3", "", ""}), quiet);
  const PpSpread reduced =
      inspectSpread(Reduced({3}, [](int, int) { return true; }), {1, 0}, chosen({}), quiet);
  EXPECT_EQ(spread.counts, reduced.counts);
}

TEST(RowSubsetRows, ConvergenceUsesTheChosenTexts) {
  Progress progress;
  const AnalysisFile runs = convergeCapture(WordyCapture(), chosen({"0,2", "", ""}), 2, progress);
  const AnalysisFile reduced =
      convergeCapture(Reduced({0, 2}, [](int, int) { return true; }), chosen({}), 2, progress);
  EXPECT_EQ(tablesOf(runs), tablesOf(reduced));
  EXPECT_EQ(runs.provenance.settings["examples"], "0,2");
}

// 60 tokens per text, L1H0 at every position, with losses.
class CompleteCapture : public WordyCapture {
 public:
  static constexpr int kTokens = 60;
  CompleteCapture() {
    CaptureLayerInfo& layer = editable().layerInfos.front();
    layer.denseQueryHeads = layer.denseKeyHeads = {0};
  }
  static float number(RowSet set, std::int64_t example, int t, int c) {
    return std::sin(static_cast<float>(t * (c + 2) + 5 * example) + (set == RowSet::DenseKey ? 1.0F : 0.0F));
  }
  CapturedRows denseRows(const RowPlace& place, std::int64_t example) const override {
    CapturedRows rows;
    rows.headDim = info().headDim;
    for (int t = 0; t < kTokens; ++t) {
      rows.position.push_back(t);
      rows.example.push_back(static_cast<std::int32_t>(example));
      rows.bucket.push_back(0);
      for (int c = 0; c < info().headDim; ++c) rows.vectors.push_back(number(place.set, example, t, c));
    }
    return rows;
  }
  std::vector<std::int32_t> tokenIds(std::int64_t) const override {
    std::vector<std::int32_t> ids;
    for (int t = 0; t < kTokens; ++t) ids.push_back(t % 20);
    return ids;
  }
  bool hasLosses() const override { return true; }
  TokenLosses losses(std::int64_t example) const override {
    TokenLosses losses;
    for (int t = 0; t < kTokens; ++t) {
      losses.nll.push_back(t == 0 ? NAN : static_cast<float>(t) / 8 + static_cast<float>(example));
      losses.firstPlace.push_back(t < 20 ? -1 : t - 20);
    }
    return losses;
  }
};

// Chosen queries attend to all keys before them.
TEST(RowSubsetRows, AttentionUsesTheChosenQueriesAndAllKeys) {
  const CompleteCapture whole;
  double entropy = 0, queries = 0, ofBin = 0;
  std::set<int> inBin;  // 16 of the 21 queries, evenly spaced
  for (int k = 0; k < 16; ++k) inBin.insert(20 + (2 * k + 1) * 21 / 32);
  for (const int text : {1, 3}) {
    for (int i = 20; i <= 40; ++i, ++queries) {
      std::vector<double> weights;
      double sum = 0;
      for (int j = 0; j <= i; ++j) {
        double score = 0;
        for (int c = 0; c < 8; ++c)
          score += 0.25 * static_cast<double>(CompleteCapture::number(RowSet::DenseQuery, text, i, c)) *
                   static_cast<double>(CompleteCapture::number(RowSet::DenseKey, text, j, c));
        weights.push_back(std::exp(score));
        sum += weights.back();
      }
      for (const double weight : weights) {
        entropy -= weight / sum * std::log(weight / sum);
        if (inBin.contains(i)) ofBin -= weight / sum * std::log(weight / sum);
      }
    }
  }
  const AnalysisFile analysis = analysisOf(whole, chosen({"1,3", "20..40", ""}));
  EXPECT_NEAR(analysis.find("heads")->numbers("attention_entropy")[0], entropy / queries, 1e-9);
  EXPECT_TRUE(std::isnan(analysis.find("heads")->numbers("attention_entropy")[1])) << "not at every position";
  const Table* softmax = analysis.find("softmax");
  ASSERT_NE(softmax, nullptr);
  EXPECT_EQ(softmax->integers("queries")[0], 2 * 16);
  EXPECT_NEAR(softmax->numbers("entropy")[0], ofBin / (2 * 16), 1e-9);
  EXPECT_EQ(softmax->integers("head").back(), 0) << "only the head at every position";
  // A list of keys has only the chosen ones.
  const auto subset = subsetOf(whole, chosen({"1,3", "20..40", ""}), ExampleNumbers::Dense);
  const CapturedRows keys = subset->denseRows({1, 0, RowSet::DenseKey}, 1);
  ASSERT_EQ(keys.position.size(), 21u);
  EXPECT_EQ(keys.position.front(), 20);
  EXPECT_THAT(keys.example, ::testing::Each(1));
  EXPECT_EQ(keys.vectors[3], CompleteCapture::number(RowSet::DenseKey, 3, 20, 3));
}

TEST(RowSubsetRows, LossesUseTheChosenTokens) {
  const AnalysisFile analysis = analysisOf(CompleteCapture(), chosen({"1,3", "20..40", ""}));
  const Table* loss = analysis.find("loss");
  ASSERT_NE(loss, nullptr);
  EXPECT_EQ(loss->integers("tokens")[0], 2 * 21);
  EXPECT_NEAR(loss->numbers("nll")[0], 30.0 / 8 + 2, 1e-6) << "mean over tokens 20 to 40 of texts 1 and 3";
  // One repeated passage per text first occurs among the chosen tokens: 40 at 20.
  EXPECT_EQ(loss->integers("tokens")[21], 2);
  EXPECT_NEAR(loss->numbers("nll")[21], 40.0 / 8 + 2, 1e-6);
  EXPECT_NEAR(loss->numbers("nll")[22], 20.0 / 8 + 2, 1e-6);
}

TEST(RowSubsetLists, SelectTextsPositionsAndTypes) {
  const WordyCapture capture;
  const CaptureInfo& info = capture.info();
  EXPECT_THAT(textsMeant("4,0-1,text 1", info), ElementsAre(0, 1, 4));
  EXPECT_THAT(textsMeant("3-99", info), ElementsAre(3, 4));
  EXPECT_THAT(textsMeant("", info), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(textList({0, 1, 3}, info), "0-1,3");
  EXPECT_EQ(textList({0, 1, 2, 3, 4}, info), "");
  EXPECT_THAT(*positionsMeant("5..5"), Pair(5, 5));
  EXPECT_THAT(typesMeant("space,number"), ElementsAre(TokenType::Number, TokenType::Space));
  for (const char* wrong : {"5", "text 9", "-1", "2-1", "1.5"})
    EXPECT_THROW(textsMeant(wrong, info), UsageError) << wrong;
  for (const char* wrong : {"5", "9..3", "..4", "a..b", "-3..4"}) {
    EXPECT_THROW(positionsMeant(wrong), UsageError) << wrong;
    EXPECT_THROW(AnalysisSettings::fromJson({{"positions", wrong}}), UsageError) << wrong;
  }
  EXPECT_THROW(AnalysisSettings::fromJson({{"token_types", "numbers"}}), UsageError);
  EXPECT_THROW(analysisOf(test::MemoryCapture(), chosen({"", "", "number"})), InputError) << "no token texts";
}

}  // namespace
}  // namespace plastiscope
