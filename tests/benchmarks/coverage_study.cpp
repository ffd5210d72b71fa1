// Measures how often the 95 % intervals contain the truth. Heads are drawn from a known law: queries
// alpha + beta t plus an offset of their text and noise, keys with their own drift. The truth is the value
// for infinitely many texts: axes and shares from the law's moments, plasticity by a large Monte Carlo of its
// closed form. The plain value is biased, since noise in the mean of a bin makes preferences more decided;
// the percentiles of a bootstrap add to the bias, a jackknife removes it.
// Usage: coverage_study [draws] [resamples] [heads] [rows of a text] [texts ...]
// Draws with a bin below the thresholds do not count. Prints a line per quantity and number of texts:
// coverage and mean width of both intervals, and the bias of both estimates in standard deviations of the
// plain one. Without resamples: only the jackknife.
// coverage_study aligned [draws]: aligned plasticity instead (aligned_coverage.cpp).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "aligned_coverage.h"
#include "core/analysis/bootstrap.h"
#include "core/analysis/tables.h"

using namespace plastiscope;

namespace {

constexpr std::int64_t kWindow = 4096, kBins = 16;
constexpr Eigen::Index kDim = 8;

struct Law {
  double queryStart = 0.5, queryDrift = 3, keyDrift = 1.5;  // along the directions; drifts over the window
  Vector queryWay = Vector{{0.5, 0.4, -0.3, 0.2, 0.4, -0.3, 0.35, 0.3}}.normalized();
  Vector keyWay = Vector{{0.5, 0.1, -0.5, 0.3, 0.3, -0.1, 0.35, 0.4}}.normalized();
  Vector content{{0, 0.6, -0.3, 0.2, 0, 0, 0.4, -0.2}};  // mean of the queries without their drift
  Vector queryNoise{{1, 0.8, 1.2, 0.6, 1, 0.9, 0.7, 1.1}}, keyNoise{{1, 1, 0.7, 1.3, 0.8, 1, 1.1, 0.9}};
  double offset = 0.4;  // of a text: standard deviation of every coordinate of queries and keys

  Vector queryMean(double t) const { return content + (queryStart + queryDrift * t / kWindow) * queryWay; }
  Vector keyMean(double t) const { return keyDrift * t / kWindow * keyWay; }
  // Around the mean at one position.
  Matrix spread(const Vector& noise) const {
    return (noise.cwiseAbs2().array() + offset * offset).matrix().asDiagonal();
  }
  Moments moments(bool query) const {
    Moments m;
    m.n = 1000;  // any number, equal for both
    m.meanT = (kWindow - 1) / 2.0;
    m.varianceT = (static_cast<double>(kWindow) * kWindow - 1) / 12;
    const Vector slope = (query ? queryDrift * queryWay : keyDrift * keyWay) / kWindow;
    m.mean = query ? queryMean(m.meanT) : keyMean(m.meanT);
    m.covariance = spread(query ? queryNoise : keyNoise) + m.varianceT * slope * slope.transpose();
    m.covarianceT = m.varianceT * slope;
    return m;
  }
};

double plasticityAt(double mean, double variance) {
  double pp = 0;
  plasticityOfPairs(&mean, &variance, &pp, 1);
  return pp;
}

// AP of every bin but the first, which has no earlier keys.
std::vector<BinResult> trueBins(const Law& law, const BinGrid& grid, const std::string& variance, int pairs) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Matrix spread = law.spread(law.queryNoise), basis = Matrix::Identity(kDim, kDim);
  if (variance == "thesis") {  // the reflection that puts the drift on coordinate 1
    const Vector u = law.queryWay - Vector::Unit(kDim, 0);
    basis -= 2 / u.squaredNorm() * u * u.transpose();
    spread = Matrix((basis * spread * basis).diagonal().asDiagonal());
  } else {  // also the drift within a bin
    const double apart = law.queryDrift / kBins;
    spread += apart * apart / 12 * law.queryWay * law.queryWay.transpose();
  }
  std::vector<BinResult> bins;
  for (std::int64_t b = 0; b < kBins; ++b) {
    BinResult& bin = bins.emplace_back();
    bin.tau = grid.midpoint(b);
    bin.queries = 1;
    if (b == 0) continue;
    const Vector mean = basis * law.queryMean(bin.tau.value());
    double sum = 0;
    for (int p = 0; p < pairs; ++p) {  // the offset of the text is the same in both keys
      Vector delta = (uniform(generator) - uniform(generator)) * law.keyMean(grid.start(b));
      for (Eigen::Index c = 0; c < kDim; ++c)
        delta[c] += std::sqrt(2.0) * law.keyNoise[c] * normal(generator);
      delta = basis * delta;
      sum += plasticityAt(delta.dot(mean), delta.dot(spread * delta));
    }
    bin.valid = true;
    bin.ap = sum / pairs;
  }
  return bins;
}

