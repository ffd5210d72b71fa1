// Locks of outputs with real processes, and outputs that already exist.
#include <gmock/gmock.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/store/capture_output.h"
#include "core/store/capture_writer.h"
#include "tests/store/sample_capture.h"
#include "tests/support/failure.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {

using test::failureOf;
using test::TemporaryFolder;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string failureToLock(const fs::path& out) {
  return failureOf([&] { const OutputLock lock(out); }, true);
}

// A process that takes the lock and keeps it until it is killed.
class Holder {
 public:
  explicit Holder(const fs::path& out, const std::function<void()>& before = {}) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("pipe");
    m_child = ::fork();
    if (m_child == 0) {
      if (before) before();
      char answer = 'y';
      try {
        const OutputLock lock(out);
        if (::write(ends[1], &answer, 1) == 1) ::pause();
      } catch (const Error&) {
        answer = 'n';
        ::_exit(::write(ends[1], &answer, 1) == 1 ? 3 : 4);
      }
    }
    char answer = 0;
    if (::read(ends[0], &answer, 1) == 1) m_holds = answer == 'y';
    ::close(ends[0]);
    ::close(ends[1]);
  }
  ~Holder() { kill(); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  bool holds() const { return m_holds; }
  void kill() {
    if (m_child <= 0) return;
    ::kill(m_child, SIGKILL);
    ::waitpid(m_child, nullptr, 0);
    m_child = 0;
  }

 private:
  pid_t m_child = 0;
  bool m_holds = false;
};

TEST(OutputLock, TheSecondProcessIsRefusedUntilTheFirstIsKilled) {
  const TemporaryFolder folder;
  const fs::path out = folder / "a.h5";
  Holder first(out);
  ASSERT_TRUE(first.holds());
  EXPECT_TRUE(OutputLock::isHeld(out));
  std::array<char, 256> computer{};
  ::gethostname(computer.data(), computer.size() - 1);
  EXPECT_EQ(readFile(folder / "a.h5.partial" / "lock"), computer.data() + std::string("\n"));
  EXPECT_THAT(failureToLock(out), HasSubstr("another process is capturing to this output"));
  EXPECT_EQ(failureToLock(folder / "b.h5"), "no error") << "another output";
  first.kill();
  EXPECT_FALSE(OutputLock::isHeld(out));
  EXPECT_EQ(failureToLock(out), "no error");
  EXPECT_EQ(folder.listing(), "") << "nothing was in the folder but the lock";
}

TEST(OutputLock, OnlyOneOfManyProcessesGetsIt) {
  const TemporaryFolder folder;
  const fs::path out = folder / "a.h5";
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<Holder>> holders;
    for (int i = 0; i < 5; ++i) holders.push_back(std::make_unique<Holder>(out));
    EXPECT_EQ(std::ranges::count_if(holders, [](const auto& each) { return each->holds(); }), 1);
  }
}

TEST(OutputLock, KeepsWorkInTheFolder) {
  const TemporaryFolder folder;
  {
    const OutputLock lock(folder / "a.h5");
    std::ofstream(lock.folder() / "settings.json") << "{}";
  }
  EXPECT_EQ(folder.listing(), "a.h5.partial");
  OutputLock lock(folder / "a.h5");
  lock.discardFolder();
  EXPECT_EQ(folder.listing(), "");
}

TEST(OutputLock, RemovesTemporaryFilesOfAKilledProcess) {
  const TemporaryFolder folder;
  for (const char* name : {"a.h5.tmp-123-Ab3xY9", "a.h5.tmp-backup", "b.h5.tmp-123-Ab3xY9", "a.h5"})
    writeFileAtomically(folder / name, std::string_view("x"));
  const OutputLock lock(folder / "a.h5");
  EXPECT_EQ(folder.listing(), "a.h5 a.h5.partial a.h5.tmp-backup b.h5.tmp-123-Ab3xY9");
}

