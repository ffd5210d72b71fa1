// Head scores computed while a layer runs: those of transformers' attention weights (tests/data/scores), the
// same for any number of threads and chunk, without an effect on the rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numeric>
#include <sstream>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/forward/forward.h"
#include "core/model/model.h"
#include "tests/forward/golden_cases.h"

namespace plastiscope::testing_support {
namespace {

const std::filesystem::path kScoreData = PLASTISCOPE_TEST_DATA;

// Scores all heads at these positions.
class ScoringSink : public KeepingSink {
 public:
  ScoringSink(const ModelSpec& spec, const std::vector<std::int32_t>& positions)
      : KeepingSink(spec, positions, {CapturePoint::PostRope}), m_positions(positions) {}
  std::vector<std::int32_t> scoredQueries(std::int64_t, std::int64_t) const override {
    std::vector<std::int32_t> queries = m_positions;
    std::erase(queries, 0);
    return queries;
  }
  void takeScores(std::int64_t layer, std::int64_t example, TextScores taken) override {
    scores[{layer, example}] = std::move(taken);
  }
  std::map<std::pair<std::int64_t, std::int64_t>, TextScores> scores;  // by layer and example

 private:
  std::vector<std::int32_t> m_positions;
};

ForwardOptions scoringWith(int threads = 2, std::int64_t chunk = 1024, const std::string& dtype = "float32") {
  ForwardOptions options;
  options.device = testDevice();
  options.dtype = dtype;
  options.threads = threads;
  options.queryChunk = chunk;
  return options;
}

class HeadScores : public testing::TestWithParam<const char*> {};

TEST_P(HeadScores, EqualTransformersAttention) {
  const auto model = openModel(kScoreData / "families" / GetParam());
  const Json expected =
      parseJson(readFile(kScoreData / "scores" / "expected.json"), {})["attention"][GetParam()];
  std::vector<TokenSequence> texts;
  std::istringstream lines(readFile(kScoreData / "scores" / "tokens.jsonl"));
  for (std::string line; std::getline(lines, line);)
    texts.push_back({std::ssize(texts), parseJson(line, {})["tokens"].get<std::vector<std::int32_t>>()});
  const std::vector<std::pair<const char*, HeadScore>> columns = {
      {"attention_entropy", HeadScore::Entropy},           {"attention_distance", HeadScore::Distance},
      {"first_token_attention", HeadScore::FirstToken},    {"recent_attention", HeadScore::Recent},
      {"previous_token_score", HeadScore::PreviousToken},  {"induction_score", HeadScore::Induction},
      {"duplicate_token_score", HeadScore::DuplicateToken}};
  std::map<std::string, std::pair<double, double>> means;  // "L0H0 column" -> sum, queries
  for (const TokenSequence& text : texts) {
    std::vector<std::int32_t> every(text.tokens.size());
    std::iota(every.begin(), every.end(), 0);
    ScoringSink sink(model->spec, every);
    runGroup(model, {text}, sink, scoringWith());
    for (const auto& [place, scores] : sink.scores) {
      EXPECT_EQ(scores.queries.all, std::ssize(text.tokens) - 1);
      for (std::size_t head = 0; head < scores.heads.size(); ++head) {
        for (const auto& [name, score] : columns) {
          auto& [sum, queries] =
              means["L" + std::to_string(place.first) + "H" + std::to_string(head) + " " + name];
          sum += scores.heads[head][indexOf(score)];
          queries += scores.queries.of(score);
        }
      }
    }
  }
  std::size_t compared = 0;
  for (const auto& [head, values] : expected.items()) {
    for (const auto& [name, value] : values.items()) {
      const auto [sum, queries] = means.at(head + " " + name);
      const double wanted = value.get<double>();
      EXPECT_NEAR(sum / queries, wanted, 2e-5 * std::max(1.0, std::abs(wanted))) << head << " " << name;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 16 * columns.size());
}

INSTANTIATE_TEST_SUITE_P(Families, HeadScores,
                         testing::Values("gemma2", "qwen3", "granite", "gpt_oss", "mistral"));

// Positions in two chunks, few enough that single rows are computed in the last two layers.
const std::vector<std::int32_t> kScoredPositions = {0, 3, 700, 1023, 1024, 1500, 2047, 2048, 2100, 2199};

class ScoredRowsOf : public testing::TestWithParam<const char*> {};

TEST_P(ScoredRowsOf, AreThoseWithoutScores) {
  const auto model = openModel(kScoreData / "families" / GetParam());
  const std::vector<TokenSequence> texts = {{0, goldenTokens(2200)}};
  for (const std::string dtype : {"float32", "bfloat16"}) {
    KeepingSink plain(model->spec, kScoredPositions, {CapturePoint::PostRope});
    runGroup(model, texts, plain, scoringWith(2, 1024, dtype));
    ScoringSink sink(model->spec, kScoredPositions);
    runGroup(model, texts, sink, scoringWith(2, 1024, dtype));
    EXPECT_TRUE(sink.rows == plain.rows) << dtype;
    EXPECT_FALSE(sink.scores.empty());
  }
}

TEST_P(ScoredRowsOf, HaveTheSameScoresForAnyThreadsAndChunks) {
  const auto model = openModel(kScoreData / "families" / GetParam());
  const std::vector<TokenSequence> texts = {{0, goldenTokens(2200)}, {1, goldenTokens(2201)}};
  const auto scoresOf = [&](int threads, std::int64_t chunk) {
    ScoringSink sink(model->spec, kScoredPositions);
    runGroup(model, texts, sink, scoringWith(threads, chunk));
    std::vector<double> all;
    for (const auto& [place, scores] : sink.scores) {
      for (const ScoreSums& sums : scores.heads) all.insert(all.end(), sums.begin(), sums.end());
    }
    return all;
  };
  const std::vector<double> one = scoresOf(1, 1024);
  EXPECT_FALSE(one.empty());
  EXPECT_EQ(one, scoresOf(4, 1024));
  EXPECT_EQ(one, scoresOf(3, 2048));
}

INSTANTIATE_TEST_SUITE_P(Families, ScoredRowsOf,
                         testing::Values("gemma2", "gpt_oss", "olmo2", "qwen3_next", "granitemoehybrid"));

}  // namespace
}  // namespace plastiscope::testing_support
