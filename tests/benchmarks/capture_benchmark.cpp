// The forward pass alone, for capture_benchmark.py, which runs it beside a peer: capture_benchmark MODEL
// TOKENS DTYPE THREADS. Each line of the input is a number of tokens, up to TOKENS: one pass of every layer
// over them, of which every 64th row is taken. The answer is a JSON line with its seconds, the largest memory
// so far beside what was predicted, and the share that matrix products and attention reach of the peak: a
// product of large random matrices of that type, measured right after it.
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/forward/device.h"
#include "core/forward/forward.h"
#include "core/forward/work_meter.h"

namespace plastiscope {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Asks for all heads at every 64th position, and forgets them.
class Sample : public QkSink {
 public:
  Sample(const ModelSpec& spec, std::int64_t tokens) : m_spec(spec) {
    for (std::int64_t i = 0; i < tokens; i += 64) m_positions.push_back(static_cast<std::int32_t>(i));
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

 private:
  const ModelSpec& m_spec;
  std::vector<std::int32_t> m_positions;
};

// Floating point operations a second of all threads together.
double peak(const Compute& compute) {
  constexpr std::int64_t kSide = 2048;
  const at::Tensor left = at::randn({kSide, kSide}).to(compute.dtype);
  const at::Tensor right = at::randn({kSide, kSide}).to(compute.dtype);
  at::mm(left, right);
  double best = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto start = Clock::now();
    at::mm(left, right);
    best = std::max(best, 2.0 * kSide * kSide * kSide / secondsSince(start));
  }
  return best;
}

Json shareOf(WorkKind kind, const WorkDone& before, double peakOfAll, int threads) {
  const WorkDone now = workDone(kind);
  const double flops = now.flops - before.flops, seconds = now.seconds - before.seconds;
  return {{"flops", flops},
          {"thread_seconds", seconds},
          {"share_of_peak", flops / std::max(seconds, 1e-9) / (peakOfAll / threads)}};
}

void serve(const std::string& modelPath, std::int64_t tokens, const std::string& dtype, int threads) {
  const auto model = openModel(modelPath);
  ForwardOptions options;
  options.device = "cpu";
  options.dtype = dtype;
  options.threads = threads;
  const auto runner = makeForwardRunner(model, model->spec.layerCount - 1, options);
  const Compute compute = computeOf(resolveDevice(*model, options));
  std::vector<std::int32_t> ids;
  for (std::int64_t i = 0; i < tokens; ++i)
    ids.push_back(static_cast<std::int32_t>((7919 * i + 13) % model->spec.vocabulary));
  const std::uint64_t predicted =
      forwardCost(model->spec, {tokens}, model->spec.layerCount - 1, resolveDevice(*model, options), options)
          .peakBytes;
  std::puts("ready");
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    const WorkDone products = workDone(WorkKind::Products), attention = workDone(WorkKind::Attention);
    Progress progress;
    GroupWatch nobody;
    const std::int64_t count = std::min<std::int64_t>(tokens, std::atoll(line.c_str()));
    const std::vector<std::int32_t> text(ids.begin(), ids.begin() + count);
    Sample sink(model->spec, count);
    const auto start = Clock::now();
    runner->run({{0, text}}, sink, progress, nobody);
    const double seconds = secondsSince(start);
    const std::uint64_t resident = peakResidentBytes();
    const double best = peak(compute);
    const Json answer = {{"seconds", seconds},
                         {"predicted_bytes", predicted},
                         {"resident_bytes", resident},
                         {"peak_flops", best},
                         {"products", shareOf(WorkKind::Products, products, best, threads)},
                         {"attention", shareOf(WorkKind::Attention, attention, best, threads)}};
    std::puts(canonicalJson(answer).c_str());
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace plastiscope

int main(int count, char** arguments) {
  if (count != 5) {
    std::fprintf(stderr, "capture_benchmark MODEL TOKENS DTYPE THREADS\n");
    return 2;
  }
  try {
    plastiscope::serve(arguments[1], std::atoll(arguments[2]), arguments[3], std::atoi(arguments[4]));
  } catch (const plastiscope::Error& error) {
    std::fprintf(stderr, "capture_benchmark: %s\n", error.what());
    return error.exitCode();
  }
}
