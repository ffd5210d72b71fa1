// Sweeps: contents of the file, whole runs, killed and resumed runs, several processes on one folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <set>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/store/capture_output.h"
#include "tests/cli/command.h"
#include "tests/cli/hdf5_content.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope::test {
namespace {

using ::testing::ElementsAre;

// Two checkpoints, two windows: four captures.
constexpr const char* kSweep = R"(
[defaults.capture]
heads = "all"
rate = 40

[defaults.analyze]
pairs = 64

[[model]]
path = "run/step-*"

[[texts]]
tokens = "t.jsonl"

[[capture]]
name = "w800"
window = 800

[[capture]]
name = "w900"
window = 900
paired = true
)";

class Batch : public ::testing::Test {
 protected:
  fs::path write(const std::string& sweep) const {
    writeFileAtomically(m_folder / "sweep.toml", std::string_view(sweep));
    return m_folder / "sweep.toml";
  }
  std::vector<std::string> arguments(std::vector<std::string> more = {},
                                     const std::string& library = "library") const {
    std::vector<std::string> all{"batch", (m_folder / "sweep.toml").string(), "--out",
                                 (m_folder / library).string()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // Error message of a sweep, without the file's name.
  std::string refusal(const std::string& sweep) const {
    write(sweep);
    const ProgramResult result = run(arguments({"--dry-run"}));
    EXPECT_EQ(result.exitCode, 3) << result.err;
    EXPECT_FALSE(fs::exists(m_folder / "library"));
    const auto place = result.err.find("sweep.toml: ");
    return place == std::string::npos ? result.err : result.err.substr(place + 12);
  }

  TemporaryFolder m_folder;
};

std::string withModel(const std::string& rest) {
  return "[[model]]\npath = \"m\"\n" + rest;
}

TEST_F(Batch, RefusesAnInvalidSweepWithItsLine) {
  EXPECT_THAT(refusal("[[model]]\npath = \n"), HasSubstr("line 2: "));
  EXPECT_THAT(refusal(""), HasSubstr("expected at least one [[model]], found none"));
  EXPECT_THAT(refusal(withModel("")), HasSubstr("expected at least one [[texts]], found none"));
  EXPECT_THAT(refusal("[model]\npath = \"m\"\n"), HasSubstr("line 1: expected [[model]]"));
  EXPECT_THAT(
      refusal(withModel("[[textes]]\ntext = \"a.txt\"\n")),
      HasSubstr("line 3: section: expected defaults, model, texts, capture, analyze, found \"textes\"; did "
                "you mean texts?"));
  EXPECT_THAT(refusal("[[model]]\nname = \"a\"\n[[texts]]\ntext = \"a.txt\"\n"),
              HasSubstr("line 1: [[model]]: expected path = \"MODEL\", found none"));
  EXPECT_THAT(refusal("defaults = 3\n" + withModel("")),
              HasSubstr("line 1: expected [defaults.capture] or [defaults.analyze]"));
  EXPECT_THAT(refusal("[defaults]\ncapture = 3\n" + withModel("")),
              HasSubstr("line 2: expected a table [defaults.capture], found a value"));
  EXPECT_THAT(refusal(withModel("[[texts]]\nname = \"a/b\"\ntext = \"a.txt\"\n")),
              HasSubstr("line 4: name: expected"));
  EXPECT_THAT(refusal(withModel("[[texts]]\nname = \"a\"\n")),
              HasSubstr("line 3: [[texts]]: expected either text or"));
  EXPECT_THAT(refusal(withModel("[[texts]]\ntext = \"texts/*.txt\"\n")),
              HasSubstr("line 4: expected files that fit \"texts/*.txt\", found none"));
}

TEST_F(Batch, RefusesSweepsThatOverflowStackOrMemory) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "a.";
  EXPECT_THAT(refusal(withModel(deep + "a = 1\n")),
              HasSubstr("line 3: expected at most 4,096 dots in a line"));
  std::string many;
  for (int i = 0; i < 101; ++i) {
    const std::string name = "name = \"n" + std::to_string(i) + "\"\n";
    many += "[[texts]]\ntext = \"a.txt\"\n" + name + "[[capture]]\n" + name;
  }
  EXPECT_THAT(refusal(withModel(many)), HasSubstr("expected at most 10,000 runs, found 10,201"));
}

TEST_F(Batch, AcceptsTheOptionsOfTheCommands) {
  const std::string texts = withModel("[[texts]]\ntext = \"a.txt\"\n");
  EXPECT_THAT(refusal(texts + "[[capture]]\nwindows = 4096\n"),
              AllOf(HasSubstr("line 6: capture: expected "), HasSubstr("did you mean window?")));
  EXPECT_THAT(refusal(texts + "[[capture]]\nout = \"a.h5\"\n"), HasSubstr("line 6: capture: expected "));
  EXPECT_THAT(refusal(texts + "[[capture]]\ntext = \"b.txt\"\n"), HasSubstr("line 6: capture: expected "));
  EXPECT_THAT(refusal(texts + "[[capture]]\nwindow = \"long\"\n"),
              HasSubstr("line 6: --window: expected an integer, found \"long\""));
  EXPECT_THAT(refusal(texts + "[[capture]]\nwindow = [1, 2]\n"),
              HasSubstr("line 6: --window: expected an integer, found \"1,2\""));
  EXPECT_THAT(refusal(texts + "[[capture]]\nwindow = 1979-05-27\n"),
              HasSubstr("line 6: window: expected a text, a number, true, false, or a list of texts"));
  EXPECT_THAT(refusal(texts + "[[capture]]\nwindow = 0\n"),
              HasSubstr("line 6: --window: expected a number above 0, found 0"));
  EXPECT_THAT(refusal(texts + "[[capture]]\nloss = 1\n"),
              HasSubstr("line 6: --loss: expected true or false"));
  EXPECT_THAT(
      refusal(texts + "[[capture]]\nstore = \"float61\"\n"),
      HasSubstr("line 6: --store: expected float16, float32, found \"float61\"; did you mean float16?"));
  EXPECT_THAT(refusal(texts + "[[capture]]\nheads = \"most\"\n"), HasSubstr("line 5: "));
  EXPECT_THAT(refusal(texts + "[defaults.analyze]\npair = 3\n"),
              AllOf(HasSubstr("line 6: analyze: expected "), HasSubstr("did you mean")));
  EXPECT_THAT(refusal(texts + "[[analyze]]\npairs = \"many\"\n"), HasSubstr("line 6: "));
  EXPECT_THAT(refusal(texts + "[[analyze]]\nprojections = true\n"),
              HasSubstr("line 6: projections: expected"));
}

TEST_F(Batch, NamesMustBeUnique) {
  const std::string texts = "[[texts]]\ntext = \"a.txt\"\n";
  EXPECT_THAT(refusal("[[model]]\npath = \"a/m\"\n[[model]]\npath = \"b/m\"\n" + texts),
              HasSubstr("line 3: [[model]]: expected a unique name, found \"m\" as in line 1"));
  EXPECT_THAT(refusal(withModel(texts + "[[capture]]\nname = \"x\"\n[[capture]]\nname = \"x\"\n")),
              HasSubstr("line 7: [[capture]]: expected a unique name, found \"x\" as in line 5"));
  EXPECT_THAT(refusal(withModel(texts + "[[analyze]]\nname = \"x\"\n[[analyze]]\npairs = 3\n")),
              HasSubstr("line 7: [[analyze]]: expected a name, because there are several"));
  EXPECT_THAT(
      refusal("[[model]]\npath = \"m\"\nname = \"a_b\"\n[[model]]\npath = \"m\"\nname = \"a\"\n"
              "[[texts]]\ntext = \"a.txt\"\nname = \"c\"\n[[texts]]\ntext = \"a.txt\"\nname = \"b_c\"\n"),
      HasSubstr("two runs would write a_b_c.h5"));
}

// Its models do not exist, so every run fails, but the runs are listed.
TEST_F(Batch, AcceptsTheExampleOfTheHelp) {
  const std::string help = readFile(fs::path(PLASTISCOPE_RESOURCES) / "help" / "commands.md");
  const auto begin = help.find("```toml\n") + 8;
  write(help.substr(begin, help.find("```", begin) - begin));
  fs::create_directories(m_folder / "run" / "step-20");
  fs::create_directories(m_folder / "run" / "step-100");
  for (const char* texts : {"books", "licences"}) {
    fs::create_directories(m_folder / texts);
    writeFileAtomically(m_folder / texts / "a.txt", std::string_view("Some words."));
  }
  const ProgramResult result = run(arguments({"--dry-run", "--json"}));
  EXPECT_NE(result.exitCode, 0) << result.err;
  const Json runs = Json::parse(result.out);
  ASSERT_EQ(runs.size(), 12U);
  EXPECT_EQ(runs[0]["run"], "step-20_books_w4096");
  EXPECT_EQ(runs[5]["run"], "step-100_books_w4096-L12H6");
  EXPECT_EQ(runs[11]["run"], "smol_licences_w4096-L12H6");
  EXPECT_EQ(runs[11]["analyses"][1],
            (m_folder / "library" / "smol_licences_w4096-L12H6.all-pairs.analysis.h5").string());
}

#if PLASTISCOPE_HAS_TORCH

class BatchRun : public Batch {
 protected:
  void SetUp() override {
    TinyLlama().write(m_folder / "run" / "step-1000");
    TinyLlama other;
    other.config["rope_theta"] = 500.0;
    other.write(m_folder / "run" / "step-200");
    writeTokenFile(m_folder / "t.jsonl", 6, 1000);
    write(kSweep);
  }

