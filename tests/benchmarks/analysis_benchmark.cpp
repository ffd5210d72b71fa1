// Times the parts of the analysis: heads from memory, then the inner loops beside simple implementations. A
// benchmark, not a test. analysis_benchmark [HEADS [ROWS [HEAD_DIM [THREADS]]]]
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <random>
#include <vector>

#include "core/analysis/pair_models.h"
#include "core/analysis/pca.h"
#include "core/base/json.h"
#include "core/jobs/analyze_job.h"
#include "core/jobs/parallel.h"

namespace plastiscope {
namespace {

struct Load {
  std::int64_t heads = 100, rows = 8000, headDim = 128, examples = 500, window = 131072;
  int threads = 0;
};

// Four different heads in memory, delivered repeatedly: reading costs a copy, as from a file in the page
// cache.
class SyntheticCapture : public CaptureFile {
 public:
  explicit SyntheticCapture(const Load& load) : m_load(load) {
    m_info.modelName = "synthetic";
    m_info.layers = load.heads;
    m_info.queryHeads = m_info.keyHeads = 1;
    m_info.headDim = load.headDim;
    m_info.window = load.window;
    m_info.bucketSize = load.window / 16;
    m_info.sampler = "uniform";
    for (std::int64_t layer = 0; layer < load.heads; ++layer) {
      m_info.layerInfos.push_back({layer, "full", 0, true, false, {0}, {0}, load.rows, load.rows});
    }
    for (unsigned i = 0; i < 8; ++i) m_rows.push_back(makeRows(i));
  }
  const CaptureInfo& info() const override { return m_info; }
  const std::filesystem::path& path() const override { return m_path; }
  CapturedRows rows(const RowPlace& place) const override {
    return m_rows[2 * (place.layer % 4) + (place.set == RowSet::Query ? 1 : 0)];
  }

 private:
  CapturedRows makeRows(unsigned seed) const {
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    CapturedRows rows;
    rows.headDim = m_load.headDim;
    for (std::int64_t i = 0; i < m_load.rows; ++i) {
      const auto t = static_cast<std::int32_t>(generator() % static_cast<unsigned>(m_load.window));
      rows.position.push_back(t);
      rows.example.push_back(static_cast<std::int32_t>(i * m_load.examples / m_load.rows));
      rows.bucket.push_back(t / static_cast<std::int32_t>(m_info.bucketSize));
      const float along = static_cast<float>(t) / static_cast<float>(m_load.window);
      for (std::int64_t c = 0; c < m_load.headDim; ++c) {
        rows.vectors.push_back(normal(generator) + 0.02f * static_cast<float>(c) +
                               along * static_cast<float>(c % 5));
      }
    }
    return rows;
  }
  Load m_load;
  CaptureInfo m_info;
  std::vector<CapturedRows> m_rows;
  std::filesystem::path m_path = "synthetic.h5";
};

struct Times {
  double wall = 0, processor = 0;  // seconds
};

template <typename Work>
Times timeOf(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t clock = std::clock();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC};
}

void timeAnalysis(const Load& load, const SyntheticCapture& capture, const char* pairs) {
  AnalysisSettings settings = AnalysisSettings::fromJson({{"pairs", pairs}});
  Progress progress;
  std::int64_t used = 0;
  const Times times = timeOf([&] {
    const AnalysisFile analysis = analyzeCapture(capture, settings, load.threads, progress);
    for (const std::int64_t count : analysis.find("profile")->integers("pairs_used")) used += count;
  });
  std::printf("analyze, pairs %-4s %8.2f s wall %8.2f s processor   %lld pairs, %.1f ns processor a pair\n",
              pairs, times.wall, times.processor, static_cast<long long>(used),
              times.processor * 1e9 / static_cast<double>(used));
}

// Covariances, components and their correlations with position, from rows in memory.
void timePca(const SyntheticCapture& capture) {
  constexpr int kRepeats = 10;
  const auto rowsOf = [&](RowSet set) {
    const CapturedRows rows = capture.rows({0, 0, set});
    std::vector<DroppedRow> dropped;
    return finiteRows({rows.headDim, rows.vectors, rows.position, rows.example}, dropped);
  };
  const VectorRows query = rowsOf(RowSet::Query), key = rowsOf(RowSet::Key);
  double sum = 0;
  const Times times = timeOf([&] {
    for (int r = 0; r < kRepeats; ++r)
      sum += pcaOf({query, momentsOf(query)}, {key, momentsOf(key)}, {}).explainedVarianceRatio[0];
  });
  std::printf("%-34s %6.2f ms processor a head   (first share %.4f)\n", "PCA",
              times.processor * 1e3 / kRepeats, sum / kRepeats);
}

// Keys of one example, only for pairs.
struct SyntheticKeys {
  Matrix stored;
  std::vector<std::int64_t> order;
  HouseholderKeys keys;

