// Bias of aligned plasticity and coverage of its jackknife for a known truth: planted heads with RoPE,
// effects of texts, few and many texts, bins and rows. Part of coverage_study.
#include "aligned_coverage.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "core/analysis/aligned_plasticity.h"
#include "core/analysis/head_analysis.h"

using namespace plastiscope;

namespace {

constexpr std::int64_t kPlantedWindow = 4096, kBucket = 256;
constexpr Eigen::Index kPlantedDim = 8;

// Un-rotated queries and keys are normal: a mean, an effect of the text, noise.
struct PlantedLaw {
  const char* name;
  std::vector<double> frequencies;  // rad / token, one per pair of dimensions
  double textEffect, noise;         // standard deviations on every coordinate
  Eigen::RowVectorXd queryMean = Eigen::RowVectorXd{{0.8, -0.5, 0.4, 0.3, 0.6, 0.2, -0.4, 0.5}};
  Eigen::RowVectorXd keyMean = Eigen::RowVectorXd{{0.5, 0.4, -0.6, 0.2, 0.3, -0.5, 0.4, 0.1}};
};

const PlantedLaw kLaws[] = {
    {"fast pairs", {1, 0.7, 0.5, 0.3}, 0.2, 0.6},
    {"slow pairs", {2e-4, 1e-4, 5e-5, 2e-5}, 0.2, 0.6},
    {"content alone", {}, 0.2, 0.6},
    {"a mixture", {1, 0.05, 2e-3, 1e-4}, 0.2, 0.6},
    {"text effects", {1, 0.05, 2e-3, 1e-4}, 0.7, 0.6},
};

struct PlantedSize {
  int texts, bins, rate;  // rate: rows per text, kind and bucket of 256 tokens
};
constexpr PlantedSize kSizes[] = {{5, 8, 24},   {5, 32, 96},   {14, 32, 24}, {20, 160, 96},
                                  {100, 32, 4}, {100, 160, 8}, {500, 160, 4}};

Eigen::RowVectorXd drawnRow(const Eigen::RowVectorXd& mean, double deviation, std::mt19937_64& generator) {
  std::normal_distribution<double> normal(0, deviation);
  return mean + Eigen::RowVectorXd::NullaryExpr(kPlantedDim, [&] { return normal(generator); });
}

VectorRows drawPlantedRows(const PlantedLaw& law, const PositionRotation& rotation,
                           const Eigen::RowVectorXd& mean, const PlantedSize& size,
                           std::mt19937_64& generator) {
  const int perText = size.rate * static_cast<int>(kPlantedWindow / kBucket);
  std::uniform_int_distribution<std::int64_t> position(0, kPlantedWindow - 1);
  VectorRows rows;
  rows.vectors.resize(static_cast<Eigen::Index>(size.texts) * perText, kPlantedDim);
  for (int e = 0; e < size.texts; ++e) {
    const Eigen::RowVectorXd ofText = drawnRow(mean, law.textEffect, generator);
    std::vector<std::int64_t> places;
    for (int i = 0; i < perText; ++i) places.push_back(position(generator));
    std::ranges::sort(places);
    for (const std::int64_t place : places) {
      rows.vectors.row(std::ssize(rows.position)) = drawnRow(ofText, law.noise, generator);
      rows.position.push_back(place);
      rows.example.push_back(e);
    }
  }
  const RotationSteps steps(rotation, rows);
  const Matrix content = rows.vectors;
  for (Eigen::Index i = 0; i < content.rows(); ++i)
    steps.apply(static_cast<std::size_t>(i), content.row(i), rows.vectors.row(i).data());
  return rows;
}

// AP of a bin for infinitely many texts: Gaussian in the queries, Monte Carlo over pairs of keys of one text.
double trueAp(const PlantedLaw& law, const PositionRotation& rotation, double start, double tau) {
  constexpr int kPairs = 40000;
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> position(0, start);
  RotationSteps step(rotation);
  const auto at = [&](const Eigen::RowVectorXd& row, double tokens) {
    Eigen::RowVectorXd moved(row.size());
    step.clear();
    step.add(0, tokens);
    step.apply(0, row, moved.data());
    return moved;
  };
  const Eigen::RowVectorXd query = at(law.queryMean, tau);
  const double variance = law.textEffect * law.textEffect + law.noise * law.noise;
  double sum = 0;
  for (int p = 0; p < kPairs; ++p) {
    const Eigen::RowVectorXd ofText = drawnRow(law.keyMean, law.textEffect, generator);
    const Eigen::RowVectorXd delta =
        at(drawnRow(ofText, law.noise, generator), std::floor(position(generator))) -
        at(drawnRow(ofText, law.noise, generator), std::floor(position(generator)));
    const double z = query.dot(delta) / std::sqrt(variance * delta.squaredNorm());
    sum += std::erfc(z / std::sqrt(2.0)) * std::erfc(-z / std::sqrt(2.0));
  }
  return sum / kPairs;
}

struct Tally {
  int draws = 0, held = 0;
  double bias = 0, squares = 0, width = 0;
};

void studyOne(const PlantedLaw& law, const PlantedSize& size, int draws) {
  auto rotation = std::make_shared<PositionRotation>();
  if (!law.frequencies.empty()) rotation->frequencies = {law.frequencies};
  const HeadId place{0, 0, 0, "full", true, 0, rotation, ""};
  const CaptureFrame frame{kPlantedWindow, kBucket, false, 0};
  AnalysisSettings settings;
  settings.bins = std::to_string(size.bins);
  settings.minQueries = 5;
  const BinGrid grid = makeBinGrid(settings, frame, size.bins);
  std::vector<double> truth;
  for (std::int64_t b = 0; b < grid.bins(); ++b)
    truth.push_back(trueAp(law, *rotation, grid.start(b), grid.midpoint(b).value()));
  const Resamples groups = leaveOut(size.texts, settings.jackknifeGroups);
  const Estimator estimator(groups);
  Tally tally;
  for (int number = 0; number < draws; ++number) {
    std::mt19937_64 generator(1000u + static_cast<unsigned>(number));
    settings.seed = static_cast<std::uint64_t>(number);
    const VectorRows query = drawPlantedRows(law, *rotation, law.queryMean, size, generator);
    const HeadKeys key(drawPlantedRows(law, *rotation, law.keyMean, size, generator));
    const AlignedPlasticity aligned = alignedPlasticityOf(
        {place, frame, query, key.rows, key.order, QueryModel(), grid}, settings, groups, Progress());
    std::vector<double> values, expected;
    for (std::size_t r = 0; r < aligned.resampled.size(); ++r)
      values.push_back(resampledSummary(aligned, r, kPlantedWindow, settings).overall);
    for (std::size_t b = 0; b < truth.size(); ++b)
      if (!std::isnan(aligned.bins[b].ap)) expected.push_back(truth[b]);
    const double wanted = meanOfPresent(expected), off = aligned.summary.overall - wanted;
    const Interval interval = estimator.of(values, Bias::None).interval;
    ++tally.draws;
    tally.held += interval.low <= wanted && wanted <= interval.high ? 1 : 0;
    tally.bias += off;
    tally.squares += off * off;
    tally.width += interval.high - interval.low;
  }
  const double n = tally.draws, share = tally.held / n, bias = tally.bias / n;
  const double deviation = std::sqrt(tally.squares / n - bias * bias);
  std::printf("%-14s %6d %6d %6d %8.4f %+9.4f %8.4f %9.1f %6.1f %8.2f\n", law.name, size.texts, size.bins,
              size.rate, meanOfPresent(std::vector<double>(truth.begin() + 1, truth.end())), bias,
              deviation / std::sqrt(n), 100 * share, 100 * std::sqrt(share * (1 - share) / n),
              tally.width / n / deviation);
  std::fflush(stdout);
}

}  // namespace

void studyAlignedCoverage(int draws) {
  std::printf("%-14s %6s %6s %6s %8s %9s %8s %9s %6s %8s\n", "planted head", "texts", "bins", "rate", "truth",
              "bias", "+-", "coverage", "+- %", "width/sd");
  for (const PlantedLaw& law : kLaws)
    for (const PlantedSize& size : kSizes) studyOne(law, size, draws);
}
