// Group of texts that is half done when a capture is interrupted: kept state, and effect on the result.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>
#include <set>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/jobs/capture_groups.h"
#include "core/jobs/capture_job.h"
#include "core/jobs/capture_setup.h"
#include "core/store/capture_file.h"
#include "core/store/parked_group.h"
#include "core/store/work_folder.h"
#include "tests/jobs/tiny_capture.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

// Counts how often the run asks whether to stop, which it does at every step, and stops at one of them.
struct Steps : Progress {
  explicit Steps(std::int64_t stopsAt = INT64_MAX) : stopAt(stopsAt) {}
  std::int64_t stopAt;
  mutable std::int64_t asked = 0;
  std::int64_t askedBefore = -1, askedUntil = -1;  // the forward pass
  double firstDone = -1, lastDone = 0;
  bool rose = false;  // in the last report
  std::vector<std::string> warnings, units;
  std::function<void()> onUnit, onAdvance, onQuestion;
  void advanced(const ProgressState& state) override {
    if (state.stage == "capture") {
      if (askedBefore < 0) {
        firstDone = state.done;
        askedBefore = asked;
      }
      rose = state.done > lastDone;
      lastDone = state.done;
    } else if (askedUntil < 0 && state.stage == "seal") {
      askedUntil = asked;
    }
    if (onAdvance) onAdvance();
  }
  void unitFinished(std::string_view unit) override {
    units.emplace_back(unit);
    if (onUnit) onUnit();
  }
  void warned(std::string_view sentence) override { warnings.emplace_back(sentence); }
  bool stopRequested() const override {
    if (onQuestion) onQuestion();
    return ++asked > stopAt;
  }
};

class ParkedCapture : public test::TinyCapture {
 protected:
  void SetUp() override {
    test::TinyLlama tiny;
    tiny.config["num_hidden_layers"] = 4;
    const auto second = tiny.tensors;
    for (const auto& [name, shape] : second) {
      const std::string prefix = "model.layers.1.";
      if (!name.starts_with(prefix)) continue;
      for (const char* layer : {"2.", "3."})
        tiny.tensors["model.layers." + std::string(layer) + name.substr(prefix.size())] = shape;
    }
    tiny.write(m_folder / "model");
    // A group of four texts, the second longer than a chunk of rows, and another group.
    std::string text;
    for (const int length : {1500, 3000, 1700, 2100, 1200, 900}) {
      Json tokens = Json::array();
      for (int t = 0; t < length; ++t) tokens.push_back((t * t + 7 * length + t / 3) % 64);
      text += Json({{"id", length}, {"tokens", tokens}}).dump() + "\n";
    }
    writeFileAtomically(m_folder / "tokens.jsonl", std::string_view(text));
  }

  fs::path parked(const std::string& out, const std::string& file) const {
    return WorkFolder::pathFor(m_folder / out) / "parked" / file;
  }

  // Stops late enough in the first group that rows are parked; more threads ask more often until then.
  void stopParked(const CaptureRequest& request) const {
    for (std::int64_t question = 8; question < 4000; question += 1 + question / 16) {
      Steps progress;
      progress.onAdvance = [&] {
        if (progress.askedBefore >= 0)
          progress.stopAt = std::min(progress.stopAt, progress.askedBefore + question);
      };
      EXPECT_THROW(runCapture(request, progress), Stopped);
      if (fs::exists(parked(request.out.filename(), "rows-000000.safetensors"))) return;
      fs::remove_all(WorkFolder::pathFor(request.out));
    }
    FAIL() << "no stop left rows";
  }
  Steps run(const CaptureRequest& request) const {
    Steps progress;
    runCapture(request, progress);
    return progress;
  }
};

