// Opening captures and analyses: messages for other files, number of opens, and the process that reads
// untrusted files first.
#include <gmock/gmock.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <new>
#include <thread>
#include <vector>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/store/analysis_file.h"
#include "core/store/hdf5_handle.h"
#include "core/store/sandboxed_reader.h"
#include "core/store/stored_file.h"
#include "tests/store/sample_capture.h"
#include "tests/support/failure.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {

using test::failureOf;
using test::SampleCapture;
using test::TemporaryFolder;
using ::testing::ExitedWithCode;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class ForeignFile : public ::testing::Test {
 protected:
  fs::path write(const std::string& content) const {
    const fs::path file = m_folder.path() / "x.h5";
    writeFileAtomically(file, content);
    return file;
  }
  // Error message when only the first `kept` bytes of a capture are opened.
  std::string openingOf(std::uintmax_t kept) const {
    const fs::path file = m_folder.path() / "cut.h5";
    Progress quiet;
    writeCapture(test::SampleCapture(), file, quiet);
    whole = fs::file_size(file);
    fs::resize_file(file, kept > 0 ? kept : whole);
    return failureOf([&] { openCapture(file); });
  }
  mutable std::uintmax_t whole = 0;

 private:
  test::TemporaryFolder m_folder;
};

TEST(StudyIds, DescribeHowAnotherFileDiffers) {
  const StudyId capture{"m", "c1", ""}, analysis{"m", "c1", "a1"};
  EXPECT_EQ(differenceOf(capture, capture), "");
  EXPECT_EQ(differenceOf(StudyId(), capture), "") << "an empty id matches any capture";
  EXPECT_EQ(differenceOf(capture, StudyId()), "has no hash that identifies its capture");
  EXPECT_EQ(differenceOf(capture, analysis), "is an analysis, not a capture");
  EXPECT_EQ(differenceOf(analysis, capture), "is a capture, not an analysis");
  EXPECT_EQ(differenceOf(capture, {"other", "c1", ""}), "is of another model");
  EXPECT_EQ(differenceOf(capture, {"m", "c2", ""}), "was captured with other settings or texts");
  EXPECT_EQ(differenceOf(analysis, {"m", "c1", "a2"}), "was analysed with other settings");
}

TEST(StudyIds, RoundTripThroughJsonUnlessEmpty) {
  const StudyId analysis{"m", "c1", "a1"}, untold{"m", "0000", ""};
  EXPECT_EQ(StudyId::fromJson(analysis.toJson()), analysis);
  EXPECT_FALSE(analysis.ofCapture().toJson().contains("analysis"));
  EXPECT_FALSE(StudyId::fromJson(untold.toJson()).known());
}

TEST_F(ForeignFile, IsDescribedByItsContent) {
  EXPECT_EQ(foreignContentOf(write("")), "an empty file");
  EXPECT_EQ(foreignContentOf(write("Zwölf Boxkämpfer jagen Viktor")), "a text file");
  EXPECT_EQ(foreignContentOf(write(std::string("PK\x03\x04\0\0", 6))), "a file of another format");
  EXPECT_EQ(foreignContentOf(write("\xff\xfe text")), "a file of another format");
  EXPECT_EQ(foreignContentOf(write("\x89HDF\r\n\x1a\n rest")), "an HDF5 file of another program");
}

TEST_F(ForeignFile, AGitLfsPointerIsNamed) {
  const fs::path file = write("version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 9\n");
  EXPECT_THAT(failureOf([&] { openCapture(file); }), HasSubstr("run 'git lfs pull'"));
}

TEST_F(ForeignFile, TextMayBeSampledWithinACharacter) {
  EXPECT_EQ(foreignContentOf(write(std::string(4095, 'a') + "ö and more")), "a text file");
}

TEST_F(ForeignFile, ACutCaptureIsReportedWithItsSize) {
  EXPECT_EQ(openingOf(0), "no error");
  const std::string said = openingOf(3000);
  EXPECT_THAT(said, HasSubstr("the file is cut short: it ends after 3,000 of "));
  EXPECT_THAT(said, Not(HasSubstr("eof")));
  EXPECT_THAT(openingOf(20), HasSubstr("the file is cut short: it ends after 20 of "));
}

// ---- number of opens

