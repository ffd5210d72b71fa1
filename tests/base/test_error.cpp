#include <gtest/gtest.h>

#include <array>

#include "core/base/error.h"

namespace plastiscope {
namespace {

TEST(Error, KindIsTheExitCode) {
  EXPECT_EQ(UsageError("x").exitCode(), 2);
  EXPECT_EQ(InputError("x").exitCode(), 3);
  EXPECT_EQ(ResourceError("x").exitCode(), 4);
  EXPECT_EQ(Stopped().exitCode(), 5);
  EXPECT_EQ(Error(ErrorKind::Internal, "x").exitCode(), 1);
}

TEST(Error, FaultNamesFilePlaceExpectedAndFound) {
  EXPECT_STREQ(InputError({"m.safetensors", "tensor w", "20 bytes", "12"}).what(),
               "m.safetensors: tensor w: expected 20 bytes, found 12");
  EXPECT_STREQ(InputError({"m.gguf", "", "", "cannot be opened"}).what(), "m.gguf: cannot be opened");
}

TEST(Error, FormatsCountsAndSizes) {
  EXPECT_EQ(withCommas(0), "0");
  EXPECT_EQ(withCommas(-1234567), "-1,234,567");
  EXPECT_EQ(withCommas(100), "100");
  EXPECT_EQ(byteText(999), "999 B");
  EXPECT_EQ(byteText(94'500'000), "94.5 MB");
  EXPECT_EQ(byteText(1'000'000'000), "1.0 GB");
}

TEST(Error, NearestNameSuggestsOnlyWhatIsNear) {
  const std::array<const char*, 3> known{"uniform", "log_uniform", "all"};
  EXPECT_EQ(nearestName("unifrom", known), "uniform");
  EXPECT_EQ(nearestName("zzz", known), "");
  EXPECT_EQ(editDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(editDistance("", "abc"), 3u);
}

}  // namespace
}  // namespace plastiscope
