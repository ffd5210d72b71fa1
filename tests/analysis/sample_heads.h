#pragma once
// Heads for tests: made by formulas, or row by row.
#include <cmath>
#include <random>

#include "core/analysis/head_analysis.h"

namespace plastiscope::test {

struct SampleHead {
  HeadId place;
  CaptureFrame frame;
  VectorRows query, key;
};

// A row of a head: vector, position, example.
struct Row {
  std::vector<double> vector;
  std::int64_t position = 0, example = 0;
};

inline VectorRows rowsOf(const std::vector<Row>& list) {
  VectorRows rows;
  const auto dim = static_cast<Eigen::Index>(list.empty() ? 0 : list.front().vector.size());
  rows.vectors.resize(list.size(), dim);
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (std::size_t c = 0; c < list[i].vector.size(); ++c) {
      rows.vectors(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(c)) = list[i].vector[c];
    }
    rows.position.push_back(list[i].position);
    rows.example.push_back(list[i].example);
  }
  return rows;
}

// The head of method.md, Worked example.
inline SampleHead workedExample() {
  constexpr double kA[] = {2, -1, 0.5, 0.25}, kB[] = {1.5, -0.5, 0.25, 0};
  constexpr double kKeyA[] = {-1, 0.5, 0, 0.75}, kKeyB[] = {2, 0.25, -0.5, 0.125};
  std::vector<Row> query, key;
  for (int e = 0; e < 6; ++e) {
    for (int n = 0; n < 40; ++n) {
      const int tq = 97 * n + 13 * e + 5, tk = 101 * n + 7 * e + 2;
      Row q{{}, tq, e}, k{{}, tk, e};
      for (int c = 0; c < 4; ++c) {
        q.vector.push_back(kA[c] + kB[c] * tq / 4096.0 + std::sin(0.7 * (c + 1) * (n + 1) + 1.3 * e));
        k.vector.push_back(kKeyA[c] + kKeyB[c] * tk / 4096.0 + std::cos(0.9 * (c + 1) * (n + 1) + 1.1 * e));
      }
      query.push_back(q);
      key.push_back(k);
    }
  }
  return {{}, {4096, 256, false, 0.5}, rowsOf(query), rowsOf(key)};
}

// Its settings: 16 equal bins, all pairs.
inline AnalysisSettings workedSettings() {
  AnalysisSettings settings;
  settings.bins = "16";
  settings.pairs = 0;
  settings.minQueries = 2;
  settings.minPairs = 1;
  return settings;
}

// A random head: drifting means, different spreads, `rows` of each kind over `examples` texts.
inline SampleHead randomHead(unsigned seed, Eigen::Index dim, int rows, int examples, std::int64_t window) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  const auto make = [&] {
    VectorRows kind;
    kind.vectors.resize(rows, dim);
    Vector mean(dim), drift(dim), spread(dim);
    for (Eigen::Index c = 0; c < dim; ++c) {
      mean[c] = 2 * normal(generator);
      drift[c] = 2 * normal(generator);
      spread[c] = std::exp(0.5 * normal(generator));
    }
    for (int i = 0; i < rows; ++i) {
      const std::int64_t t = static_cast<std::int64_t>(i) * 7919 % window;
      kind.position.push_back(t);
      kind.example.push_back(i * examples / rows);
      for (Eigen::Index c = 0; c < dim; ++c) {
        const double along = static_cast<double>(t) / static_cast<double>(window);
        kind.vectors(i, c) = mean[c] + drift[c] * along + spread[c] * normal(generator);
      }
    }
    return kind;
  };
  SampleHead head{{}, {window, std::max<std::int64_t>(1, window / 16), false, 0}, {}, {}};
  head.query = make();
  head.key = make();
  return head;
}

inline HeadResult analyze(const SampleHead& head, const AnalysisSettings& settings) {
  const BinGrid grid = makeBinGrid(settings, head.frame, densityBinCount(head.query.rows(), 1));
  return analyzeHead({head.place, head.frame, head.query, HeadKeys(head.key), grid, settings, Progress()});
}

inline Plasticity plasticityWith(const SampleHead& head, const AnalysisSettings& settings,
                                 DriftChange change = DriftChange::None) {
  const BinGrid grid = makeBinGrid(settings, head.frame, densityBinCount(head.query.rows(), 1));
  const HeadKeys keys(head.key);
  const QueryModel model = queryModelOf(head.query, momentsOf(head.query));
  return plasticityOf({head.place, head.frame, head.query, keys.rows, keys.order, model, grid},
                      HouseholderHead(head.query, {keys.rows, keys.order}, model, grid), settings, Progress(),
                      change);
}

}  // namespace plastiscope::test
