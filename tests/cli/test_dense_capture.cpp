// Captures that keep some heads at every position: stored rows, unchanged data, resuming, parts, damage and
// refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/capture/head_list.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"
#include "tests/cli/hdf5_content.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

#if PLASTISCOPE_HAS_TORCH

constexpr int kDenseTexts = 6, kDenseTokens = 1300;
constexpr const char* kReport = "\"stage\":\"capture\"";  // progress lines

class DenseCapture : public ::testing::Test {
 protected:
  void SetUp() override {
    TinyLlama().write(m_folder / "model");
    writeTokenFile(m_folder / "t.jsonl", kDenseTexts, kDenseTokens);
  }
  ProgramResult capture(const std::string& out, const std::vector<std::string>& more = {},
                        const ProgramOptions& options = {}) const {
    std::vector<std::string> all{"capture", "--model", path("model"), "--tokens",   path("t.jsonl"),
                                 "--heads", "all",     "--rate",      "20",         "--dtype",
                                 "float32", "--out",   path(out),     "--progress", "json"};
    all.insert(all.end(), more.begin(), more.end());
    return runProgram("plastiscope-cli", all, options);
  }
  std::string path(const std::string& name) const { return (m_folder / name).string(); }
  std::map<std::string, std::string> content(const std::string& name) const {
    return hdf5Content(m_folder / name);
  }

  TemporaryFolder m_folder;
};

// Dense heads in both layers: a sampled capture computes only single rows of the last one.
TEST_F(DenseCapture, KeepsEveryPositionBesideTheSampledRows) {
  ASSERT_EQ(capture("plain.h5").exitCode, 0);
  const ProgramResult run = capture("dense.h5", {"--dense", "L1H3", "L0H0-1"});
  ASSERT_EQ(run.exitCode, 0) << run.err;
  const auto plain = content("plain.h5"), dense = content("dense.h5");
  for (const auto& [name, bytes] : plain) {
    if (name.starts_with("/.@")) continue;          // settings and derived attributes
    if (name.starts_with("/scores/01/")) continue;  // with all keys of the last layer: in every text
    ASSERT_TRUE(dense.contains(name)) << name;
    EXPECT_TRUE(dense.at(name) == bytes) << name;
  }
  EXPECT_EQ(
      Json::parse(runProgram("plastiscope-cli", {"info", path("dense.h5"), "--json"}).out)["dense_heads"],
      Json({"L0H0", "L0H1", "L1H3"}));
  EXPECT_THAT(runProgram("plastiscope-cli", {"info", path("dense.h5")}).out,
              HasSubstr("L0H0, L0H1, L1H3: at every position"));

  const auto file = openCapture(m_folder / "dense.h5");
  EXPECT_TRUE(isDense(file->info(), 1, 3));
  EXPECT_FALSE(isDense(file->info(), 1, 2));
  ASSERT_EQ(file->info().layerInfos.size(), 2u);
  EXPECT_THAT(file->info().layerInfos[0].denseKeyHeads, ElementsAre(0));
  for (const auto& [layer, head, sampledSet, denseSet] :
       {std::tuple(0, 1, RowSet::Query, RowSet::DenseQuery), std::tuple(0, 0, RowSet::Key, RowSet::DenseKey),
        std::tuple(1, 3, RowSet::Query, RowSet::DenseQuery),
        std::tuple(1, 1, RowSet::Key, RowSet::DenseKey)}) {
    const CapturedRows sampled = file->rows({layer, head, sampledSet});
    const CapturedRows all = file->rows({layer, head, denseSet});
    ASSERT_EQ(all.position.size(), static_cast<std::size_t>(kDenseTexts) * kDenseTokens);
    const CapturedRows fourth = file->denseRows({layer, head, denseSet}, 3);
    ASSERT_EQ(fourth.position.size(), static_cast<std::size_t>(kDenseTokens));
    const auto width = static_cast<std::size_t>(all.headDim);
    EXPECT_EQ(0, std::memcmp(fourth.vectors.data(), all.vectors.data() + 3 * kDenseTokens * width,
                             sizeof(float) * kDenseTokens * width));
    for (std::size_t row = 0; row < sampled.position.size(); ++row) {
      const auto at = static_cast<std::size_t>(sampled.example[row] * kDenseTokens + sampled.position[row]);
      ASSERT_EQ(all.position[at], sampled.position[row]);
      ASSERT_EQ(all.example[at], sampled.example[row]);
      ASSERT_EQ(all.bucket[at], sampled.bucket[row]);
      ASSERT_EQ(0, std::memcmp(all.vectors.data() + at * width, sampled.vectors.data() + row * width,
                               sizeof(float) * width));
    }
  }
  EXPECT_THROW(file->rows({1, 2, RowSet::DenseQuery}), InputError);
  EXPECT_THROW(file->denseRows({1, 3, RowSet::DenseQuery}, kDenseTexts), InputError);
}

