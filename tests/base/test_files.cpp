#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "core/base/error.h"
#include "core/base/files.h"
#include "tests/support/failure.h"

namespace plastiscope {
namespace {
namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    m_folder = fs::temp_directory_path() / ("plastiscope-files-" + std::to_string(::getpid()));
    fs::create_directories(m_folder);
  }
  void TearDown() override { fs::remove_all(m_folder); }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()));
  }
  fs::path m_folder;
};

TEST_F(Files, WritesWholeAndReplacesTheOldContent) {
  writeFileAtomically(m_folder / "a.txt", std::string_view("first"));
  writeFileAtomically(m_folder / "a.txt", std::string_view("second, longer"));
  EXPECT_EQ(readFile(m_folder / "a.txt"), "second, longer");
  EXPECT_EQ(entries(), 1u);  // no temporary file is left
}

TEST_F(Files, AFolderIsWrittenAtomically) {
  const fs::path out = m_folder / "made" / "out";
  writeFolderAtomically(out, [&](const fs::path& temporary) {
    writeFileAtomically(temporary / "a.txt", std::string_view("a"));
    EXPECT_FALSE(fs::exists(out));
  });
  EXPECT_EQ(readFile(out / "a.txt"), "a");
  EXPECT_THROW(writeFolderAtomically(out, [](const fs::path&) { FAIL() << "the folder is not empty"; }),
               InputError);
  EXPECT_EQ(readFile(out / "a.txt"), "a");
  fs::create_directory(m_folder / "empty");
  writeFolderAtomically(m_folder / "empty/", [](const fs::path& temporary) {
    writeFileAtomically(temporary / "b.txt", std::string_view("b"));
  });
  EXPECT_EQ(readFile(m_folder / "empty" / "b.txt"), "b");
  EXPECT_EQ(entries(), 2u);
}

TEST_F(Files, AFailingFolderLeavesNothing) {
  EXPECT_THROW(writeFolderAtomically(m_folder / "out",
                                     [](const fs::path& temporary) {
                                       fs::create_directories(temporary / "a" / "b");
                                       throw Stopped();
                                     }),
               Stopped);
  EXPECT_EQ(entries(), 0u);
  writeFileAtomically(m_folder / "file", std::string_view("x"));
  EXPECT_THROW(writeFolderAtomically(m_folder / "file", [](const fs::path&) {}), InputError);
}

TEST_F(Files, AFailingWriterLeavesTheOldFileAndNothingElse) {
  writeFileAtomically(m_folder / "a.txt", std::string_view("old"));
  EXPECT_THROW(writeFileAtomically(m_folder / "a.txt",
                                   [](const fs::path& temporary) {
                                     std::ofstream(temporary) << "half";
                                     throw ResourceError("no space");
                                   }),
               ResourceError);
  EXPECT_EQ(readFile(m_folder / "a.txt"), "old");
  EXPECT_EQ(entries(), 1u);
}

// A file-size limit stands in for a full disk: the write fails in the middle.
TEST_F(Files, AFullDiskIsAResourceErrorAndKeepsTheOldFile) {
  writeFileAtomically(m_folder / "a.txt", std::string_view("old"));
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit tight = before;
  tight.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
  EXPECT_THROW(writeFileAtomically(m_folder / "a.txt", std::string_view(std::string(5000, 'x'))),
               ResourceError);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(readFile(m_folder / "a.txt"), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, AFolderThatIsAFileIsRefused) {
  writeFileAtomically(m_folder / "a.txt", std::string_view("x"));
  EXPECT_THROW(requireWritableFolderOf(m_folder / "a.txt" / "b.h5"), InputError);
  EXPECT_THROW(requireWritableFolderOf(m_folder), InputError);  // a folder instead of a file name
  EXPECT_NO_THROW(requireWritableFolderOf(m_folder / "new" / "deep" / "b.h5"));
  EXPECT_TRUE(fs::is_directory(m_folder / "new" / "deep"));
}

TEST_F(Files, ReadingNamesTheProblem) {
  EXPECT_THROW(readFile(m_folder / "missing"), InputError);
  EXPECT_THROW(readFile(m_folder), InputError);
  ASSERT_EQ(::mkfifo((m_folder / "pipe").c_str(), 0600), 0);
  EXPECT_THROW(readFile(m_folder / "pipe"), InputError);  // and does not wait for a writer
  writeFileAtomically(m_folder / "big", std::string_view("12345"));
  EXPECT_THROW(readFile(m_folder / "big", 4), InputError);
}

TEST_F(Files, LinesAreAppended) {
  appendLineDurably(m_folder / "manifest", "one");
  appendLineDurably(m_folder / "manifest", "two");
  EXPECT_EQ(readFile(m_folder / "manifest"), "one\ntwo\n");
}

TEST_F(Files, ALineForNoFolderIsRefused) {
  EXPECT_EQ(test::failureOf<InputError>([&] { appendLineDurably(m_folder / "missing" / "manifest", "one"); }),
            (m_folder / "missing" / "manifest").string() + ": cannot be written: No such file or directory");
}

TEST_F(Files, FreeSpaceOfAPlaceThatDoesNotExistYet) {
  EXPECT_GT(freeDiskBytes(m_folder / "not" / "yet"), 0u);
}

}  // namespace
}  // namespace plastiscope
