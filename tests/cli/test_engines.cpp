// The engine transformers beside the native one, on every tiny family that both know, and on one that only
// transformers knows; with the Python of the tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/store/capture_file.h"
#include "tests/cli/command.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope::test {
namespace {

#if PLASTISCOPE_HAS_TORCH

const fs::path kFamilies = fs::path(PLASTISCOPE_TEST_DATA) / "families";
const std::string kPython = PLASTISCOPE_TEST_PYTHON;

// One folder with weights of every architecture.
std::vector<std::string> families() {
  std::map<std::string, std::string> byClass;
  for (const auto& entry : fs::directory_iterator(kFamilies)) {
    if (!fs::exists(entry.path() / "model.safetensors")) continue;
    const Json config = Json::parse(readFile(entry.path() / "config.json"));
    const std::string name = entry.path().filename();
    std::string& chosen = byClass[config["architectures"][0].get<std::string>()];
    if (chosen.empty() || name < chosen) chosen = name;
  }
  std::vector<std::string> names;
  for (const auto& [architecture, name] : byClass) names.push_back(name);
  return names;
}

bool pythonHasTransformers() {
  static const bool has =
      !kPython.empty() && runProgram(kPython, {"-c", "import numpy, torch, transformers"}).exitCode == 0;
  return has;
}

#define SKIP_WITHOUT_TRANSFORMERS() \
  if (!pythonHasTransformers()) GTEST_SKIP() << "no Python with torch and transformers: " << kPython

class Engines : public ::testing::Test {
 protected:
  // 900 tokens: more than the windows of the sliding families.
  void SetUp() override { writeTokenFile(m_folder / "t.jsonl", 2, 900, 97); }

  std::string path(const std::string& name) const { return (m_folder / name).string(); }

  ProgramResult capture(const fs::path& model, const std::string& out, std::vector<std::string> more,
                        const ProgramOptions& options = {}) const {
    std::vector<std::string> all{"capture",      "--model",    model.string(), "--tokens", path("t.jsonl"),
                                 "--all-layers", "--heads",    "all",          "--rate",   "6",
                                 "--dtype",      "float32",    "--device",     "cpu",      "--store",
                                 "float32",      "--progress", "json",         "--python", kPython,
                                 "--out",        path(out)};
    all.insert(all.end(), more.begin(), more.end());
    return runProgram("plastiscope-cli", all, options);
  }

  // Equal positions, and vectors whose largest difference is below `tolerance` of the set's largest length.
  void expectSameRows(const std::string& one, const std::string& other, double tolerance = 1e-4) const {
    const auto a = openCapture(m_folder / one), b = openCapture(m_folder / other);
    const CaptureInfo &info = a->info(), &theirs = b->info();
    EXPECT_EQ(info.fingerprint, theirs.fingerprint);
    EXPECT_NEAR(info.scoreScale, theirs.scoreScale, 1e-12);
    ASSERT_EQ(info.layerInfos.size(), theirs.layerInfos.size());
    for (std::size_t i = 0; i < info.layerInfos.size(); ++i) {
      const CaptureLayerInfo &layer = info.layerInfos[i], &their = theirs.layerInfos[i];
      ASSERT_EQ(layer.layer, their.layer);
      EXPECT_EQ(layer.attention, their.attention) << layer.layer;
      EXPECT_EQ(layer.window, their.window) << layer.layer;
      EXPECT_EQ(layer.rope, their.rope) << layer.layer;
      for (const RowSet set : {RowSet::Query, RowSet::Key}) {
        for (const std::int64_t head : set == RowSet::Query ? layer.queryHeads : layer.keyHeads)
          expectSame(a->rows({layer.layer, head, set}), b->rows({layer.layer, head, set}),
                     "L" + std::to_string(layer.layer) + "H" + std::to_string(head), tolerance);
      }
      for (const std::int64_t head : layer.queryHeads) {
        std::vector<HeadTextScores> ours = a->scores(layer.layer, head),
                                    others = b->scores(layer.layer, head);
        ours.push_back(a->probeScores(layer.layer, head).value());
        others.push_back(b->probeScores(layer.layer, head).value());
        ASSERT_EQ(ours.size(), others.size());
        for (std::size_t text = 0; text < ours.size(); ++text) expectSame(ours[text], others[text]);
      }
    }
  }

  static void expectSame(const HeadTextScores& a, const HeadTextScores& b) {
    EXPECT_GT(a.queries.all, 0);
    EXPECT_EQ(a.queries.all, b.queries.all);
    EXPECT_EQ(a.queries.induction, b.queries.induction);
    EXPECT_EQ(a.queries.duplicate, b.queries.duplicate);
    for (std::size_t i = 0; i < kHeadScores; ++i) EXPECT_NEAR(a.sums[i], b.sums[i], 1e-3 * (1 + a.sums[i]));
  }

  static void expectSame(const CapturedRows& a, const CapturedRows& b, const std::string& where,
                         double tolerance = 1e-4) {
    ASSERT_EQ(a.position, b.position) << where;
    ASSERT_EQ(a.example, b.example) << where;
    ASSERT_EQ(a.vectors.size(), b.vectors.size()) << where;
    const auto size = static_cast<std::size_t>(a.headDim);
    double longest = 0, difference = 0;
    for (std::size_t row = 0; row < a.position.size(); ++row) {
      double length = 0, distance = 0;
      for (std::size_t k = row * size; k < (row + 1) * size; ++k) {
        length += a.vectors[k] * a.vectors[k];
        distance += std::pow(a.vectors[k] - b.vectors[k], 2);
      }
      longest = std::max(longest, std::sqrt(length));
      difference = std::max(difference, std::sqrt(distance));
    }
    EXPECT_LT(difference, tolerance * longest) << where;
  }

