// Times attention: our kernel, libtorch's fused kernel, and products with a softmax between them, as shares
// of the speed of matrix products of the same type on this machine. All alternate in one run; results are
// medians of the ratios of the rounds. A benchmark, not a test: attention_benchmark [--json] [--rounds N]
// [--threads N]
// [--kernel NAME] [SHAPE ...]
#include <ATen/Parallel.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/forward/attention.h"
#include "core/forward/attention_kernel.h"
#include "core/forward/row_blocks.h"

#if __has_include(<torch/headeronly/version.h>)
#include <torch/headeronly/version.h>
#endif

namespace plastiscope {
namespace {

// The last `rows` queries of a text, for some of a model's key heads.
struct Shape {
  const char* name;
  std::int64_t keyHeads, group, headDim, tokens, rows, window;
};

constexpr Shape kShapes[] = {
    {"135M-8k", 3, 3, 64, 8192, 2048, 0},   {"135M-window", 3, 3, 64, 8192, 2048, 512},
    {"1B-8k", 2, 4, 64, 8192, 2048, 0},     {"8B-8k", 2, 4, 128, 8192, 1024, 0},
    {"8B-32k", 1, 4, 128, 32768, 1024, 0},  {"wide-8k", 1, 2, 256, 8192, 1024, 0},
    {"eight-8k", 1, 8, 128, 8192, 1024, 0},
};

struct Settings {
  bool json = false;
  int rounds = 15, threads = 0;
  std::string kernel;
  std::vector<std::string> shapes;
};

double secondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Scores of a tile of queries with all keys before it, a softmax, and the product with the values.
at::Tensor chainOfProducts(const AttentionCall& call) {
  const std::int64_t rows = call.query.size(0), keyHeads = call.keys.size(0), width = call.query.size(2);
  const std::int64_t group = call.query.size(1) / keyHeads;
  const at::Tensor out = at::empty({keyHeads, rows, group, width}, call.query.options());
  for (std::int64_t row = 0; row < rows; row += kAttentionTile) {
    const std::int64_t count = std::min(kAttentionTile, rows - row), end = call.first + row + count;
    const at::Tensor query = call.query.narrow(0, row, count)
                                 .view({count, keyHeads, group, width})
                                 .transpose(0, 1)
                                 .reshape({keyHeads, count * group, width});
    const at::Tensor keys = call.keys.narrow(1, 0, end);
    at::Tensor scores = at::bmm(query, keys.transpose(1, 2)).mul_(call.rule.scale);
    const at::Tensor hidden =
        at::ones({count, end}, at::TensorOptions().dtype(at::kBool)).triu_(end - count + 1);
    scores.view({keyHeads, count, group, end})
        .masked_fill_(hidden.view({1, count, 1, end}), -std::numeric_limits<float>::infinity());
    out.narrow(1, row, count)
        .copy_(at::bmm(at::softmax(scores, 2), call.values.narrow(1, 0, end))
                   .view({keyHeads, count, group, width}));
  }
  return out;
}

struct Candidate {
  const char* name;
  std::function<void()> work;
  double flops = 0;
  std::vector<double> rates = {};  // FLOP/s, one number per round
};

void measure(const Shape& shape, at::ScalarType type, const Settings& settings) {
  const std::int64_t heads = shape.keyHeads * shape.group, first = shape.tokens - shape.rows;
  at::manual_seed(1);
  const at::Tensor query = at::randn({shape.rows, heads, shape.headDim}).to(type);
  const at::Tensor keys = at::randn({shape.keyHeads, shape.tokens, shape.headDim}).to(type);
  const at::Tensor values = at::randn({shape.keyHeads, shape.tokens, shape.headDim}).to(type);
  const at::Tensor left = at::randn({2048, 2048}).to(type), right = at::randn({2048, 2048}).to(type);
  const AttentionRule rule{1 / std::sqrt(static_cast<double>(shape.headDim)), shape.window, false, 0, {}};
  const std::function<void()> nothing = [] {};
  const AttentionCall call{query, first, keys, values, rule, nothing};

  const auto numbers = type == at::kFloat ? AttentionNumbers::Float32 : AttentionNumbers::BFloat16;
  const AttentionKernel* kernel = &attentionKernel(numbers);
  for (const AttentionKernel& one : attentionKernels()) {
    if (settings.kernel == one.name) kernel = &one;
  }
  if (kernel->body(numbers) == nullptr || !kernel->supported()) return;

  const double useful =
      4 * static_cast<double>(heads * shape.headDim) * attentionPairs(first, shape.tokens, {shape.window});
  std::vector<Candidate> all{{"ours", [&] { kernelAttention(call, *kernel); }, useful},
                             {"library", [&] { libraryAttention(call); }, useful},
                             {"product", [&] { at::mm(left, right.t()); }, 2.0 * 2048 * 2048 * 2048}};
  if (shape.window == 0) all.push_back({"chain", [&] { chainOfProducts(call); }, useful});
  for (Candidate& one : all) one.work();
  for (int round = 0; round < settings.rounds; ++round) {
    for (Candidate& one : all) {
      double seconds = 0, done = 0;  // over enough calls for a twentieth of a second
      for (; seconds < 0.05; done += one.flops) seconds += secondsOf(one.work);
      one.rates.push_back(done / seconds);
    }
  }
  const auto ratio = [&](std::size_t a, std::size_t b) {
    if (std::max(a, b) >= all.size()) return 0.0;
    std::vector<double> ratios;
    for (std::size_t i = 0; i < all[a].rates.size(); ++i) ratios.push_back(all[a].rates[i] / all[b].rates[i]);
    return median(ratios);
  };
  const char* const typeName = type == at::kFloat ? "float32" : "bfloat16";
  if (settings.json) {
    Json line = {{"shape", shape.name},
                 {"type", typeName},
                 {"kernel", kernel->name},
                 {"peer", "libtorch " TORCH_VERSION}};
    for (const Candidate& one : all) line["flops_per_second"][one.name] = one.rates;
    std::printf("%s\n", canonicalJson(line).c_str());
  } else {
    std::printf("%-12s %-9s %-12s %9.0f %11.2f %11.2f %10.2f %10.2f\n", shape.name, typeName, kernel->name,
                median(all[0].rates) * 1e-9, ratio(0, 1), ratio(0, 3), ratio(0, 2), ratio(1, 2));
  }
  std::fflush(stdout);
}

Settings settingsOf(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const bool last = i + 1 == count;
    if (argument == "--json") {
      settings.json = true;
    } else if (argument == "--rounds" && !last) {
      settings.rounds = std::atoi(arguments[++i]);
    } else if (argument == "--threads" && !last) {
      settings.threads = std::atoi(arguments[++i]);
    } else if (argument == "--kernel" && !last) {
      settings.kernel = arguments[++i];
    } else {
      settings.shapes.push_back(argument);
    }
  }
  return settings;
}

void run(const Settings& settings) {
  const c10::InferenceMode inference;
  if (settings.threads > 0) at::set_num_threads(settings.threads);
  if (!settings.json) {
    std::printf("libtorch %s, %d threads; share: of the product of 2048 x 2048 matrices of the type\n",
                TORCH_VERSION, at::get_num_threads());
    std::printf("%-12s %-9s %-12s %9s %11s %11s %10s %10s\n", "shape", "type", "kernel", "GFLOP/s",
                "x library", "x chain", "share", "library's");
  }
  for (const Shape& shape : kShapes) {
    const auto& wanted = settings.shapes;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), shape.name) == wanted.end()) continue;
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) measure(shape, type, settings);
  }
}

}  // namespace
}  // namespace plastiscope

int main(int count, char** arguments) {
  plastiscope::run(plastiscope::settingsOf(count, arguments));
}