TEST_F(DenseCapture, ResumesAfterBeingKilled) {
  writeTokenFile(m_folder / "t.jsonl", 8, 4000);
  ASSERT_EQ(capture("whole.h5", {"--dense", "L1H3", "L0H1"}).exitCode, 0);
  int killed = 0;
  for (const std::size_t reports : {2, 4, 7, 10, 13}) {
    ProgramOptions kill;
    kill.signal = SIGKILL;
    kill.interruptWhen = [reports](const std::string& err) {
      std::size_t count = 0;
      for (auto at = err.find(kReport); at != std::string::npos; at = err.find(kReport, at + 1)) ++count;
      return count >= reports;
    };
    killed +=
        capture("c.h5", {"--dense", "L1H3,L0H1", "--checkpoint-every", "0"}, kill).exitCode != 0 ? 1 : 0;
  }
  EXPECT_GT(killed, 1);
  const ProgramResult other = capture("c.h5", {"--dense", "L1H3"});
  if (fs::exists(m_folder / "c.h5.partial")) {
    EXPECT_EQ(other.exitCode, 2);
    EXPECT_THAT(other.err, HasSubstr("dense: \"L1H3,L0H1\" there, \"L1H3\" now"));
  }
  ASSERT_EQ(capture("c.h5", {"--dense", "L1H3,L0H1"}).exitCode, 0);
  EXPECT_TRUE(content("c.h5") == content("whole.h5"));
  EXPECT_EQ(m_folder.listing(), "c.h5 model t.jsonl whole.h5");
}

TEST_F(DenseCapture, MergedPartsEqualTheWhole) {
  ASSERT_EQ(capture("whole.h5", {"--dense", "L1H3"}).exitCode, 0);
  ASSERT_EQ(capture("a.h5", {"--dense", "L1H3", "--part", "0/2"}).exitCode, 0);
  ASSERT_EQ(capture("b.h5", {"--dense", "L1H3", "--part", "1/2"}).exitCode, 0);
  ASSERT_EQ(
      runProgram("plastiscope-cli", {"merge", path("a.h5"), path("b.h5"), "--out", path("ab.h5")}).exitCode,
      0);
  EXPECT_TRUE(content("ab.h5") == content("whole.h5"));
  ASSERT_EQ(capture("c.h5", {"--part", "1/2"}).exitCode, 0);
  const ProgramResult mixed =
      runProgram("plastiscope-cli", {"merge", path("a.h5"), path("c.h5"), "--out", path("ac.h5")});
  EXPECT_EQ(mixed.exitCode, 3);
  EXPECT_THAT(mixed.err, HasSubstr("dense"));
}