// The table heads of the law itself.
Table truthOf(const Law& law, const CaptureFrame& frame, const BinGrid& grid,
              const AnalysisSettings& settings) {
  const Moments query = law.moments(true), key = law.moments(false);
  HeadResult head;
  head.pca = leadingComponentOf(query, key, settings);
  const VectorRows none;
  head.rotation = rotationOf({none, query}, {none, key}, frame, settings);
  head.summary = summarise(trueBins(law, grid, settings.variance, 200000), kWindow, settings);
  head.model.betaNorm = law.queryDrift / kWindow;
  head.model.r2Position =
      (query.covarianceT.cwiseAbs2().array() / (query.varianceT * query.covariance.diagonal().array()))
          .mean();
  return headsTable({head});
}

VectorRows drawRows(const Law& law, bool query, const Matrix& offsets, int rowsPerText,
                    std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<std::int64_t> position(0, kWindow - 1);
  VectorRows rows;
  rows.vectors.resize(offsets.rows() * rowsPerText, kDim);
  for (Eigen::Index i = 0; i < rows.vectors.rows(); ++i) {
    const std::int64_t example = i / rowsPerText, t = position(generator);
    rows.position.push_back(t);
    rows.example.push_back(example);
    const Vector mean = query ? law.queryMean(static_cast<double>(t)) : law.keyMean(static_cast<double>(t));
    for (Eigen::Index c = 0; c < kDim; ++c) {
      const double noise = (query ? law.queryNoise[c] : law.keyNoise[c]) * normal(generator);
      rows.vectors(i, c) = mean[c] + offsets(example, c) + noise;
    }
  }
  return rows;
}

Matrix drawOffsets(const Law& law, int texts, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  Matrix offsets(texts, kDim);
  for (Eigen::Index i = 0; i < offsets.size(); ++i) offsets.data()[i] = law.offset * normal(generator);
  return offsets;
}

struct Size {
  int draws, resamples, heads, rows, texts;
};

// Head values of a draw with all their resamples; heads differ by their noise, not by their texts. Nothing if
// a bin has too few queries or pairs: means over the other bins would estimate another quantity.
struct Draw {
  std::vector<HeadResult> heads;
  std::vector<HeadSamples> bootstrap, jackknife;
};

class Study {
 public:
  Study(const Law& law, const std::string& variance) : m_law(law) {
    m_settings.bins = std::to_string(kBins);
    m_settings.variance = variance;
    m_grid = makeBinGrid(m_settings, m_frame, kBins);
    m_truth = truthOf(law, m_frame, m_grid, m_settings);
  }
  void run(const Size& size);

 private:
  // Coverage and width of one kind of interval.
  struct Count {
    int held = 0, known = 0;
    double width = 0, sum = 0, squares = 0;
    void add(double truth, double value, const Interval& interval);
    double share() const { return known > 0 ? static_cast<double>(held) / known : kMissing; }
    double mean() const { return sum / known; }
    double deviation() const { return std::sqrt(squares / known - mean() * mean()); }
  };
  Draw draw(unsigned number, const Size& size, const Resamples& drawn, const Resamples& left);

  const Law& m_law;
  AnalysisSettings m_settings;
  CaptureFrame m_frame{kWindow, kWindow / kBins, false, 0};
  BinGrid m_grid;
  Table m_truth;
};

void Study::Count::add(double truth, double value, const Interval& interval) {
  if (std::isnan(value) || std::isnan(interval.low)) return;
  ++known;
  held += interval.low <= truth && truth <= interval.high ? 1 : 0;
  width += interval.high - interval.low;
  sum += value - truth;
  squares += (value - truth) * (value - truth);
}

Draw Study::draw(unsigned number, const Size& size, const Resamples& drawn, const Resamples& left) {
  std::mt19937_64 generator(1000 + number);
  const Matrix queryOffsets = drawOffsets(m_law, size.texts, generator),
               keyOffsets = drawOffsets(m_law, size.texts, generator);
  Draw result;
  for (int h = 0; h < size.heads; ++h) {
    const HeadId place{0, h, h, {}, false};
    const VectorRows query = drawRows(m_law, true, queryOffsets, size.rows, generator);
    const HeadKeys key(drawRows(m_law, false, keyOffsets, size.rows, generator));
    result.heads.push_back(analyzeHead({place, m_frame, query, key, m_grid, m_settings, Progress()}));
    const std::vector<BinResult>& bins = result.heads.back().plasticity.bins;
    if (!std::all_of(bins.begin() + 1, bins.end(), [](const BinResult& bin) { return bin.valid; })) return {};
    for (const auto& [resamples, samples] :
         {std::pair(&drawn, &result.bootstrap), std::pair(&left, &result.jackknife)}) {
      if (resamples->count() > 0)
        samples->push_back(
            bootstrapHead({place, m_frame, query, key, m_grid, m_settings, Progress()}, *resamples));
    }
  }
  return result;
}

