// Resamples over examples. Their values are compared with NumPy in tests/jobs/test_reference_tables.cpp;
// here: draws, products, degenerate heads and columns.
#include "core/analysis/bootstrap.h"
#include "core/analysis/columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "core/analysis/pca.h"
#include "core/analysis/resampled_head.h"
#include "core/analysis/row_kernels.h"
#include "core/analysis/tables.h"
#include "core/base/error.h"
#include "tests/analysis/sample_heads.h"

namespace plastiscope {
namespace {

using ::testing::ElementsAre;

// Expected values from draws() in tests/data/analysis/reference.py.
TEST(Bootstrap, DrawsEqualTheReference) {
  const Resamples two = drawResamples(0, 2, 8);
  EXPECT_THAT(two.times[0], ElementsAre(1, 0, 0, 2, 0, 3, 0, 2));
  EXPECT_THAT(two.times[1], ElementsAre(2, 2, 0, 0, 1, 0, 2, 1));
  EXPECT_THAT(drawResamples(7, 4, 5).times[3], ElementsAre(1, 2, 0, 1, 1));
}

TEST(Jackknife, LeavesEveryExampleOutOnce) {
  const Resamples each = leaveOut(3, 100);
  ASSERT_EQ(each.count(), 4);
  EXPECT_THAT(each.times[0], ElementsAre(1, 1, 1));
  EXPECT_THAT(each.times[2], ElementsAre(1, 0, 1));
  EXPECT_THAT(each.leftOut, ElementsAre(0, 1, 1, 1));
  const Resamples grouped = leaveOut(7, 3);
  EXPECT_THAT(grouped.times[1], ElementsAre(0, 1, 1, 0, 1, 1, 0));
  EXPECT_THAT(grouped.times[3], ElementsAre(1, 1, 0, 1, 1, 0, 1));
  EXPECT_THAT(grouped.leftOut, ElementsAre(0, 3, 2, 2));
}

// The jackknife turns the variance with divisor n into that with divisor n - 1. A mean stays unchanged, with
// the textbook's interval.
TEST(Jackknife, RemovesTheBiasOfAVariance) {
  const std::vector<double> x = {1, 4, 2, 8, 5.5, 3};
  const Estimator estimator(leaveOut(6, 6));
  std::vector<double> means, variances;
  for (std::size_t left = 0; left <= x.size(); ++left) {  // first: none left out
    double n = 0, sum = 0, squares = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i + 1 == left) continue;
      n += 1;
      sum += x[i];
      squares += x[i] * x[i];
    }
    means.push_back(sum / n);
    variances.push_back(squares / n - sum / n * sum / n);
  }
  EXPECT_NEAR(estimator.of(variances).corrected, variances[0] * 6 / 5, 1e-12);
  const Estimate mean = estimator.of(means);
  EXPECT_NEAR(mean.corrected, means[0], 1e-12);
  const double half = 2.570581835636314 * std::sqrt(variances[0] / 5);  // scipy.stats.t.ppf(0.975, 5)
  EXPECT_NEAR(mean.interval.low, means[0] - half, 1e-11);
  EXPECT_NEAR(mean.interval.high, means[0] + half, 1e-11);
}

TEST(Jackknife, GivesNoIntervalForOneExampleOrMissingValues) {
  const Estimate one = Estimator(leaveOut(1, 100)).of(std::vector<double>{0.5, kMissing});
  EXPECT_TRUE(std::isnan(one.corrected));
  EXPECT_TRUE(std::isnan(one.interval.low));
  EXPECT_TRUE(std::isnan(Estimator(leaveOut(2, 2)).of(std::vector<double>{0.5, 0.4, kMissing}).corrected));
}

// Thresholds on queries and pairs are applied to a bin once. Otherwise a bin near a threshold would appear
// and disappear with a text, and the jackknife would multiply that difference by the number of texts.
TEST(Jackknife, KeepsTheBinsOfTheWholeSample) {
  const test::SampleHead head = test::randomHead(4, 5, 200, 5, 2048);
  AnalysisSettings settings = test::workedSettings();
  settings.interval = "jackknife";
  const BinGrid grid = makeBinGrid(settings, head.frame, 16);
  settings.minQueries = 12;  // bins have about 12
  const Table whole = headsTable({test::analyze(head, settings)});
  const HeadSamples samples =
      bootstrapHead({head.place, head.frame, head.query, HeadKeys(head.key), grid, settings, Progress()},
                    resamplesOf(settings, 5));
  const std::vector<BinResult> bins = test::analyze(head, settings).plasticity.bins;
  ASSERT_EQ(samples.profile.size(), bins.size());
  int valid = 0;
  for (std::size_t b = 0; b < bins.size(); ++b) {
    valid += bins[b].valid ? 1 : 0;
    EXPECT_EQ(std::isnan(samples.profile[b].corrected), std::isnan(bins[b].ap)) << b;
  }
  EXPECT_GT(valid, 2);
  EXPECT_LT(valid, 15);
  const std::vector<std::string> columns = sampledColumns();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (samples.values[c].empty()) continue;  // its setting is off
    ASSERT_EQ(samples.values[c].size(), 6U);
    const double value = whole.numbers(columns[c])[0];
    if (std::isnan(value)) continue;
    EXPECT_NEAR(samples.values[c][0], value, 1e-9 * std::abs(value) + 1e-12) << columns[c];
  }
}