  static std::set<std::string> filesOf(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& each : fs::directory_iterator(folder)) names.insert(each.path().filename().string());
    return names;
  }
  Json states(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"--dry-run", "--json"};
    all.insert(all.end(), more.begin(), more.end());
    const ProgramResult result = run(arguments(all));
    EXPECT_EQ(result.exitCode, 0) << result.err;
    return Json::parse(result.out);
  }

  // Number of analyses in each tab of the library's session.
  std::vector<std::size_t> tabsOf(const std::string& library) const {
    std::vector<std::size_t> sizes;
    const Json session = readJsonFile(m_folder / library / "library.json");
    for (const Json& tab : session["content"]["tabs"]) sizes.push_back(tab["compared"].size());
    return sizes;
  }

  // All datasets and tables, except times and places of creation. Files whose names contain one of
  // `beside` are allowed too.
  void expectSameLibrary(const std::string& one, const std::string& other,
                         const std::vector<std::string>& beside = {}) const {
    std::set<std::string> there = filesOf(m_folder / other);
    std::erase_if(there, [&](const std::string& name) {
      return std::ranges::any_of(beside,
                                 [&](const auto& part) { return name.find(part) != std::string::npos; });
    });
    ASSERT_EQ(filesOf(m_folder / one), there);
    std::size_t compared = 0;
    for (const std::string& name : filesOf(m_folder / one)) {
      if (!name.ends_with(".h5")) continue;
      const auto a = hdf5Content(m_folder / one / name), b = hdf5Content(m_folder / other / name);
      ASSERT_EQ(a.size(), b.size()) << name;
      for (const auto& [place, content] : a) {
        const bool dated = place.ends_with("@capture") || place.ends_with("@capture_file") ||
                           place.ends_with("@texts_crc32");
        ASSERT_TRUE(b.contains(place)) << name << place;
        if (!dated) {
          EXPECT_TRUE(content == b.at(place)) << name << " " << place;
        }
      }
      ++compared;
    }
    EXPECT_EQ(compared, 8u);
  }
};

