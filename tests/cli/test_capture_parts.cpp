// Captures of several processes on one machine, as clusters start them: killed, repeated and joined. Compared
// object by object with the capture of one process, through HDF5 itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <random>

#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/cli/hdf5_content.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope::test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

#if PLASTISCOPE_HAS_TORCH

constexpr int kExamples = 10;
constexpr int kSignalKill = 128 + 9;

const fs::path kCluster = fs::path(PLASTISCOPE_TEST_DATA) / ".." / ".." / "packaging" / "cluster";

class CaptureParts : public ::testing::Test {
 protected:
  void SetUp() override {
    TinyLlama().write(m_folder / "model");
    writeTokenFile(m_folder / "t.jsonl", kExamples, 1500);
  }

  std::vector<std::string> options() const {
    return {"--model",   (m_folder / "model").string(),
            "--tokens",  (m_folder / "t.jsonl").string(),
            "--heads",   "all",
            "--rate",    "40",
            "--threads", "1"};
  }
  std::vector<std::string> capture(const std::string& out, std::vector<std::string> more = {}) const {
    std::vector<std::string> all = options();
    all.insert(all.begin(), "capture");
    all.insert(all.end(), {"--out", (m_folder / out).string()});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  static ProgramResult cli(const std::vector<std::string>& arguments, const ProgramOptions& options = {}) {
    return runProgram("plastiscope-cli", arguments, options);
  }

  // One cluster task with this environment.
  ProgramResult task(const std::string& out, const std::vector<std::string>& environment,
                     std::chrono::milliseconds killAfter = std::chrono::milliseconds(-1)) const {
    ProgramOptions options;
    options.environment = environment;
    options.killAfter = killAfter;
    return cli(capture(out), options);
  }
  static std::vector<std::string> arrayTask(int index, int count) {
    return {"SLURM_ARRAY_TASK_ID=" + std::to_string(index + 1), "SLURM_ARRAY_TASK_MIN=1",
            "SLURM_ARRAY_TASK_COUNT=" + std::to_string(count)};
  }
  static std::vector<std::string> rank(int index, int count) {
    return {"RANK=" + std::to_string(index), "WORLD_SIZE=" + std::to_string(count)};
  }

  std::string partName(const std::string& stem, int index, int count) const {
    return stem + ".part-" + std::to_string(index) + "-of-" + std::to_string(count) + ".h5";
  }
  std::vector<std::string> merge(const std::string& stem, int count) const {
    std::vector<std::string> arguments{"merge"};
    for (int i = 0; i < count; ++i) arguments.push_back((m_folder / partName(stem, i, count)).string());
    arguments.insert(arguments.end(), {"--out", (m_folder / (stem + ".h5")).string()});
    return arguments;
  }

  // All datasets and attributes except `created`.
  const std::map<std::string, std::string>& wholeContent() {
    if (m_whole.empty()) {
      EXPECT_EQ(cli(capture("whole.h5")).exitCode, 0);
      m_whole = hdf5Content(m_folder / "whole.h5");
      EXPECT_GT(m_whole.size(), 80u);
    }
    return m_whole;
  }

  TemporaryFolder m_folder;
  std::map<std::string, std::string> m_whole;
};

TEST_F(CaptureParts, ParallelTasksMergeToTheCaptureOfOneProcess) {
  for (int count = 1; count <= 4; ++count) {
    const std::string stem = "n" + std::to_string(count);
    std::vector<std::future<ProgramResult>> tasks;
    for (int i = 0; i < count; ++i) {
      tasks.push_back(std::async(std::launch::async, [&, i] {
        return task(stem + ".h5", count % 2 == 0 ? arrayTask(i, count) : rank(i, count));
      }));
    }
    for (int i = 0; i < count; ++i) {
      const ProgramResult result = tasks[static_cast<std::size_t>(i)].get();
      ASSERT_EQ(result.exitCode, 0) << result.err;
      EXPECT_EQ(result.out, (m_folder / partName(stem, i, count)).string() + "\n");
    }
    EXPECT_FALSE(fs::exists(m_folder / (stem + ".h5")));
    const ProgramResult merged = cli(merge(stem, count));
    ASSERT_EQ(merged.exitCode, 0) << merged.err;
    EXPECT_TRUE(hdf5Content(m_folder / (stem + ".h5")) == wholeContent()) << count;
    EXPECT_EQ(cli({"verify", (m_folder / (stem + ".h5")).string()}).exitCode, 0);
  }
}

// Tasks are killed at random moments, several times each, and repeated; so is the merging. Finished tasks are
// repeated too.
TEST_F(CaptureParts, KilledAndRepeatedTasksMergeToTheSameBytes) {
  constexpr int kCount = 3, kKills = 4;
  const auto begin = std::chrono::steady_clock::now();
  wholeContent();
  const auto duration =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
  std::mt19937 random(std::random_device{}());
  const auto moment = [&] {
    return std::chrono::milliseconds(std::uniform_int_distribution<long>(0, duration.count())(random));
  };
  for (int kill = 0; kill < kKills; ++kill) {
    std::vector<std::future<ProgramResult>> tasks;
    for (int i = 0; i < kCount; ++i) {
      tasks.push_back(std::async(std::launch::async, [&, i, after = moment()] {
        return task("k.h5", arrayTask(i, kCount), after);
      }));
    }
    for (auto& each : tasks) {
      const ProgramResult result = each.get();
      EXPECT_TRUE(result.exitCode == kSignalKill || result.exitCode == 0) << result.exitCode << result.err;
    }
  }
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < kCount; ++i) {
      const ProgramResult result = task("k.h5", arrayTask(i, kCount));
      ASSERT_EQ(result.exitCode, 0) << result.err;
      if (round == 1) {
        EXPECT_THAT(result.err, HasSubstr("already finished"));
      }
    }
  }
  for (int kill = 0; kill < kKills; ++kill) {
    ProgramOptions options;
    options.killAfter = std::chrono::milliseconds(std::uniform_int_distribution<long>(0, 200)(random));
    const ProgramResult result = cli(merge("k", kCount), options);
    EXPECT_TRUE(result.exitCode == kSignalKill || result.exitCode == 0) << result.exitCode << result.err;
  }
  const ProgramResult merged = cli(merge("k", kCount));
  ASSERT_EQ(merged.exitCode, 0) << merged.err;
  EXPECT_TRUE(hdf5Content(m_folder / "k.h5") == wholeContent());
  EXPECT_EQ(m_folder.listing(),
            "k.h5 k.part-0-of-3.h5 k.part-1-of-3.h5 k.part-2-of-3.h5 model t.jsonl whole.h5");
}