TEST(Bootstrap, ProductsEqualLoops) {
  constexpr int kRows = 8, kColumns = 32, kCount = 150;
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  std::vector<double> weights(kCount * kRows), values(kCount * kColumns), sums(kRows * kColumns, 0.5);
  for (double& weight : weights) weight = normal(generator);
  for (double& value : values) value = normal(generator);
  addProducts({weights.data(), kRows, kCount}, {values.data(), kColumns, kCount}, sums.data());
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kColumns; ++j) {
      double expected = 0.5;
      for (int e = 0; e < kCount; ++e) expected += weights[e * kRows + i] * values[e * kColumns + j];
      EXPECT_NEAR(sums[i * kColumns + j], expected, 1e-11) << i << " " << j;
    }
  }
}

TEST(Bootstrap, LeadingEigenpairEqualsWholeDecomposition) {
  for (const Eigen::Index size : {3, 24, 64, 150}) {
    const Matrix a = test::randomHead(5, size, 300, 3, 4096).key.vectors;
    const Matrix c = a.transpose() * a / 300;
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(c);
    const Eigenpair pair = leadingEigenpair(c);
    EXPECT_NEAR(pair.value, solver.eigenvalues()[size - 1], 1e-11 * pair.value) << size;
    EXPECT_NEAR(std::abs(pair.vector.dot(solver.eigenvectors().col(size - 1))), 1, 1e-11) << size;
  }
  EXPECT_EQ(leadingEigenpair(Matrix::Zero(40, 40)).value, 0);
}

VectorRows repeated(const VectorRows& rows, const std::vector<std::int32_t>& times) {
  std::vector<std::int64_t> which;
  VectorRows result;
  for (std::size_t i = 0; i < rows.position.size(); ++i) {
    for (std::int32_t k = 0; k < times[rows.example[i]]; ++k) {
      which.push_back(static_cast<std::int64_t>(i));
      result.position.push_back(rows.position[i]);
      result.example.push_back(rows.example[i]);
    }
  }
  result.vectors = gatheredRows(rows.vectors, which);
  return result;
}

void expectMomentsOfRepeatedRows(const VectorRows& rows, const Resamples& resamples) {
  const ResampledMoments sums(rows, resamples);
  for (std::int64_t r = 0; r < resamples.count(); ++r) {
    const Moments found = sums.of(r), expected = momentsOf(repeated(rows, resamples.times[r]));
    EXPECT_EQ(found.n, expected.n);
    EXPECT_NEAR(found.meanT, expected.meanT, 1e-9);
    EXPECT_NEAR(found.varianceT, expected.varianceT, 1e-9 * expected.varianceT);
    EXPECT_LT((found.mean - expected.mean).norm(), 1e-12) << r;
    EXPECT_LT((found.covariance - expected.covariance).norm(), 1e-11) << r;
    EXPECT_LT((found.covarianceT - expected.covarianceT).norm(), 1e-8) << r;
    EXPECT_EQ(isConstant(found.covariance(4, 4), found.mean[4]),
              isConstant(expected.covariance(4, 4), expected.mean[4]));
  }
}

TEST(Bootstrap, MomentsEqualRepeatedRows) {
  VectorRows rows = test::randomHead(9, 7, 120, 6, 2048).query;
  rows.vectors.col(2).setConstant(0.3);
  // A coordinate that is constant within an example: resamples of few examples have hardly any of its
  // variance.
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    rows.vectors(i, 4) = static_cast<double>(rows.example[i] == 0);
  Resamples resamples = drawResamples(1, 5, 6);
  resamples.times.push_back({0, 6, 0, 0, 0, 0});
  resamples.times.push_back({0, 0, 0, 0, 0, 0});
  expectMomentsOfRepeatedRows(rows, resamples);
}

// The sums of all examples and all pairs of coordinates exceed what is held at a time.
TEST(Bootstrap, MomentsOfManyExamplesEqualRepeatedRows) {
  constexpr int kExamples = 900;
  expectMomentsOfRepeatedRows(test::randomHead(10, 100, 2 * kExamples, kExamples, 2048).query,
                              drawResamples(2, 2, kExamples));
}