TEST_F(ParkedCapture, AStopLosesNoFinishedStepAndKeepsTheResult) {
  const auto request = [this](const char* out) {
    CaptureRequest made = TinyCapture::request(out);
    made.checkpointSeconds = 3600;  // a state that a busy computer wrote slowly keeps a stop from writing one
    return made;
  };
  const Steps whole = run(request("whole.h5"));
  const std::string expected = bytesOf("whole.h5");
  const std::int64_t questions = whole.askedUntil - whole.askedBefore;
  ASSERT_GT(questions, 60);
  int stops = 0, parkedStops = 0;
  for (std::int64_t stop = 1; stop < questions; stop += 1 + questions / 15) {
    Steps first(whole.askedBefore + stop);
    EXPECT_THROW(runCapture(request("parts.h5"), first), Stopped);
    const auto kept = WorkFolder::summaryOf(m_folder / "parts.h5");
    ASSERT_TRUE(kept);
    const Steps second = run(request("parts.h5"));
    EXPECT_THAT(second.warnings, IsEmpty());
    const bool allFinished = second.firstDone < 0;
    // A group that is cut after its first layer counts its work again, but shown progress never falls.
    const double done = first.rose ? first.lastDone : 6 * kept->parkedShare;
    EXPECT_GE(allFinished ? 6 : second.firstDone, done - 1e-9) << "stopped at question " << stop;
    ++stops;
    if (kept->parkedShare > 0) {
      ++parkedStops;
      EXPECT_NEAR(6 * kept->parkedShare, done, 1e-9);
    }
    EXPECT_EQ(first.units.size() + second.units.size(), 6U);
    EXPECT_TRUE(bytesOf("parts.h5") == expected) << "stopped at question " << stop;
    fs::remove(m_folder / "parts.h5");
  }
  EXPECT_GT(parkedStops, stops / 2);
  EXPECT_EQ(m_folder.listing(), "model tokens.jsonl whole.h5");
}

// A stop does not write a state again that is already on disk.
TEST_F(ParkedCapture, AStateThatHoldsEveryStepIsNotWrittenAgain) {
  CaptureRequest often = request("a.h5");
  often.checkpointSeconds = 0;  // after every step
  const fs::path state = parked("a.h5", "state.safetensors");
  const Steps whole = run(often);
  const std::int64_t questions = whole.askedUntil - whole.askedBefore;
  int kept = 0;
  for (std::int64_t stop = questions / 16; stop < questions; stop += 1 + questions / 8) {
    fs::remove(often.out);
    Steps progress(whole.askedBefore + stop);
    fs::file_time_type written;
    progress.onQuestion = [&] {
      if (fs::exists(state)) written = fs::last_write_time(state);
    };
    EXPECT_THROW(runCapture(often, progress), Stopped);
    if (fs::exists(state)) {  // not between two groups
      EXPECT_EQ(fs::last_write_time(state), written) << "stopped at question " << stop;
      ++kept;
    }
    fs::remove_all(WorkFolder::pathFor(often.out));
  }
  EXPECT_GT(kept, 3);
}

TEST_F(ParkedCapture, CanBeInterruptedRepeatedly) {
  const Steps whole = run(request("whole.h5"));
  const std::int64_t questions = whole.askedUntil - whole.askedBefore;
  int runs = 0;
  for (double done = 0; !fs::exists(m_folder / "parts.h5") && runs < 100; ++runs) {
    Steps progress;
    progress.onAdvance = [&] {  // an eighth of all questions: more than the longest step asks
      if (progress.askedBefore >= 0)
        progress.stopAt = std::min(progress.stopAt, progress.askedBefore + questions / 8);
    };
    try {
      runCapture(request("parts.h5"), progress);
    } catch (const Stopped&) {
      EXPECT_GE(progress.firstDone, done - 1e-9);
      done = progress.lastDone;
    }
  }
  EXPECT_GT(runs, 6);
  EXPECT_TRUE(bytesOf("whole.h5") == bytesOf("parts.h5"));
}

// Simulates a power cut: only files that were written during the run exist.
TEST_F(ParkedCapture, ResumesFromCheckpointsAlone) {
  run(request("whole.h5"));
  CaptureRequest often = request("a.h5");
  often.checkpointSeconds = 0;
  Steps copying;
  std::set<std::string> shares;
  std::size_t copies = 0;
  copying.onQuestion = [&] {
    const fs::path work = WorkFolder::pathFor(often.out);
    const double share = ParkedGroup::shareIn(work);
    if (share == 0 || !shares.insert(std::to_string(share)).second) return;
    if (shares.size() % 2 == 0) return;
    const std::string name = "copy" + std::to_string(++copies) + ".h5";
    fs::copy(work, WorkFolder::pathFor(m_folder / name), fs::copy_options::recursive);
  };
  runCapture(often, copying);
  EXPECT_THAT(copying.warnings, IsEmpty());
  EXPECT_TRUE(bytesOf("whole.h5") == bytesOf("a.h5"));
  EXPECT_GE(copies, 6U);
  for (std::size_t i = 1; i <= copies; ++i) {
    const std::string name = "copy" + std::to_string(i) + ".h5";
    const double share = ParkedGroup::shareIn(WorkFolder::pathFor(m_folder / name));
    const Steps rest = run(request(name));
    EXPECT_THAT(rest.warnings, IsEmpty());
    if (rest.firstDone >= 0) {  // else all texts were finished
      EXPECT_GE(rest.firstDone, 6 * share - 1e-9);
    }
    EXPECT_TRUE(bytesOf("whole.h5") == bytesOf(name)) << name;
  }
}

