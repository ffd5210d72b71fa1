#include "core/base/memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <vector>

#include "tests/support/sanitized.h"

namespace plastiscope {
namespace {

constexpr double kBlock = 4 << 20;  // bytes

// Blocks in memory now, of /proc/self/statm (pages: all, resident, …).
double residentBlocks() {
  double all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / kBlock;
}

TEST(KeepFreedMemory, TheLastHandsBackWhatWasFreed) {
  SKIP_WHERE_MEMORY_IS_THE_SANITIZERS();
#if !defined(__GLIBC__)
  GTEST_SKIP() << "the C library offers no such thing";
#endif
  const auto use = [] {
    const std::vector<std::vector<char>> blocks(40, std::vector<char>(static_cast<std::size_t>(kBlock), 'x'));
  };
  { const KeepFreedMemory other; }  // what other tests have freed goes
  const double before = residentBlocks();
  {
    const KeepFreedMemory outer;
    {
      const KeepFreedMemory inner;
      use();
    }
    EXPECT_GT(residentBlocks(), before + 30);
  }
  EXPECT_LT(residentBlocks(), before + 4);
  use();
  EXPECT_LT(residentBlocks(), before + 4);
}

}  // namespace
}  // namespace plastiscope