// Counts how often any process opens a file. Reads are watched too, because inotify merges equal events in a
// row.
class Opens {
 public:
  explicit Opens(const fs::path& file) : m_queue(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    EXPECT_GE(::inotify_add_watch(m_queue, file.c_str(), IN_OPEN | IN_ACCESS), 0);
  }
  ~Opens() { ::close(m_queue); }
  Opens(const Opens&) = delete;
  Opens& operator=(const Opens&) = delete;
  int count() const {
    std::vector<inotify_event> events(4096);  // without a name each has the same size
    const ssize_t got = ::read(m_queue, events.data(), events.size() * sizeof events[0]);
    events.resize(got < 0 ? 0 : static_cast<std::size_t>(got) / sizeof events[0]);
    return static_cast<int>(
        std::ranges::count_if(events, [](const auto& event) { return (event.mask & IN_OPEN) != 0; }));
  }

 private:
  int m_queue;
};

void askEverything(const StoredFile& file) {
  file.seal();
  file.id();
  if (file.kind() == FileType::Analysis) {
    file.analysis();
    file.analysis(DamagedTables::LeaveOut);
    return;
  }
  EXPECT_EQ(file.kind(), FileType::Capture);
  file.capture()->rows({2, 1, RowSet::Query});
  EXPECT_EQ(file.capture(), file.capture());
}

TEST(StoredFile, IsOpenedOnceForAllReads) {
  const TemporaryFolder folder;
  Progress quiet;
  writeCapture(SampleCapture(), folder / "a.h5", quiet);
  writeAnalysis({}, folder / "b.h5");
  for (const char* name : {"a.h5", "b.h5"}) {
    const Opens opens(folder / name);
    const StoredFile file(folder / name);
    askEverything(file);
    EXPECT_EQ(opens.count(), 1) << name;
  }
}

TEST(StoredFile, AnotherProcessTriesUnsealedFilesFirst) {
  const TemporaryFolder folder;
  Progress quiet;
  writeCapture(SampleCapture(), folder / "a.h5", quiet);
  fs::resize_file(folder / "a.h5", fs::file_size(folder / "a.h5") - 89);
  const Opens opens(folder / "a.h5");
  const StoredFile file(folder / "a.h5");
  askEverything(file);
  EXPECT_EQ(file.seal(), FileSeal::Absent);
  EXPECT_EQ(opens.count(), 2);
}

TEST(StoredFile, FollowsASymbolicLink) {
  const TemporaryFolder folder;
  Progress quiet;
  writeCapture(SampleCapture(), folder / "a.h5", quiet);
  fs::create_symlink(folder / "a.h5", folder / "b.h5");
  EXPECT_EQ(openCapture(folder / "b.h5")->info().modelName, "tiny");
}

// ---- sandboxed process that reads a file first

SandboxAnswer shell(const std::string& script,
                    std::chrono::milliseconds patience = std::chrono::seconds(20)) {
  return runInSandbox({"/bin/sh", "-c", script}, patience);
}

TEST(SandboxedReader, ReportsAnswersCrashesAndLoops) {
  using End = SandboxAnswer::End;
  const SandboxAnswer answer = shell("head -c 100000 /dev/zero | tr '\\0' x");
  EXPECT_EQ(answer.end, End::Answered);
  EXPECT_EQ(answer.text, std::string(100000, 'x'));
  EXPECT_EQ(shell("kill -SEGV $$; echo survived").end, End::Crashed);
  EXPECT_EQ(shell("echo no; exit 1").end, End::Crashed);
  EXPECT_EQ(shell("exit 4").end, End::OutOfMemory);
  EXPECT_EQ(shell("while :; do :; done", std::chrono::milliseconds(300)).end, End::Crashed);
  EXPECT_EQ(shell("sleep 60", std::chrono::milliseconds(300)).end, End::Crashed);
  EXPECT_EQ(shell("while :; do echo more; done", std::chrono::milliseconds(300)).end, End::Crashed);
  EXPECT_THAT(failureOf([] { runInSandbox({"/nowhere/plastiscope-cli"}, std::chrono::seconds(1)); }),
              HasSubstr("cannot be started"));
  // Ctrl-C reaches the whole process group, but the answer still arrives.
  const SandboxAnswer group = shell("cut -d ' ' -f 5 /proc/self/stat");
  EXPECT_EQ(group.end, End::Answered);
  EXPECT_NE(group.text, std::to_string(::getpgrp()) + "\n");
}

