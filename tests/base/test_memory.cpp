#include "core/base/memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
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

void use() {
  const std::vector<std::vector<char>> blocks(40, std::vector<char>(static_cast<std::size_t>(kBlock), 'x'));
}

// Whether freed blocks stay while one lives, go with the last, and do not stay after it.
bool staysAsLongAsOneLives() {
  const double before = residentBlocks();
  double held = 0;
  {
    const KeepFreedMemory outer;
    {
      const KeepFreedMemory inner;
      use();
    }
    held = residentBlocks();
  }
  const double left = residentBlocks();
  use();
  const double after = residentBlocks();
  std::fprintf(stderr, "of 40 blocks %.1f were held, %.1f were left, %.1f later\n", held - before,
               left - before, after - before);
  return held > before + 30 && left < before + 4 && after < before + 4;
}

TEST(KeepFreedMemory, TheLastReturnsFreedMemory) {
  SKIP_WHERE_MEMORY_IS_THE_SANITIZERS();
#if !defined(__GLIBC__)
  GTEST_SKIP() << "the C library has no such function";
#endif
  // Runs in a separate process: blocks in heap holes left by other tests would stay when freed.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::exit(staysAsLongAsOneLives() ? 0 : 1), testing::ExitedWithCode(0), "of 40 blocks");
}

}  // namespace
}  // namespace plastiscope