constexpr std::array kQuantities = {"ap_overall",    "ap_first20",    "ap_last20",     "ap_drop",
                                    "ap_quintile_1", "ap_quintile_2", "ap_quintile_3", "ap_quintile_4",
                                    "ap_quintile_5", "bias_strength", "bias_window",   "separation_strength",
                                    "r2_pos",        "lin_frac_q",    "lin_frac_k",    "position_r",
                                    "slope_ratio",   "beta_norm",     "pc0_variance",  "plane_var_fraction"};

void Study::run(const Size& size) {
  std::array<Count, kQuantities.size()> percentile, jackknife;
  for (int number = 0, complete = 0; complete < size.draws; ++number) {
    m_settings.seed = static_cast<std::uint64_t>(number);
    const Resamples drawn = drawResamples(m_settings.seed, size.resamples, size.texts),
                    left = leaveOut(size.texts, m_settings.jackknifeGroups);
    const Draw one = draw(static_cast<unsigned>(number), size, drawn, left);
    if (one.heads.empty()) continue;
    ++complete;
    const auto modelWith = [&](const std::vector<HeadSamples>& samples, const Resamples& resamples) {
      const Table heads = headsTable(one.heads);
      std::vector<Table> tables = {heads, modelTable(heads)};
      addIntervals(tables, samples, Estimator(resamples));
      return tables[1];
    };
    const Table held = modelWith(one.bootstrap, drawn), corrected = modelWith(one.jackknife, left);
    for (std::size_t q = 0; q < kQuantities.size(); ++q) {
      const std::string name = kQuantities[q];
      const double truth = m_truth.numbers(name)[0];
      const auto intervalIn = [&](const Table& table) {
        return Interval{table.numbers(name + "_low")[0], table.numbers(name + "_high")[0]};
      };
      const Interval about = intervalIn(corrected);
      const double value = corrected.numbers(name)[0];
      percentile[q].add(truth, value, size.resamples > 0 ? intervalIn(held) : Interval{value, value});
      jackknife[q].add(truth, (about.low + about.high) / 2, about);
    }
  }
  for (std::size_t q = 0; q < kQuantities.size(); ++q) {
    const bool isPlasticity = std::string(kQuantities[q]).starts_with("ap_");
    if (!isPlasticity && m_settings.variance != "thesis") continue;  // does not depend on the variance
    const Count &plain = percentile[q], &corrected = jackknife[q];
    const double unit = plain.deviation(), p = corrected.share();
    std::printf("%-8s %-20s %6d %6d %10.4g %8.2f %8.2f ", m_settings.variance.c_str(), kQuantities[q],
                size.texts, corrected.known, m_truth.numbers(kQuantities[q])[0], plain.mean() / unit,
                corrected.mean() / unit);
    if (size.resamples > 0)
      std::printf("%8.1f %8.2f ", 100 * plain.share(), plain.width / plain.known / unit);
    std::printf("%8.1f %8.2f %6.1f\n", 100 * p, corrected.width / corrected.known / unit,
                100 * std::sqrt(p * (1 - p) / corrected.known));
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int i, int standard) { return argc > i ? std::atoi(argv[i]) : standard; };
  if (argc > 1 && std::strcmp(argv[1], "aligned") == 0) {
    studyAlignedCoverage(argument(2, 400));
    return 0;
  }
  Size size{argument(1, 1000), argument(2, 200), argument(3, 1), argument(4, 50), 0};
  std::vector<int> texts;
  for (int i = 5; i < argc; ++i) texts.push_back(std::atoi(argv[i]));
  if (texts.empty()) texts = {10, 20, 40, 100};
  std::printf("%-8s %-20s %6s %6s %10s %8s %8s ", "variance", "quantity", "texts", "draws", "truth",
              "bias/sd", "jk bias");
  if (size.resamples > 0) std::printf("%8s %8s ", "perc. %", "width/sd");
  std::printf("%8s %8s %6s\n", "jack. %", "width/sd", "+- %");
  const Law law;
  for (const char* variance : {"thesis", "full"}) {
    Study study(law, variance);
    for (const int count : texts) {
      size.texts = count;
      study.run(size);
    }
  }
}
