// Times the attention map of a synthetic head of 32,768 tokens (or --tokens N): the first view, the whole
// text, and zooms before and after it is known, each as a ratio to its limit on two cores. A benchmark, not a
// test: attention_map_benchmark [--tokens N] [--head-dim N] [--threads N]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "core/jobs/attention_map.h"
#include "views/literal_study.h"

namespace plastiscope {
namespace {

CapturedRows randomRows(std::int64_t tokens, std::int64_t headDim, unsigned seed) {
  CapturedRows rows{headDim, {}, {}, {}, {}};
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  for (std::int64_t t = 0; t < tokens; ++t) rows.position.push_back(static_cast<std::int32_t>(t));
  rows.example.assign(rows.position.size(), 0);
  rows.bucket = rows.example;
  rows.vectors.resize(static_cast<std::size_t>(tokens * headDim));
  for (float& number : rows.vectors) number = normal(generator);
  return rows;
}

template <typename Work>
double secondsOf(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void report(const char* what, double seconds, double limit) {
  std::printf("%-44s %8.1f ms  %6.2f of the limit of %.0f ms\n", what, 1e3 * seconds, seconds / limit,
              1e3 * limit);
}

void run(std::int64_t tokens, std::int64_t headDim, int threads) {
  const CapturedRows queries = randomRows(tokens, headDim, 1), keys = randomRows(tokens, headDim, 2);
  const auto capture = std::make_shared<test::LiteralCapture>(
      std::vector<std::string>{"text"},
      [&](const RowPlace& place) { return place.set == RowSet::DenseQuery ? queries : keys; });
  capture->editable().scoreScale = 3 / std::sqrt(static_cast<double>(headDim));
  CaptureLayerInfo layer;
  layer.queryHeads = layer.denseQueryHeads = {1};
  layer.keyHeads = layer.denseKeyHeads = {0};
  capture->editable().layerInfos = {layer};
  const Study study{capture, test::literalAnalysis(), "", "", {}};
  const AttentionMap map(study, {0, 1}, 0, threads);
  using enum AttentionMap::Precision;
  const Progress silent;
  constexpr std::int64_t kPixels = 600;
  const AttentionView whole{AttentionQuantity::Weight, {}, {}, kPixels, kPixels};
  std::printf("%lld tokens, head dimension %lld, %d threads\n", static_cast<long long>(tokens),
              static_cast<long long>(headDim), threads);
  report("whole text, estimate", secondsOf([&] { map.view(whole, Quick, silent); }), 0.1);
  // Parts from a few tokens to a quarter of the text, off the diagonal, where a query sees all keys.
  const auto zooms = [&](const char* when, AttentionMap::Precision precision) {
    std::vector<double> seconds;
    for (std::int64_t size = 64; size <= tokens / 4; size *= 2) {
      for (std::int64_t place = 0; place < 4; ++place) {
        const std::int64_t query = tokens / 2 + place * tokens / 16, key = place * tokens / 16;
        const AttentionView view{AttentionQuantity::Weight, TokenRange{query, query + size},
                                 TokenRange{key, key + size}, kPixels, kPixels};
        seconds.push_back(secondsOf([&] { map.view(view, precision, silent); }));
      }
    }
    std::ranges::sort(seconds);
    std::printf("%s: median %.1f ms of %zu zooms\n", when, 1e3 * seconds[seconds.size() / 2], seconds.size());
    report("  slowest", seconds.back(), 0.1);
  };
  zooms("zoom while the text is not known", Quick);
  const double pairs = static_cast<double>(tokens) * static_cast<double>(tokens + 1) / 2;
  report("whole text, exact", secondsOf([&] { map.complete(silent); }), pairs / 1.8e8);
  zooms("zoom, exact", Exact);
  report("whole text again", secondsOf([&] { map.view(whole, Quick, silent); }), 0.1);
}

}  // namespace
}  // namespace plastiscope

int main(int count, char** arguments) {
  std::int64_t tokens = 32768, headDim = 128;
  int threads = 2;
  for (int i = 1; i + 1 < count; i += 2) {
    if (std::strcmp(arguments[i], "--tokens") == 0) tokens = std::atoll(arguments[i + 1]);
    if (std::strcmp(arguments[i], "--head-dim") == 0) headDim = std::atoll(arguments[i + 1]);
    if (std::strcmp(arguments[i], "--threads") == 0) threads = std::atoi(arguments[i + 1]);
  }
  plastiscope::run(tokens, headDim, threads);
}