TEST_F(CaptureParts, ShippedJobScriptsCaptureAndMerge) {
  constexpr int kCount = 2;
  const auto script = [&](const std::string& name, const std::vector<std::string>& arguments,
                          const std::vector<std::string>& environment) {
    std::vector<std::string> all{(kCluster / name).string()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    ProgramOptions options;
    options.environment = environment;
    options.environment.push_back("PLASTISCOPE_CLI=" + std::string(PLASTISCOPE_BIN) + "/plastiscope-cli");
    options.environment.push_back("SLURM_CPUS_PER_TASK=1");
    return runProgram("/bin/bash", all, options);
  };
  const std::string out = (m_folder / "my study.v2.h5").string();
  std::vector<std::string> arguments = options();
  arguments.resize(arguments.size() - 2);  // the script gives the number of threads
  arguments.insert(arguments.begin(), out);
  std::vector<std::future<ProgramResult>> tasks;
  for (int i = 0; i < kCount; ++i) {
    tasks.push_back(std::async(std::launch::async,
                               [&, i] { return script("capture.sbatch", arguments, arrayTask(i, kCount)); }));
  }
  for (auto& each : tasks) {
    const ProgramResult result = each.get();
    ASSERT_EQ(result.exitCode, 0) << result.err;
  }
  EXPECT_EQ(script("merge.sbatch", {}, {}).exitCode, 2);
  const ProgramResult merged = script("merge.sbatch", {out}, {});
  ASSERT_EQ(merged.exitCode, 0) << merged.err;
  EXPECT_TRUE(hdf5Content(out) == wholeContent());
}

// The first capture is running, then killed.
TEST_F(CaptureParts, TheSecondCaptureIntoAFileIsRefused) {
  writeTokenFile(m_folder / "t.jsonl", 400, 2000);  // longer than this test
  std::promise<void> begun;
  ProgramOptions slow;
  slow.killAfter = std::chrono::minutes(10);
  slow.interruptWhen = [&, said = false](const std::string& err) mutable {
    if (!said && err.find("\"event\":\"unit\"") != std::string::npos) {
      said = true;
      begun.set_value();
    }
    return fs::exists(m_folder / "stop");
  };
  auto first =
      std::async(std::launch::async, [&] { return cli(capture("a.h5", {"--progress", "json"}), slow); });
  begun.get_future().wait();
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--fresh"}, {"--window", "500"}}) {
    const ProgramResult second = cli(capture("a.h5", more));
    EXPECT_EQ(second.exitCode, 3) << second.err;
    EXPECT_THAT(second.err, HasSubstr("another process is capturing to this output"));
  }
  writeFileAtomically(m_folder / "stop", std::string_view());
  EXPECT_EQ(first.get().exitCode, 5);
  EXPECT_EQ(task("a.h5", {}, std::chrono::seconds(2)).exitCode, kSignalKill);
  writeTokenFile(m_folder / "t.jsonl", 1, 300);
  const ProgramResult last = cli(capture("a.h5", {"--fresh"}));
  EXPECT_EQ(last.exitCode, 0) << "the lock ends with its process: " << last.err;
}

