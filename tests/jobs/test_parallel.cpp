#include "core/jobs/parallel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <mutex>
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

TEST(Parallel, AcceptsZeroItems) {
  parallelFor(0, 4, [](std::int64_t) { FAIL(); });
}

// The failure of the lowest item is reported, independent of the threads.
TEST(Parallel, ReportsTheFailureOfTheLowestItem) {
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

TEST(Parallel, CountsAtLeastOneCore) {
  EXPECT_GE(coreCount(), 1);
}

TEST(AtLowPriority, AffectsOnlyTheWork) {
  const int before = getpriority(PRIO_PROCESS, 0);
  int during = 0, inHelpers = 20;
  atLowPriority([&] {
    during = getpriority(PRIO_PROCESS, 0);
    std::mutex mutex;
    parallelFor(8, 4, [&](std::int64_t) {
      const std::lock_guard lock(mutex);
      inHelpers = std::min(inHelpers, getpriority(PRIO_PROCESS, 0));
    });
  });
  EXPECT_EQ(during, 19);
  EXPECT_EQ(inHelpers, 19);
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), before);
  EXPECT_THROW(atLowPriority([] { throw std::runtime_error("work"); }), std::runtime_error);
}

}  // namespace
}  // namespace plastiscope
