#include "core/jobs/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace plastiscope {
namespace {

TEST(Parallel, CallsEveryItemOnce) {
  for (const int threads : {0, 1, 2, 7}) {
    std::vector<std::atomic<int>> calls(500);
    parallelFor(500, threads, [&](std::int64_t i) { ++calls[static_cast<std::size_t>(i)]; });
    for (const auto& count : calls) EXPECT_EQ(count, 1);
  }
}

TEST(Parallel, NothingToDo) {
  parallelFor(0, 4, [](std::int64_t) { FAIL(); });
}

// Of several failures the one of the lowest item is reported, whichever thread met it first.
TEST(Parallel, LowestFailureWins) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> after = 0;
    try {
      parallelFor(100, 4, [&](std::int64_t i) {
        if (i >= 40) throw std::runtime_error(std::to_string(i));
        ++after;
      });
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "40");
    }
    EXPECT_EQ(after, 40);
  }
}

TEST(Parallel, KnowsTheCores) {
  EXPECT_GE(coreCount(), 1);
}

}  // namespace
}  // namespace plastiscope
