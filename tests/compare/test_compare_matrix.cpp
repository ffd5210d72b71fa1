// The matrix of a comparison: differences with their intervals, cells with the axes of their row, published
// models as columns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string_view>

#include "core/base/error.h"
#include "core/compare/compare_matrix.h"
#include "core/compare/published_figures.h"
#include "core/figures/matrix_figures.h"
#include "tests/compare/compared_data.h"
#include "tests/views/literal_study.h"

namespace plastiscope::test {
namespace {

// Makes the matrix as the window and `render` do: from studies, in their order.
struct Made {
  Comparison comparison;
  CompareMatrix matrix;
};

std::shared_ptr<const Study> study(const std::string& name) {
  if (publishedIdOf(name)) return publishedStudy(name);
  return std::make_shared<const Study>(Study{nullptr, inputOf(name).analysis, name, name + ".h5", {}});
}

Made make(const std::vector<std::string>& names, const MatrixChoice& choice = {},
          const std::vector<std::string>& shown = {}) {
  std::vector<std::shared_ptr<const Study>> studies;
  std::vector<ComparisonInput> inputs;
  for (const std::string& name : names) {
    studies.push_back(study(name));
    inputs.push_back({"", studies.back()->file, studies.back()->analysis});
    if (!shown.empty()) inputs.back().name = shown.at(inputs.size() - 1);
  }
  Made made{makeComparison(inputs), {}};
  made.matrix = makeMatrix(made.comparison, studies, choice);
  return made;
}

const MatrixNumber& numberOf(const CompareMatrix& matrix, std::string_view column) {
  const auto found = std::ranges::find_if(
      matrix.numbers, [&](const MatrixNumber& number) { return number.metric.column == column; });
  if (found == matrix.numbers.end()) throw std::runtime_error("no " + std::string(column));
  return *found;
}

TEST(MatrixDifference, IndependentMeansAddFacingIntervalSidesInQuadrature) {
  const MatrixEstimate difference = unpairedDifference({0.5, {0.46, 0.53}}, {0.7, {0.67, 0.75}});
  EXPECT_NEAR(difference.value, 0.2, 1e-12);
  EXPECT_NEAR(difference.interval.low, 0.2 - std::hypot(0.03, 0.03), 1e-12);
  EXPECT_NEAR(difference.interval.high, 0.2 + std::hypot(0.05, 0.04), 1e-12);
  EXPECT_EQ(difference.verdict, kDifferent);
  EXPECT_EQ(difference.over, IntervalOver::Examples);
  const MatrixEstimate published = unpairedDifference({0.5, {}}, {0.7, {0.67, 0.75}});
  EXPECT_NEAR(published.value, 0.2, 1e-12);
  EXPECT_EQ(published.verdict, "") << "a published number has no interval";
}

TEST(CompareMatrix, TheFirstColumnIsTheBaselineOfEveryRow) {
  const auto [comparison, matrix] = make({"a", "b"});
  ASSERT_EQ(matrix.columns.size(), 2U);
  EXPECT_TRUE(matrix.profileDifferences[0].bins.empty());
  EXPECT_FALSE(numberOf(matrix, "ap_overall").difference[0].isKnown());
  // Heads that both have, computed from the tables.
  const std::size_t metric = comparison.metric("ap_overall");
  double sum = 0, count = 0;
  for (std::size_t h = 0; h < comparison.models[1].heads.size(); ++h) {
    const auto& heads = comparison.models[0].heads;
    const auto same = std::ranges::find(heads, comparison.models[1].heads[h]);
    if (same == heads.end()) continue;
    const double less = comparison.models[1].values[metric][h] -
                        comparison.models[0].values[metric][static_cast<std::size_t>(same - heads.begin())];
    if (!std::isfinite(less)) continue;
    sum += less;
    count += 1;
  }
  EXPECT_NEAR(numberOf(matrix, "ap_overall").difference[1].value, sum / count, 1e-12);
  ASSERT_NE(matrix.gridDifferences[1], nullptr);
  EXPECT_EQ(matrix.gridDifferences[0], nullptr);
  const Table table = tableOf(matrix);
  const std::size_t row = rowWhere(table, {{"row", "numbers"}, {"model", "b"}, {"place", "ap_overall"}});
  EXPECT_NEAR(table.numbers("difference")[row], sum / count, 1e-12);
}

// Over the heads that both have, values and differences add up.
TEST(CompareMatrix, DifferencesAddUpOverOneSetOfHeads) {
  std::vector<ComparisonInput> inputs = {inputOf("a"), inputOf("b")};
  ComparisonOptions options;
  options.commonHeads = true;
  const Comparison whole = makeComparison(inputs), common = makeComparison(inputs, options);
  ASSERT_NE(whole.models[0].heads, whole.models[1].heads);
  EXPECT_EQ(common.models[0].heads, commonHeads(whole));
  EXPECT_EQ(common.models[1].heads, commonHeads(whole));
  EXPECT_EQ(common.models[1].facts.queryHeads, whole.models[1].facts.queryHeads);
  EXPECT_EQ(common.models[0].whole, inputs[0].analysis);
  const auto matrixOf = [](const Comparison& comparison) {
    return makeMatrix(comparison, {study("a"), study("b")}, {});
  };
  const CompareMatrix apart = matrixOf(whole), together = matrixOf(common);
  EXPECT_THAT(together.notes[0], testing::HasSubstr(" of "));
  const auto gap = [](const CompareMatrix& matrix, const char* metric) {
    const MatrixNumber& number = numberOf(matrix, metric);
    return number.value[1].value - number.value[0].value - number.difference[1].value;
  };
  for (const char* metric : {"ap_overall", "ap_drop"}) EXPECT_NEAR(gap(together, metric), 0, 1e-12);
  EXPECT_GT(std::fabs(gap(apart, "ap_overall")), 1e-6);
  const auto &first = together.profiles.models[0], &other = together.profiles.models[1];
  const auto all = std::ssize(common.models[0].heads);
  for (std::size_t bin = 0; bin < other.mean.size(); ++bin) {
    if (first.meanHeads[bin] < all || other.meanHeads[bin] < all) continue;  // some have no value there
    EXPECT_NEAR(together.profileDifferences[1].bins[bin].value, other.mean[bin] - first.mean[bin], 1e-12);
  }
  EXPECT_EQ(makeComparison({inputOf("a"), inputOf("c")}, options).models[0].heads.size(),
            commonHeads(makeComparison({inputOf("a"), inputOf("c")})).size());
}

// Every row gives the reason of an empty cell, for each kind of study.
TEST(CompareMatrix, EmptyCellsGiveTheReason) {
  MatrixChoice choice;
  choice.differences.insert(kMatrixRows.begin(), kMatrixRows.end());
  CompareMatrix matrix = make({"a", "published:qwen3-14b", "b"}, choice).matrix;
  const auto why = [&](MatrixRow row, std::size_t column) { return matrixCell(matrix, row, column).missing; };
  EXPECT_EQ(why(MatrixRow::Grid, 1), "No heads are published.");
  EXPECT_EQ(why(MatrixRow::Plane, 1), "No rows are published.");
  EXPECT_EQ(why(MatrixRow::Loss, 1), "No losses are published.");
  EXPECT_EQ(why(MatrixRow::Loss, 2), "Captured without losses (--loss).");
  EXPECT_EQ(why(MatrixRow::Plane, 0), "Only the analysis was opened, without the rows of its capture.");
  matrix.grids.grids[2] = nullptr;  // the analysis lacks the metric
  matrix.gridDifferences[2] = nullptr;
  EXPECT_EQ(why(MatrixRow::Grid, 2), "This analysis has no " + matrix.metric.label + ".");
  matrix.maps[2] = matrix.mapDifferences[2] = nullptr;
  EXPECT_EQ(why(MatrixRow::Map, 2), "This analysis has no map.");
  matrix.choice.ofHead = true;
  matrix.heads[2].reset();
  EXPECT_EQ(why(MatrixRow::Map, 2), "The head was not captured.");
  matrix = make({"published:qwen3-14b", "a"}, choice).matrix;
  EXPECT_EQ(why(MatrixRow::Grid, 1), "Baseline: No heads are published.");
}

TEST(CompareMatrix, MapsOfOtherWindowsAreComparedAtTheSameShare) {
  const auto [comparison, matrix] = make({"a", "c"});  // windows of 4,096 and 16,384 tokens
  ASSERT_NE(matrix.mapDifferences[1], nullptr);
  const MapData &a = *matrix.maps[0], &c = *matrix.maps[1], &less = *matrix.mapDifferences[1];
  EXPECT_EQ(less.window, c.window);
  // The first cell of the longer window lies in the first of the shorter one.
  ASSERT_GT(c.count[c.index(0, 0)], 0);
  ASSERT_GT(a.count[a.index(0, 0)], 0);
  EXPECT_NEAR(less.mean[less.index(0, 0)], c.mean[c.index(0, 0)] - a.mean[a.index(0, 0)], 1e-12);
}

TEST(CompareMatrix, ShowsAPublishedModelBesideOwnOnes) {
  for (const auto& names : {std::vector<std::string>{"a", "published:qwen3-14b"},
                            std::vector<std::string>{"published:qwen3-14b", "a"}}) {
    const auto [comparison, matrix] = make(names);
    const std::size_t published = names[0] == "a" ? 1 : 0;
    EXPECT_TRUE(comparison.models[published].published);
    EXPECT_EQ(matrix.heads[published], std::nullopt);
    EXPECT_EQ(matrix.grids.grids[published], nullptr);
    const ReferenceCurve quintiles = referenceQuintiles("qwen3-14b");
    for (std::size_t k = 0; k < 5; ++k)
      EXPECT_DOUBLE_EQ(matrix.profiles.models[published].quintiles.at(k),
                       quintiles.at(static_cast<double>(k) + 1));
    const MatrixNumber& overall = numberOf(matrix, "ap_overall");
    EXPECT_DOUBLE_EQ(overall.value[published].value, referenceNumber("qwen3-14b", "ap_overall").y.front());
    EXPECT_FALSE(overall.value[published].interval.known());
    EXPECT_NEAR(overall.difference[1].value, overall.value[1].value - overall.value[0].value, 1e-12);
    EXPECT_EQ(overall.difference[1].verdict, "");
    EXPECT_NE(matrix.maps[published], nullptr) << "one of the four whose map is published";
    EXPECT_FALSE(matrixCell(matrix, MatrixRow::Plane, published).missing.empty());
    EXPECT_TRUE(matrixCell(matrix, MatrixRow::Profile, published).missing.empty());
  }
}

TEST(CompareMatrix, ShowsPublishedModelsWithoutOwnOnes) {
  const auto [comparison, matrix] =
      make({"published:llama3.2-3b", "published:qwen3-4b", "published:lc2-20k"});
  EXPECT_EQ(leaderOf(comparison), nullptr);
  EXPECT_EQ(matrix.columns.size(), 3U);
  for (const MatrixRow row : kMatrixRows) {
    for (std::size_t column = 0; column < 3; ++column) {
      const MatrixCell cell = matrixCell(matrix, row, column);
      EXPECT_NE(cell.plot.boxes.empty(), cell.missing.empty()) << titleOf(row) << column;
    }
  }
  EXPECT_FALSE(matrix.shows(MatrixRow::Grid) || matrix.shows(MatrixRow::Plane)) << "no published values";
  EXPECT_TRUE(matrix.shows(MatrixRow::Map)) << "one of the three has a map";
  EXPECT_FALSE(make({"published:qwen3-4b", "published:qwen3-8b"}).matrix.shows(MatrixRow::Map));
  EXPECT_THROW(publishedStudy("published:qwen3-15b"), UsageError);
}

TEST(CompareMatrix, RowsHaveOneScaleOverAllColumns) {
  for (const bool less : {false, true}) {
    MatrixChoice choice;
    if (less) choice.differences.insert(kMatrixRows.begin(), kMatrixRows.end());
    const auto [comparison, matrix] = make({"a", "b", "c"}, choice);
    const Axis one = matrixCell(matrix, MatrixRow::Profile, 1).plot.boxes.front().y,
               other = matrixCell(matrix, MatrixRow::Profile, 2).plot.boxes.front().y;
    EXPECT_EQ(std::pair(one.low, one.high), std::pair(other.low, other.high));
    EXPECT_EQ(less, one.low < 0 && one.high > 0);
    for (const std::size_t column : {std::size_t{1}, std::size_t{2}}) {
      const MatrixCell cell = matrixCell(matrix, MatrixRow::Map, column);
      const auto& cells = std::get<CellMarks>(cell.plot.boxes.front().marks.front().kind);
      EXPECT_EQ(std::pair(cells.low, cells.high),
                less ? std::pair(-matrix.mapReach, matrix.mapReach) : std::pair(0.0, 1.0));
    }
  }
}

TEST(CompareMatrix, VeryManyColumnsHaveOnlyOverviewRows) {
  std::vector<std::string> names;
  for (const AtlasEntry& entry : publishedAtlas()) names.push_back(publishedInput(entry.model.id));
  names.insert(names.end(), {"a", "b", "c"});
  ASSERT_GT(names.size(), kMaxMatrixDetailed);
  const auto [comparison, matrix] = make(names);
  for (const MatrixRow row : kMatrixRows)  // none of these has losses
    EXPECT_EQ(matrix.shows(row), isOverview(row) && row != MatrixRow::Loss) << titleOf(row);
  EXPECT_EQ(matrixPlot(matrix, 22.5 * static_cast<double>(names.size())).panels.size(), 3 * names.size());
  try {
    matrixPlot(matrix, 396);
    FAIL() << "26 columns on 5.5 in";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "a matrix of 26 inputs needs a width of 8.1 in, found 5.5: set --size, or leave some out");
  }
}

// Beside its marker a long name would reach into the next column.
TEST(CompareMatrix, LongNamesContinueBelowTheMarker) {
  const auto [comparison, matrix] =
      make({"a", "b", "c"}, {}, {"Ministral-3-14B-Base-2512", "Qwen3-14B", "c"});
  const auto headOf = [&matrix = matrix](double width, std::size_t column) {
    const Plot plot = matrixPlot(matrix, width);
    std::vector<std::string> texts;
    for (const LegendEntry& entry : plot.panels.at(column).legend) texts.push_back(entry.text);
    return texts;
  };
  EXPECT_EQ(headOf(302, 0), (std::vector<std::string>{"Ministral-3-14B-", "Base-2512", "(baseline)"}));
  EXPECT_EQ(headOf(302, 1), std::vector<std::string>{"Qwen3-14B"});
  EXPECT_EQ(headOf(600, 0), std::vector<std::string>{"Ministral-3-14B-Base-2512"});
}

// Long common parts of names, such as "capture-1", would be cut off in narrow columns.
TEST(CompareMatrix, NarrowColumnsHaveShortNames) {
  std::vector<std::string> shown;
  for (int i = 1; i <= 12; ++i) shown.push_back("measurement-" + std::to_string(i));
  const auto [comparison, matrix] = make(std::vector<std::string>(12, "a"), {}, shown);
  const auto headOf = [&matrix = matrix](double width) {
    return matrixPlot(matrix, width).panels.front().legend;
  };
  const auto says = [](const std::vector<LegendEntry>& head, const std::string& text) {
    return std::ranges::any_of(head, [&](const LegendEntry& entry) { return entry.text == text; });
  };
  EXPECT_TRUE(says(headOf(300), "1"));
  EXPECT_FALSE(says(headOf(300), "measurement-"));
  EXPECT_TRUE(says(headOf(2000), "measurement-1"));
}

// Names that differ in the middle only.
TEST(CompareMatrix, ShortNamesStayDifferent) {
  EXPECT_EQ(
      shortNames(
          {"Ministral-3-3B-Base-2512", "Ministral-3-14B-Base-2512", "Qwen3-0.6B", "Mistral-7B-Instruct-v0.2"},
          15),
      (std::vector<std::string>{"Ministral-3-3B", "Ministral-3-14B", "Qwen3-0.6B", "Mistral\u2026ct-v0.2"}));
}

// Twenty stretches of 200 tokens, each with the given loss.
AnalysisFile withLosses(const AnalysisFile& analysis, const std::function<double(int)>& nllOf) {
  AnalysisFile made = analysis;
  TableBuilder table("loss", {texts("part"), integers("from"), integers("to"), integers("tokens"),
                              numbers("nll"), numbers("perplexity")});
  const auto add = [&](const char* part, std::int64_t from, std::int64_t to, double nll) {
    table.row({std::string(part), from, to, std::int64_t{70}, nll, std::exp(nll)});
  };
  add("all", 0, 4000, 2.5);
  for (int i = 0; i < 20; ++i) add("position", i * 200, (i + 1) * 200, nllOf(i));
  add("repeated", 0, 4000, nllOf(-1));
  add("first_occurrence", 0, 4000, 2.75);
  made.tables.push_back(table.take());
  return made;
}

TEST(CompareMatrix, ShowsLossesWhenACaptureHasThem) {
  std::vector<ComparisonInput> inputs = {inputOf("a"), inputOf("b"), inputOf("c")};
  const auto losses = [](double more) {
    return [more](int part) { return part < 0 ? 0.5 + more : 3 - 0.0625 * part + more * part; };
  };
  inputs[0].analysis = std::make_shared<AnalysisFile>(withLosses(*inputs[0].analysis, losses(0)));
  inputs[1].analysis = std::make_shared<AnalysisFile>(withLosses(*inputs[1].analysis, losses(0.125)));
  const Comparison comparison = makeComparison(inputs);
  const ComparedLosses data = compareLosses(comparison);
  ASSERT_EQ(data.models.size(), 3U);
  EXPECT_FALSE(data.models[2].known());
  EXPECT_EQ(data.baseline(), &data.models[0]);
  const ComparedLoss less = lossDifference(data.models[0], data.models[1]);
  for (int i = 0; i < 20; ++i) EXPECT_DOUBLE_EQ(less.nll[static_cast<std::size_t>(i)], 0.125 * i);
  EXPECT_DOUBLE_EQ(less.repeated, 0.125);
  EXPECT_DOUBLE_EQ(less.all, 0);

  std::vector<std::shared_ptr<const Study>> studies(3);
  for (std::size_t i = 0; i < 3; ++i) {
    auto study = std::make_shared<Study>();
    study->analysis = inputs[i].analysis;
    studies[i] = study;
  }
  MatrixChoice choice;
  choice.differences = {MatrixRow::Loss};
  const CompareMatrix matrix = makeMatrix(comparison, studies, choice);
  ASSERT_TRUE(matrix.shows(MatrixRow::Loss));
  EXPECT_EQ(matrixCell(matrix, MatrixRow::Loss, 0).note, "<b>2.5000</b> \u00b7 seen before 0.5000");
  EXPECT_EQ(matrixCell(matrix, MatrixRow::Loss, 1).note, "<b>0.0000</b> \u00b7 seen before +0.1250");
  EXPECT_FALSE(matrixCell(matrix, MatrixRow::Loss, 2).missing.empty());
  const Table table = tableOf(matrix);
  const std::size_t row = rowWhere(table, {{"row", "loss"}, {"model", "b"}, {"place", "400 600"}});
  EXPECT_DOUBLE_EQ(table.numbers("value")[row], 3 - 0.125 + 0.25);
  EXPECT_DOUBLE_EQ(table.numbers("difference")[row], 0.25);

  const Plot plot = lossPlot(data);
  ASSERT_EQ(plot.boxes.size(), 2U);
  ASSERT_EQ(plot.legend.size(), 1U) << "b less a; c has none";
  EXPECT_EQ(plot.legend.front().detail, " (0.0000; seen before +0.1250)");
  ComparedLosses many = data;
  while (many.models.size() < 12) many.models.push_back(data.models[1]);
  const Plot named = lossPlot(many);
  EXPECT_TRUE(named.legend.empty()) << "names stand at the ends of 10 lines";
  EXPECT_EQ(named.boxes.front().beside.size(), 1U);
  const Table own = tableOf(data);
  const std::size_t repeated = rowWhere(own, {{"model", "b"}, {"part", "repeated"}});
  EXPECT_DOUBLE_EQ(own.numbers("difference")[repeated], 0.125);
  EXPECT_DOUBLE_EQ(own.numbers("perplexity")[repeated], std::exp(0.625));
  EXPECT_EQ(perplexityChange(data.models[0], data.models[1]),
            "perplexity 12.182 \u2192 12.182, loss 0.0000 nats per token");  // e^2.5 both
  EXPECT_EQ(perplexityChange(data.models[0], data.models[2]), "") << "c has none";
}

TEST(CompareMatrix, SmallDifferencesKeepTheirDigits) {
  std::vector<ComparisonInput> inputs;
  std::vector<std::shared_ptr<const Study>> studies;
  for (const double value : {0.614, 0.6144}) {
    inputs.push_back(inputOf("a"));
    AnalysisFile analysis = *inputs.back().analysis;
    Table& heads = analysis.tables.front();
    for (int k = 1; k <= 5; ++k)
      heads.columns.push_back({"ap_quintile_" + std::to_string(k), std::vector<double>(heads.rows(), value)});
    inputs.back().analysis = std::make_shared<AnalysisFile>(std::move(analysis));
    studies.push_back(std::make_shared<Study>(Study{nullptr, inputs.back().analysis, "a", "a.h5", {}}));
  }
  MatrixChoice choice;
  choice.differences = {MatrixRow::Quintiles};
  const Comparison comparison = makeComparison(inputs);
  const CompareMatrix matrix = makeMatrix(comparison, studies, choice);
  const auto numbers = [&matrix](std::size_t column) {
    const MatrixCell cell = matrixCell(matrix, MatrixRow::Quintiles, column);
    EXPECT_EQ(cell.missing, "");
    return cell.plot.boxes.empty() ? std::vector<std::string>(5)
                                   : std::get<BarMarks>(cell.plot.boxes.front().marks.front().kind).numbers;
  };
  EXPECT_EQ(numbers(0), std::vector<std::string>(5, ".614"));
  EXPECT_EQ(numbers(1), std::vector<std::string>(5, ".00040"));
}

TEST(CompareMatrix, CursorHasTheSameRelativePositionInAllColumns) {
  const auto [comparison, matrix] = make({"a", "c"});
  MatrixCursor cursor;
  cursor.position = 0.5;
  for (const std::size_t column : {std::size_t{0}, std::size_t{1}}) {
    const auto [plot, note, missing] = matrixCell(matrix, MatrixRow::Profile, column, cursor);
    EXPECT_THAT(note, testing::StartsWith(column == 0 ? "<b>2,048</b> 0." : "<b>8,192</b> 0."))
        << "the value at the same share of each window";
    const auto rule = std::ranges::find_if(plot.boxes.front().marks, [](const Mark& mark) {
      const auto* rules = std::get_if<RuleMarks>(&mark.kind);
      return rules != nullptr && rules->vertical;
    });
    ASSERT_NE(rule, plot.boxes.front().marks.end());
    EXPECT_EQ(std::get<RuleMarks>(rule->kind).at, Values{0.5});
  }
}

TEST(CompareMatrix, MatchesHeadsByTheChosenRule) {
  Comparison comparison = compareLetters("ac");
  EXPECT_EQ(headMatchingOf(comparison), HeadMatching::SameHead);
  comparison.matching = HeadMatching::RelativeDepth;
  EXPECT_EQ(headMatchingOf(comparison), HeadMatching::RelativeDepth);
}

TEST(CompareMatrix, LargePlanesShowEvenlySpreadRows) {
  const auto rowsOf = [](const RowPlace& place) {
    CapturedRows rows;
    rows.headDim = 4;
    const int count = place.set == RowSet::Query ? 9000 : 100;
    for (int t = 0; t < count; ++t) {
      rows.position.push_back(t);
      rows.example.push_back(0);
      rows.bucket.push_back(0);
      for (const float c : {static_cast<float>(t), 0.F, 0.F, 0.F}) rows.vectors.push_back(c);
    }
    return rows;
  };
  auto one = std::make_shared<Study>();
  one->capture = std::make_shared<LiteralCapture>(std::vector<std::string>{"first"}, rowsOf);
  one->analysis = literalAnalysis();
  MatrixChoice choice;
  choice.head = HeadName{0, 1};
  const Comparison comparison = makeComparison({{"", "literal.h5", one->analysis}});
  const CompareMatrix matrix = makeMatrix(comparison, {one}, choice);
  ASSERT_EQ(matrix.planes.size(), 1U);
  const PlaneRows& query = matrix.planes[0]->query;
  ASSERT_EQ(query.size(), 4000U);
  EXPECT_EQ(query.position[1000], 2250);
  EXPECT_FLOAT_EQ(query.x[1000] - query.x[0], 2250);
  EXPECT_NEAR(query.centroid.x - query.x[0], 4499.5, 0.01) << "mean of all rows";
  EXPECT_EQ(matrix.planes[0]->key.size(), 100U);
}

TEST(CompareOrder, CheckpointsFollowTheRunAndEqualSizesTheirNames) {
  const auto sorted = [](const std::vector<std::string>& ids, CompareOrder order) {
    std::vector<ComparisonInput> inputs;
    for (const std::string& id : ids) inputs.push_back({"", "", study("published:" + id)->analysis});
    Comparison comparison = makeComparison(inputs);
    sortModels(comparison, order);
    std::vector<std::string> names;
    for (const ComparedModel& model : comparison.models) names.push_back(model.reference->id);
    return names;
  };
  EXPECT_THAT(sorted({"lc1-20k", "lc2-4k", "s3-4720k", "lc1-4k", "s1-40k", "s1-1200k"}, CompareOrder::Name),
              testing::ElementsAre("s1-40k", "s1-1200k", "s3-4720k", "lc1-4k", "lc1-20k", "lc2-4k"));
  EXPECT_THAT(sorted({"qwen3-1.7b", "qwen3-0.6b"}, CompareOrder::Size),
              testing::ElementsAre("qwen3-0.6b", "qwen3-1.7b"))
      << "equal numbers of heads of one size";
}

TEST(CompareOrder, SortsByPropertiesOfModels) {
  Comparison comparison = makeComparison({{"", "", study("published:qwen3-14b")->analysis},
                                          {"", "", study("published:qwen3-0.6b")->analysis},
                                          inputOf("a"),
                                          inputOf("c")});
  const auto names = [&comparison] {
    std::vector<std::string> all;
    for (const ComparedModel& model : comparison.models) all.push_back(model.name);
    return all;
  };
  sortModels(comparison, CompareOrder::Depth);
  EXPECT_THAT(names(), testing::ElementsAre("a", "c", "Qwen3-0.6B", "Qwen3-14B"));
  sortModels(comparison, CompareOrder::Tokens);
  EXPECT_THAT(names(), testing::ElementsAre("a", "c", "Qwen3-0.6B", "Qwen3-14B"));
  sortModels(comparison, CompareOrder::Size);
  EXPECT_EQ(names().back(), "Qwen3-14B");
}

}  // namespace
}  // namespace plastiscope::test
