
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <set>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "tests/support/failure.h"

namespace plastiscope {
namespace {
namespace fs = std::filesystem;

class TemporaryFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "plastiscope-temporary-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    m_folder = pattern;
  }
  void TearDown() override { fs::remove_all(m_folder); }
  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& entry : fs::directory_iterator(m_folder)) all.insert(entry.path().filename().string());
    return all;
  }
  fs::path m_folder;
};

unsigned permissionsOf(const fs::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 ? status.st_mode & 07777u : 0;
}

TEST_F(TemporaryFiles, HaveUniqueRecognisableNames) {
  const TemporaryFile first(m_folder / "a.h5"), second(m_folder / "a.h5");
  EXPECT_NE(first.path(), second.path());
  for (const TemporaryFile* file : {&first, &second}) {
    EXPECT_EQ(file->path().parent_path(), m_folder);
    EXPECT_TRUE(isTemporaryNameFor(file->path().filename().string(), m_folder / "a.h5"));
    EXPECT_FALSE(isTemporaryNameFor(file->path().filename().string(), m_folder / "b.h5"));
  }
  for (const char* name : {"a.h5", "a.h5.tmp-", "a.h5.tmp-12", "a.h5.tmp-backup", "a.h5.tmp-12-short",
                           "a.h5.tmp--abcdef", "a.h5.tmp-12-abcdefg", "a.h5.tmp-12-abc.ef"})
    EXPECT_FALSE(isTemporaryNameFor(name, "a.h5")) << name;
}

TEST_F(TemporaryFiles, HaveThePermissionsOfTheUmask) {
  for (const mode_t mask : {022, 077, 002}) {
    const mode_t before = ::umask(mask);
    writeFileAtomically(m_folder / "file", std::string_view("x"));
    writeFolderAtomically(m_folder / "folder", [](const fs::path&) {});
    ::umask(before);
    EXPECT_EQ(permissionsOf(m_folder / "file"), 0666u & ~mask);
    EXPECT_EQ(permissionsOf(m_folder / "folder"), 0777u & ~mask);
    fs::remove(m_folder / "folder");
  }
}

TEST_F(TemporaryFiles, AreClosedInChildProcesses) {
  const TemporaryFile file(m_folder / "a");
  bool found = false;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code code;
    if (fs::read_symlink(entry.path(), code) != file.path()) continue;
    found = true;
    EXPECT_NE(::fcntl(std::stoi(entry.path().filename().string()), F_GETFD) & FD_CLOEXEC, 0);
  }
  EXPECT_TRUE(found);
}

TEST_F(TemporaryFiles, ALinkAtTheFinalPlaceIsReplacedAndNotFollowed) {
  writeFileAtomically(m_folder / "real", std::string_view("kept"));
  fs::create_symlink(m_folder / "real", m_folder / "link");
  writeFileAtomically(m_folder / "link", std::string_view("new"));
  EXPECT_EQ(readFile(m_folder / "real"), "kept");
  EXPECT_EQ(readFile(m_folder / "link"), "new");
}

// ---- sets of files

TEST_F(TemporaryFiles, ASetReplacesTheOldOneAndKeepsOtherFiles) {
  for (const char* name : {"a.csv", "b.csv", "mine.txt"})
    writeFileAtomically(m_folder / name, std::string_view("old"));
  writeFilesTogether(m_folder, {{"a.csv", "1"}, {"c.csv", "2"}}, {"b.csv"});
  EXPECT_EQ(names(), (std::set<std::string>{"a.csv", "c.csv", "mine.txt"}));
  EXPECT_EQ(readFile(m_folder / "a.csv"), "1");
  EXPECT_EQ(readFile(m_folder / "c.csv"), "2");
  EXPECT_EQ(readFile(m_folder / "mine.txt"), "old");
}

TEST_F(TemporaryFiles, ASetThatDoesNotFitLeavesTheOldOne) {
  for (const char* name : {"a.csv", "b.csv"}) writeFileAtomically(m_folder / name, std::string_view("old"));
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit tight = before;
  tight.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
  EXPECT_THROW(writeFilesTogether(m_folder, {{"a.csv", "new"}, {"b.csv", std::string(5000, 'x')}}, {}),
               ResourceError);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(names(), (std::set<std::string>{"a.csv", "b.csv"}));
  EXPECT_EQ(readFile(m_folder / "a.csv"), "old");
}

