// Inference over texts equals results of NumPy and SciPy (tests/data/compare/make_text_inference.py), and has
// the expected rates of false and true detections.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/base/random.h"
#include "core/compare/compare_matrix.h"
#include "core/compare/compared_losses.h"
#include "core/compare/comparison_tables.h"
#include "core/compare/measures.h"
#include "core/compare/text_inference.h"
#include "tests/compare/compared_data.h"

namespace plastiscope::test {
namespace {

const Json& expectedTests() {
  static const Json json = readJsonFile(compareData("text_inference.json"));
  return json;
}

const char* const kTested[] = {"ap_aligned", "ap_aligned_drop", "r_q"};

// An analysis with the values of a capture in the file.
ComparisonInput analysisOf(const Json& capture, const std::string& name) {
  auto analysis = std::make_shared<AnalysisFile>();
  analysis->provenance.capture =
      Json{{"model", name},  {"architecture", "llama"}, {"layers", 6},   {"query_heads", 1},
           {"key_heads", 1}, {"head_dim", 8},           {"window", 4096}};
  analysis->provenance.settings = Json::object();
  std::vector<Column> columns = {integers("layer"), integers("head")};
  for (const char* metric : kTested) columns.push_back(numbers(metric));
  TableBuilder heads("heads", columns);
  columns.insert(columns.begin() + 2, {integers("group"), integers("texts")});
  TableBuilder jackknife("jackknife", columns);
  const Json& values = capture["values"];
  for (std::size_t h = 0; h < values["r_q"]["all"].size(); ++h) {
    const auto layer = static_cast<std::int64_t>(h);
    std::vector<plastiscope::Cell> cells = {layer, std::int64_t{0}};
    for (const char* metric : kTested) cells.emplace_back(values[metric]["all"][h].get<double>());
    heads.row(cells);
    for (std::size_t g = 0; g < values["r_q"]["without"][h].size(); ++g) {
      cells = {layer, std::int64_t{0}, static_cast<std::int64_t>(g), std::int64_t{1}};
      for (const char* metric : kTested) cells.emplace_back(values[metric]["without"][h][g].get<double>());
      jackknife.row(cells);
    }
  }
  TableBuilder table("texts",
                     {integers("text"), texts("id"), integers("tokens"), texts("sha256"), integers("group")});
  for (std::size_t e = 0; e < capture["texts"].size(); ++e)
    table.row({static_cast<std::int64_t>(e), capture["texts"][e].get<std::string>(), std::int64_t{4096},
               std::string("00"), capture["group"][e].get<std::int64_t>()});
  const Table profile{"profile",
                      {integers("layer"), integers("head"), integers("bin"), numbers("start"), numbers("end"),
                       numbers("tau"), integers("queries"), integers("pairs_used"), numbers("ap")}};
  analysis->tables = {heads.take(), jackknife.take(), table.take(), profile};
  return {name, name + ".analysis.h5", analysis};
}

Comparison comparisonOf(const std::string& name, DifferencesOver over = DifferencesOver::ByTexts) {
  ComparisonOptions options;
  options.interval = over;
  const Json& one = expectedTests()[name];
  return makeComparison({analysisOf(one["first"], "first"), analysisOf(one["other"], "other")}, options);
}

void expectCell(const Table& table, const std::string& column, std::size_t row, const Json& wanted) {
  const double found = table.numbers(column)[row];
  if (wanted.is_null())
    EXPECT_TRUE(std::isnan(found)) << column;
  else
    EXPECT_NEAR(found, wanted.get<double>(), 1e-10) << table.texts("metric")[row] << " " << column;
}

class TextTests : public ::testing::TestWithParam<const char*> {};  // parameter: "same" or "different" texts

TEST_P(TextTests, MeansOverHeadsAgreeWithSciPy) {
  for (const DifferencesOver over : {DifferencesOver::ByTexts, DifferencesOver::ByTextsAndHeads}) {
    const bool crossed = over == DifferencesOver::ByTextsAndHeads;
    const Table table = pairedTable(comparisonOf(GetParam(), over));
    for (const auto& [metric, wanted] : expectedTests()[GetParam()][crossed ? "crossed" : "texts"].items()) {
      const std::size_t row = rowWhere(table, {{"metric", metric}});
      for (const char* column : {"mean_difference", "low", "high", "p", "equivalent_p"})
        expectCell(table, column, row, wanted[column]);
      EXPECT_EQ(table.texts("verdict")[row], wanted["verdict"]) << metric;
      EXPECT_EQ(table.texts("interval_over")[row], crossed ? "texts and heads" : "texts");
      if (!crossed) expectCell(table, "p_adjusted", row, wanted["p_adjusted"]);
    }
  }
}

TEST_P(TextTests, AdjustsPValuesOverHeads) {
  const Table table = pairedHeadTestsTable(comparisonOf(GetParam()));
  const Json& wanted = expectedTests()[GetParam()]["heads_p_adjusted"];
  for (std::size_t h = 0; h < wanted.size(); ++h) {
    const std::size_t row = rowWhere(table, {{"layer", std::to_string(h)}, {"metric", "ap_aligned"}});
    EXPECT_NEAR(table.numbers("p_adjusted")[row], std::max(wanted[h].get<double>(), table.numbers("p")[row]),
                1e-10);
    const double low = table.numbers("low")[row], high = table.numbers("high")[row];
    EXPECT_EQ(table.texts("verdict")[row] == "different", low > 0 || high < 0);
    EXPECT_EQ(table.texts("verdict")[row].starts_with("equivalent within"), false)
        << "no interval is that narrow";
  }
}

INSTANTIATE_TEST_SUITE_P(Texts, TextTests, ::testing::Values("same", "different"));

TEST(TextInference, ChangesNumbersAndMatrixHaveTheSameIntervals) {
  const Comparison comparison = comparisonOf("same");
  const Json& wanted = expectedTests()["same"]["texts"]["ap_aligned_drop"];
  const Table changes = trajectoryTable(comparison);
  const std::size_t row = rowWhere(changes, {{"model", "other"}, {"metric", "ap_aligned_drop"}});
  expectCell(changes, "change_first_low", row, wanted["low"]);
  expectCell(changes, "change_previous_high", row, wanted["high"]);
  const std::vector<KeyNumber> numbers = keyNumbers(comparison, "ap_aligned_drop");
  EXPECT_NEAR(numbers.front().low[1], wanted["low"].get<double>(), 1e-10);
  EXPECT_EQ(numbers.front().over[1] + " " + numbers.front().verdict[1], "texts different");
  std::vector<std::shared_ptr<const Study>> studies;
  for (const ComparedModel& model : comparison.models)
    studies.push_back(std::make_shared<Study>(Study{nullptr, model.analysis, model.name, model.name, {}}));
  MatrixChoice choice;
  choice.metric = "ap_aligned_drop";
  choice.rows = {MatrixRow::Numbers};
  const CompareMatrix matrix = makeMatrix(comparison, studies, choice);
  ASSERT_FALSE(matrix.numbers.empty());
  EXPECT_NEAR(matrix.numbers.front().difference[1].interval.high, wanted["high"].get<double>(), 1e-10);
  EXPECT_TRUE(matrix.hasTextIntervals(MatrixRow::Numbers));
}

TEST(TextInference, ACaptureIsEquivalentToItself) {
  const Json& first = expectedTests()["same"]["first"];
  const Table table = pairedTable(makeComparison({analysisOf(first, "first"), analysisOf(first, "other")}));
  const std::size_t row = rowWhere(table, {{"metric", "ap_aligned"}});
  EXPECT_EQ(table.texts("verdict")[row], "equivalent within 0.02");
  EXPECT_EQ(table.numbers("p")[row], 1);
  EXPECT_EQ(table.texts("verdict")[rowWhere(table, {{"metric", "r_q"}})], "no difference shown")
      << "r_q has no margin";
}

TEST(TextInference, DifferentGroupsAreDifferentTexts) {
  TextValue first{0.5,
                  {0.01, -0.01, 0.02},
                  std::make_shared<TextGroups>(TextGroups{{"a", "b", "c"}, {0, 1, 2}, {2, 2, 2}})};
  TextValue other = first;
  EXPECT_EQ(differenceOf(first, other).sets.size(), 1U);
  other.texts = std::make_shared<TextGroups>(TextGroups{{"a", "b", "d"}, {0, 1, 2}, {2, 2, 2}});
  EXPECT_EQ(differenceOf(first, other).sets.size(), 2U);
}

TEST(TextInference, TestsLossesOverTexts) {
  const auto withLosses = [](ComparisonInput input, std::vector<double> nll) {
    AnalysisFile file = *input.analysis;
    double mean = 0;
    TableBuilder table("loss_texts", {integers("text"), texts("part"), integers("from"), integers("to"),
                                      integers("tokens"), numbers("nll")});
    for (std::size_t e = 0; e < nll.size(); ++e) {
      mean += nll[e] / static_cast<double>(nll.size());
      for (const char* part : {"all", "position"})
        table.row({static_cast<std::int64_t>(e), std::string(part), std::int64_t{0}, std::int64_t{10},
                   std::int64_t{10}, nll[e]});
    }
    file.tables.push_back(table.take());
    TableBuilder losses(
        "loss", {texts("part"), integers("from"), integers("to"), integers("tokens"), numbers("nll")});
    for (const char* part : {"all", "position"})
      losses.row({std::string(part), std::int64_t{0}, std::int64_t{10}, std::int64_t{50}, mean});
    file.tables.push_back(losses.take());
    input.analysis = std::make_shared<AnalysisFile>(std::move(file));
    return input;
  };
  Json capture = expectedTests()["same"]["first"];
  std::vector<double> before(10, 2.0), after(10, 2.2);
  after[0] = 2.1;
  after[1] = 2.3;
  const Comparison comparison = makeComparison(
      {withLosses(analysisOf(capture, "first"), before), withLosses(analysisOf(capture, "other"), after)});
  const ComparedLosses losses = compareLosses(comparison);
  const ComparedLoss less = lossDifference(losses.models[0], losses.models[1]);
  // Differences of texts with the mean 0.2 and the standard error sqrt(0.02 / 9 / 10); t of nine degrees.
  const double half = 2.2621571628540993 * std::sqrt(0.02 / 90);
  EXPECT_NEAR(less.ofAll.test.interval.low, 0.2 - half, 1e-12);
  EXPECT_NEAR(less.texts.at(0).test.interval.high, 0.2 + half, 1e-12);
  EXPECT_EQ(perplexityChange(losses.models[0], losses.models[1]),
            "perplexity 7.389 \u2192 9.025, loss +0.2000 nats per token, 95 % over texts +0.1663 to +0.2337: "
            "different");
  const Table table = lossTable(comparison);
  EXPECT_EQ(table.texts("verdict")[rowWhere(table, {{"model", "other"}, {"part", "position"}})], "different");
}

// ---- Random halves

class Normal {
 public:
  explicit Normal(std::uint64_t seed) : m_generator(combine(kSeedStart, mix64(seed))) {}
  double next() {
    const auto uniform = [this] { return (static_cast<double>(m_generator.next() >> 11) + 0.5) * 0x1p-53; };
    const double size = std::sqrt(-2 * std::log(uniform()));
    return size * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  PairGenerator m_generator;
};

constexpr std::size_t kHeads = 30, kTexts = 20;
// Plasticity of every head in every text: effects of head, text and both.
std::vector<std::vector<double>> drawn(Normal& normal) {
  std::vector<double> ofText(kTexts);
  for (double& text : ofText) text = 0.02 * normal.next();
  std::vector<std::vector<double>> values(kHeads, std::vector<double>(kTexts));
  for (auto& head : values) {
    const double own = 0.5 + 0.15 * normal.next();
    for (std::size_t e = 0; e < kTexts; ++e) head[e] = own + ofText[e] + 0.03 * normal.next();
  }
  return values;
}

// For texts [from, to): the mean over heads, and the same with each text left out.
TextValue halfOf(const std::vector<std::vector<double>>& values, std::size_t from, std::size_t to) {
  const auto count = static_cast<double>(to - from);
  auto groups = std::make_shared<TextGroups>();
  std::vector<double> means;
  std::vector<std::vector<double>> apart;
  for (std::size_t e = from; e < to; ++e) {
    groups->texts.push_back(std::to_string(e));
    groups->group.push_back(e - from);
    groups->weight.push_back(count - 1);
  }
  for (const auto& head : values) {
    double sum = 0;
    for (std::size_t e = from; e < to; ++e) sum += head[e];
    means.push_back(sum / count);
    auto& own = apart.emplace_back();
    for (std::size_t e = from; e < to; ++e) own.push_back(sum / count - (sum - head[e]) / (count - 1));
  }
  std::vector<TextValue> heads;
  for (std::size_t h = 0; h < values.size(); ++h) heads.push_back({means[h], apart[h], groups});
  return overHeads(heads);
}

int foundIn(int tries, double shift) {
  int found = 0;
  for (int i = 0; i < tries; ++i) {
    Normal normal(static_cast<std::uint64_t>(i));
    const auto values = drawn(normal);
    TextValue first = halfOf(values, 0, kTexts / 2), other = halfOf(values, kTexts / 2, kTexts);
    other.value += shift;
    found += testOf(differenceOf(first, other)).verdict == kDifferent;
  }
  return found;
}

TEST(RandomHalves, DifferInFivePerCent) {
  const int found = foundIn(400, 0);
  EXPECT_GE(found, 12) << "3 %";
  EXPECT_LE(found, 32) << "8 %";
  RecordProperty("found", found);
}

TEST(RandomHalves, DetectAShiftOfThreeHundredths) {
  EXPECT_GE(foundIn(400, 0.03), 320);
}

}  // namespace
}  // namespace plastiscope::test
