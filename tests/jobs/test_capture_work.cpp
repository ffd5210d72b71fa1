// Interrupted and resumed captures, finished captures, and damage during the run.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>

#include "core/base/error.h"
#include "tests/jobs/capture_job_fixture.h"

namespace plastiscope {
namespace {

using test::CaptureJob;
using test::RecordedProgress;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

// A stop changes the groups of examples but not the file.
TEST_F(CaptureJob, AResumedCaptureIsTheSameFile) {
  RecordedProgress whole;
  runCapture(request("whole.h5"), whole);
  RecordedProgress first;
  first.stopAfterUnits = 3;
  EXPECT_THROW(runCapture(request("parts.h5"), first), Stopped);
  EXPECT_FALSE(fs::exists(m_folder / "parts.h5"));
  RecordedProgress second;
  runCapture(request("parts.h5"), second);
  EXPECT_GE(first.units.size(), 3u);
  EXPECT_EQ(first.units.size() + second.units.size(), 9u);
  EXPECT_TRUE(bytesOf("whole.h5") == bytesOf("parts.h5"));
  EXPECT_EQ(m_folder.listing(), "model parts.h5 tokens.jsonl whole.h5");
}

TEST_F(CaptureJob, AFinishedCaptureIsKept) {
  RecordedProgress first, second;
  EXPECT_EQ(runCapture(request("a.h5"), first), CaptureOutcome::Captured);
  const std::string before = readFile(m_folder / "a.h5");
  EXPECT_EQ(runCapture(request("a.h5"), second), CaptureOutcome::WasFinished);
  EXPECT_THAT(second.units, IsEmpty());
  EXPECT_EQ(second.settings, first.settings);
  ASSERT_FALSE(second.states.empty());
  EXPECT_EQ(second.states.back().done, second.states.back().total);
  EXPECT_TRUE(readFile(m_folder / "a.h5") == before);
  EXPECT_EQ(m_folder.listing(), "a.h5 model tokens.jsonl");
}

TEST_F(CaptureJob, AFinishedCaptureOfOtherSettingsIsReplacedOnlyWhenFresh) {
  RecordedProgress progress;
  runCapture(request("a.h5"), progress);
  const std::string before = readFile(m_folder / "a.h5");
  CaptureRequest other = request("a.h5");
  other.plan.window = 1000;
  EXPECT_THAT(failureOf(other), HasSubstr("window: 1400 there, 1000 now"));
  CaptureRequest part = request("a.h5");
  part.part = {1, 2};
  EXPECT_THAT(failureOf(part), HasSubstr("part: absent there, \"1/2\" now"));
  EXPECT_TRUE(readFile(m_folder / "a.h5") == before);
  EXPECT_EQ(m_folder.listing(), "a.h5 model tokens.jsonl");

  // Work started with `fresh` resumes without it; other work does not.
  other.fresh = true;
  RecordedProgress stopped;
  stopped.stopAfterUnits = 1;
  EXPECT_THROW(runCapture(other, stopped), Stopped);
  EXPECT_TRUE(readFile(m_folder / "a.h5") == before);
  other.fresh = false;
  EXPECT_EQ(runCapture(other, progress), CaptureOutcome::Captured);
  EXPECT_EQ(openCapture(m_folder / "a.h5")->info().window, 1000);
}

TEST_F(CaptureJob, AnInterruptedFreshCaptureResumes) {
  RecordedProgress progress;
  runCapture(request("a.h5"), progress);
  const std::string before = readFile(m_folder / "a.h5");
  CaptureRequest again = request("a.h5");
  again.fresh = true;
  RecordedProgress stopped, resumed;
  stopped.stopAfterUnits = 3;
  EXPECT_THROW(runCapture(again, stopped), Stopped);
  EXPECT_TRUE(readFile(m_folder / "a.h5") == before);
  EXPECT_EQ(runCapture(request("a.h5"), resumed), CaptureOutcome::Captured);
  EXPECT_GE(stopped.units.size(), 3u);
  EXPECT_EQ(stopped.units.size() + resumed.units.size(), 9u);
  EXPECT_EQ(m_folder.listing(), "a.h5 model tokens.jsonl");
}

TEST_F(CaptureJob, ADamagedFileAtTheOutputIsReplacedOnlyWhenFresh) {
  RecordedProgress progress;
  runCapture(request("whole.h5"), progress);
  runCapture(request("a.h5"), progress);
  std::string bytes = readFile(m_folder / "a.h5");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
  writeFileAtomically(m_folder / "a.h5", std::string_view(bytes));
  EXPECT_THAT(failureOf(request("a.h5")), HasSubstr("changed or cut short; --fresh replaces it"));
  CaptureRequest fresh = request("a.h5");
  fresh.fresh = true;
  runCapture(fresh, progress);
  EXPECT_TRUE(bytesOf("whole.h5") == bytesOf("a.h5"));
}

// Simulates a kill after the file got its name and before the work was removed.
TEST_F(CaptureJob, WorkOfAFinishedCaptureIsRemoved) {
  RecordedProgress first;
  first.stopAfterUnits = 9;
  EXPECT_THROW(runCapture(request("a.h5"), first), Stopped);  // all units, not sealed
  fs::copy(m_folder / "a.h5.partial", m_folder / "kept", fs::copy_options::recursive);
  RecordedProgress second;
  runCapture(request("a.h5"), second);
  fs::rename(m_folder / "kept", m_folder / "a.h5.partial");
  RecordedProgress third;
  EXPECT_EQ(runCapture(request("a.h5"), third), CaptureOutcome::WasFinished);
  EXPECT_EQ(m_folder.listing(), "a.h5 model tokens.jsonl");
}

TEST_F(CaptureJob, OtherSettingsAreRefusedUnlessFresh) {
  RecordedProgress first;
  first.stopAfterUnits = 1;
  EXPECT_THROW(runCapture(request("a.h5"), first), Stopped);
  CaptureRequest other = request("a.h5");
  other.plan.window = 1000;
  const std::string failure = failureOf(other);
  EXPECT_THAT(failure, HasSubstr("window: 1400 there, 1000 now"));
  EXPECT_THAT(failure, HasSubstr("bucket_size: 87 there, 62 now"));
  other.fresh = true;
  RecordedProgress second;
  runCapture(other, second);
  EXPECT_EQ(openCapture(m_folder / "a.h5")->info().window, 1000);
}

TEST_F(CaptureJob, OtherTextsAreOtherSettings) {
  RecordedProgress first;
  first.stopAfterUnits = 1;
  EXPECT_THROW(runCapture(request("a.h5"), first), Stopped);
  writeTokens("tokens.jsonl", 8, 1400);
  EXPECT_THAT(failureOf(request("a.h5")), HasSubstr("examples: 9 there, 8 now"));
}

TEST_F(CaptureJob, ADamagedUnitIsComputedAgain) {
  RecordedProgress whole;
  runCapture(request("whole.h5"), whole);
  RecordedProgress first;
  first.stopAfterUnits = 2;
  EXPECT_THROW(runCapture(request("a.h5"), first), Stopped);
  const fs::path unit = m_folder / "a.h5.partial/units/000001.safetensors";
  std::string bytes = readFile(unit);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  writeFileAtomically(unit, std::string_view(bytes));
  RecordedProgress second;
  runCapture(request("a.h5"), second);
  EXPECT_THAT(second.warnings, Contains(HasSubstr("000001.safetensors")));
  EXPECT_TRUE(bytesOf("whole.h5") == bytesOf("a.h5"));
}

// Flips a byte of the first unit when it is finished: once, or every time.
struct DamagesTheFirstUnit : RecordedProgress {
  fs::path unit;
  bool always = false;
  void unitFinished(std::string_view name) override {
    RecordedProgress::unitFinished(name);
    if (name != "100" || (!always && std::ranges::count(units, "100") > 1)) return;
    std::string bytes = readFile(unit);
    bytes[bytes.size() - 9] = static_cast<char>(bytes[bytes.size() - 9] ^ 1);
    writeFileAtomically(unit, std::string_view(bytes));
  }
};

TEST_F(CaptureJob, AUnitDamagedDuringTheRunIsComputedAgain) {
  RecordedProgress whole;
  runCapture(request("whole.h5"), whole);
  DamagesTheFirstUnit progress;
  progress.unit = m_folder / "a.h5.partial/units/000000.safetensors";
  runCapture(request("a.h5"), progress);
  EXPECT_THAT(progress.warnings,
              Contains(HasSubstr("000000.safetensors: the finished example 0 does not match its checksum")));
  EXPECT_EQ(progress.units.size(), 10u) << "one of nine units is computed twice";
  EXPECT_TRUE(bytesOf("whole.h5") == bytesOf("a.h5"));
}

TEST_F(CaptureJob, NamesAUnitThatIsDamagedEveryTime) {
  DamagesTheFirstUnit progress;
  progress.unit = m_folder / "a.h5.partial/units/000000.safetensors";
  progress.always = true;
  EXPECT_THAT(test::failureOf<InputError>([&] { runCapture(request("a.h5"), progress); }),
              HasSubstr("000000.safetensors: the finished example 0"));
  EXPECT_FALSE(fs::exists(m_folder / "a.h5"));
  EXPECT_TRUE(fs::exists(m_folder / "a.h5.partial")) << "the rest is kept";
}

// A limit on file sizes stands in for a full disk: while units are written, and while the file is sealed.
TEST_F(CaptureJob, AFullDiskKeepsFinishedUnits) {
  RecordedProgress whole;
  runCapture(request("whole.h5"), whole);
  const std::uint64_t unitBytes = fs::file_size(m_folder / "whole.h5") / 9;
  signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  for (const std::uint64_t bytes : {unitBytes / 2, 4 * unitBytes}) {
    const rlimit limit{bytes, old.rlim_max};
    RecordedProgress progress;
    setrlimit(RLIMIT_FSIZE, &limit);
    EXPECT_THROW(runCapture(request("a.h5"), progress), ResourceError);
    setrlimit(RLIMIT_FSIZE, &old);
    EXPECT_EQ(m_folder.listing(), "a.h5.partial model tokens.jsonl whole.h5");
  }
  RecordedProgress last;
  runCapture(request("a.h5"), last);
  EXPECT_THAT(last.units, IsEmpty());  // only the sealing was left
  EXPECT_TRUE(bytesOf("whole.h5") == bytesOf("a.h5"));
}

}  // namespace
}  // namespace plastiscope
