#pragma once
// Builds with sanitizers (tests/sweeps/sanitizers.py) and the tests to skip in them.
namespace plastiscope::test {

// The address sanitizer reserves terabytes of address space for its shadow and delays freeing blocks; the
// thread sanitizer has a shadow too. Neither works under a limit of address space, and the memory of the
// process is not that of the program.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kMemoryIsTheSanitizers = true;
#else
inline constexpr bool kMemoryIsTheSanitizers = false;
#endif

}  // namespace plastiscope::test

#define SKIP_WHERE_MEMORY_IS_THE_SANITIZERS()    \
  if (plastiscope::test::kMemoryIsTheSanitizers) \
  GTEST_SKIP() << "memory of the sanitizer is counted with the program's"