TEST_F(DenseCapture, VerifyReadsEveryPosition) {
  ASSERT_EQ(capture("c.h5", {"--dense", "L1H3"}).exitCode, 0);
  const ProgramResult good = runProgram("plastiscope-cli", {"verify", path("c.h5")});
  EXPECT_EQ(good.exitCode, 0) << good.out << good.err;
  EXPECT_THAT(good.out, HasSubstr("rows of 14 heads"));  // 4 + 2 in each of two layers, plus the dense ones

  std::string bytes = readFile(m_folder / "c.h5");
  const auto file = openCapture(m_folder / "c.h5");
  const auto all = file->rows({1, 3, RowSet::DenseQuery});
  // Only the dense index has positions 0 to 1299 of the first text in a row.
  std::vector<std::int32_t> run(600);
  for (std::size_t i = 0; i < run.size(); ++i) run[i] = static_cast<std::int32_t>(i);
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(run.data()), 4 * run.size()));
  ASSERT_NE(at, std::string::npos);
  bytes[at + 40] = 7;
  std::ofstream(m_folder / "bad.h5", std::ios::binary) << bytes;
  const ProgramResult bad = runProgram("plastiscope-cli", {"verify", path("bad.h5")});
  EXPECT_EQ(bad.exitCode, 3);
  EXPECT_THAT(bad.out + bad.err, HasSubstr("the queries of layer 1 at every position"));
}

TEST_F(DenseCapture, EstimatesBytesAndMemory) {
  const auto estimate = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = more;
    all.insert(all.end(), {"--estimate", "--json"});
    return Json::parse(capture("e.h5", all).out);
  };
  const Json plain = estimate({}), dense = estimate({"--dense", "L1H3", "L0H0-1"});
  EXPECT_FALSE(plain.contains("dense_heads"));
  EXPECT_EQ(dense["dense_heads"], 3);
  // Three queries and two keys of 8 float16 numbers; position and bucket of both kinds in both layers.
  const std::int64_t bytes = kDenseTexts * kDenseTokens * (5 * 16 + 4 * 8);
  EXPECT_EQ(dense["dense_bytes"], bytes);
  EXPECT_EQ(dense["file_bytes"].get<std::int64_t>() - plain["file_bytes"].get<std::int64_t>(),
            bytes + 5 * 700);  // plus one header per head
  EXPECT_GT(dense["memory_bytes"], plain["memory_bytes"]);
  ASSERT_EQ(capture("dense.h5", {"--dense", "L1H3", "L0H0-1"}).exitCode, 0);
  const double real = static_cast<double>(fs::file_size(m_folder / "dense.h5"));
  EXPECT_NEAR(dense["file_bytes"].get<double>() / real, 1, 0.1);
  EXPECT_THAT(capture("e.h5", {"--dense", "L1H3", "--estimate"}).out,
              HasSubstr("dense     1 query heads at every position"));
}

TEST_F(DenseCapture, RefusesUnknownHeads) {
  for (const auto& [heads, sentence] : {std::pair("12", "--dense: \"12\" is not understood"),
                                        std::pair("L1H4", "--dense: head L1H4 was not chosen by --heads"),
                                        std::pair("L2H0", "--dense: head L2H0 was not chosen by --heads")}) {
    const ProgramResult run = capture("c.h5", {"--dense", heads});
    EXPECT_EQ(run.exitCode, 2) << run.err;
    EXPECT_THAT(run.err, HasSubstr(sentence));
  }
  EXPECT_FALSE(fs::exists(m_folder / "c.h5"));
}

// ---- attention scores

class DenseScores : public ::testing::TestWithParam<const char*> {};

