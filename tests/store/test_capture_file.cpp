#include <gmock/gmock.h>

#include <chrono>
#include <ctime>
#include <thread>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/store/capture_file.h"
#include "core/store/verify.h"
#include "tests/store/sample_capture.h"
#include "tests/support/failure.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {

using test::failureOf;
using test::SampleCapture;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(CaptureFile, RoundTripOfEverything) {
  TemporaryFolder folder;
  Progress quiet;
  const SampleCapture content;
  writeCapture(content, folder / "a.h5", quiet);
  const auto capture = openCapture(folder / "a.h5");
  const CaptureInfo& info = capture->info();
  EXPECT_EQ(info.settings, content.info().settings);
  EXPECT_EQ(info.settingsHash, content.info().settingsHash);
  EXPECT_EQ(info.created, "2026-01-31T12:00:00Z");
  EXPECT_EQ(info.modelName, "tiny");
  EXPECT_EQ(info.rope, content.info().rope);
  EXPECT_EQ(info.config, content.info().config);
  EXPECT_EQ(info.queryHeads, 4);
  EXPECT_EQ(info.headSeed, 7);
  EXPECT_EQ(info.scoreScale, 0.5);
  ASSERT_EQ(info.examples.size(), 2u);
  EXPECT_EQ(info.examples[1].id, "a b");
  EXPECT_EQ(info.examples[1].seedId, -5);
  EXPECT_EQ(info.examples[1].sha256, sha256Hex("two"));
  ASSERT_EQ(info.layerInfos.size(), 2u);
  EXPECT_EQ(info.layerInfos[1].layer, 11);
  EXPECT_EQ(info.layerInfos[1].attention, "sliding");
  EXPECT_EQ(info.layerInfos[1].window, 6);
  EXPECT_FALSE(info.layerInfos[1].rope);
  EXPECT_TRUE(info.layerInfos[1].queryScale);
  EXPECT_THAT(info.layerInfos[0].queryHeads, ElementsAre(1, 2));
  EXPECT_EQ(info.layerInfos[0].keyRows, 3);

  const CapturedRows rows = capture->rows({11, 3, RowSet::Query});
  EXPECT_THAT(rows.position, ElementsAre(1, 6, 0));
  EXPECT_THAT(rows.example, ElementsAre(0, 0, 1));
  EXPECT_THAT(rows.bucket, ElementsAre(0, 1, 0));
  EXPECT_EQ(rows.vectors, content.values(11, RowSet::Query, 3));
  EXPECT_EQ(capture->rows({2, 1, RowSet::Key}).vectors, content.values(2, RowSet::Key, 1));
}

TEST(CaptureFile, BothPointsAreStored) {
  TemporaryFolder folder;
  Progress quiet;
  const SampleCapture content("both");
  writeCapture(content, folder / "a.h5", quiet);
  const auto capture = openCapture(folder / "a.h5");
  EXPECT_EQ(capture->rows({2, 2, RowSet::QueryPreRope}).vectors, content.values(2, RowSet::QueryPreRope, 2));
  EXPECT_EQ(capture->rows({2, 1, RowSet::KeyPreRope}).vectors, content.values(2, RowSet::KeyPreRope, 1));
  EXPECT_TRUE(verifyFile(folder / "a.h5").problems.empty());
}

TEST(CaptureFile, MissingHeadsAreNamed) {
  TemporaryFolder folder;
  Progress quiet;
  writeCapture(SampleCapture(), folder / "a.h5", quiet);
  const auto capture = openCapture(folder / "a.h5");
  EXPECT_THAT(failureOf([&] { capture->rows({2, 3, RowSet::Query}); }), HasSubstr("layer 2, head 3"));
  EXPECT_THAT(failureOf([&] { capture->rows({3, 1, RowSet::Query}); }), HasSubstr("layer 3, head 1"));
  EXPECT_THAT(failureOf([&] { capture->rows({2, 1, RowSet::QueryPreRope}); }), HasSubstr("before RoPE"));
}

TEST(CaptureFile, StoresFloat32BesideFloat16Heads) {
  TemporaryFolder folder;
  Progress quiet;
  SampleCapture content;
  content.firstValue[2] = 70000.0f;
  writeCapture(content, folder / "a.h5", quiet);
  const auto capture = openCapture(folder / "a.h5");
  EXPECT_EQ(capture->rows({2, 2, RowSet::Query}).vectors[0], 70000.0f);
  EXPECT_EQ(capture->rows({2, 1, RowSet::Query}).vectors, content.values(2, RowSet::Query, 1));
  EXPECT_TRUE(verifyFile(folder / "a.h5").problems.empty());
}

TEST(CaptureFile, ValuesThatAreNotNumbersAreRefusedWhenSealing) {
  TemporaryFolder folder;
  Progress quiet;
  SampleCapture content;
  content.firstValue[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(failureOf([&] { writeCapture(content, folder / "a.h5", quiet); }),
              HasSubstr("not a finite number"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(CaptureFile, TextsThatHdf5CannotHoldAreRefused) {
  TemporaryFolder folder;
  Progress quiet;
  for (const bool ofFile : {false, true}) {
    SampleCapture content;
    (ofFile ? content.editable().modelName : content.editable().examples[1].id) = std::string("a\0b", 3);
    EXPECT_THAT(failureOf([&] { writeCapture(content, folder / "a.h5", quiet); }), HasSubstr("zero byte"));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
}

TEST(CaptureFile, SameContentGivesTheSameBytes) {
  TemporaryFolder folder;
  Progress quiet;
  writeCapture(SampleCapture(), folder / "a.h5", quiet);
  const std::time_t written = std::time(nullptr);
  while (std::time(nullptr) == written)  // the file must not contain its time of writing
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  writeCapture(SampleCapture(), folder / "b.h5", quiet);
  EXPECT_TRUE(readFile(folder / "a.h5") == readFile(folder / "b.h5"));
}

// Reading back takes as long as writing. A stop is requested after the last head, before the reading process
// starts and while it reads.
TEST(CaptureFile, AStopDuringReadBackLeavesNothing) {
  class StopsBehindTheLastHead : public Progress {
   public:
    void advanced(const ProgressState& state) override { m_checks = state.done < state.total ? -1 : 0; }
    bool stopRequested() const override { return m_checks >= 0 && m_checks++ > 1; }

   private:
    mutable int m_checks = -1;
  };
  const TemporaryFolder folder;
  StopsBehindTheLastHead progress;
  EXPECT_THROW(writeCapture(SampleCapture(), folder / "a.h5", progress), Stopped);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace plastiscope
