// Times the forward pass only. Run by capture_benchmark.py beside a peer: capture_benchmark MODEL
// TOKENS DTYPE THREADS DEVICE TEXTS. Each line of the input is a number of tokens, up to TOKENS, and one of
// queries to score: one pass of every layer over a group of TEXTS texts of that length, with every 64th row
// captured and the attention of that many of them scored for every head but those of the last layer. The
// answer is a JSON line with its seconds, the peak memory so far and its prediction, and the share that
// matrix products and attention reach of the peak: a product of large random matrices of that type, measured
// right after it. On a GPU, which runs steps asynchronously, the seconds of single steps mean nothing.
#include <ATen/DeviceAccelerator.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/forward/device.h"
#include "core/forward/forward.h"
#include "core/forward/work_meter.h"
#include "tests/support/peak_memory.h"

#if __has_include(<torch/headeronly/version.h>)
#include <torch/headeronly/version.h>
#endif

namespace plastiscope {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Requests all heads at every 64th position, and scores of so many of these queries, and discards them.
class Sample : public QkSink {
 public:
  Sample(const ModelSpec& spec, std::int64_t tokens, std::int64_t scored) : m_spec(spec) {
    for (std::int64_t i = 0; i < tokens; i += 64) m_positions.push_back(static_cast<std::int32_t>(i));
    const std::int64_t all = std::ssize(m_positions) - 1;
    for (std::int64_t k = 0; k < std::min(scored, all); ++k)
      m_scored.push_back(m_positions[1 + k * all / std::min(scored, all)]);
  }
  std::vector<std::int32_t> heads(std::int64_t, QueryOrKey kind) const override {
    std::vector<std::int32_t> all;
    const std::int64_t count = kind == QueryOrKey::Query ? m_spec.queryHeads : m_spec.keyHeads;
    for (std::int64_t i = 0; i < count; ++i) all.push_back(static_cast<std::int32_t>(i));
    return all;
  }
  std::vector<std::int32_t> positions(std::int64_t, QueryOrKey, std::int64_t) const override {
    return m_positions;
  }
  bool wants(CapturePoint point) const override { return point == CapturePoint::PostRope; }
  void take(std::int64_t, QueryOrKey, CapturePoint, std::int64_t, std::span<const float>) override {}
  // None in the last layer, which a capture scores in every eighth text only.
  std::vector<std::int32_t> scoredQueries(std::int64_t layer, std::int64_t) const override {
    return layer + 1 < m_spec.layerCount ? m_scored : std::vector<std::int32_t>{};
  }

 private:
  const ModelSpec& m_spec;
  std::vector<std::int32_t> m_positions, m_scored;
};

// Floating point operations per second of all threads, or of the GPU.
double peak(const Compute& compute) {
  const bool card = !compute.device.is_cpu();
  const std::int64_t side = card ? 8192 : 2048;
  const auto random = [&] { return at::randn({side, side}).to(compute.device, compute.dtype); };
  const at::Tensor left = random(), right = random();
  at::Tensor product = at::mm(left, right);
  double best = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    if (card) product[0][0].item<float>();
    const auto start = Clock::now();
    const int times = card ? 10 : 1;
    for (int i = 0; i < times; ++i) at::mm_out(product, left, right);
    if (card) product[0][0].item<float>();  // waits for the GPU
    best = std::max(best, 2.0 * times * std::pow(side, 3) / secondsSince(start));
  }
  return best;
}

// The peak GPU memory of libtorch, without its own handles.
std::uint64_t peakCardBytes([[maybe_unused]] const Compute& compute) {
#if defined(TORCH_VERSION_MAJOR) && (TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 11)
  return static_cast<std::uint64_t>(
      at::accelerator::getDeviceStats(compute.device.index()).allocated_bytes[0].peak);
#else
  return 0;
#endif
}

Json shareOf(WorkKind kind, const WorkDone& before, double peakOfAll, int threads) {
  const WorkDone now = workDone(kind);
  const double flops = now.flops - before.flops, seconds = now.seconds - before.seconds;
  return {{"flops", flops},
          {"thread_seconds", seconds},
          {"share_of_peak", flops / std::max(seconds, 1e-9) / (peakOfAll / threads)}};
}

void serve(const std::string& modelPath, std::int64_t tokens, const ForwardOptions& options,
           std::int64_t texts) {
  const auto model = openModel(modelPath);
  const auto runner = makeForwardRunner(model, model->spec.layerCount - 1, options);
  const Compute compute = computeOf(resolveDevice(*model, options));
  std::vector<std::int32_t> ids;
  for (std::int64_t i = 0; i < tokens; ++i)
    ids.push_back(static_cast<std::int32_t>((7919 * i + 13) % model->spec.vocabulary));
  const std::uint64_t predicted =
      forwardMemory(model->spec, {tokens * texts, tokens}, model->spec.layerCount - 1,
                    resolveDevice(*model, options), options)
          .peakBytes;
  std::puts("ready");
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    const WorkDone products = workDone(WorkKind::Products), attention = workDone(WorkKind::Attention);
    Progress progress;
    GroupWatch nobody;
    std::int64_t count = 0, scored = 0;
    std::istringstream(line) >> count >> scored;
    count = std::min(tokens, count);
    std::vector<TokenSequence> group;
    for (std::int64_t text = 0; text < texts; ++text)
      group.push_back({text, {ids.begin(), ids.begin() + count}});
    Sample sink(model->spec, count, scored);
    const auto start = Clock::now();
    runner->run(group, sink, progress, nobody);
    const double seconds = secondsSince(start);
    const std::uint64_t resident = compute.device.is_cpu() ? peakResidentBytes() : peakCardBytes(compute);
    const double best = peak(compute);
    const Json answer = {{"seconds", seconds},
                         {"predicted_bytes", predicted},
                         {"resident_bytes", resident},
                         {"peak_flops", best},
                         {"products", shareOf(WorkKind::Products, products, best, options.threads)},
                         {"attention", shareOf(WorkKind::Attention, attention, best, options.threads)}};
    std::puts(canonicalJson(answer).c_str());
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace plastiscope

int main(int count, char** arguments) {
  if (count != 7) {
    std::fprintf(stderr, "capture_benchmark MODEL TOKENS DTYPE THREADS DEVICE TEXTS\n");
    return 2;
  }
  try {
    plastiscope::ForwardOptions options;
    options.dtype = arguments[3];
    options.threads = std::atoi(arguments[4]);
    options.device = arguments[5];
    plastiscope::serve(arguments[1], std::atoll(arguments[2]), options, std::atoll(arguments[6]));
  } catch (const plastiscope::Error& error) {
    std::fprintf(stderr, "capture_benchmark: %s\n", error.what());
    return error.exitCode();
  }
}
