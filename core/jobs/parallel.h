#pragma once
#include <cstddef>
#include <functional>

namespace plastiscope {
// Calls work(i) for i in [0, count) on up to `threads` threads (0 = all cores). Rethrows the first exception
// (lowest i) after all threads have stopped. Results must be stored by index, because the order of execution
// varies.
void parallelFor(std::size_t count, int threads, const std::function<void(std::size_t)>& work);
int coreCount();
// Calls work() on a thread with the lowest priority, inherited by threads it starts. Rethrows its exception.
void atLowPriority(const std::function<void()>& work);
}  // namespace plastiscope
