// Captures and merges that are killed, at every system call of a commit and at random moments: finished
// examples stay finished, and the same command makes the file that an undisturbed run makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <sstream>

#include "core/base/json.h"
#include "tests/faults/swept_commands.h"

namespace plastiscope::test {
namespace {

constexpr int kKillBefore = -2, kKillAfter = -3, kKilled = 128 + 9;
constexpr const char* kCommit = "create,write,fsync,fsyncdir,rename,mkdir,unlink";

// Examples that were reported as durable.
std::set<std::string> finishedIn(const std::string& err) {
  std::set<std::string> ids;
  std::istringstream lines(err);
  for (std::string line; std::getline(lines, line);) {
    const Json event = Json::parse(line, nullptr, false);
    if (event.is_object() && event.value("event", "") == "unit") ids.insert(event.dump());
  }
  return ids;
}

// Resumes after killed runs: examples that they reported are not computed again.
void expectGoesOn(const SweepFolder& folder, const std::set<std::string>& before) {
  const ProgramResult resumed = folder.run();
  ASSERT_EQ(resumed.exitCode, 0) << resumed.err;
  for (const std::string& unit : finishedIn(resumed.err))
    EXPECT_FALSE(before.contains(unit)) << "computed again: " << unit;
  EXPECT_TRUE(folder.outputsAreThere());
  EXPECT_EQ(folder.damage(), "");
  if (folder.locksItsOutput()) {
    EXPECT_EQ(folder.litter(), "");
  }
}

class KillSweep : public ::testing::TestWithParam<const char*> {};

TEST_P(KillSweep, ResumesAfterAKillAtEverySystemCall) {
  const SweepFolder folder(sweptCommand(GetParam()));
  folder.reset();
  ASSERT_EQ(folder.runWithFault(kCommit, 0, 0).exitCode, 0);
  const std::int64_t calls = folder.counted();
  ASSERT_GT(calls, 5);
  for (const std::int64_t at : sweepPoints(calls, 5)) {
    for (const int moment : {kKillBefore, kKillAfter}) {
      SCOPED_TRACE("killed " + std::string(moment == kKillBefore ? "before" : "after") + " call " +
                   std::to_string(at) + " of " + std::to_string(calls));
      folder.reset();
      const ProgramResult killed = folder.runWithFault(kCommit, at, moment);
      // The number of calls differs a little from run to run: progress is reported by the clock.
      EXPECT_TRUE(killed.exitCode == kKilled || at > calls - 3) << killed.err;
      EXPECT_EQ(folder.damage(), "");
      expectGoesOn(folder, finishedIn(killed.err));
    }
  }
}

TEST_P(KillSweep, ResumesAfterKillsAtRandomMoments) {
  const SweepFolder folder(sweptCommand(GetParam()));
  std::mt19937 random(20260);
  std::uniform_real_distribution<double> moment(0, folder.seconds());
  const std::size_t kills = sweepPoints(200, 4).size();
  for (std::size_t i = 0; i < kills; ++i) {
    folder.reset();
    std::set<std::string> before;
    for (int again = 0; again < 2; ++again) {  // killed twice, then undisturbed
      ProgramOptions options;
      options.killAfter = std::chrono::milliseconds(static_cast<std::int64_t>(1000 * moment(random)));
      SCOPED_TRACE("killed after " + std::to_string(options.killAfter.count()) + " ms");
      const ProgramResult killed = folder.run(options);
      EXPECT_TRUE(killed.exitCode == kKilled || killed.exitCode == 0) << killed.err;
      EXPECT_EQ(folder.damage(), "");
      for (const std::string& unit : finishedIn(killed.err))
        EXPECT_TRUE(before.insert(unit).second) << "computed again: " << unit;
    }
    expectGoesOn(folder, before);
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, KillSweep, ::testing::Values("capture", "part", "merge", "analyze"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace plastiscope::test
