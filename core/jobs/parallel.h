#pragma once
#include <cstdint>
#include <functional>

namespace plastiscope {
// Calls work(i) for i in [0, count) on up to `threads` threads (0 = all cores). The first exception (lowest
// i) is rethrown after all threads have stopped. Results must be stored by index, so the order of execution
// is free.
void parallelFor(std::int64_t count, int threads, const std::function<void(std::int64_t)>& work);
int coreCount();
// Calls work() on a thread that yields to all others, and so do the threads it makes. What it throws is
// rethrown.
void atLowPriority(const std::function<void()>& work);
}  // namespace plastiscope