// No file can be named ".", so the third one fails when the first two are in place.
TEST_F(TemporaryFiles, ASetIsRolledBackWhenOneFileFails) {
  writeFileAtomically(m_folder / "a.csv", std::string_view("old"));
  EXPECT_THROW(writeFilesTogether(m_folder, {{"a.csv", "new"}, {"b.csv", "new"}, {".", "new"}}, {"a.csv"}),
               InputError);
  EXPECT_EQ(names(), std::set<std::string>{"a.csv"});
  EXPECT_EQ(readFile(m_folder / "a.csv"), "old");
}

TEST_F(TemporaryFiles, ExchangedFilesAreRestoredUnlessKept) {
  writeFileAtomically(m_folder / "a", std::string_view("old"));
  for (const bool kept : {false, true}) {
    {
      TemporaryFile there(m_folder / "a"), fresh(m_folder / "b");
      for (TemporaryFile* file : {&there, &fresh}) {
        file->write(std::as_bytes(std::span("new", 3)));
        file->finish();
        file->exchange();
        EXPECT_EQ(readFile(file->place()), "new");
        if (kept) file->keep();
      }
    }
    EXPECT_EQ(readFile(m_folder / "a"), kept ? "new" : "old");
    EXPECT_EQ(names(), kept ? (std::set<std::string>{"a", "b"}) : std::set<std::string>{"a"});
  }
}

// ---- calls that a signal interrupts

TEST(Descriptors, AnInterruptedCallIsRepeatedAndAnotherFailureIsNot) {
  int calls = 0;
  EXPECT_EQ(uninterrupted([&] {
              errno = EINTR;
              return ++calls < 4 ? -1 : 7;
            }),
            7);
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(uninterrupted([&] {
              ++calls;
              errno = EIO;
              return -1;
            }),
            -1);
  EXPECT_EQ(calls, 5);
}

TEST(Descriptors, AFullDiskAndAnExceededQuotaAreResourceErrors) {
  for (const int error : {ENOSPC, EDQUOT, EFBIG}) EXPECT_THROW(failToWrite("a.h5", error), ResourceError);
  for (const int error : {EACCES, EIO, EROFS}) EXPECT_THROW(failToWrite("a.h5", error), InputError);
}

// ---- files that are read

std::string refusalOf(const fs::path& file) {
  return test::failureOf<InputError>([&] { const InputFile opened(file); });
}

TEST_F(TemporaryFiles, OnlyRegularFilesAreRead) {
  writeFileAtomically(m_folder / "file", std::string_view("0123456789"));
  ASSERT_EQ(::mkfifo((m_folder / "pipe").c_str(), 0600), 0);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string place = (m_folder / "socket").string();
  ASSERT_LT(place.size(), sizeof address.sun_path);
  std::copy(place.begin(), place.end(), address.sun_path);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_NE(refusalOf(m_folder / "pipe").find("expected a regular file, found a named pipe"),
            std::string::npos);
  EXPECT_NE(refusalOf(m_folder / "socket").find("a socket"), std::string::npos);
  EXPECT_NE(refusalOf(m_folder).find("found a folder"), std::string::npos);
  EXPECT_NE(refusalOf("/dev/zero").find("found a device"), std::string::npos);
  EXPECT_NE(refusalOf(m_folder / "none").find("cannot be opened"), std::string::npos);
  ::close(socket);
  const InputFile file(m_folder / "file");
  std::string part(4, ' ');
  EXPECT_EQ(file.size(), 10u);
  EXPECT_EQ(file.read(8, std::as_writable_bytes(std::span(part))), 2u);
  EXPECT_EQ(part.substr(0, 2), "89");
  EXPECT_EQ(readStart(m_folder / "file", 3), "012");
  EXPECT_EQ(readStart(m_folder / "file", 30), "0123456789");
}

}  // namespace
}  // namespace plastiscope