TEST_F(ParkedCapture, DamageIsReportedAndComputedAgain) {
  run(request("whole.h5"));
  const auto flipLast = [](std::string& bytes) { bytes.back() = static_cast<char>(bytes.back() ^ 1); };
  const auto flipHeader = [](std::string& bytes) {
    const std::size_t at = bytes.find("\"next\":\"[") + 9;
    bytes[at] = static_cast<char>(bytes[at] ^ 1);  // another layer
  };
  const auto cut = [](std::string& bytes) { bytes.resize(bytes.size() / 2); };
  const auto empty = [](std::string& bytes) { bytes.clear(); };
  const std::vector<std::pair<std::string, std::function<void(std::string&)>>> kinds = {
      {"state.safetensors", flipLast},
      {"state.safetensors", flipHeader},
      {"state.safetensors", cut},
      {"state.safetensors", empty},
      {"rows-000000.safetensors", flipLast},
      {"rows-000000.safetensors", cut}};
  for (const auto& [file, damage] : kinds) {
    ASSERT_NO_FATAL_FAILURE(stopParked(request("a.h5")));
    std::string bytes = readFile(parked("a.h5", file));
    damage(bytes);
    writeFileAtomically(parked("a.h5", file), std::string_view(bytes));
    const Steps second = run(request("a.h5"));
    ASSERT_EQ(second.warnings.size(), 1U);
    EXPECT_THAT(second.warnings.front(), HasSubstr(file));
    EXPECT_THAT(second.warnings.front(), HasSubstr("captured again"));
    EXPECT_TRUE(bytesOf("whole.h5") == bytesOf("a.h5")) << file;
    fs::remove(m_folder / "a.h5");
  }
  // Missing rows, and unlisted rows of a killed process.
  ASSERT_NO_FATAL_FAILURE(stopParked(request("a.h5")));
  fs::remove(parked("a.h5", "rows-000000.safetensors"));
  EXPECT_THAT(run(request("a.h5")).warnings, Contains(HasSubstr("rows-000000.safetensors")));
  EXPECT_TRUE(bytesOf("whole.h5") == bytesOf("a.h5"));
  fs::remove(m_folder / "a.h5");
  ASSERT_NO_FATAL_FAILURE(stopParked(request("a.h5")));
  writeFileAtomically(parked("a.h5", "rows-000007.safetensors"), std::string_view("torn"));
  EXPECT_THAT(run(request("a.h5")).warnings, IsEmpty());
  EXPECT_TRUE(bytesOf("whole.h5") == bytesOf("a.h5"));
}

