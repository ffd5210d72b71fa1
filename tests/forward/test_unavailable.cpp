// A build without libtorch reports this as the error.
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/forward/forward.h"

namespace plastiscope {

TEST(ForwardUnavailable, ReportsTheMissingCaptureBackend) {
  EXPECT_FALSE(forwardAvailable());
  EXPECT_THROW(resolveDevice(Model{}, {}), UsageError);
  EXPECT_THROW(forwardMemory(ModelSpec{}, {}, 0, {}, {}), UsageError);
  EXPECT_THROW(groupFlops(ModelSpec{}, {}, 0), UsageError);
  EXPECT_THROW(groupStateBytes(ModelSpec{}, {}, {}), UsageError);
  EXPECT_THROW(memoryOn({}), UsageError);
  EXPECT_THROW(fitForward(ModelSpec{}, {}, 0, {}, {}), UsageError);
  try {
    makeForwardRunner(nullptr, 0, {});
    FAIL() << "nothing was thrown";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("no capture backend"), std::string::npos);
  }
}

}  // namespace plastiscope
