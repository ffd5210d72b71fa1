// Aligned plasticity: the estimator against a count of every pair of queries, known values of planted heads,
// reasons of missing values. Whole tables are compared with NumPy in tests/jobs/test_reference_tables.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/analysis/aligned_plasticity.h"
#include "core/analysis/disagreement.h"
#include "core/analysis/head_analysis.h"

namespace plastiscope {
namespace {

Matrix randomRows(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  Matrix matrix(rows, columns);
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = normal(generator);
  return matrix;
}

std::vector<std::int64_t> textOfRows(const std::vector<TextQueries>& texts) {
  std::vector<std::int64_t> text;
  for (const TextQueries& one : texts)
    text.insert(text.end(), static_cast<std::size_t>(one.queries), one.text);
  return text;
}

// 2 Pr[two queries of different texts disagree], pair by pair; ties count half. weights: one per text.
double counted(const Matrix& queries, const std::vector<std::int64_t>& text, const Eigen::RowVectorXd& delta,
               const std::vector<double>& weights) {
  double disagree = 0, all = 0;
  const auto side = [&](Eigen::Index q) {
    const double score = queries.row(q).dot(delta);
    return score > 0 ? 1.0 : score < 0 ? 0.0 : 0.5;
  };
  for (Eigen::Index a = 0; a < queries.rows(); ++a) {
    for (Eigen::Index b = 0; b < queries.rows(); ++b) {
      const std::int64_t e = text[a], f = text[b];
      if (e == f) continue;
      const double weight = weights[e] * weights[f];
      all += weight;
      disagree += weight * (side(a) * (1 - side(b)) + side(b) * (1 - side(a)));
    }
  }
  return 2 * disagree / all;
}

TEST(Disagreement, CountsPairsOfQueriesOfDifferentTexts) {
  const std::vector<TextQueries> texts = {{0, 3}, {1, 1}, {2, 5}, {3, 2}};
  const std::vector<std::int64_t> text = textOfRows(texts);
  const Matrix queries = randomRows(11, 6, 1);
  Matrix keys = randomRows(9, 6, 2);
  keys.row(8) = keys.row(3);
  std::vector<KeyPair> pairs;
  for (std::int32_t i = 0; i < 9; ++i)
    for (std::int32_t j = i + 1; j < 9; ++j) pairs.push_back({i, j});
  // Few pairs are scored individually, many through the scores of their keys.
  for (const std::int64_t announced : {std::int64_t{1}, std::int64_t{1000}}) {
    Disagreement model(queries, texts);
    model.setKeys(keys, announced);
    std::vector<double> whole(pairs.size()), without(pairs.size()), weighted(pairs.size());
    model.evaluate(pairs, whole.data());
    model.leaveOut(std::vector<std::size_t>{2}, without.data());
    model.reweigh(std::vector<double>{2, 1, 0, 3}, weighted.data());
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      if (pairs[p] == KeyPair{3, 8}) {
        EXPECT_TRUE(std::isnan(whole[p]));
        continue;
      }
      const Eigen::RowVectorXd delta = keys.row(pairs[p].first) - keys.row(pairs[p].second);
      EXPECT_NEAR(whole[p], counted(queries, text, delta, {1, 1, 1, 1}), 1e-12);
      EXPECT_NEAR(without[p], counted(queries, text, delta, {1, 1, 0, 1}), 1e-12);
      EXPECT_NEAR(weighted[p], counted(queries, text, delta, {2, 1, 0, 3}), 1e-12);
    }
    model.setKeys(keys, announced, Disagreement::EqualKeys::Tie);
    double tie = 0;
    model.evaluate(std::vector<KeyPair>{{3, 8}}, &tie);
    EXPECT_DOUBLE_EQ(tie, 1);
  }
}

TEST(PositionRotation, MovesRowsBetweenPositionsInBothLayouts) {
  for (const bool interleaved : {false, true}) {
    PositionRotation rotation;
    rotation.frequencies = {{1.0, 0.1}};
    rotation.interleaved = interleaved;
    VectorRows rows{randomRows(4, 5, 3), {0, 7, 130, 2000}, {0, 0, 1, 1}};
    const Matrix content = rows.vectors;
    const RotationSteps steps(rotation, rows);
    for (Eigen::Index i = 0; i < 4; ++i)
      steps.apply(static_cast<std::size_t>(i), content.row(i), rows.vectors.row(i).data());
    EXPECT_LT((unrotatedRows(rows, steps) - content).cwiseAbs().maxCoeff(), 1e-13);
    const Eigen::Index partner = interleaved ? 1 : 2;  // partner of coordinate 0
    EXPECT_NEAR(rows.vectors(1, 0), content(1, 0) * std::cos(7) - content(1, partner) * std::sin(7), 1e-13);
    EXPECT_DOUBLE_EQ(rows.vectors(2, 4), content(2, 4));  // not rotated
    // Rows moved from any position to 9 equal the content rotated to 9.
    const Matrix moved =
        alignedQueries(rows, unrotatedRows(rows, steps), rotation, std::vector<std::int64_t>{2}, 9);
    EXPECT_NEAR(moved(0, 0), content(2, 0) * std::cos(9) - content(2, partner) * std::sin(9), 1e-12);
  }
}

// As in latent attention: the numbers before the rotated part stay, the part turns as a head of its own.
TEST(PositionRotation, MovesAPartAtTheEndOfAHead) {
  PositionRotation rotation, ofPart;
  rotation.frequencies = ofPart.frequencies = {{1.0, 0.1}};
  rotation.first = 3;
  const VectorRows rows{randomRows(4, 7, 3), {0, 7, 130, 2000}, {0, 0, 1, 1}};
  const VectorRows part{rows.vectors.rightCols(4), rows.position, rows.example};
  const Matrix moved = unrotatedRows(rows, RotationSteps(rotation, rows));
  EXPECT_EQ(moved.leftCols(3), rows.vectors.leftCols(3));
  EXPECT_EQ(moved.rightCols(4), unrotatedRows(part, RotationSteps(ofPart, part)));
}

TEST(PositionRotation, TemperatureStepsWithTheLength) {
  PositionRotation rotation;
  rotation.temperatureBeta = 0.1;
  rotation.temperatureLength = 100;
  EXPECT_DOUBLE_EQ(rotation.temperature(99), 1);
  EXPECT_DOUBLE_EQ(rotation.temperature(100), 1 + 0.1 * std::log(2));
  rotation.temperatureOffset = 1;
  EXPECT_DOUBLE_EQ(rotation.temperature(99), 1 + 0.1 * std::log(2));
}

constexpr std::int64_t kWindow = 1024;

// Rows of texts at random positions: content rotated there with fast frequencies.
struct PlantedHead {
  HeadId place;
  CaptureFrame frame{kWindow, kWindow / 8, false, 0};
  VectorRows query;
  HeadKeys key{VectorRows()};