TEST_F(BatchRun, KilledTwiceEqualsUndisturbed) {
  const ProgramResult whole = run(arguments({"--processes", "3"}, "whole"));
  ASSERT_EQ(whole.exitCode, 0) << whole.err;
  EXPECT_EQ(
      filesOf(m_folder / "whole"),
      (std::set<std::string>{"library.json", "runs", "step-1000_w800.analysis.h5", "step-1000_w800.h5",
                             "step-1000_w900.analysis.h5", "step-1000_w900.h5", "step-200_w800.analysis.h5",
                             "step-200_w800.h5", "step-200_w900.analysis.h5", "step-200_w900.h5"}));
  int killed = 0;
  for (const double share : {0.2, 1.6}) {  // finished runs out of four
    ProgramOptions kill;
    kill.signal = SIGKILL;
    kill.interruptWhen = [share](const std::string& err) {
      const auto last = err.rfind("{\"done\":");
      return last != std::string::npos && std::strtod(err.c_str() + last + 8, nullptr) >= share;
    };
    const ProgramResult dead =
        runProgram("plastiscope-cli", arguments({"--processes", "3", "--progress", "json"}, "killed"), kill);
    killed += dead.exitCode == 128 + SIGKILL;
  }
  EXPECT_EQ(killed, 2);
  const ProgramResult resumed = run(arguments({"--processes", "3"}, "killed"));
  ASSERT_EQ(resumed.exitCode, 0) << resumed.err;
  EXPECT_EQ(filesOf(m_folder / "whole" / "runs"), filesOf(m_folder / "killed" / "runs"));
  expectSameLibrary("whole", "killed");
}

