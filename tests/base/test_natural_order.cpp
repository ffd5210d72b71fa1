#include "core/base/natural_order.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

namespace plastiscope {
namespace {

TEST(NaturalOrder, DigitsCompareAsNumbers) {
  std::vector<std::string> names = {
      "step-1200000", "b",  "step-40000", "step-040000",          "a10b", "step",
      "a9b",          "a2", "a10",        "99999999999999999999", "9"};
  std::ranges::sort(names, naturallyBefore);
  EXPECT_THAT(names, testing::ElementsAre("9", "99999999999999999999", "a2", "a9b", "a10", "a10b", "b",
                                          "step", "step-040000", "step-40000", "step-1200000"));
}

TEST(NaturalOrder, NoNameIsBeforeItself) {
  for (const char* name : {"", "0", "a01", "step-7"}) EXPECT_FALSE(naturallyBefore(name, name)) << name;
  EXPECT_NE(naturallyBefore("a01", "a1"), naturallyBefore("a1", "a01"));
}

}  // namespace
}  // namespace plastiscope