HeadSamples samplesOf(const test::SampleHead& head, AnalysisSettings settings, std::int64_t examples) {
  const BinGrid grid = makeBinGrid(settings, head.frame, 16);
  return bootstrapHead({head.place, head.frame, head.query, HeadKeys(head.key), grid, settings, Progress()},
                       drawResamples(settings.seed, settings.bootstrap, examples));
}

AnalysisSettings smallSettings() {
  AnalysisSettings settings = test::workedSettings();
  settings.bootstrap = 4;
  return settings;
}

// With one example every resample is the sample itself.
TEST(Bootstrap, OneExampleGivesTheSampleValues) {
  test::SampleHead head = test::randomHead(2, 5, 200, 1, 2048);
  head.query.vectors.topRows(60).setZero();  // no preference: half a vote for each key
  for (const std::string variance : {"thesis", "full", "empirical", "global"}) {
    AnalysisSettings settings = smallSettings();
    settings.variance = variance;
    const Table values = headsTable({test::analyze(head, settings)});
    const HeadSamples samples = samplesOf(head, settings, 1);
    const std::vector<std::string> columns = sampledColumns();
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (samples.values[c].empty()) continue;  // its setting is off
      const double value = values.numbers(columns[c])[0];
      for (const double sample : samples.values[c]) {
        EXPECT_EQ(std::isnan(sample), std::isnan(value)) << columns[c];
        if (std::isnan(value)) continue;
        EXPECT_NEAR(sample, value, 1e-9 * std::abs(value) + 1e-12) << columns[c];
      }
    }
    const std::vector<BinResult> bins = test::analyze(head, settings).plasticity.bins;
    ASSERT_EQ(samples.profile.size(), bins.size());
    for (std::size_t b = 0; b < bins.size(); ++b) {
      const Interval& interval = samples.profile[b].interval;
      EXPECT_EQ(std::isnan(interval.low), std::isnan(bins[b].ap));
      if (std::isnan(bins[b].ap)) continue;
      EXPECT_NEAR(interval.low, bins[b].ap, 1e-9);
      EXPECT_NEAR(interval.high, bins[b].ap, 1e-9);
    }
  }
}

// Pairs of a resample are counted by another method than those of the whole sample. With every text once both
// agree, also where a layer's attention window begins behind the first key.
TEST(Bootstrap, EveryExampleOnceGivesTheSampleValues) {
  test::SampleHead head = test::randomHead(4, 5, 240, 6, 2048);
  const std::vector<std::int32_t> once(6, 1);
  for (const std::int64_t window : {0, 500}) {
    head.place.attentionWindow = window;
    for (const std::string scope : {"same_example", "cross_example"}) {
      for (const std::int64_t distance : {0, 300}) {
        AnalysisSettings settings = test::workedSettings();
        settings.pairScope = scope;
        settings.maxDistance = distance;
        std::vector<std::int64_t> pairs;
        for (const BinResult& bin : test::analyze(head, settings).plasticity.bins) pairs.push_back(bin.pairs);
        std::sort(pairs.begin(), pairs.end());
        settings.minPairs = pairs[pairs.size() * 7 / 8];  // few bins have that many
        const HeadSamples samples =
            bootstrapHead({head.place, head.frame, head.query, HeadKeys(head.key),
                           makeBinGrid(settings, head.frame, 16), settings, Progress()},
                          Resamples{6, {once, once}, {}});
        const std::vector<BinResult> bins = test::analyze(head, settings).plasticity.bins;
        ASSERT_EQ(samples.profile.size(), bins.size());
        for (std::size_t b = 0; b < bins.size(); ++b) {
          SCOPED_TRACE(scope + " window " + std::to_string(window) + " bin " + std::to_string(b));
          EXPECT_EQ(std::isnan(samples.profile[b].interval.low), std::isnan(bins[b].ap));
          if (std::isnan(bins[b].ap)) continue;
          EXPECT_NEAR(samples.profile[b].interval.low, bins[b].ap, 1e-9);
        }
        const Table values = headsTable({test::analyze(head, settings)});
        const std::vector<std::string> columns = sampledColumns();
        for (std::size_t c = 0; c < columns.size(); ++c) {
          if (samples.values[c].empty()) continue;  // its setting is off
          const double value = values.numbers(columns[c])[0];
          EXPECT_EQ(std::isnan(samples.values[c][0]), std::isnan(value)) << columns[c];
          if (std::isnan(value)) continue;
          EXPECT_NEAR(samples.values[c][0], value, 1e-9 * std::abs(value) + 1e-12) << columns[c];
        }
      }
    }
  }
}