TEST(SandboxedReader, EndsWhenAStopIsRequested) {
  class StopsSoon : public Progress {
   public:
    bool stopRequested() const override { return std::chrono::steady_clock::now() > m_soon; }

   private:
    const std::chrono::steady_clock::time_point m_soon =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  };
  const TemporaryFolder folder;
  const std::string said = (folder / "process").string();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THROW(runInSandbox({"/bin/sh", "-c", "echo $$ > " + said + "; exec sleep 60"},
                            std::chrono::seconds(50), StopsSoon()),
               Stopped);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(25)) << "not by timeout";
  EXPECT_EQ(::kill(std::stoi(readFile(said)), 0), -1) << "the process has ended too";
}

// Simulates a program that is suspended until long after the answer arrived.
TEST(SandboxedReader, AcceptsAnAnswerThatIsReadLate) {
  class Suspended : public Progress {
   public:
    bool stopRequested() const override {
      std::this_thread::sleep_for(std::chrono::milliseconds(700));
      return false;
    }
  };
  const SandboxAnswer answer =
      runInSandbox({"/bin/sh", "-c", "echo there"}, std::chrono::milliseconds(300), Suspended());
  EXPECT_EQ(answer.end, SandboxAnswer::End::Answered);
  EXPECT_EQ(answer.text, "there\n");
}

[[noreturn]] void useWithin(const SandboxLimits& limits, std::size_t bytes, bool endless) {
  limitThisProcess(limits);
  try {
    const std::vector<char> block(bytes, 'x');
    volatile bool more = endless;
    while (more) {
    }
    std::_Exit(block[bytes / 2] == 'x' ? 0 : 1);
  } catch (const std::bad_alloc&) {
    std::_Exit(4);
  }
}

TEST(SandboxedReader, HasItsOwnLimits) {
  SKIP_WHERE_MEMORY_IS_THE_SANITIZERS();
  const auto killed = [](int status) { return WIFSIGNALED(status); };
  EXPECT_EXIT(useWithin({2, 400'000'000}, 100'000'000, false), ExitedWithCode(0), "");
  EXPECT_EXIT(useWithin({2, 400'000'000}, 900'000'000, false), ExitedWithCode(4), "");
  EXPECT_EXIT(useWithin({1, 400'000'000}, 1000, true), killed, "");
}

// A column of 40 million texts of one byte, each of which takes 32 bytes in memory.
TEST(SandboxedReader, FilesThatNeedTooMuchMemoryAreRefused) {
  SKIP_WHERE_MEMORY_IS_THE_SANITIZERS();
  const TemporaryFolder folder;
  AnalysisFile analysis;
  analysis.tables.push_back({"heads", {{"taxonomy", std::vector<std::string>{"x"}}}});
  writeAnalysis(analysis, folder / "a.h5");
  const std::int64_t rows = 40'000'000;
  const hid_t file = H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t heads = H5Gopen2(file, "/tables/heads", H5P_DEFAULT),
              attribute = H5Aopen(heads, "rows", H5P_DEFAULT);
  EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_INT64, &rows), 0);
  H5Aclose(attribute);
  H5Gclose(heads);
  H5Ldelete(file, "/tables/heads/taxonomy", H5P_DEFAULT);
  const hsize_t count = static_cast<hsize_t>(rows);
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &count, nullptr),
              list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  const hid_t column =
      H5Dcreate2(file, "/tables/heads/taxonomy", type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  EXPECT_GE(column, 0);
  H5Dclose(column);
  H5Pclose(list);
  H5Sclose(space);
  H5Tclose(type);
  H5Fclose(file);
  EXPECT_THAT(failureOf([&] { readAnalysis(folder / "a.h5", DamagedTables::LeaveOut); }),
              HasSubstr("a.h5: reading it takes more than 1.2 GB of memory"));
}

// Errors as HDF5 reports them when it cannot allocate a chunk.
TEST(Hdf5Memory, LackOfMemoryIsNotReportedAsDamage) {
  const Hdf5Lock lock = hdf5Lock();
  H5Eclear2(H5E_DEFAULT);
  EXPECT_NO_THROW(throwIfHdf5LackedMemory("study.h5", "/tables"));
  const auto push = [](hid_t major, hid_t minor, const char* text) {
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, major, minor, "%s", text);
  };
  push(H5E_RESOURCE, H5E_NOSPACE, "memory allocation failed for chunk");
  push(H5E_DATASET, H5E_READERROR, "can't read data");
  EXPECT_THAT(failureOf([] { throwIfHdf5LackedMemory("study.h5", "/tables"); }, true),
              AllOf(HasSubstr("4 study.h5: /tables"), HasSubstr("memory allocation failed for chunk")));
  H5Eclear2(H5E_DEFAULT);
}

}  // namespace
}  // namespace plastiscope