TEST_F(CaptureParts, JobEnvironmentIsReportedOverriddenOrRefused) {
  const std::vector<std::string> job = arrayTask(1, 4);
  ProgramOptions inJob;
  inJob.environment = job;
  const ProgramResult estimate = cli(capture("a.h5", {"--estimate", "--json"}), inJob);
  ASSERT_EQ(estimate.exitCode, 0) << estimate.err;
  EXPECT_EQ(Json::parse(estimate.out)["examples"], 3);  // floor(1 * 10 / 4) = 2 up to 5
  EXPECT_THAT(
      estimate.err,
      HasSubstr("part 1 of 4, from the environment variables of the job; use --part 0/1 to take all texts"));
  const ProgramResult all = cli(capture("a.h5", {"--part", "0/1"}), inJob);
  ASSERT_EQ(all.exitCode, 0) << all.err;
  EXPECT_EQ(all.out, (m_folder / "a.h5").string() + "\n");
  EXPECT_TRUE(hdf5Content(m_folder / "a.h5") == wholeContent());

  const ProgramResult nonsense = task("b.h5", {"RANK=4", "WORLD_SIZE=4"});
  EXPECT_EQ(nonsense.exitCode, 2);
  EXPECT_THAT(nonsense.err, HasSubstr("RANK: expected 0 to 3"));
  EXPECT_EQ(cli(capture("b.h5", {"--part", "4/4"})).exitCode, 2);
  EXPECT_FALSE(fs::exists(m_folder / "b.h5.partial"));
}

TEST_F(CaptureParts, EveryCommandReadsAPartAndReportsIt) {
  ASSERT_EQ(cli(capture("p.h5", {"--part", "1/2"})).exitCode, 0);
  ASSERT_EQ(cli(capture("none.h5", {"--part", "0/20"})).exitCode, 0);
  const std::string part = (m_folder / "p.h5").string(), none = (m_folder / "none.h5").string();
  const ProgramResult info = cli({"info", part});
  EXPECT_EQ(info.exitCode, 0);
  EXPECT_THAT(info.out, HasSubstr("capture, part 1 of 2, 5 of 10 texts"));
  EXPECT_THAT(info.err,
              HasSubstr("warning: the capture is part 1 of 2, 5 of 10 texts; merge joins all parts"));
  const ProgramResult json = cli({"info", part, "--json"});
  EXPECT_EQ(Json::parse(json.out)["part"], Json({{"index", 1}, {"count", 2}}));
  EXPECT_EQ(Json::parse(json.out)["examples_of_whole"], 10);
  const std::string analysis = (m_folder / "p.analysis.h5").string();
  const ProgramResult analyze = cli({"analyze", part, "--out", analysis});
  EXPECT_EQ(analyze.exitCode, 0) << analyze.err;
  EXPECT_THAT(analyze.err, HasSubstr("the capture is part 1 of 2"));
  EXPECT_THAT(cli({"info", analysis}).out, HasSubstr("1 of 2 of the capture"));
  EXPECT_THAT(cli({"verify", part}).out, HasSubstr("ok       part 1 of 2, 5 of 10 texts"));
  EXPECT_EQ(cli({"verify", none}).exitCode, 0);
  EXPECT_THAT(cli({"info", none}).out, HasSubstr("part 0 of 20, 0 of 10 texts"));
  const ProgramResult empty = cli({"analyze", none, "--out", (m_folder / "none.analysis.h5").string()});
  EXPECT_EQ(empty.exitCode, 0) << empty.err;
  EXPECT_THAT(empty.err, HasSubstr("part 0 of 20"));
}