  SyntheticKeys(std::int64_t count, std::int64_t headDim)
      : stored(count, headDim), order(static_cast<std::size_t>(count)) {
    std::mt19937 generator(1);
    std::normal_distribution<double> normal;
    for (double& value : stored.reshaped()) value = normal(generator);
    std::iota(order.begin(), order.end(), 0);
    keys = householderKeys(stored, order, {});
  }
};

// The work of an analysis on the pairs of a bin.
void valuePairs(const SyntheticKeys& keys, std::span<const KeyPair> pairs, std::vector<double>& pp) {
  constexpr std::size_t kChunk = 2048;
  const Eigen::Index headDim = keys.stored.cols();
  const BinQueries queries{{}, {1, Vector::Constant(headDim, 0.1), Vector::Constant(headDim, 0.1)}, 1, 1};
  UsedKeys used{{}, std::ssize(pairs)};
  used.rows.assign(keys.order.begin(), keys.order.end());
  const auto model = makePairModel("thesis", queries, keys.keys, used);
  for (std::size_t p = 0; p < pairs.size(); p += kChunk)
    model->evaluate(pairs.subspan(p, std::min(kChunk, pairs.size() - p)), pp.data() + p);
}

void timeKernels(std::int64_t headDim) {
  constexpr int kKeys = 512, kRepeats = 10;
  const SyntheticKeys keys(kKeys, headDim);
  std::mt19937 generator(1);
  std::vector<KeyPair> all, some;
  for (std::int32_t i = 0; i < kKeys; ++i) {
    for (std::int32_t j = i + 1; j < kKeys; ++j) {
      all.push_back({i, j});
      if (generator() % 8 == 0) some.push_back({i, j});
    }
  }
  std::normal_distribution<double> normal;
  std::vector<double> variance(all.size(), 1.3), mean(all.size()), pp(all.size());
  for (double& value : mean) value = 5 * normal(generator);
  const auto report = [&](const char* name, std::size_t pairs, const auto& work) {
    const Times times = timeOf([&] {
      for (int r = 0; r < kRepeats; ++r) work();
    });
    std::printf("%-34s %6.2f ns processor a pair\n", name,
                times.processor * 1e9 / (static_cast<double>(pairs) * kRepeats));
  };
  report("pair statistic, one pair of eight", some.size(), [&] { valuePairs(keys, some, pp); });
  report("pair statistic, all pairs", all.size(), [&] { valuePairs(keys, all, pp); });
  report("PP, vectorised", all.size(),
         [&] { plasticityOfPairs(mean.data(), variance.data(), pp.data(), all.size()); });
  report("PP, erfc of the C library", all.size(), [&] {
    for (std::size_t p = 0; p < all.size(); ++p) {
      const double x = mean[p] / std::sqrt(2 * variance[p]);
      pp[p] = std::erfc(x) * std::erfc(-x);
    }
  });
}

int run(int count, char** arguments) {
  Load load;
  if (count > 1) load.heads = std::atoll(arguments[1]);
  if (count > 2) load.rows = std::atoll(arguments[2]);
  if (count > 3) load.headDim = std::atoll(arguments[3]);
  load.threads = count > 4 ? std::atoi(arguments[4]) : coreCount();
  std::printf("%lld heads, %lld + %lld rows of %lld, %d threads\n", static_cast<long long>(load.heads),
              static_cast<long long>(load.rows), static_cast<long long>(load.rows),
              static_cast<long long>(load.headDim), load.threads);
  const SyntheticCapture capture(load);
  timeAnalysis(load, capture, "256");
  timeAnalysis(load, capture, "all");
  timePca(capture);
  timeKernels(load.headDim);
  return 0;
}

}  // namespace
}  // namespace plastiscope

int main(int count, char** arguments) {
  return plastiscope::run(count, arguments);
}