TEST_F(BatchRun, TakesTheCheckpointsOfATrainingRunAsOneEntry) {
  const fs::path cached = m_folder / "hub" / "models--acme--pythia";
  for (const char* step : {"step1000", "step512", "main"}) {
    const std::string hash = std::string("hash-of-") + step;
    TinyLlama().write(cached / "snapshots" / hash);
    fs::create_directories(cached / "refs");
    writeFileAtomically(cached / "refs" / step, std::string_view(hash));
  }
  ::setenv("HF_HUB_CACHE", (m_folder / "hub").c_str(), 1);
  const auto namesOf = [&](const std::string& path) {
    write("[[model]]\npath = \"" + path + "\"\n[[texts]]\ntokens = \"t.jsonl\"\n");
    std::vector<std::string> names;
    for (const Json& each : states()) names.push_back(each["run"]);
    return names;
  };
  EXPECT_THAT(namesOf("run"), ElementsAre("step-200", "step-1000"));
  EXPECT_THAT(namesOf("acme/pythia@step*"), ElementsAre("pythia-step512", "pythia-step1000"));
  TinyLlama().write(m_folder / "run");  // a model of its own: the trained one
  EXPECT_THAT(namesOf("run"), ElementsAre("run"));
  EXPECT_THAT(refusal("[[model]]\npath = \"acme/none@step*\"\n[[texts]]\ntokens = \"t.jsonl\"\n"),
              HasSubstr("line 2: expected cached models that fit \"acme/none@step*\", found none"));
}

TEST_F(BatchRun, SkipsFinishedRunsAndRepeatsChangedOnes) {
  EXPECT_EQ(states()[0]["state"], "missing");
  EXPECT_FALSE(fs::exists(m_folder / "library"));  // a dry run writes nothing
  EXPECT_GT(states()[0]["estimate"]["memory_bytes"], 0);
  ASSERT_EQ(run(arguments()).exitCode, 0);
  for (const Json& each : states()) EXPECT_EQ(each["state"], "done before");
  const auto before = fs::last_write_time(m_folder / "library" / "step-200_w800.h5");

  // Other pairs: the captures stay.
  std::string changed = kSweep;
  write(changed.replace(changed.find("pairs = 64"), 10, "pairs = 32"));
  const ProgramResult refused = run(arguments());
  EXPECT_EQ(refused.exitCode, 2) << refused.err;  // as analyze does
  EXPECT_THAT(refused.err, AllOf(HasSubstr("step-200_w800: "), HasSubstr("4 of 4 runs failed")));
  for (const auto& each : fs::directory_iterator(m_folder / "library")) {
    if (each.path().string().ends_with(".analysis.h5")) fs::remove(each.path());
  }
  ASSERT_EQ(run(arguments()).exitCode, 0);
  EXPECT_EQ(fs::last_write_time(m_folder / "library" / "step-200_w800.h5"), before);
}

