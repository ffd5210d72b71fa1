#pragma once
#include <cstdint>
#include <functional>

namespace plastiscope {
// Calls work(i) for i in [0, count) on up to `threads` threads (0 = all cores). The first exception (lowest
// i) is rethrown after all threads have stopped. Results must be stored by index, so the order of execution
// is free.
void parallelFor(std::int64_t count, int threads, const std::function<void(std::int64_t)>& work);
int coreCount();
}  // namespace plastiscope
