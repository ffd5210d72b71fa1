// Every n-th call that writes, and every n-th large allocation, fails in turn. Checks the exit code, one
// error sentence, no partial or temporary files, and that the same command finishes the work afterwards.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <ostream>

#include "tests/faults/swept_commands.h"

namespace plastiscope::test {
namespace {

constexpr int kHalf = -1;  // a write that takes only half of its bytes

struct Fault {
  const char* name;
  const char* calls;
  int error;
  int exitCode;      // 0: the program has to succeed
  bool always;       // the disk stays full
  bool mayBeLess;    // the result may not need the failing call
  std::int64_t few;  // points in the short sweep
};

const Fault kFaults[] = {
    {"FullDiskAtCreate", "create", ENOSPC, 4, true, true, 3},
    {"FullDiskAtWrite", "write", ENOSPC, 4, true, true, 3},
    {"FullDiskAtMkdir", "mkdir", ENOSPC, 4, true, false, 2},
    {"FullDiskAtSync", "fsync", ENOSPC, 4, true, true, 2},
    {"QuotaAtWrite", "write", EDQUOT, 4, true, true, 1},
    {"ErrorAtOpen", "open", EIO, 3, false, true, 3},
    {"ErrorAtCreate", "create", EIO, 3, false, true, 2},
    {"ErrorAtWrite", "write", EIO, 3, false, true, 2},
    {"ErrorAtSync", "fsync", EIO, 3, false, true, 2},
    {"ErrorAtFolderSync", "fsyncdir", EIO, 0, false, false, 1},
    {"ErrorAtRename", "rename", EIO, 3, false, true, 3},
    {"ErrorAtMkdir", "mkdir", EACCES, 3, false, false, 1},
    {"ErrorAtUnlink", "unlink", EIO, 0, false, false, 1},
    {"HalfOfAWrite", "write", kHalf, 0, false, false, 2},
    {"InterruptedCalls", "open,create,write,fsync,rename,mkdir", EINTR, 0, false, false, 3},
    {"NoMemory", "alloc", ENOMEM, 4, false, true, 6},
};

struct Case {
  const SweptCommand* command;
  const Fault* fault;
};

void PrintTo(const Case& each, std::ostream* out) {
  *out << each.command->name << " " << each.fault->name;
}

// Outcome of a command, for the table at the end of a whole sweep.
struct Tally {
  std::int64_t tried = 0, clean = 0, damaged = 0;
};

class TallyTable : public ::testing::Environment {
 public:
  static std::map<std::string, Tally>& rows() {
    static std::map<std::string, Tally> kept;
    return kept;
  }
  void TearDown() override {
    if (std::getenv("PLASTISCOPE_SWEEP") == nullptr) return;
    std::printf("%-22s%8s%26s%9s\n", "command", "faults", "clean sentence and code", "damaged");
    for (const auto& [command, row] : rows()) {
      std::printf("%-22s%8lld%26lld%9lld\n", command.c_str(), static_cast<long long>(row.tried),
                  static_cast<long long>(row.clean), static_cast<long long>(row.damaged));
    }
  }
};
const auto* const kTallyTable = ::testing::AddGlobalTestEnvironment(new TallyTable);

int failuresUntilNow() {
  return ::testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
}

void checkAfter(const SweepFolder& folder, const Fault& fault, const ProgramResult& result) {
  Tally& tally = TallyTable::rows()[folder.name()];
  const int before = failuresUntilNow();
  if (result.exitCode == 0) {
    EXPECT_TRUE(fault.exitCode == 0 || fault.mayBeLess || folder.remembers()) << "ended with 0\n"
                                                                              << result.err;
    EXPECT_TRUE(folder.outputsAreThere()) << "ended with 0 without an output\n" << result.err;
    EXPECT_TRUE(folder.printedAll(result)) << "ended with 0 and printed\n" << result.out << result.err;
  } else {
    // HDF5 has no specific error for lack of memory when it reads back written data.
    const bool unnamed = fault.error == ENOMEM && result.exitCode == 3;
    EXPECT_TRUE(result.exitCode == fault.exitCode || unnamed) << result.exitCode << ": " << result.err;
    EXPECT_EQ(folder.otherThanOneSentence(result.err), "");
  }
  ++tally.tried;
  tally.clean += failuresUntilNow() == before ? 1 : 0;
  const std::string damage = folder.damage();
  EXPECT_EQ(damage, "") << result.err;
  tally.damaged += damage.empty() ? 0 : 1;
  EXPECT_EQ(folder.litter(), "") << result.err;
  if (result.exitCode != 0 || folder.manner() != Manner::NewFolder) {
    EXPECT_EQ(folder.repeat(), "");
  }
}

class FaultSweep : public ::testing::TestWithParam<Case> {
 protected:
  // One undisturbed run per command is the reference for all its faults.
  static const SweepFolder& folderOf(const SweptCommand& command) {
    static std::unique_ptr<SweepFolder> kept;
    static const SweptCommand* of = nullptr;
    if (of != &command) {
      kept.reset();
      kept = std::make_unique<SweepFolder>(command);
      of = &command;
    }
    return *kept;
  }
};

TEST_P(FaultSweep, LeavesNothingBehindAndFinishesLater) {
  const SweepFolder& folder = folderOf(*GetParam().command);
  const Fault& fault = *GetParam().fault;
  folder.reset();
  ASSERT_EQ(folder.runWithFault(fault.calls, 0, 0).exitCode, 0);
  const std::int64_t calls = folder.counted();
  RecordProperty("calls", static_cast<int>(calls));
  for (const std::int64_t at : sweepPoints(calls, fault.few)) {
    SCOPED_TRACE("call " + std::to_string(at) + " of " + std::to_string(calls));
    folder.reset();
    checkAfter(folder, fault, folder.runWithFault(fault.calls, at, fault.error, fault.always));
  }
}

// The disk is full after n bytes of a file, for every block up to the largest output.
class FullDiskSweep : public ::testing::TestWithParam<const SweptCommand*> {};

TEST_P(FullDiskSweep, LeavesNothingBehindAtEveryBlock) {
  constexpr std::int64_t kBlock = 4096;
  const SweepFolder folder(*GetParam());
  const Fault full{"FullDisk", "", ENOSPC, 4, true, true, 3};
  for (const std::int64_t block : sweepPoints(folder.largestOutput() / kBlock + 1, full.few)) {
    const std::int64_t bytes = (block - 1) * kBlock;
    SCOPED_TRACE("full after " + std::to_string(bytes) + " bytes");
    folder.reset();
    ProgramOptions limit;
    limit.fileSizeLimit = static_cast<long>(bytes);
    checkAfter(folder, full, folder.run(limit));
  }
}

// Swept in every test run; the others take minutes and are swept when PLASTISCOPE_SWEEP is set.
bool isSwept(const SweptCommand& command) {
  constexpr std::array<std::string_view, 6> kAlways{"capture", "part",       "merge",
                                                    "analyze", "export-csv", "compare"};
  return std::getenv("PLASTISCOPE_SWEEP") != nullptr ||
         std::ranges::find(kAlways, command.name) != kAlways.end();
}

std::vector<const SweptCommand*> writingCommands() {
  std::vector<const SweptCommand*> commands;
  for (const SweptCommand& command : sweptCommands()) {
    if (!command.outputs.empty() && isSwept(command)) commands.push_back(&command);
  }
  return commands;
}

INSTANTIATE_TEST_SUITE_P(Commands, FullDiskSweep, ::testing::ValuesIn(writingCommands()),
                         [](const auto& tested) {
                           std::string name = tested.param->name;
                           std::erase(name, '-');
                           return name;
                         });

std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (const SweptCommand& command : sweptCommands()) {
    if (!isSwept(command)) continue;
    for (const Fault& fault : kFaults) cases.push_back({&command, &fault});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Commands, FaultSweep, ::testing::ValuesIn(allCases()), [](const auto& tested) {
  std::string name = tested.param.command->name + "_" + tested.param.fault->name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace plastiscope::test