// A --fresh batch is killed: the old results stay complete, and the same command without --fresh resumes.
TEST_F(BatchRun, FreshRepeatsAllAndKeepsOldResultsUntilThen) {
  ASSERT_EQ(run(arguments()).exitCode, 0);
  const fs::path library = m_folder / "library";
  fs::copy(library, m_folder / "before", fs::copy_options::recursive);
  const auto begun = fs::file_time_type::clock::now();
  ProgramOptions kill;
  kill.signal = SIGKILL;
  kill.interruptWhen = [](const std::string& err) { return err.find("{\"done\":0.") != std::string::npos; };
  const ProgramResult dead =
      runProgram("plastiscope-cli", arguments({"--fresh", "--progress", "json"}), kill);
  ASSERT_EQ(dead.exitCode, 128 + SIGKILL) << dead.err;
  expectSameLibrary("before", "library", {".partial"});
  for (const Json& each : states()) EXPECT_EQ(each["state"], "to be done again") << each;

  const ProgramResult resumed = run(arguments());
  ASSERT_EQ(resumed.exitCode, 0) << resumed.err;
  for (const Json& each : states()) EXPECT_EQ(each["state"], "done before");
  expectSameLibrary("before", "library");
  for (const auto& each : fs::directory_iterator(library)) {
    if (each.path().extension() == ".h5") {
      EXPECT_GT(each.last_write_time(), begun) << each.path();
    }
  }
}

TEST_F(BatchRun, FreshReplacesOtherSettingsButNotRunningWork) {
  ASSERT_EQ(run(arguments()).exitCode, 0);
  std::string changed = kSweep;
  changed.replace(changed.find("pairs = 64"), 10, "pairs = 32");
  write(changed.replace(changed.find("rate = 40"), 9, "rate = 50"));
  {
    const OutputLock other(m_folder / "library" / "runs" / "step-1000_w800.json");
    const ProgramResult refused = run(arguments({"--fresh"}));
    EXPECT_EQ(refused.exitCode, 3) << refused.err;
    EXPECT_THAT(refused.err,
                HasSubstr("another process is working on this run, so --fresh cannot repeat it"));
  }
  EXPECT_EQ(run(arguments({"--fresh"})).exitCode, 0);
  for (const Json& each : states()) EXPECT_EQ(each["state"], "done before");
  for (const Json& each : states({"--fresh"})) EXPECT_EQ(each["state"], "to be done again");

  ProgramOptions requeued;
  requeued.environment = {"SLURM_RESTART_COUNT=1"};
  const ProgramResult goesOn = runProgram("plastiscope-cli", arguments({"--fresh", "--json"}), requeued);
  ASSERT_EQ(goesOn.exitCode, 0) << goesOn.err;
  for (const Json& each : Json::parse(goesOn.out)) EXPECT_EQ(each["state"], "done before");
}

TEST_F(BatchRun, ReportsAFailedRunAndContinuesWithTheOthers) {
  write(std::string(kSweep) + "[[model]]\npath = \"gone\"\n");
  const ProgramResult result = run(arguments({"--processes", "2"}));
  EXPECT_EQ(result.exitCode, 3) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("gone_w800: "), HasSubstr("there is no such file or folder"),
                                HasSubstr("2 of 6 runs failed: gone_w800, gone_w900")));
  EXPECT_THAT(result.out, HasSubstr("step-200_w900"));
  EXPECT_TRUE(fs::exists(m_folder / "library" / "step-200_w900.analysis.h5"));
  EXPECT_TRUE(fs::exists(m_folder / "library" / "step-1000_w900.analysis.h5"));
}