  TemporaryFolder m_folder;
};

class EnginesOfFamily : public Engines, public ::testing::WithParamInterface<std::string> {};

TEST_P(EnginesOfFamily, GiveTheSameRows) {
  SKIP_WITHOUT_TRANSFORMERS();
  const fs::path model = kFamilies / GetParam();
  const ProgramResult native = capture(model, "native.h5", {"--engine", "native"});
  ASSERT_EQ(native.exitCode, 0) << native.err;
  const ProgramResult other = capture(model, "other.h5", {"--engine", "transformers"});
  ASSERT_EQ(other.exitCode, 0) << other.err;
  // There a token has two experts with nearly the same score, and rounding chooses between them.
  expectSameRows("native.h5", "other.h5", GetParam() == "qwen3_5_moe_text" ? 1e-3 : 1e-4);
}

INSTANTIATE_TEST_SUITE_P(All, EnginesOfFamily, ::testing::ValuesIn(families()),
                         [](const auto& family) { return family.param; });

TEST_F(Engines, AgreeOnLossesAndAblation) {
  SKIP_WITHOUT_TRANSFORMERS();
  for (const char* family : {"qwen3", "gemma2"}) {
    const fs::path model = kFamilies / family;
    for (const char* engine : {"native", "transformers"}) {
      const ProgramResult run = capture(model, std::string(engine) + ".h5",
                                        {"--engine", engine, "--loss", "--ablate", "L0H1", "--point", "both",
                                         "--dense", "L1H0", "--fresh"});
      ASSERT_EQ(run.exitCode, 0) << run.err;
    }
    expectSameRows("native.h5", "transformers.h5");
    const auto a = openCapture(m_folder / "native.h5"), b = openCapture(m_folder / "transformers.h5");
    for (const RowPlace& place : {RowPlace{1, 0, RowSet::QueryPreRope}, RowPlace{1, 0, RowSet::KeyPreRope},
                                  RowPlace{1, 0, RowSet::DenseQuery}, RowPlace{1, 0, RowSet::DenseKey}})
      expectSame(a->rows(place), b->rows(place), family);
    for (std::int64_t text = 0; text < 2; ++text) {
      const std::vector<float> one = a->losses(text).nll, other = b->losses(text).nll;
      ASSERT_EQ(one.size(), other.size());
      for (std::size_t t = 1; t < one.size(); ++t) ASSERT_NEAR(one[t], other[t], 1e-4) << t;
    }
  }
}

TEST_F(Engines, AutoCapturesAFamilyThatOnlyTransformersKnows) {
  SKIP_WITHOUT_TRANSFORMERS();
  const ProgramResult made = runProgram(
      kPython,
      {"-c",
       "import sys, torch, transformers as t; torch.manual_seed(0); "
       "t.GPT2LMHeadModel(t.GPT2Config(vocab_size=97, n_positions=1024, n_embd=32, n_layer=2, n_head=4))"
       ".save_pretrained(sys.argv[1])",
       path("gpt2")});
  ASSERT_EQ(made.exitCode, 0) << made.err;
  const ProgramResult info = run({"info", path("gpt2"), "--python", kPython});
  EXPECT_EQ(info.exitCode, 0) << info.err;
  EXPECT_TRUE(std::regex_search(info.out, std::regex("Engine +transformers .*does not know gpt2")))
      << info.out;
  EXPECT_TRUE(std::regex_search(info.out, std::regex("Positions +learned, no RoPE"))) << info.out;
  EXPECT_THAT(info.out, AllOf(HasSubstr("Devices"), HasSubstr("Memory")));
  const ProgramResult captured = capture(path("gpt2"), "a.h5", {});
  ASSERT_EQ(captured.exitCode, 0) << captured.err;
  EXPECT_THAT(captured.err, HasSubstr("\"event\":\"message\""));
  const auto capture = openCapture(m_folder / "a.h5");
  EXPECT_EQ(capture->info().positions, "learned");
  EXPECT_EQ(capture->info().layerInfos.size(), 2u);
  EXPECT_FALSE(capture->info().layerInfos.front().rope);
  EXPECT_THAT(run({"info", path("a.h5")}).out, AllOf(HasSubstr("transformers"), HasSubstr("learned")));
  const ProgramResult analysed = run({"analyze", path("a.h5"), "--out", path("a.analysis.h5")});
  EXPECT_EQ(analysed.exitCode, 0) << analysed.err;
}

TEST_F(Engines, AKilledCaptureGoesOnWithTheSameBytes) {
  SKIP_WITHOUT_TRANSFORMERS();
  writeTokenFile(m_folder / "t.jsonl", 12, 900, 97);
  const fs::path model = kFamilies / "qwen3";
  const std::vector<std::string> engine = {"--engine", "transformers"};
  ASSERT_EQ(capture(model, "whole.h5", engine).exitCode, 0);
  ProgramOptions killed;
  killed.signal = SIGKILL;
  killed.interruptWhen = [](const std::string& err) {
    return err.find("\"event\":\"unit\"") != std::string::npos;
  };
  EXPECT_EQ(capture(model, "a.h5", engine, killed).exitCode, 128 + SIGKILL);
  const ProgramResult resumed = capture(model, "a.h5", engine);
  EXPECT_EQ(resumed.exitCode, 0) << resumed.err;
  const auto a = openCapture(m_folder / "whole.h5"), b = openCapture(m_folder / "a.h5");
  EXPECT_EQ(a->rows({1, 0, RowSet::Query}).vectors, b->rows({1, 0, RowSet::Query}).vectors);
}

#endif

}  // namespace
}  // namespace plastiscope::test
