// Captures with interventions on heads: provenance, effect on later layers, refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/store/analysis_file.h"
#include "tests/cli/command.h"
#include "tests/cli/hdf5_content.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope::test {
namespace {

#if PLASTISCOPE_HAS_TORCH

constexpr std::int64_t kHeadDim = 8, kWindow = 400;

// An analysis of head L0H0 with only the columns that clamping reads.
AnalysisFile smallAnalysis() {
  AnalysisFile analysis;
  analysis.provenance.programVersion = "0.0.0";
  analysis.provenance.created = "2026-01-01T00:00:00Z";
  analysis.provenance.settings = Json::object();
  analysis.provenance.capture = Json{{"window", kWindow}, {"head_dim", kHeadDim}, {"point", "post-rope"}};
  analysis.tables.push_back({"heads",
                             {{"layer", std::vector<std::int64_t>{0}},
                              {"head", std::vector<std::int64_t>{0}},
                              {"alpha_k", std::vector<double>{0.02}}}});
  std::vector<std::int64_t> dimensions;
  for (std::int64_t i = 0; i < kHeadDim; ++i) dimensions.push_back(i);
  analysis.tables.push_back(
      {"axes",
       {{"layer", std::vector<std::int64_t>(kHeadDim, 0)},
        {"head", std::vector<std::int64_t>(kHeadDim, 0)},
        {"axis", std::vector<std::string>(kHeadDim, "a")},
        {"dimension", dimensions},
        {"value", std::vector<double>(kHeadDim, 1 / std::sqrt(static_cast<double>(kHeadDim)))}}});
  return analysis;
}

class InterventionRun : public ::testing::Test {
 protected:
  void SetUp() override {
    TinyLlama().write(m_folder / "model");
    writeTokenFile(m_folder / "t.jsonl", 6, kWindow);
    writeAnalysis(smallAnalysis(), m_folder / "a.h5");
  }

  ProgramResult capture(const std::string& out, const std::vector<std::string>& more,
                        const ProgramOptions& options = {}) const {
    std::vector<std::string> all{"capture", "--model",    path("model"), "--tokens", path("t.jsonl"),
                                 "--heads", "all",        "--rate",      "40",       "--dtype",
                                 "float32", "--progress", "json",        "--out",    path(out)};
    all.insert(all.end(), more.begin(), more.end());
    return runProgram("plastiscope-cli", all, options);
  }

  std::string path(const std::string& name) const { return (m_folder / name).string(); }

