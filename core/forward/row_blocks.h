#pragma once
// Parallel work of the forward pass: fixed blocks of rows, so that results do not depend on the number of
// threads.
#include <c10/core/Device.h>

#include <cstdint>
#include <functional>

namespace plastiscope {

// Rows of one unit of work. Chosen so that a block's activations stay in a core's cache while the products
// are still as fast as large ones.
inline constexpr std::int64_t kRowBlock = 256;

// Calls body(first, count) for the blocks that make up [0, rows). On a CPU the blocks run on all threads and
// every tensor operation inside a block runs on that one thread; elsewhere there is one block with all rows.
// The first exception is rethrown after all threads have stopped.
void forRowBlocks(const c10::Device& device, std::int64_t rows,
                  const std::function<void(std::int64_t first, std::int64_t count)>& body);

// Calls work(i) for i in [0, count) on all threads, one-threaded inside.
void forEachInParallel(std::int64_t count, const std::function<void(std::int64_t)>& work);

}  // namespace plastiscope