  PlantedHead(double contentNoise, int texts) {
    auto rotation = std::make_shared<PositionRotation>();
    rotation->frequencies = {{1.0, 0.4}};
    place = {0, 0, 0, "full", true, 0, rotation, ""};
    query = rows(1, contentNoise, texts, *rotation);
    key = HeadKeys(rows(2, 1, texts, *rotation));
  }
  static VectorRows rows(unsigned seed, double noise, int texts, const PositionRotation& rotation) {
    std::mt19937 generator(seed);
    std::uniform_int_distribution<std::int64_t> position(0, kWindow - 1);
    VectorRows rows;
    rows.vectors = noise * randomRows(texts * 80, 4, seed + 10);
    rows.vectors.rowwise() += Eigen::RowVector4d(2, 0.5, 1, -1);
    for (Eigen::Index i = 0; i < rows.vectors.rows(); ++i) {
      rows.position.push_back(position(generator));
      rows.example.push_back(i / 80);
    }
    const RotationSteps steps(rotation, rows);
    const Matrix content = rows.vectors;
    for (Eigen::Index i = 0; i < content.rows(); ++i)
      steps.apply(static_cast<std::size_t>(i), content.row(i), rows.vectors.row(i).data());
    return rows;
  }
  HeadResult analyze(AnalysisSettings settings, const Resamples* texts = nullptr) const {
    settings.bins = "8";
    settings.minQueries = 10;
    const BinGrid grid = makeBinGrid(settings, frame, 8);
    const Progress progress;
    return analyzeHead({place, frame, query, key, grid, settings, progress, texts});
  }
};

TEST(AlignedPlasticity, ConstantContentHasNoAlignedPlasticity) {
  const HeadResult head = PlantedHead(0, 6).analyze({});
  EXPECT_NEAR(head.aligned.summary.overall, 0, 1e-12);
  EXPECT_GT(head.summary.overall, 0.5);  // binned: the fast pairs rotate within a bin
  EXPECT_NEAR(head.aligned.positionAloneMean, head.summary.overall, 0.2);
}

TEST(AlignedPlasticity, DoesNotDependOnTheBins) {
  const PlantedHead planted(1, 6);
  const double coarse = planted.analyze({}).aligned.summary.overall;
  AnalysisSettings fine;
  fine.minQueries = 2;
  fine.bins = "40";
  const BinGrid forty = makeBinGrid(fine, planted.frame, 40);
  const Progress progress;
  const double many =
      analyzeHead({planted.place, planted.frame, planted.query, planted.key, forty, fine, progress})
          .aligned.summary.overall;
  EXPECT_NEAR(coarse, many, 0.03);
}

TEST(AlignedPlasticity, NeedsTwoTextsInABin) {
  EXPECT_TRUE(std::isnan(PlantedHead(1, 1).analyze({}).aligned.summary.overall));
  EXPECT_FALSE(std::isnan(PlantedHead(1, 2).analyze({}).aligned.summary.overall));
}

TEST(AlignedPlasticity, GivesTheReasonOfAMissingValue) {
  PlantedHead head(1, 4);
  AnalysisSettings binned;
  binned.queries = "binned";
  EXPECT_EQ(head.analyze(binned).aligned.missing, "setting queries = binned");
  head.place.rotation = nullptr;
  head.place.rotationUnknown = "no RoPE settings";
  EXPECT_EQ(head.analyze({}).aligned.missing, "no RoPE settings");
  EXPECT_TRUE(head.analyze({}).aligned.bins.empty());
}

TEST(AlignedPlasticity, DoesNotMoveQueriesWithoutRope) {
  PlantedHead head(1, 6);
  head.place.rotation = std::make_shared<PositionRotation>();
  const HeadResult still = head.analyze({});
  AnalysisSettings gaussian;
  gaussian.alignedEstimator = "gaussian";
  AnalysisSettings full;
  full.variance = "full";
  full.weights = "equal";
  EXPECT_NEAR(head.analyze(gaussian).aligned.summary.overall, head.analyze(full).summary.overall, 1e-12);
  EXPECT_NEAR(still.aligned.summary.overall, head.analyze(gaussian).aligned.summary.overall, 0.1);
}

TEST(AlignedPlasticity, QueriesAlignedLeavesBinnedValuesOut) {
  AnalysisSettings aligned;
  aligned.queries = "aligned";
  const HeadResult head = PlantedHead(1, 6).analyze(aligned);
  EXPECT_TRUE(std::isnan(head.summary.overall));
  EXPECT_FALSE(std::isnan(head.aligned.summary.overall));
}

TEST(AlignedPlasticity, LeavingTextsOutEqualsRemovingThem) {
  const PlantedHead head(1, 6);
  AnalysisSettings settings;
  settings.pairs = 0;  // the same pairs in every text
  const Resamples groups = leaveOut(6, 100);
  const HeadResult whole = head.analyze(settings, &groups);
  PlantedHead fewer = head;
  const auto without = [](const VectorRows& rows) {
    std::vector<std::int64_t> kept;
    for (std::size_t i = 0; i < rows.position.size(); ++i)
      if (rows.example[i] != 2) kept.push_back(static_cast<std::int64_t>(i));
    return rowsAt(rows, kept);
  };
  fewer.query = without(head.query);
  fewer.key = HeadKeys(without(head.key.rows));
  const HeadResult rest = fewer.analyze(settings);
  for (std::size_t b = 0; b < rest.aligned.bins.size(); ++b) {
    if (std::isnan(rest.aligned.bins[b].ap)) continue;
    EXPECT_NEAR(whole.aligned.resampled[3][b], rest.aligned.bins[b].ap, 1e-12) << b;  // group 2
  }
}

TEST(Placement, SumsToTheDropAndItsDiagonalIsTheProfile) {
  AnalysisSettings settings;
  settings.placement = settings.salience = "on";
  const HeadResult head = PlantedHead(1, 6).analyze(settings);
  ASSERT_TRUE(head.placement.has_value());
  const Placement& placement = *head.placement;
  const auto n = static_cast<Eigen::Index>(placement.bins.size()) - 1;
  for (Eigen::Index u = 0; u <= n; ++u)
    EXPECT_NEAR(placement.ap(u, u), head.aligned.bins[placement.bins[u]].ap, 1e-12);
  EXPECT_NEAR(placement.placement.value + placement.content.value, placement.ap(0, 0) - placement.ap(n, n),
              1e-12);
  const Salience& salience = *head.salience;
  EXPECT_NEAR(salience.position.value + salience.salience.value, 1 - head.aligned.summary.overall, 1e-12);
}

}  // namespace
}  // namespace plastiscope
