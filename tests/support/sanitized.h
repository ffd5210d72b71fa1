#pragma once
// Builds with sanitizers (tests/sweeps/sanitizers.py) and what cannot be tested in them.
namespace plastiscope::test {

// The address sanitizer reserves terabytes of address space for its shadow and keeps freed blocks for a
// while; the thread sanitizer has a shadow too. Neither lives under a limit of address space, and what a
// process holds is not what the program asked for.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kMemoryIsTheSanitizers = true;
#else
inline constexpr bool kMemoryIsTheSanitizers = false;
#endif

}  // namespace plastiscope::test

#define SKIP_WHERE_MEMORY_IS_THE_SANITIZERS()    \
  if (plastiscope::test::kMemoryIsTheSanitizers) \
  GTEST_SKIP() << "the sanitizer's own memory cannot be told from the program's"