TEST_F(BatchRun, StopsAllProcessesAndResumes) {
  ProgramOptions stop;
  stop.interruptWhen = [](const std::string& err) { return err.find("\"done\":0.") != std::string::npos; };
  const ProgramResult stopped =
      runProgram("plastiscope-cli", arguments({"--processes", "3", "--progress", "json"}), stop);
  EXPECT_EQ(stopped.exitCode, 5) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("stopped on request; finished work is kept"));
  // No process runs there any more: the locks are free.
  const ProgramResult resumed = run(arguments({"--processes", "3"}));
  ASSERT_EQ(resumed.exitCode, 0) << resumed.err;
  for (const std::string& name : filesOf(m_folder / "library")) EXPECT_THAT(name, Not(HasSubstr("partial")));
}

TEST_F(BatchRun, SeveralProcessesAndPartsShareOneFolder) {
  const auto start = [this](const std::vector<std::string>& more) {
    return std::async(std::launch::async, [this, more] { return run(arguments(more)); });
  };
  auto one = start({}), two = start({});
  EXPECT_EQ(one.get().exitCode, 0);
  EXPECT_EQ(two.get().exitCode, 0);
  for (const Json& each : states()) EXPECT_EQ(each["state"], "done before");

  EXPECT_EQ(states({"--part", "1/3"}).size(), 1u);
  EXPECT_EQ(states({"--part", "0/3"})[1]["run"], "step-1000_w900");
  ProgramOptions task;
  task.environment = {"SLURM_ARRAY_TASK_ID=3", "SLURM_ARRAY_TASK_MIN=1", "SLURM_ARRAY_TASK_COUNT=4"};
  const ProgramResult part = runProgram("plastiscope-cli", arguments({"--dry-run", "--json"}), task);
  ASSERT_EQ(part.exitCode, 0) << part.err;
  EXPECT_EQ(Json::parse(part.out)[0]["run"], "step-1000_w800");
}

// Three parallel tasks for four runs, started as in the shipped job script.
TEST_F(BatchRun, ASlurmArrayMakesOneLibrary) {
  ASSERT_EQ(run(arguments({}, "whole")).exitCode, 0);
  const fs::path script =
      fs::path(PLASTISCOPE_TEST_DATA) / ".." / ".." / "packaging" / "cluster" / "batch.sbatch";
  constexpr int kTasks = 3;
  std::vector<std::future<ProgramResult>> tasks;
  for (int i = 0; i < kTasks; ++i) {
    ProgramOptions task;
    task.environment = {"SLURM_ARRAY_TASK_ID=" + std::to_string(i), "SLURM_ARRAY_TASK_MIN=0",
                        "SLURM_ARRAY_TASK_COUNT=" + std::to_string(kTasks), "SLURM_CPUS_PER_TASK=1",
                        "PLASTISCOPE_CLI=" + std::string(PLASTISCOPE_BIN) + "/plastiscope-cli"};
    std::vector<std::string> words = arguments({"--json"}, "array");
    words.front() = script.string();
    tasks.push_back(
        std::async(std::launch::async, [task, words] { return runProgram("/bin/bash", words, task); }));
  }
  std::vector<std::size_t> shares;
  for (auto& each : tasks) {
    const ProgramResult result = each.get();
    ASSERT_EQ(result.exitCode, 0) << result.err;
    shares.push_back(Json::parse(result.out).size());
  }
  EXPECT_EQ(shares, (std::vector<std::size_t>{2, 1, 1}));
  expectSameLibrary("whole", "array");
  EXPECT_EQ(tabsOf("whole"), tabsOf("array"));
}

// The window opens library.json: one comparison for each window, checkpoints in the order of their steps.
TEST_F(BatchRun, WritesTheLibraryAsASession) {
  ASSERT_EQ(run(arguments()).exitCode, 0);
  const Json session = readJsonFile(m_folder / "library" / "library.json");
  EXPECT_EQ(session["format"], "plastiscope-session");
  const Json& tabs = session["content"]["tabs"];
  ASSERT_EQ(tabs.size(), 2u);
  EXPECT_EQ(tabs[0]["compared"], (Json{(m_folder / "library" / "step-200_w800.analysis.h5").string(),
                                       (m_folder / "library" / "step-1000_w800.analysis.h5").string()}));
}

#endif

}  // namespace
}  // namespace plastiscope::test