  TemporaryFolder m_folder;
};

TEST_F(InterventionRun, IsRecordedAndChangesLaterLayers) {
  ASSERT_EQ(capture("plain.h5", {}).exitCode, 0);
  const ProgramResult run =
      capture("changed.h5", {"--ablate", "L0H1", "--clamp-bias", "L0H0", "--clamp-from", path("a.h5")});
  ASSERT_EQ(run.exitCode, 0) << run.err;

  const auto plain = hdf5Content(m_folder / "plain.h5"), changed = hdf5Content(m_folder / "changed.h5");
  for (const std::string head : {"00", "01"}) {
    for (const std::string kind : {"query", "key"}) {
      const std::string first = "/layers/00/" + kind + "/vectors/" + head;
      const std::string next = "/layers/01/" + kind + "/vectors/" + head;
      EXPECT_TRUE(plain.at(first) == changed.at(first)) << first;
      EXPECT_FALSE(plain.at(next) == changed.at(next)) << next;
    }
  }

  const Json card = Json::parse(runProgram("plastiscope-cli", {"info", path("changed.h5"), "--json"}).out);
  EXPECT_EQ(card["settings"]["ablate"], "L0H1");
  EXPECT_EQ(card["settings"]["clamp_bias"], "L0H0");
  EXPECT_EQ(card["settings"]["clamp"]["centre"], (kWindow - 1) / 2.0);
  const Json plainCard = Json::parse(runProgram("plastiscope-cli", {"info", path("plain.h5"), "--json"}).out);
  EXPECT_FALSE(plainCard["settings"].contains("ablate"));
  EXPECT_NE(card["settings_hash"], plainCard["settings_hash"]);
  const ProgramResult text = runProgram("plastiscope-cli", {"info", path("changed.h5")});
  EXPECT_THAT(text.out, AllOf(HasSubstr("L0H1: their output is zero"), HasSubstr("L0H0: they see keys")));
}

// --clamp-from reads the output of `analyze`.
TEST_F(InterventionRun, ClampsFromTheAnalysisOfACapture) {
  ASSERT_EQ(capture("c.h5", {}).exitCode, 0);
  ASSERT_EQ(runProgram("plastiscope-cli", {"analyze", path("c.h5"), "--out", path("own.h5")}).exitCode, 0);
  const ProgramResult run = capture("d.h5", {"--clamp-bias", "L0H0-3", "--clamp-from", path("own.h5")});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_THAT(run.err, Not(HasSubstr("another model")));
  ASSERT_EQ(runProgram("plastiscope-cli", {"analyze", path("d.h5"), "--out", path("e.h5")}).exitCode, 0);
  EXPECT_THAT(runProgram("plastiscope-cli", {"info", path("e.h5")}).out, HasSubstr("L0H0-3: they see keys"));
}

TEST_F(InterventionRun, DoesNotDependOnThreads) {
  const std::vector<std::string> change{"--clamp-bias", "L0H0", "--clamp-from", path("a.h5")};
  ASSERT_EQ(capture("two.h5", change).exitCode, 0);
  std::vector<std::string> alone = change;
  alone.insert(alone.end(), {"--threads", "1"});
  ASSERT_EQ(capture("one.h5", alone).exitCode, 0);
  EXPECT_TRUE(hdf5Content(m_folder / "one.h5") == hdf5Content(m_folder / "two.h5"));
}

TEST_F(InterventionRun, ResumesOnlyWithTheSameChanges) {
  const std::vector<std::string> change{"--clamp-bias", "L0H0", "--clamp-from", path("a.h5")};
  ProgramOptions full;
  full.fileSizeLimit = 100'000;  // units fit, the sealed file does not
  ASSERT_EQ(capture("c.h5", change, full).exitCode, 4);

  const ProgramResult without = capture("c.h5", {});
  EXPECT_EQ(without.exitCode, 2);
  EXPECT_THAT(without.err, HasSubstr("clamp_bias"));
  AnalysisFile steeper = smallAnalysis();
  std::get<std::vector<double>>(steeper.tables[0].columns[2].values)[0] *= 2;
  writeAnalysis(steeper, m_folder / "steeper.h5");
  const ProgramResult other = capture("c.h5", {"--clamp-bias", "L0H0", "--clamp-from", path("steeper.h5")});
  EXPECT_EQ(other.exitCode, 2);
  EXPECT_THAT(other.err, HasSubstr("slopes_and_axes"));
  EXPECT_EQ(capture("c.h5", change).exitCode, 0);
}

TEST_F(InterventionRun, WarnsOfChangesWithoutALaterLayer) {
  const ProgramResult run = capture("c.h5", {"--ablate", "L1H3"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("head L1H3 is changed, but no captured layer comes after its own"));
}

struct Refusal {
  std::string name;
  std::vector<std::string> options;
  int exitCode;
  std::string sentence;
  std::function<void(AnalysisFile&)> edit = {};  // changes the analysis "edited.h5"
};

void PrintTo(const Refusal& refusal, std::ostream* out) {
  *out << refusal.name;
}

std::vector<std::string> clamp(const std::string& heads, const std::string& file = "edited.h5") {
  return {"--clamp-bias", heads, "--clamp-from", file};
}

std::vector<Refusal> refusals() {
  return {
      {"NoAnalysis", {"--clamp-bias", "L0H0"}, 2, "--clamp-bias needs --clamp-from ANALYSIS.h5"},
      {"NoHeads", {"--clamp-from", "a.h5"}, 2, "--clamp-from needs --clamp-bias HEADS"},
      {"NoHeadList", {"--ablate", "12"}, 2, "--ablate: \"12\" is not understood"},
      {"NoSuchLayer", {"--ablate", "L2H0"}, 2, "head L2H0: the model has layers 0 to 1"},
      {"NoSuchHead", clamp("L0H4"), 2, "query heads 0 to 3"},
      {"BothWays",
       {"--ablate", "L0H0", "--clamp-bias", "L0H0", "--clamp-from", "a.h5"},
       2,
       "head L0H0 is listed in both"},
      {"NotInTheAnalysis", clamp("L0H0-1"), 3, "edited.h5: head L0H1: expected its alpha_k"},
      {"NoSlope", clamp("L0H0"), 3, "edited.h5: head L0H0: expected its alpha_k",
       [](AnalysisFile& a) { a.tables[0].columns[2].values = std::vector<double>{std::nan("")}; }},
      {"NoSlopes", clamp("L0H0"), 3, "table heads, column alpha_k: expected",
       [](AnalysisFile& a) { a.tables[0].columns.pop_back(); }},
      {"NoAxis", clamp("L0H0"), 3, "edited.h5: head L0H0: expected its axis a",
       [](AnalysisFile& a) { a.tables[1].columns[2].values = std::vector<std::string>(kHeadDim, "b"); }},
      {"NoAxes", clamp("L0H0"), 3, "table axes", [](AnalysisFile& a) { a.tables.pop_back(); }},
      {"LongAxis", clamp("L0H0"), 3, "an axis a of length 1",
       [](AnalysisFile& a) { a.tables[1].columns[4].values = std::vector<double>(kHeadDim, 1); }},
      {"OtherHeadSize", clamp("L0H0"), 3, "head_dim: expected 8, found 16",
       [](AnalysisFile& a) { a.provenance.capture.set("head_dim", 16); }},
      {"NoWindow", clamp("L0H0"), 3, "capture window",
       [](AnalysisFile& a) { a.provenance.capture.erase("window"); }},
      {"BeforeTheRotation", clamp("L0H0"), 3, "after the rotation",
       [](AnalysisFile& a) { a.provenance.capture.set("point", "pre-rope"); }},
      {"NoFile", clamp("L0H0", "absent.h5"), 3, "absent.h5"},
      {"NoAnalysisFile", clamp("L0H0", "t.jsonl"), 3, "t.jsonl"},
  };
}

class RefusedIntervention : public InterventionRun, public ::testing::WithParamInterface<Refusal> {};

TEST_P(RefusedIntervention, NamesTheProblem) {
  AnalysisFile edited = smallAnalysis();
  if (GetParam().edit) GetParam().edit(edited);
  writeAnalysis(edited, m_folder / "edited.h5");
  std::vector<std::string> options = GetParam().options;
  if (options[options.size() - 2] == "--clamp-from") options.back() = path(options.back());
  const ProgramResult run = capture("c.h5", options);
  EXPECT_EQ(run.exitCode, GetParam().exitCode) << run.err;
  EXPECT_THAT(run.err, HasSubstr(GetParam().sentence));
  EXPECT_FALSE(fs::exists(m_folder / "c.h5"));
}

INSTANTIATE_TEST_SUITE_P(Interventions, RefusedIntervention, ::testing::ValuesIn(refusals()),
                         [](const auto& one) { return one.param.name; });

TEST_F(InterventionRun, LayersWithoutVectorsAreRefusedByName) {
  const fs::path families = fs::path(PLASTISCOPE_TEST_DATA) / "families";
  const auto refusal = [&](const std::string& family, const std::string& head) {
    const ProgramResult run =
        runProgram("plastiscope-cli", {"capture", "--model", (families / family).string(), "--tokens",
                                       path("t.jsonl"), "--ablate", head, "--out", path("c.h5")});
    EXPECT_EQ(run.exitCode, 2) << run.err;
    return run.err;
  };
  EXPECT_THAT(refusal("mllama", "L1H0"), HasSubstr("head L1H0: its layer has cross attention"));
  EXPECT_THAT(refusal("qwen3_next", "L0H0"), HasSubstr("head L0H0: its layer has linear attention"));
}

#endif

}  // namespace
}  // namespace plastiscope::test
