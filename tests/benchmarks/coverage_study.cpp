// Does the bootstrap's 95 % interval hold the truth 95 times in 100? Heads are made from a known law: queries
// alpha + beta t plus an offset of their text and noise, keys with a drift of their own. The truth is that of
// infinitely many texts, by a large Monte-Carlo of the closed form; an estimate from few queries a bin is
// biased (noise in the bin's mean makes preferences look firmer), which a percentile interval does not undo.
// Usage: coverage_study [draws] [resamples] [examples]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "core/analysis/bootstrap.h"
#include "core/analysis/tables.h"

using namespace plastiscope;

namespace {

constexpr std::int64_t kWindow = 4096, kBins = 16;
constexpr Eigen::Index kDim = 8;
constexpr int kRowsPerExample = 50;

// Drift along coordinate 1, so that the reflected basis is the one in which everything is diagonal.
struct Law {
  double queryStart = 0.5, queryDrift = 3, keyDrift = 1.5;  // on coordinate 1; drifts over the window
  Vector mean{{0, 0.6, -0.3, 0.2, 0, 0, 0.4, -0.2}};        // of the queries, other coordinates
  Vector queryNoise{{1, 0.8, 1.2, 0.6, 1, 0.9, 0.7, 1.1}}, keyNoise{{1, 1, 0.7, 1.3, 0.8, 1, 1.1, 0.9}};
  double offset = 0.4;  // of a text: standard deviation on every coordinate, queries and keys

  double queryMean(Eigen::Index c, double t) const {
    return c == 0 ? queryStart + queryDrift * t / kWindow : mean[c];
  }
  double queryVariance(Eigen::Index c) const { return queryNoise[c] * queryNoise[c] + offset * offset; }
};

struct Truth {
  double overall = 0, drop = 0, bias = 0;
};

double plasticityAt(double mean, double variance) {
  double pp = 0;
  plasticityOfPairs(&mean, &variance, &pp, 1);
  return pp;
}

Truth truthOf(const Law& law, int pairs) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::vector<double> ap(kBins, 0);
  for (std::int64_t b = 1; b < kBins; ++b) {
    const double start = static_cast<double>(b * kWindow) / kBins;
    const double tau = (static_cast<double>(b) + 0.5) * kWindow / kBins;
    double sum = 0;
    for (int p = 0; p < pairs; ++p) {
      const double apart = (uniform(generator) - uniform(generator)) * start;
      double mean = 0, variance = 0;
      for (Eigen::Index c = 0; c < kDim; ++c) {  // the offset of the text is the same in both keys
        const double noise = std::sqrt(2.0) * law.keyNoise[c] * normal(generator);
        const double delta = noise + (c == 0 ? law.keyDrift * apart / kWindow : 0);
        mean += delta * law.queryMean(c, tau);
        variance += delta * delta * law.queryVariance(c);
      }
      sum += plasticityAt(mean, variance);
    }
    ap[static_cast<std::size_t>(b)] = sum / pairs;
  }
  Truth truth;
  for (const double value : ap) truth.overall += value / (kBins - 1);  // bin 0 has no earlier keys
  truth.drop = (ap[1] + ap[2]) / 2 - (ap[13] + ap[14] + ap[15]) / 3;
  truth.bias = law.queryMean(0, kWindow / 2.0) * law.keyDrift / kWindow;
  return truth;
}

KindRows drawRows(const Law& law, bool query, const Matrix& offsets, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<std::int64_t> position(0, kWindow - 1);
  KindRows rows;
  rows.vectors.resize(offsets.rows() * kRowsPerExample, kDim);
  for (Eigen::Index i = 0; i < rows.vectors.rows(); ++i) {
    const std::int64_t example = i / kRowsPerExample, t = position(generator);
    rows.position.push_back(t);
    rows.example.push_back(example);
    for (Eigen::Index c = 0; c < kDim; ++c) {
      const double at = static_cast<double>(t);
      const double mean = query ? law.queryMean(c, at) : c == 0 ? law.keyDrift * at / kWindow : 0;
      const double noise = (query ? law.queryNoise[c] : law.keyNoise[c]) * normal(generator);
      rows.vectors(i, c) = mean + offsets(example, c) + noise;
    }
  }
  return rows;
}

struct Count {
  const char* column;
  double truth;
  int held = 0, below = 0, above = 0;
  double width = 0, sum = 0;
};

struct Size {
  int draws, resamples, examples;
};

void study(const Law& law, const std::string& variance, const Size& size, const Truth& truth) {
  const auto [draws, resamples, examples] = size;
  AnalysisSettings settings;
  settings.bins = std::to_string(kBins);
  settings.variance = variance;
  settings.bootstrap = resamples;
  Count counts[] = {{"ap_overall", truth.overall}, {"ap_drop", truth.drop}, {"bias_strength", truth.bias}};
  const CaptureFrame frame{kWindow, kWindow / kBins, false, 0};
  const BinGrid grid = makeBinGrid(settings, frame, kBins);
  for (int draw = 0; draw < draws; ++draw) {
    std::mt19937_64 generator(1000 + static_cast<unsigned>(draw));
    std::normal_distribution<double> normal;
    Matrix queryOffsets(examples, kDim), keyOffsets(examples, kDim);
    for (Matrix* offsets : {&queryOffsets, &keyOffsets}) {
      for (Eigen::Index i = 0; i < offsets->size(); ++i) offsets->data()[i] = law.offset * normal(generator);
    }
    const KindRows query = drawRows(law, true, queryOffsets, generator);
    const KeySide key(drawRows(law, false, keyOffsets, generator));
    settings.seed = static_cast<std::uint64_t>(draw);
    const HeadResult head = analyzeHead({}, frame, query, key, grid, settings, Progress());
    const Resamples drawn = drawResamples(settings.seed, resamples, examples);
    std::vector<Table> tables = {headsTable({head})};
    addIntervals(tables, {bootstrapHead({}, frame, query, key, grid, settings, drawn, Progress())});
    for (Count& count : counts) {
      const std::string column = count.column;
      const double low = tables[0].numbers(column + "_low")[0], high = tables[0].numbers(column + "_high")[0];
      count.held += low <= count.truth && count.truth <= high ? 1 : 0;
      count.below += count.truth < low ? 1 : 0;
      count.above += count.truth > high ? 1 : 0;
      count.width += high - low;
      count.sum += tables[0].numbers(column)[0];
    }
  }
  for (const Count& count : counts) {
    const double share = static_cast<double>(count.held) / draws;
    std::printf(
        "{\"variance\":\"%s\",\"quantity\":\"%s\",\"truth\":%.6g,\"mean_estimate\":%.6g,\"mean_width\":%.4g,"
        "\"coverage\":%.4f,\"coverage_se\":%.4f,\"truth_below\":%d,\"truth_above\":%d,\"draws\":%d,"
        "\"resamples\":%d,\"examples\":%d}\n",
        variance.c_str(), count.column, count.truth, count.sum / draws, count.width / draws, share,
        std::sqrt(share * (1 - share) / draws), count.below, count.above, draws, resamples, examples);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int i, int standard) { return argc > i ? std::atoi(argv[i]) : standard; };
  const Size size{argument(1, 300), argument(2, 200), argument(3, 40)};
  const Law law;
  const Truth truth = truthOf(law, 200000);
  for (const char* variance : {"thesis", "full"}) study(law, variance, size, truth);
}