TEST_F(CaptureParts, MergingReplacesNeitherPartsNorForeignFiles) {
  wholeContent();
  const std::string whole = (m_folder / "whole.h5").string(), text = (m_folder / "notes.txt").string();
  const ProgramResult part = cli({"merge", whole, "--out", whole, "--fresh"});
  EXPECT_EQ(part.exitCode, 3);
  EXPECT_THAT(part.err, HasSubstr("this file is an input"));
  writeFileAtomically(text, std::string_view("notes"));
  EXPECT_EQ(cli({"merge", whole, "--out", text, "--fresh"}).exitCode, 3);
  EXPECT_EQ(readFile(text), "notes");
  EXPECT_EQ(cli({"merge", whole, "--out", (m_folder / "again.h5").string()}).exitCode, 0);
  EXPECT_TRUE(hdf5Content(m_folder / "again.h5") == wholeContent());
}

// A truncated file cannot be opened; one with a changed byte can.
TEST_F(CaptureParts, ADamagedCaptureIsReplacedOnlyWhenFresh) {
  wholeContent();
  const std::string bytes = readFile(m_folder / "whole.h5");
  std::string changed = bytes;
  changed[bytes.size() / 2] = static_cast<char>(changed[bytes.size() / 2] ^ 1);
  for (const std::string& damaged :
       {changed, bytes.substr(0, bytes.size() / 2), bytes.substr(0, bytes.size() - 5)}) {
    writeFileAtomically(m_folder / "whole.h5", std::string_view(damaged));
    const ProgramResult refused = cli(capture("whole.h5"));
    EXPECT_EQ(refused.exitCode, 3) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr("--fresh replaces it"));
    EXPECT_TRUE(readFile(m_folder / "whole.h5") == damaged);
    const ProgramResult fresh = cli(capture("whole.h5", {"--fresh"}));
    EXPECT_EQ(fresh.exitCode, 0) << fresh.err;
    EXPECT_TRUE(hdf5Content(m_folder / "whole.h5") == wholeContent());
  }
}

TEST_F(CaptureParts, AFinishedCaptureIsKeptUnlessFresh) {
  wholeContent();
  const std::string before = readFile(m_folder / "whole.h5");
  const ProgramResult again = cli(capture("whole.h5"));
  EXPECT_EQ(again.exitCode, 0) << again.err;
  EXPECT_EQ(again.out, (m_folder / "whole.h5").string() + "\n");
  EXPECT_THAT(again.err, HasSubstr("already finished with the same settings"));
  const ProgramResult events = cli(capture("whole.h5", {"--progress", "json"}));
  EXPECT_EQ(events.exitCode, 0);
  EXPECT_THAT(events.err, HasSubstr("\"event\":\"start\""));
  EXPECT_THAT(events.err, HasSubstr("\"event\":\"done\""));
  const ProgramResult other = cli(capture("whole.h5", {"--window", "1000"}));
  EXPECT_EQ(other.exitCode, 2);
  EXPECT_THAT(other.err, HasSubstr("window: 1500 there, 1000 now"));
  EXPECT_TRUE(readFile(m_folder / "whole.h5") == before);
  EXPECT_EQ(cli(capture("whole.h5", {"--window", "1000", "--fresh"})).exitCode, 0);
  EXPECT_NE(hdf5Content(m_folder / "whole.h5"), wholeContent());
}

TEST_F(CaptureParts, WarnsOfAWindowBeyondTheContext) {
  const std::string sentence = "the window of 100,000 tokens is longer than the model's context of 4,096";
  const auto times = [&](const std::string& text) {
    int count = 0;
    for (auto at = text.find(sentence); at != std::string::npos; at = text.find(sentence, at + 1)) ++count;
    return count;
  };
  const ProgramResult run = cli(capture("a.h5", {"--window", "100000"}));
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_EQ(times(run.err), 1);
  EXPECT_EQ(times(cli({"info", (m_folder / "a.h5").string()}).err), 1);
  const auto content = hdf5Content(m_folder / "a.h5");
  EXPECT_THAT(content.at("/capture@warning"), HasSubstr(sentence));
  EXPECT_TRUE(content.contains("/capture@trained_context"));
  EXPECT_FALSE(wholeContent().contains("/capture@warning"));
  const ProgramResult estimate = cli(capture("b.h5", {"--window", "100000", "--estimate"}));
  EXPECT_THAT(estimate.out, HasSubstr("The window of 100,000 tokens is longer"));
}

#endif

}  // namespace
}  // namespace plastiscope::test
