// Captures by the engine transformers, with a fake Python (tests/support/fake_engine.py) whose vectors are
// formulas. tests/cli/test_engines.cpp runs the real one.
#include <gmock/gmock.h>
#include <signal.h>

#include <chrono>
#include <cmath>
#include <cstdlib>

#include "core/base/error.h"
#include "core/model/discovery.h"
#include "core/transformers/engine_choice.h"
#include "tests/jobs/capture_job_fixture.h"

namespace plastiscope {
namespace {

using test::RecordedProgress;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

// Remembers what is told; requests a stop a while after the first finished text.
struct ToldProgress : RecordedProgress {
  std::vector<std::string> told_;
  std::chrono::milliseconds patience{-1};
  Clock::time_point finished;
  void told(std::string_view sentence) override { told_.emplace_back(sentence); }
  void unitFinished(std::string_view unit) override {
    RecordedProgress::unitFinished(unit);
    finished = Clock::now();
  }
  bool stopRequested() const override {
    return patience.count() >= 0 && !units.empty() && Clock::now() - finished > patience;
  }
};

class TransformersCapture : public test::CaptureJob {
 protected:
  void SetUp() override {
    CaptureJob::SetUp();
    writeConfig({{"model_type", "strange"}});
    setenv("PLASTISCOPE_PYTHON", PLASTISCOPE_FAKE_PYTHON, 1);
    unsetenv("FAKE_ENGINE");
  }
  void TearDown() override { unsetenv("PLASTISCOPE_PYTHON"); }

  void writeConfig(const Json& config) const {
    writeFileAtomically(m_folder / "model" / "config.json", std::string_view(config.dump()));
  }

  static double expected(const RowPlace& place, std::int64_t position, std::int64_t token, std::int64_t i) {
    const double sign = place.set == RowSet::Query || place.set == RowSet::DenseQuery ? 1 : -1;
    return static_cast<double>(100 * place.layer + 10 * place.head + i) * sign +
           static_cast<double>(position) / 64 + static_cast<double>(token) / 1024;
  }
};

TEST_F(TransformersCapture, RunsAFamilyThatTheNativeEngineDoesNotKnow) {
  CaptureRequest asked = request("a.h5");
  asked.plan.dense = "L1H2";
  asked.plan.store = StoredFormat::Float32;
  ToldProgress progress;
  EXPECT_EQ(runCapture(asked, progress), CaptureOutcome::Captured);
  EXPECT_THAT(progress.told_,
              ElementsAre("engine transformers 5.0 (torch 2.0, Python 3.9): the native engine "
                          "does not know strange"));
  const auto capture = openCapture(m_folder / "a.h5");
  const CaptureInfo& info = capture->info();
  EXPECT_EQ(info.architecture, "strange");
  EXPECT_EQ(info.positions, "alibi");
  EXPECT_EQ(info.settings["engine"], "transformers");
  EXPECT_EQ(info.engine["transformers"], "5.0");
  EXPECT_EQ(info.contextLength, 4096);
  EXPECT_FALSE(info.layerInfos.front().rope);
  EXPECT_EQ(info.layerInfos.size(), 2u);
  for (const RowPlace& place : {RowPlace{0, 3, RowSet::Query}, RowPlace{1, 1, RowSet::Key},
                                RowPlace{1, 2, RowSet::DenseQuery}, RowPlace{1, 1, RowSet::DenseKey}}) {
    const CapturedRows rows = capture->rows(place);
    ASSERT_GT(rows.position.size(), 100u);
    for (std::size_t row = 0; row < rows.position.size(); ++row) {
      const std::int64_t t = rows.position[row], e = rows.example[row];
      for (std::int64_t i = 0; i < 8; ++i)
        ASSERT_FLOAT_EQ(rows.vectors[row * 8 + static_cast<std::size_t>(i)],
                        static_cast<float>(expected(place, t, (t * t + 7 * e + t / 3) % 64, i)));
    }
  }
  const std::vector<HeadTextScores> scores = capture->scores(1, 3);
  ASSERT_EQ(scores.size(), info.examples.size());
  for (const HeadTextScores& text : scores) {
    EXPECT_EQ(text.queries.all, 64);
    EXPECT_EQ(text.queries.induction, 3);
    EXPECT_EQ(text.queries.duplicate, 5);
    for (std::size_t score = 0; score < kHeadScores; ++score)
      EXPECT_EQ(text.sums[score], 1 + 3 / 4.0 + static_cast<double>(score) / 8);
  }
  EXPECT_EQ(capture->probeScores(1, 3)->queries.all, 64) << "every token of the vocabulary, repeated";
  const auto last = std::ranges::find(progress.states.rbegin(), progress.states.rend(), "capture",
                                      [](const ProgressState& state) { return state.stage; });
  ASSERT_TRUE(last != progress.states.rend());
  EXPECT_EQ(last->done, 9);
  EXPECT_EQ(runCapture(asked, progress), CaptureOutcome::WasFinished);
}

TEST_F(TransformersCapture, KeepsFinishedTextsWhenPythonDies) {
  RecordedProgress progress;
  runCapture(request("whole.h5"), progress);
  setenv("FAKE_ENGINE", "die", 1);
  RecordedProgress first;
  try {
    runCapture(request("a.h5"), first);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Internal);
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("ended unexpectedly (signal 11)"), HasSubstr("no such kernel")));
  }
  EXPECT_EQ(first.units.size(), 1u);
  unsetenv("FAKE_ENGINE");
  RecordedProgress second;
  runCapture(request("a.h5"), second);
  EXPECT_EQ(second.units.size(), 8u);
  EXPECT_TRUE(bytesOf("whole.h5") == bytesOf("a.h5"));
}