// Degenerate heads give missing values, never infinities and never a crash.
TEST(Bootstrap, DegenerateHeadsHaveMissingValues) {
  test::SampleHead head = test::randomHead(2, 3, 60, 4, 512);
  const auto expectNoInfinity = [](const HeadSamples& samples) {
    for (const auto& column : samples.values) {
      for (const double value : column) EXPECT_FALSE(std::isinf(value));
    }
  };
  test::SampleHead still = head;
  for (std::int64_t& t : still.query.position) t = 7;
  test::SampleHead flat = head;
  flat.query.vectors.setConstant(1);
  flat.key.vectors.setConstant(-2);
  test::SampleHead empty = head;
  empty.query = empty.key = test::rowsOf({});
  empty.query.vectors.resize(0, 3);
  empty.key.vectors.resize(0, 3);
  test::SampleHead line = test::randomHead(2, 1, 60, 4, 512);
  for (const test::SampleHead* one : {&still, &flat, &empty, &line}) {
    for (const std::string variance : {"thesis", "full", "empirical"}) {
      AnalysisSettings settings = smallSettings();
      settings.variance = variance;
      expectNoInfinity(samplesOf(*one, settings, 4));
    }
  }
}

TEST(Bootstrap, RefusesUnknownExamples) {
  const test::SampleHead head = test::randomHead(2, 3, 60, 4, 512);
  EXPECT_THROW(samplesOf(head, smallSettings(), 3), InputError);
}

TEST(Bootstrap, GivesIntervalsOfHeadsLayersAndModel) {
  const std::vector<std::string> names = sampledColumns();
  EXPECT_EQ(std::count(names.begin(), names.end(), "residual_pos_r"), 0);
  std::vector<HeadResult> heads(2);
  heads[0].summary.overall = 0.5;
  heads[1].summary.overall = 0.25;
  heads[0].summary.drop = 0.1;  // missing in the other head
  std::vector<HeadSamples> samples(2);
  for (HeadSamples& sample : samples) sample.values.assign(names.size(), std::vector<double>(5, kMissing));
  const auto at = [&](const char* name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  samples[0].values[at("ap_overall")] = {0.4, 0.8, 0.6, kMissing, 0.5};
  samples[1].values[at("ap_overall")] = {0.2, 0.2, 0.4, 0.3, 0.1};
  samples[1].values[at("ap_drop")] = {1, 2, 3, 4, 5};
  const Table table = headsTable(heads);
  Table profile{"profile", {{"ap", std::vector<double>{0.5, kMissing, 0.25, 0.75}}}};  // two bins per head
  samples[0].profile = {{kMissing, {0.4, 0.6}}, {kMissing, {0.1, 0.2}}};
  samples[1].profile = {{kMissing, {0.2, 0.3}}, {}};
  std::vector<Table> tables = {table, layersTable(table), modelTable(table), profile};
  addHeadSpread(tables);
  addIntervals(tables, samples, Estimator(drawResamples(0, 5, 2)));
  EXPECT_NEAR(tables[0].numbers("ap_overall_low")[0], 0.4 + 0.075 * 0.1, 1e-15);  // of 4 values
  EXPECT_NEAR(tables[0].numbers("ap_overall_high")[0], 0.6 + 0.925 * 0.2, 1e-15);
  EXPECT_NEAR(tables[0].numbers("ap_overall_low")[1], 0.1 + 0.1 * 0.1, 1e-15);
  EXPECT_TRUE(std::isnan(tables[0].numbers("ap_drop_low")[1]));  // the value itself is missing
  EXPECT_TRUE(std::isnan(tables[0].numbers("ap_drop_low")[0]));  // missing in every resample
  for (const std::size_t group : {1, 2}) {                       // means 0.3 0.5 0.5 0.3 0.3
    EXPECT_NEAR(tables[group].numbers("ap_overall_low")[0], 0.3, 1e-15);
    EXPECT_NEAR(tables[group].numbers("ap_overall_high")[0], 0.5, 1e-15);
  }
  EXPECT_EQ(tables[3].numbers("ap_low")[0], 0.4);
  EXPECT_TRUE(std::isnan(tables[3].numbers("ap_low")[1]));  // the bin itself is missing
  EXPECT_EQ(tables[3].numbers("ap_high")[2], 0.3);
  EXPECT_TRUE(std::isnan(tables[3].numbers("ap_high")[3]));
  EXPECT_NEAR(tables[2].numbers("ap_overall_sd")[0], 0.25 / std::sqrt(2), 1e-15);
  EXPECT_NEAR(tables[2].numbers("ap_overall_se")[0], 0.125, 1e-15);
  EXPECT_TRUE(std::isnan(tables[2].numbers("ap_drop_sd")[0]));
}

}  // namespace
}  // namespace plastiscope