// Expected scores come from transformers (tests/data/scores). Dense heads are stored in float32.
TEST_P(DenseScores, EqualTransformersAttention) {
  const fs::path data = PLASTISCOPE_TEST_DATA;
  const TemporaryFolder folder;
  fs::copy(data / "families" / GetParam(), folder / "model");
  fs::copy(data / "text" / "default" / "tokenizer.json", folder / "model" / "tokenizer.json");
  const std::string capture = (folder / "c.h5").string(), tables = (folder / "tables").string();
  const ProgramResult captured = runProgram("plastiscope-cli", {"capture",
                                                                "--model",
                                                                (folder / "model").string(),
                                                                "--tokens",
                                                                (data / "scores" / "tokens.jsonl").string(),
                                                                "--heads",
                                                                "all",
                                                                "--all-layers",
                                                                "--dense",
                                                                "L0H0-3",
                                                                "L1H0-3",
                                                                "L2H1",
                                                                "--sampler",
                                                                "all",
                                                                "--dtype",
                                                                "float32",
                                                                "--store",
                                                                "float32",
                                                                "--out",
                                                                capture});
  ASSERT_EQ(captured.exitCode, 0) << captured.err;
  const ProgramResult analysed = runProgram(
      "plastiscope-cli", {"analyze", capture, "--out", (folder / "a.h5").string(), "--csv", tables});
  ASSERT_EQ(analysed.exitCode, 0) << analysed.err;

  const Json expected = parseJson(readFile(data / "scores" / "expected.json"), {})["attention"][GetParam()];
  const AnalysisFile analysis = readAnalysis(folder / "a.h5");
  const Table& heads = *analysis.find("heads");
  ASSERT_EQ(heads.rows(), 16u);
  int dense = 0;
  for (const auto& [name, value] : expected["L0H0"].items()) {
    const Column* column = heads.find(name);
    ASSERT_NE(column, nullptr) << name;
    const auto& values = std::get<std::vector<double>>(column->values);
    for (std::size_t row = 0; row < heads.rows(); ++row) {
      const std::int64_t layer = heads.integers("layer")[row], head = heads.integers("head")[row];
      if (layer < 2 || (layer == 2 && head == 1)) {
        ++dense;
        const double wanted = expected[HeadName{layer, head}.text()][name].get<double>();
        EXPECT_NEAR(values[row], wanted, 2e-5 * std::max(1.0, std::abs(wanted))) << name << layer << head;
      } else {
        EXPECT_TRUE(std::isfinite(values[row])) << name;  // of fewer queries, while the layer ran
      }
    }
  }
  EXPECT_EQ(dense, 7 * 9);
  EXPECT_THAT(readFile(fs::path(tables) / "model.csv"), HasSubstr("induction_score_heads"));
}

INSTANTIATE_TEST_SUITE_P(Families, DenseScores, ::testing::Values("gemma2", "qwen3", "granite"));

// The softmax of gpt-oss has one more score per head, which belongs to no query or key: scores are those
// computed while the layer ran.
TEST_F(DenseCapture, HeadsWithALearnedSinkHaveTheScoresOfThePass) {
  const std::string model = (fs::path(PLASTISCOPE_TEST_DATA) / "families" / "gpt_oss").string();
  const ProgramResult run =
      runProgram("plastiscope-cli", {"capture", "--model", model, "--tokens", path("t.jsonl"), "--heads",
                                     "all", "--dense", "L1H0", "--out", path("c.h5")});
  ASSERT_EQ(run.exitCode, 0) << run.err;
  const auto capture = openCapture(m_folder / "c.h5");
  EXPECT_TRUE(capture->info().layerInfos.at(0).learnedSinks);
  ASSERT_EQ(runProgram("plastiscope-cli", {"analyze", path("c.h5"), "--out", path("a.h5")}).exitCode, 0);
  const AnalysisFile analysis = readAnalysis(m_folder / "a.h5");
  const Table& heads = *analysis.find("heads");
  for (std::size_t row = 0; row < heads.rows(); ++row) {
    double entropy = 0, queries = 0;
    for (const HeadTextScores& text :
         capture->scores(heads.integers("layer")[row], heads.integers("head")[row])) {
      entropy += text.sums[indexOf(HeadScore::Entropy)];
      queries += text.queries.all;
    }
    EXPECT_NEAR(heads.numbers("attention_entropy")[row], entropy / queries, 1e-12) << row;
  }
}

#endif

}  // namespace
}  // namespace plastiscope::test
