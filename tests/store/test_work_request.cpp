// Request and settings stored with unfinished work.
#include <gtest/gtest.h>

#include <fstream>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/store/work_folder.h"
#include "tests/support/failure.h"
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

TEST(WorkRequest, InvalidUtf8DoesNotStopTheCapture) {
  const test::TemporaryFolder folder;
  WorkFolder work(folder / "a.h5", kRequestSettings, false);
  EXPECT_NO_THROW(work.keepRequest({{"model", "/models/\xff"}}));
  EXPECT_TRUE(WorkFolder::requestOf(folder / "a.h5").is_object());
}

TEST(WorkRequest, ADamagedRequestIsIgnored) {
  const test::TemporaryFolder folder;
  { WorkFolder work(folder / "a.h5", kRequestSettings, false); }
  std::ofstream(WorkFolder::pathFor(folder / "a.h5") / "request.json") << "{\"model\": ";
  EXPECT_TRUE(WorkFolder::requestOf(folder / "a.h5").is_null());
}

TEST(WorkSettings, DamageIsNotReportedAsOtherSettings) {
  const test::TemporaryFolder folder;
  const fs::path out = folder / "a.h5", file = WorkFolder::pathFor(out) / "settings.json";
  { WorkFolder work(out, kRequestSettings, false); }
  EXPECT_TRUE(WorkFolder::hasBegun(out, kRequestSettings));
  std::string text = readFile(file);
  text.replace(text.find("16"), 2, "17");
  writeFileAtomically(file, text);
  const auto failureToGoOn = [&](const Json& settings) {
    return test::failureOf<InputError>([&] { WorkFolder(out, settings, false); }, true);
  };
  EXPECT_EQ(failureToGoOn(kRequestSettings),
            "3 " + file.string() +
                ": crc32: expected the checksum of the other entries, found another: the file is damaged");
  EXPECT_NE(failureToGoOn({{"window", 17}}), "no error") << "other settings than the work was started with";
  EXPECT_EQ(readFile(file), text);
  { WorkFolder anew(out, kRequestSettings, true); }
  EXPECT_TRUE(WorkFolder::hasBegun(out, kRequestSettings));
}

TEST(WorkSettings, AreAcceptedWithoutAChecksum) {
  const test::TemporaryFolder folder;
  const fs::path out = folder / "a.h5";
  fs::create_directories(WorkFolder::pathFor(out));
  writeFileAtomically(WorkFolder::pathFor(out) / "settings.json", indentedJson(kRequestSettings));
  EXPECT_NO_THROW(WorkFolder(out, kRequestSettings, false));
  EXPECT_THROW(WorkFolder(out, {{"window", 17}}, false), UsageError);
}

TEST(WorkRequest, ListsOutputsOfAFolderByName) {
  const test::TemporaryFolder folder;
  for (const char* name : {"b.h5", "a.h5"}) WorkFolder work(folder / name, kRequestSettings, false);
  fs::create_directories(folder / "other.partial");
  std::ofstream(folder / "c.h5.partial") << "a file";
  EXPECT_EQ(WorkFolder::outputsIn(folder.path()), (Paths{folder / "a.h5", folder / "b.h5"}));
  EXPECT_TRUE(WorkFolder::outputsIn(folder / "nowhere").empty());
}

}  // namespace
}  // namespace plastiscope