// A limit on file sizes stands in for a full disk: units and the sealed file fit, states do not.
TEST_F(ParkedCapture, WarnsOnceOfAFullDiskAndContinues) {
  const auto fewRows = [&](const char* out) {
    CaptureRequest few = request(out);
    few.plan.rate = 1;
    return few;
  };
  run(fewRows("whole.h5"));
  CaptureRequest often = fewRows("a.h5");
  often.checkpointSeconds = 0;
  signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit limit{180'000, old.rlim_max};
  // The state of a group has 128 bytes per token, and its shortest text has 1,500 tokens.
  ASSERT_LT(fs::file_size(m_folder / "whole.h5"), limit.rlim_cur);
  setrlimit(RLIMIT_FSIZE, &limit);
  Steps progress;
  runCapture(often, progress);
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_THAT(progress.warnings, ElementsAre(AllOf(HasSubstr("the largest file size allowed here"),
                                                   HasSubstr("the capture continues"))));
  EXPECT_TRUE(bytesOf("whole.h5") == bytesOf("a.h5"));
}

TEST_F(ParkedCapture, TextsBecomeDurableOneByOne) {
  Steps progress;
  std::vector<std::size_t> listed;
  const fs::path work = WorkFolder::pathFor(m_folder / "a.h5");
  progress.onUnit = [&] { listed.push_back(readManifest(work / "manifest.jsonl").entries.size()); };
  runCapture(request("a.h5"), progress);
  // The probe, whose end is not reported as a text's, is the second.
  EXPECT_EQ(listed, (std::vector<std::size_t>{1, 3, 4, 5, 6, 7}));
}

TEST_F(ParkedCapture, SnapshotHoldsFinishedTexts) {
  const Steps whole = run(request("whole.h5"));
  // In the last layer of a group some texts are finished and the others are parked.
  Progress quiet;
  for (std::int64_t stop = whole.askedBefore + 8; stop < whole.askedUntil; ++stop) {
    Steps first(stop);
    EXPECT_THROW(runCapture(request("a.h5"), first), Stopped);
    const auto kept = WorkFolder::summaryOf(m_folder / "a.h5");
    if (kept->finished > 0 && kept->parkedShare > 0) {
      const auto state = readFile(parked("a.h5", "state.safetensors"));
      const CaptureSnapshot taken = snapshotCapture(request("a.h5"), m_folder / "part.h5", quiet);
      EXPECT_EQ(taken.examples, kept->finished);
      EXPECT_EQ(taken.total, 6);
      EXPECT_EQ(openCapture(m_folder / "part.h5")->info().examples.size(),
                static_cast<std::size_t>(kept->finished));
      EXPECT_TRUE(readFile(parked("a.h5", "state.safetensors")) == state);
      run(request("a.h5"));
      EXPECT_TRUE(bytesOf("whole.h5") == bytesOf("a.h5"));
      return;
    }
    fs::remove_all(WorkFolder::pathFor(m_folder / "a.h5"));
  }
  FAIL() << "no stop left both finished and parked texts";
}

TEST_F(ParkedCapture, AFreshCaptureDiscardsIt) {
  ASSERT_NO_FATAL_FAILURE(stopParked(request("a.h5")));
  EXPECT_GT(WorkFolder::summaryOf(m_folder / "a.h5")->parkedShare, 0);
  CaptureRequest fresh = request("a.h5");
  fresh.fresh = true;
  EXPECT_EQ(run(fresh).firstDone, 0);
}

TEST_F(ParkedCapture, TheEstimateIncludesItsDiskSpace) {
  CaptureRequest often = request("a.h5");
  often.checkpointSeconds = 0;
  Progress quiet;
  const CaptureEstimate estimate = estimateCapture(often, quiet);
  std::uint64_t most = 0;
  Steps progress;
  const auto measure = [&] {
    std::uint64_t bytes = 0;
    for (const auto& each : fs::recursive_directory_iterator(m_folder.path())) {
      const std::string name = each.path().filename().string();
      if (each.is_regular_file() && (name.starts_with("a.h5") || name.ends_with(".safetensors")) &&
          name != "model.safetensors")
        bytes += each.file_size();
    }
    most = std::max(most, bytes);
  };
  progress.onQuestion = progress.onUnit = measure;
  runCapture(often, progress);
  EXPECT_GT(most, 1'000'000U);  // the state
  EXPECT_GE(estimate.diskBytes, most + 1'000'000U) << "a state is written before the previous one is removed";
}

// Many short texts form the same groups as when examples are added one by one.
TEST_F(ParkedCapture, ManyShortTextsFormTheSameGroupsAsOneByOne) {
  Progress quiet;
  CaptureSetup setup = prepareCapture(request("a.h5"), quiet);
  const CaptureExample one{"short", 1, {5}};
  setup.examples.assign(300'000, one);
  for (std::size_t i = 0; i < setup.examples.size(); ++i) setup.examples[i].tokens.resize(1 + i % 5, 5);
  std::vector<std::int64_t> all(setup.examples.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
  const GroupPlanner planner(setup);
  Steps counting;
  const auto groups = planner.all(all, UINT64_MAX, counting);
  EXPECT_EQ(counting.asked, static_cast<std::int64_t>(groups.size()));
  std::vector<std::int64_t> joined;
  for (const CaptureGroup& group : groups) {
    joined.insert(joined.end(), group.begin(), group.end());
    CaptureGroup shorter(group.begin(), group.end() - 1);
    EXPECT_LT(planner.tokens(shorter), 8192);
    if (group != groups.back()) {
      EXPECT_GE(planner.tokens(group), 8192);
    }
  }
  EXPECT_TRUE(joined == all);
  // Just enough memory for ten of them.
  const CaptureGroup ten(all.begin(), all.begin() + 10);
  EXPECT_EQ(planner.first(all, 8192, planner.memory(ten)), ten);
  EXPECT_THROW(planner.all(all, UINT64_MAX, *std::make_unique<Steps>(3)), Stopped);
}

}  // namespace
}  // namespace plastiscope
