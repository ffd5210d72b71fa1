#include "core/forward/row_blocks.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>

// Of MKL, which libtorch brings along on x86; nothing where it does not.
extern "C" __attribute__((weak)) int MKL_Set_Num_Threads_Local(int threads);

namespace plastiscope {

namespace {

// Matrix products inside a parallel region run on one thread, but MKL divides them as for several when it is
// told that there are, and then rounds differently for every number of threads.
class OneMklThread {
 public:
  OneMklThread() : m_before(MKL_Set_Num_Threads_Local != nullptr ? MKL_Set_Num_Threads_Local(1) : 0) {}
  ~OneMklThread() {
    if (MKL_Set_Num_Threads_Local != nullptr) MKL_Set_Num_Threads_Local(m_before);
  }
  OneMklThread(const OneMklThread&) = delete;
  OneMklThread& operator=(const OneMklThread&) = delete;

 private:
  int m_before;
};

}  // namespace

void forEachInParallel(std::int64_t count, const std::function<void(std::int64_t)>& work) {
  // A range of one would run outside a parallel region, where matrix products use several threads and may
  // round differently. So there are always at least two, the second empty.
  at::parallel_for(0, std::max<std::int64_t>(count, 2), 1, [&](std::int64_t begin, std::int64_t end) {
    const c10::InferenceMode inference;  // both belong to the thread
    at::get_num_threads();               // what a thread's first call of libtorch would set comes before
    const OneMklThread oneThread;
    for (std::int64_t i = begin; i < std::min(end, count); ++i) work(i);
  });
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

}  // namespace plastiscope
