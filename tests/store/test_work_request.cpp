// What unfinished work says about how it was begun.
#include <gtest/gtest.h>

#include <fstream>

#include "core/base/json.h"
#include "core/store/work_folder.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

const Json kRequestSettings = {{"window", 16}};

TEST(WorkRequest, IsKeptAndReplacedAndDiscarded) {
  const test::TemporaryFolder folder;
  const fs::path out = folder / "a.h5";
  EXPECT_TRUE(WorkFolder::requestOf(out).is_null());
  {
    WorkFolder work(out, kRequestSettings, false);
    EXPECT_TRUE(WorkFolder::requestOf(out).is_null());
    work.keepRequest({{"model", "one"}});
    work.keepRequest({{"model", "two"}});
  }
  EXPECT_EQ(WorkFolder::requestOf(out), Json({{"model", "two"}}));
  { WorkFolder anew(out, kRequestSettings, true); }
  EXPECT_TRUE(WorkFolder::requestOf(out).is_null()) << "another capture";
}

TEST(WorkRequest, TextThatIsNoUtf8DoesNotStopTheCapture) {
  const test::TemporaryFolder folder;
  WorkFolder work(folder / "a.h5", kRequestSettings, false);
  EXPECT_NO_THROW(work.keepRequest({{"model", "/models/\xff"}}));
  EXPECT_TRUE(WorkFolder::requestOf(folder / "a.h5").is_object());
}

TEST(WorkRequest, ADamagedOneIsNone) {
  const test::TemporaryFolder folder;
  { WorkFolder work(folder / "a.h5", kRequestSettings, false); }
  std::ofstream(WorkFolder::pathFor(folder / "a.h5") / "request.json") << "{\"model\": ";
  EXPECT_TRUE(WorkFolder::requestOf(folder / "a.h5").is_null());
}

TEST(WorkRequest, OutputsOfAFolderByName) {
  const test::TemporaryFolder folder;
  for (const char* name : {"b.h5", "a.h5"}) WorkFolder work(folder / name, kRequestSettings, false);
  fs::create_directories(folder / "other.partial");
  std::ofstream(folder / "c.h5.partial") << "a file";
  EXPECT_EQ(WorkFolder::outputsIn(folder.path()), (Paths{folder / "a.h5", folder / "b.h5"}));
  EXPECT_TRUE(WorkFolder::outputsIn(folder / "nowhere").empty());
}

}  // namespace
}  // namespace plastiscope
