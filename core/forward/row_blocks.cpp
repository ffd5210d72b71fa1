// Part of MKL, if libtorch contains it (x86).
#include "core/forward/row_blocks.h"

#include <ATen/Parallel.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>
#include <omp.h>
#include <algorithm>
#include <bit>
#include <utility>

// Part of MKL, if libtorch contains it (x86).
extern "C" __attribute__((weak)) int MKL_Set_Num_Threads_Local(int threads);

namespace plastiscope {

namespace {

// Restricts matrix products to one thread: otherwise MKL and oneDNN split them by the configured number of
// threads, which changes rounding.
class OneThread {
 public:
  OneThread()
      : m_ofMkl(MKL_Set_Num_Threads_Local != nullptr ? MKL_Set_Num_Threads_Local(1) : 0),
        m_ofOpenMp(omp_get_max_threads()) {
    omp_set_num_threads(1);  // used by libtorch and oneDNN
  }
  ~OneThread() {
    if (MKL_Set_Num_Threads_Local != nullptr) MKL_Set_Num_Threads_Local(m_ofMkl);
    omp_set_num_threads(m_ofOpenMp);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int m_ofMkl, m_ofOpenMp;
};

}  // namespace

void onThisThreadAlone(const std::function<void()>& work) {
  const c10::InferenceMode inference;  // both are per-thread settings
  at::get_num_threads();               // runs libtorch's per-thread initialisation first
  const OneThread oneThread;
  work();
}

void forEachInParallel(std::int64_t count, const std::function<void(std::int64_t)>& work) {
  if (count <= 1) {  // without waking other threads
    if (count == 1) onThisThreadAlone([&] { work(0); });
    return;
  }
  // Each thread gets one part of the range and takes pieces of work in turn, since cores differ in speed and
  // load. At least two parts: a range of one would run outside a parallel region, where matrix products use
  // several threads and may round differently.
  const std::int64_t parts = std::max<std::int64_t>(2, std::min<std::int64_t>(count, at::get_num_threads()));
  std::atomic<std::int64_t> next = 0;
  at::parallel_for(0, parts, 1, [&](std::int64_t, std::int64_t) {
    onThisThreadAlone([&] {
      try {
        for (std::int64_t i = next++; i < count; i = next++) work(i);
      } catch (...) {
        next = count;
        throw;
      }
    });
  });
}

bool ParallelStop::goesOn() {
  ++m_begun;
  if (!m_stopped && std::this_thread::get_id() == m_caller) askAll();
  return !m_stopped;
}

void ParallelStop::askAll() {
  try {
    for (; m_asked < m_begun; ++m_asked) m_ask();
  } catch (...) {
    m_stopped = true;
    throw;
  }
}

void forRowBlocks(const c10::Device& device, std::int64_t rows,
                  const std::function<void(std::int64_t, std::int64_t)>& body) {
  if (rows <= 0) return;
  if (!device.is_cpu()) {
    body(0, rows);
    return;
  }
  const std::int64_t blocks = (rows + kRowBlock - 1) / kRowBlock;
  forEachInParallel(blocks, [&](std::int64_t block) {
    const std::int64_t first = block * kRowBlock;
    body(first, std::min(kRowBlock, rows - first));
  });
}

namespace {

// Tiles of a windowed layer are shorter than the window, so that both ends of the window lie in different
// blocks.
std::int64_t tileSize(std::int64_t window) {
  if (window <= 0) return kAttentionTile;
  const auto widest = static_cast<std::uint64_t>(std::max<std::int64_t>(window - 1, 1));
  return std::min(kAttentionTile, static_cast<std::int64_t>(std::bit_floor(widest)));
}

}  // namespace

std::int64_t tileEnd(std::int64_t begin, std::int64_t end, const AttentionMask& mask) {
  const std::int64_t window = mask.window;
  const std::int64_t size = mask.chunked ? kAttentionTile : tileSize(window);
  const std::int64_t stop = std::min((begin / size + 1) * size, end);
  if (mask.chunked && window > 0) return std::min(stop, (begin / window + 1) * window);
  // Before position `window` nothing is masked; no tile crosses it.
  return window > 0 && begin < window ? std::min(stop, window) : stop;
}

std::vector<KeyBlock> keyBlocks(std::int64_t begin, std::int64_t end, const AttentionMask& mask) {
  const std::int64_t rows = end - begin, window = mask.window;
  std::vector<KeyBlock> blocks;
  const auto add = [&](std::int64_t from, std::int64_t to, BlockShape shape) {
    if (from < to) blocks.push_back({from, to, shape});
  };
  if (mask.chunked && window > 0) {
    add(begin / window * window, begin, BlockShape::Full);
  } else if (window <= 0 || end <= window) {
    add(0, begin, BlockShape::Full);
  } else if (window > 1) {
    const std::int64_t oldest = begin - window + 1;  // oldest key of the first query
    add(oldest, oldest + rows, BlockShape::Edge);
    add(oldest + rows, begin, BlockShape::Full);
  }
  add(begin, end, BlockShape::Causal);
  return blocks;
}

double attentionPairs(std::int64_t begin, std::int64_t end, const AttentionMask& mask) {
  const auto upTo = [&mask](std::int64_t tokens) {  // queries [0, tokens)
    const auto n = static_cast<double>(tokens);
    const auto w = static_cast<double>(mask.window);
    if (mask.window <= 0 || tokens <= mask.window) return n * (n + 1) / 2;
    if (!mask.chunked) return w * (w + 1) / 2 + (n - w) * w;
    const auto whole = static_cast<double>(tokens / mask.window), rest = n - whole * w;
    return whole * w * (w + 1) / 2 + rest * (rest + 1) / 2;
  };
  return upTo(end) - upTo(begin);
}

ReadRows ReadRows::run(std::int64_t first, std::int64_t count) {
  ReadRows choice;
  choice.m_first = first;
  choice.m_count = count;
  return choice;
}

ReadRows ReadRows::list(std::span<const std::int32_t> positions) {
  ReadRows choice;
  choice.m_count = std::ssize(positions);
  choice.m_positions.assign(positions.begin(), positions.end());
  return choice;
}

std::int64_t ReadRows::operator[](std::int64_t i) const {
  return isRun() ? m_first + i : m_positions[i];
}

ReadRows ReadRows::part(std::int64_t at, std::int64_t count) const {
  if (isRun()) return run(m_first + at, count);
  return list(std::span(m_positions).subspan(at, count));
}

at::Tensor ReadRows::positions(const at::Device& device) const {
  if (isRun()) return at::arange(m_first, m_first + m_count, at::TensorOptions(device).dtype(at::kLong));
  return at::tensor(std::vector<std::int64_t>(m_positions.begin(), m_positions.end()), at::kLong)
      .to(device, /*non_blocking=*/true);
}

at::Tensor ReadRows::rowsOf(const at::Tensor& x, std::int64_t origin) const {
  if (isRun()) return x.narrow(0, m_count > 0 ? m_first - origin : 0, m_count);
  return x.index_select(0, positions(x.device()).sub_(origin));
}

at::Tensor ReadRows::placesOf(const ReadRows& some, const at::Device& device) const {
  return at::tensor(placesOf(some.m_positions), at::kLong).to(device, /*non_blocking=*/true);
}

std::vector<std::int64_t> ReadRows::placesOf(std::span<const std::int32_t> wanted) const {
  std::vector<std::int64_t> places(wanted.begin(), wanted.end());
  auto from = m_positions.begin();
  for (std::int64_t& place : places) {
    if (isRun()) {
      place -= m_first;
    } else {
      from = std::lower_bound(from, m_positions.end(), place);
      place = from - m_positions.begin();
    }
  }
  return places;
}

namespace {

// Parts (at, count) of a list, each within one attention tile and with at most kRowBlock rows.
std::vector<std::pair<std::int64_t, std::int64_t>> tileParts(const ReadRows& list) {
  std::vector<std::pair<std::int64_t, std::int64_t>> parts;
  for (std::int64_t at = 0; at < list.count();) {
    const std::int64_t tile = list[at] / kAttentionTile;
    std::int64_t count = 1;
    while (count < kRowBlock && at + count < list.count() && list[at + count] / kAttentionTile == tile)
      ++count;
    parts.emplace_back(at, count);
    at += count;
  }
  return parts;
}

}  // namespace

void forRowBlocks(const c10::Device& device, const ReadRows& choice,
                  const std::function<void(std::int64_t, const ReadRows&)>& body) {
  if (choice.isRun() || !device.is_cpu()) {
    forRowBlocks(device, choice.count(),
                 [&](std::int64_t at, std::int64_t count) { body(at, choice.part(at, count)); });
    return;
  }
  const auto parts = tileParts(choice);
  forEachInParallel(std::ssize(parts), [&](std::int64_t i) {
    const auto [at, count] = parts[i];
    body(at, choice.part(at, count));
  });
}

void forRowBlocks(const c10::Device& device, const ReadRows& choice, const std::function<void()>& checkpoint,
                  const std::function<void(std::int64_t, const ReadRows&)>& body) {
  ParallelStop stop(checkpoint);
  forRowBlocks(device, choice, [&](std::int64_t at, const ReadRows& rows) {
    if (stop.goesOn()) body(at, rows);
  });
  stop.askAll();
}

}  // namespace plastiscope
