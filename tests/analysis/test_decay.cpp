// Plasticity decays with position when queries drift and content does not change (method.md, Decay with
// position).
#include <gtest/gtest.h>

#include <numbers>

#include "core/analysis/ap_summary.h"
#include "tests/analysis/sample_heads.h"

namespace plastiscope {
namespace {

double pairPlasticity(double mean, double variance) {
  double pp = 0;
  plasticityOfPairs(&mean, &variance, &pp, 1);
  return pp;
}

// (i) z(t) = gamma t + z0; from t >= 2 |z0| / |gamma| and |z| >= 1 on: PP <= 4 / sqrt(2 pi) exp(-gamma^2 t^2
// / 8).
TEST(Decay, PairPlasticityStaysBelowItsBound) {
  int checked = 0;
  for (const double gamma : {1e-4, 1e-3, 0.02, 0.5}) {
    for (const double z0 : {-2.0, -0.3, 0.0, 1.5}) {
      for (double t = 0; t < 20 / gamma; t += 0.05 / gamma) {
        const double z = gamma * t + z0;
        if (t < 2 * std::abs(z0) / gamma || std::abs(z) < 1) continue;
        const double bound = 4 / std::sqrt(2 * std::numbers::pi) * std::exp(-gamma * gamma * t * t / 8);
        EXPECT_LE(pairPlasticity(z, 1), bound) << gamma << " " << z0 << " " << t;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 1000);
}

constexpr std::int64_t kWindow = 4096;

// q = alpha + beta t + noise of diagonal covariance; keys at random. Drift along coordinate 1, so that the
// Householder basis is the one in which the noise is diagonal.
struct Drifting {
  Vector alpha{{0.4, -0.3, 0.2, 0.1}};
  Vector spread{{1.0, 0.7, 1.3, 0.5}};
  double beta;
  test::SampleHead head;

  Drifting(double drift, int rows) : beta(drift) {
    std::mt19937 generator(7);
    std::normal_distribution<double> normal;
    head.frame = {kWindow, 256, false, 1};
    for (VectorRows* kind : {&head.query, &head.key}) {
      kind->vectors.resize(rows, 4);
      for (int i = 0; i < rows; ++i) {
        const std::int64_t t = static_cast<std::int64_t>(i) * 2654435761 % kWindow;
        kind->position.push_back(t);
        kind->example.push_back(i * 40 / rows);
        for (Eigen::Index c = 0; c < 4; ++c) kind->vectors(i, c) = normal(generator);
        if (kind == &head.query)
          kind->vectors.row(i) = query(t, kind->vectors.row(i).transpose()).transpose();
      }
    }
  }
  Vector query(std::int64_t t, const Vector& noise) const {
    Vector q = alpha + spread.cwiseProduct(noise);
    q[0] += beta * static_cast<double>(t) / kWindow;
    return q;
  }
};

AnalysisSettings decaySettings() {
  AnalysisSettings settings;
  settings.bins = "8";
  settings.pairs = 0;
  return settings;
}

// Two keys of one example, both before `start`, at random.
std::pair<Eigen::Index, Eigen::Index> eligiblePair(const VectorRows& keys, double start,
                                                   std::mt19937& generator) {
  std::uniform_int_distribution<std::size_t> any(0, keys.position.size() - 1);
  const auto eligible = [&](std::size_t row) { return static_cast<double>(keys.position[row]) < start; };
  while (true) {
    const std::size_t first = any(generator), second = any(generator);
    if (first != second && keys.example[first] == keys.example[second] && eligible(first) &&
        eligible(second)) {
      return {static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(second)};
    }
  }
}

// (ii) thesis AP equals simulated preferences of fresh queries, and falls with position.
TEST(Decay, MatchesSimulatedPreferencesAndFalls) {
  const Drifting drifting(9, 4000);
  const Plasticity plasticity = test::plasticityWith(drifting.head, decaySettings());
  std::mt19937 generator(11);
  std::normal_distribution<double> normal;
  double before = 1;
  for (std::size_t b = 1; b < 8; ++b) {
    const BinResult& bin = plasticity.bins[b];
    double sum = 0;
    constexpr int kPairs = 4000, kQueries = 100;
    for (int p = 0; p < kPairs; ++p) {
      const auto [first, second] = eligiblePair(drifting.head.key, bin.start, generator);
      const Vector delta =
          (drifting.head.key.vectors.row(first) - drifting.head.key.vectors.row(second)).transpose();
      int wins = 0;
      for (int n = 0; n < kQueries; ++n) {
        Vector noise(4);
        for (Eigen::Index c = 0; c < 4; ++c) noise[c] = normal(generator);
        const auto t = static_cast<std::int64_t>(bin.start + (n + 0.5) * (bin.end - bin.start) / kQueries);
        wins += drifting.query(t, noise).dot(delta) > 0 ? 1 : 0;
      }
      const double share = static_cast<double>(wins) / kQueries;
      sum += 4 * share * (1 - share) * kQueries / (kQueries - 1);
    }
    EXPECT_NEAR(bin.ap, sum / kPairs, 0.025) << b;  // PP spreads by about 0.35
    EXPECT_LT(bin.ap, before) << b;
    before = bin.ap;
  }
}

// (iii) beta = 0: the profile is flat.
TEST(Decay, NoDriftIsFlat) {
  const Drifting still(0, 4000);
  const Plasticity plasticity = test::plasticityWith(still.head, decaySettings());
  for (std::size_t b = 1; b < 8; ++b) EXPECT_NEAR(plasticity.bins[b].ap, plasticity.bins[4].ap, 0.07) << b;
}

}  // namespace
}  // namespace plastiscope