#if defined(__x86_64__)
// Disables file locks in this process, as on some network disks.
void loseFileLocks() {
  std::array filter = {
      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_flock, 0, 1),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{filter.size(), filter.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    ::_exit(5);
}

// Runs in a separate process without file locks.
std::string withoutFileLocks(const std::function<std::string()>& action) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    loseFileLocks();
    const std::string text = action();
    ::_exit(::write(ends[1], text.data(), text.size()) >= 0 ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text(4096, '\0');
  const ssize_t got = ::read(ends[0], text.data(), text.size());
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return text;
}

TEST(OutputLock, WithoutFileLocksAnotherProcessOfThisComputerIsRefused) {
  const TemporaryFolder folder;
  const fs::path out = folder / "a.h5";
  const auto attempt = [&] { return failureToLock(out); };
  Holder first(out, loseFileLocks);
  ASSERT_TRUE(first.holds());
  EXPECT_THAT(withoutFileLocks(attempt), HasSubstr("another process is capturing to this output"));
  EXPECT_EQ(withoutFileLocks([&] { return std::string(OutputLock::isHeld(out) ? "held" : "free"); }), "held");
  first.kill();
  EXPECT_EQ(withoutFileLocks([&] { return std::string(OutputLock::isHeld(out) ? "held" : "free"); }), "free");
  EXPECT_EQ(withoutFileLocks(attempt), "no error");
  EXPECT_EQ(folder.listing(), "");
}

TEST(OutputLock, WithoutFileLocksAnotherComputerIsNamed) {
  const TemporaryFolder folder;
  const fs::path out = folder / "a.h5", lock = folder / "a.h5.partial" / "lock";
  fs::create_directories(lock.parent_path());
  std::ofstream(lock) << "node17\n";
  for (int attempt = 0; attempt < 2; ++attempt) {  // a refused attempt keeps the name
    const std::string failure = withoutFileLocks([&] { return failureToLock(out); });
    EXPECT_THAT(failure, HasSubstr("3 "));
    EXPECT_THAT(failure, HasSubstr("a process on node17 is capturing to this output"));
    EXPECT_THAT(failure, HasSubstr("remove " + lock.string()));
  }
  EXPECT_EQ(withoutFileLocks([&] { return OutputLock::holderElsewhere(out); }), "node17");
  EXPECT_EQ(OutputLock::holderElsewhere(out), "") << "with file locks the name alone does not count";
  fs::remove(lock);
  EXPECT_EQ(withoutFileLocks([&] { return failureToLock(out); }), "no error");
}
#endif

// ---- existing outputs

class FinishedCapture : public ::testing::Test {
 protected:
  void SetUp() override {
    Progress progress;
    writeCapture(m_content, m_out, progress);
  }
  std::string failureWith(const Json& settings, bool texts = false) const {
    return failureOf([&] { isFinishedCapture(m_out, settings, texts); }, true);
  }

  TemporaryFolder m_folder;
  fs::path m_out = m_folder / "a.h5";
  test::SampleCapture m_content;
  Json m_settings = m_content.info().settings;
};

TEST_F(FinishedCapture, IsRecognisedByItsSettings) {
  EXPECT_TRUE(isFinishedCapture(m_out, m_settings, false));
  EXPECT_FALSE(isFinishedCapture(m_folder / "b.h5", m_settings, false)) << "nothing is there";
  Json other = m_settings;
  other["window"] = 16;
  const std::string failure = failureWith(other);
  EXPECT_THAT(failure, HasSubstr("2 "));
  EXPECT_THAT(failure, HasSubstr("a capture with other settings (window: 8 there, 16 now)"));
  EXPECT_THAT(failure, HasSubstr("--fresh"));
  EXPECT_THAT(failureWith(m_settings, true), HasSubstr("texts: not stored there"));
}

TEST_F(FinishedCapture, DamageIsReported) {
  const std::string whole = readFile(m_out);
  std::string bytes = whole;
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  writeFileAtomically(m_out, std::string_view(bytes));
  EXPECT_THAT(failureWith(m_settings), HasSubstr("--fresh replaces it"));
  for (const std::size_t size : {whole.size() - 1, whole.size() / 2, std::size_t{600}}) {
    writeFileAtomically(m_out, std::string_view(whole).substr(0, size));
    const std::string failure = failureWith(m_settings);
    EXPECT_THAT(failure, HasSubstr("3 ")) << size;
    EXPECT_THAT(failure, HasSubstr("--fresh replaces it")) << size;
  }
}

TEST_F(FinishedCapture, OtherFilesAreNotRecognised) {
  writeFileAtomically(m_out, std::string_view("a text"));
  EXPECT_FALSE(isFinishedCapture(m_out, m_settings, false));
}

}  // namespace
}  // namespace plastiscope