TEST_F(TransformersCapture, StopsWithinASecond) {
  setenv("FAKE_ENGINE", "hang", 1);
  ToldProgress progress;
  progress.patience = std::chrono::milliseconds(200);
  EXPECT_THROW(runCapture(request("a.h5"), progress), Stopped);
  EXPECT_LT(Clock::now() - progress.finished, std::chrono::milliseconds(1200));
  EXPECT_EQ(progress.units.size(), 1u);
}

TEST_F(TransformersCapture, ErrorsOfPythonKeepTheirKind) {
  for (const auto& [kind, code] :
       {std::pair{"internal", "1"}, {"usage", "2"}, {"input", "3"}, {"resources", "4"}}) {
    setenv("FAKE_ENGINE", kind, 1);
    CaptureRequest asked = request(std::string(kind) + ".h5");
    asked.corpus.maxExamples = 2;
    const std::string failure = test::failureOf(
        [&] {
          RecordedProgress progress;
          runCapture(asked, progress);
        },
        true);
    EXPECT_EQ(failure, std::string(code) + " the model says no") << kind;
  }
}

TEST_F(TransformersCapture, MessagesOfPythonDoNotBlockIt) {
  setenv("FAKE_ENGINE", "noise", 1);
  EXPECT_EQ(failureOf(request("a.h5")), "no error");
}

TEST_F(TransformersCapture, SaysWhatIsMissing) {
  setenv("PLASTISCOPE_PYTHON", "/nowhere/python", 1);
  EXPECT_THAT(failureOf(request("a.h5")),
              AllOf(HasSubstr("model_type \"strange\""), HasSubstr("pip install torch transformers"),
                    HasSubstr("--python")));
  CaptureRequest asked = request("a.h5");
  asked.engine = EngineKind::Transformers;
  asked.python = "/nowhere/python";
  EXPECT_THAT(failureOf(asked), HasSubstr("/nowhere/python is not a Python with torch and transformers"));
  asked.engine = EngineKind::Native;
  EXPECT_THAT(failureOf(asked), AllOf(HasSubstr("model_type \"strange\""), Not(HasSubstr("--python"))));
}

TEST_F(TransformersCapture, RefusesWhatTheModelCannotDo) {
  CaptureRequest asked = request("a.h5");
  asked.plan.ablate = "L0H1";
  EXPECT_THAT(failureOf(asked),
              HasSubstr("StrangeForCausalLM does not pass transformers' attention interface"));
  asked.plan.ablate.clear();
  asked.plan.loss = true;
  EXPECT_THAT(failureOf(asked), HasSubstr("a model with an output, for --loss"));
  asked.plan.device = "cuda";
  asked.plan.loss = false;
  EXPECT_THAT(failureOf(asked), HasSubstr("this PyTorch has: cpu, mps"));
}

TEST_F(TransformersCapture, StoresLossesAndDeviceOfTheModel) {
  writeConfig({{"model_type", "strange"}, {"lossy", true}});
  CaptureRequest asked = request("a.h5");
  asked.plan.loss = true;
  asked.plan.device = asked.plan.dtype = "auto";
  EXPECT_EQ(failureOf(asked), "no error");
  const auto capture = openCapture(m_folder / "a.h5");
  EXPECT_EQ(capture->info().device, "mps");
  EXPECT_EQ(capture->info().computeDtype, "bfloat16");
  const TokenLosses losses = capture->losses(0);
  ASSERT_EQ(losses.nll.size(), 1400u);
  EXPECT_TRUE(std::isnan(losses.nll[0]));
  EXPECT_FLOAT_EQ(losses.nll[9], (9 * 9 + 9 / 3) % 64 / 64.0f);
}

TEST_F(TransformersCapture, NamesItsNeeds) {
  RecordedProgress progress;
  const OpenedModel opened = openWithEngine(m_folder / "model", {}, {}, false, progress);
  ASSERT_NE(opened.transformers, nullptr);
  EXPECT_EQ(opened.transformers->needs(*opened.model), "2.0 kB for all weights in bfloat16, on mps");
}

TEST_F(TransformersCapture, EstimatesWithTheWholeModel) {
  RecordedProgress progress;
  const CaptureEstimate estimate = estimateCapture(request("a.h5"), progress);
  EXPECT_TRUE(estimate.fits) << estimate.advice;
  EXPECT_GT(estimate.seconds, 0);
  EXPECT_GT(estimate.memoryBytes, 600'000'000u);
  EXPECT_EQ(estimate.settings["engine"], "transformers");
}

TEST_F(TransformersCapture, AKnownFamilyStaysNativeAndItsSettingsUnchanged) {
  test::TinyLlama().write(m_folder / "model");
  ToldProgress progress;
  runCapture(request("a.h5"), progress);
  EXPECT_THAT(progress.told_, IsEmpty());
  const auto capture = openCapture(m_folder / "a.h5");
  EXPECT_FALSE(capture->info().settings->contains("engine"));
  EXPECT_TRUE(capture->info().engine->is_null());
  EXPECT_EQ(capture->info().positions, "");
}

TEST_F(TransformersCapture, ListsFindTheFamilyWithoutPython) {
  setenv("PLASTISCOPE_PYTHON", "/nowhere/python", 1);
  const std::vector<FoundModel> found = findModels({m_folder.path()});
  const auto strange =
      std::ranges::find(found, "strange", [](const FoundModel& model) { return model.architecture; });
  ASSERT_TRUE(strange != found.end());
  EXPECT_TRUE(strange->otherFamily);
  EXPECT_EQ(strange->problem, "");
}

}  // namespace
}  // namespace plastiscope
