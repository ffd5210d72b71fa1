// Losses of a capture: equal to transformers for every kind of output, independent of threads, parts and
// interruptions, and shown by info and tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"
#include "tests/cli/hdf5_content.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

#if PLASTISCOPE_HAS_TORCH

const fs::path kData = PLASTISCOPE_TEST_DATA;
constexpr const char* kProgress = "\"stage\":\"capture\"";

Json expectedLosses() {
  return parseJson(readFile(kData / "scores" / "expected.json"), {});
}

class LossCapture : public ::testing::Test {
 protected:
  ProgramResult capture(const std::string& out, const std::vector<std::string>& more = {},
                        const ProgramOptions& options = {}) const {
    std::vector<std::string> all{"capture", "--model", m_model,  "--tokens", m_tokens, "--heads",    "all",
                                 "--out",   path(out), "--loss", "--rate",   "20",     "--progress", "json"};
    all.insert(all.end(), more.begin(), more.end());
    return runProgram("plastiscope-cli", all, options);
  }
  std::string path(const std::string& name) const { return (m_folder / name).string(); }
  // A tiny Llama with its own output layer, on texts whose second half repeats the first.
  void useTinyLlama() {
    TinyLlama llama;
    llama.tensors["lm_head.weight"] = {llama.vocabulary, llama.hidden};
    llama.tensors["model.norm.weight"] = {llama.hidden};
    llama.config["tie_word_embeddings"] = false;
    llama.write(m_folder / "model");
    m_model = path("model");
    m_tokens = path("t.jsonl");
    writeTokenFile(m_folder / "t.jsonl", 6, 1300);
  }

  TemporaryFolder m_folder;
  std::string m_model, m_tokens = (kData / "scores" / "tokens.jsonl").string();
};

// Error of the mean loss of a text, and the largest error of a token.
struct LossErrors {
  double mean = 0, most = 0;
};
LossErrors errorsOf(const TokenLosses& losses, const Json& expected) {
  LossErrors errors;
  for (std::size_t t = 1; t < losses.nll.size(); ++t) {
    const double error = static_cast<double>(losses.nll[t]) - expected[t].get<double>();
    errors.mean += error / static_cast<double>(losses.nll.size() - 1);
    errors.most = std::max(errors.most, std::abs(error));
  }
  return errors;
}

class LossByFamily : public LossCapture, public ::testing::WithParamInterface<std::string> {};

// tests/data/scores: cross entropies of transformers' logits in float32.
TEST_P(LossByFamily, EqualsTransformers) {
  const Json expected = expectedLosses();
  m_model = (kData / "families" / GetParam()).string();
  const ProgramResult run = capture("c.h5", {"--all-layers", "--dtype", "float32"});
  ASSERT_EQ(run.exitCode, 0) << run.err;
  const auto file = openCapture(m_folder / "c.h5");
  for (std::int64_t text = 0; text < 2; ++text) {
    const TokenLosses losses = file->losses(text);
    const Json& wanted = expected["nll"][GetParam()][static_cast<std::size_t>(text)];
    ASSERT_EQ(losses.nll.size(), wanted.size());
    EXPECT_TRUE(std::isnan(losses.nll[0]));
    EXPECT_LT(errorsOf(losses, wanted).most, 2e-3) << "losses reach about 60 nats";
    EXPECT_EQ(losses.firstPlace,
              expected["first_places"][static_cast<std::size_t>(text)].get<std::vector<std::int32_t>>());
  }
}

std::vector<std::string> lossFamilies() {
  std::vector<std::string> names;
  const Json expected = expectedLosses();
  for (const auto& [name, losses] : expected["nll"].items()) names.push_back(name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Families, LossByFamily, ::testing::ValuesIn(lossFamilies()),
                         [](const auto& family) { return family.param; });

TEST_F(LossCapture, Bfloat16IsCloseToTransformers) {
  const Json expected = expectedLosses();
  for (const char* family : {"granite", "gemma2", "glm"}) {
    m_model = (kData / "families" / family).string();
    const std::string out = std::string(family) + ".h5";
    ASSERT_EQ(capture(out, {"--dtype", "bfloat16"}).exitCode, 0);
    for (std::int64_t text = 0; text < 2; ++text) {
      const LossErrors errors = errorsOf(openCapture(m_folder / out)->losses(text),
                                         expected["nll"][family][static_cast<std::size_t>(text)]);
      EXPECT_LT(std::abs(errors.mean), 0.3) << family << ": losses are about 5 to 24 nats";
      EXPECT_GT(errors.most, 0) << family << " must differ from float32";
    }
  }
}

// The comparison lists the effect of precision on vectors and on predictions.
TEST_F(LossCapture, ComparisonListsPerplexityAndDrift) {
  m_model = (kData / "families" / "granite").string();
  ASSERT_EQ(capture("exact.h5", {"--dtype", "float32"}).exitCode, 0);
  ASSERT_EQ(capture("rounded.h5", {"--dtype", "bfloat16"}).exitCode, 0);
  const Json expected = expectedLosses();
  double sum = 0, tokens = 0;
  for (const Json& text : expected["nll"]["granite"]) {
    for (std::size_t t = 1; t < text.size(); ++t, ++tokens) sum += text[t].get<double>();
  }
  const std::string tables = path("tables");
  const ProgramResult run = runProgram(
      "plastiscope-cli", {"compare", path("exact.h5"), path("rounded.h5"), "--drift", "--csv", tables});
  ASSERT_EQ(run.exitCode, 0) << run.err;
  double before = 0, after = 0, more = 0;
  std::string line = run.out.substr(std::min(run.out.find("perplexity "), run.out.size()));
  if (const auto minus = line.find("\u2212"); minus != std::string::npos) line.replace(minus, 3, "-");
  ASSERT_EQ(std::sscanf(line.c_str(), "perplexity %lf \u2192 %lf, loss %lf", &before, &after, &more), 3)
      << run.out;
  EXPECT_NEAR(std::log(before), sum / tokens, 1e-3);
  EXPECT_NEAR(std::log(after) - std::log(before), more, 1e-3);
  EXPECT_NE(before, after);
  EXPECT_THAT(readFile(m_folder / "tables" / "loss.csv"),
              HasSubstr("model,part,from,to,tokens,nll,difference,perplexity,difference_low,difference_high,"
                        "interval_over,verdict\n"));
}

TEST_F(LossCapture, DoesNotDependOnThreadsPartsOrInterruptions) {
  useTinyLlama();
  writeTokenFile(m_folder / "t.jsonl", 8, 4000);
  ASSERT_EQ(capture("whole.h5").exitCode, 0);
  const auto whole = hdf5Content(m_folder / "whole.h5");
  EXPECT_TRUE(whole.contains("/loss/nll"));
  ASSERT_EQ(capture("threads.h5", {"--threads", "1"}).exitCode, 0);
  EXPECT_TRUE(hdf5Content(m_folder / "threads.h5") == whole);

  ASSERT_EQ(capture("a.h5", {"--part", "0/2"}).exitCode, 0);
  ASSERT_EQ(capture("b.h5", {"--part", "1/2"}).exitCode, 0);
  ASSERT_EQ(
      runProgram("plastiscope-cli", {"merge", path("b.h5"), path("a.h5"), "--out", path("ab.h5")}).exitCode,
      0);
  EXPECT_TRUE(hdf5Content(m_folder / "ab.h5") == whole);

  int killed = 0;
  for (const std::size_t reports : {2, 4, 7, 10, 13}) {
    ProgramOptions kill;
    kill.signal = SIGKILL;
    kill.interruptWhen = [reports](const std::string& err) {
      std::size_t count = 0;
      for (auto at = err.find(kProgress); at != std::string::npos; at = err.find(kProgress, at + 1)) ++count;
      return count >= reports;
    };
    killed += capture("c.h5", {"--checkpoint-every", "0"}, kill).exitCode != 0 ? 1 : 0;
  }
  EXPECT_GT(killed, 1);
  ASSERT_EQ(capture("c.h5").exitCode, 0);
  EXPECT_TRUE(hdf5Content(m_folder / "c.h5") == whole);
}

TEST_F(LossCapture, InfoAndTablesShowLosses) {
  m_model = (kData / "families" / "granite").string();
  ASSERT_EQ(capture("c.h5", {"--dtype", "float32"}).exitCode, 0);
  const Json expected = expectedLosses();
  double all = 0, repeated = 0, first = 0;
  int tokens = 0, passages = 0;
  for (std::size_t text = 0; text < 2; ++text) {
    const Json &nll = expected["nll"]["granite"][text], &places = expected["first_places"][text];
    for (std::size_t t = 1; t < nll.size(); ++t) {
      all += nll[t].get<double>();
      ++tokens;
      if (places[t] < 0) continue;
      repeated += nll[t].get<double>();
      first += nll[places[t].get<std::size_t>()].get<double>();
      ++passages;
    }
  }
  ASSERT_GT(passages, 100);
  const Json loss = Json::parse(runProgram("plastiscope-cli", {"info", path("c.h5"), "--json"}).out)["loss"];
  EXPECT_EQ(loss["tokens"], tokens);
  EXPECT_EQ(loss["repeated_tokens"], passages);
  EXPECT_NEAR(loss["nll"].get<double>(), all / tokens, 1e-4);
  EXPECT_NEAR(loss["repeated_nll"].get<double>(), repeated / passages, 1e-4);
  EXPECT_NEAR(loss["first_occurrence_nll"].get<double>(), first / passages, 1e-4);
  EXPECT_THAT(runProgram("plastiscope-cli", {"info", path("c.h5")}).out,
              AllOf(HasSubstr("nats per token, perplexity"), HasSubstr(" tokens of passages seen before: ")));

  ASSERT_EQ(runProgram("plastiscope-cli", {"analyze", path("c.h5"), "--out", path("a.h5")}).exitCode, 0);
  const AnalysisFile analysis = readAnalysis(m_folder / "a.h5");
  const Table* table = analysis.find("loss");
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(table->rows(), 23u);
  EXPECT_EQ(table->texts("part")[0], "all");
  EXPECT_NEAR(table->numbers("nll")[0], all / tokens, 1e-4);
  EXPECT_NEAR(table->numbers("perplexity")[0], std::exp(all / tokens), 0.1);
  EXPECT_NEAR(table->numbers("nll")[21], repeated / passages, 1e-4);
  EXPECT_EQ(table->integers("tokens")[22], passages);
  EXPECT_EQ(table->integers("from")[20] - table->integers("from")[19], 21);  // a twentieth of 420
}

TEST_F(LossCapture, IsEstimatedAndVerified) {
  useTinyLlama();
  const Json with = Json::parse(capture("e.h5", {"--estimate", "--json"}).out);
  const std::int64_t tokens = 6 * 1300;
  ASSERT_EQ(capture("c.h5").exitCode, 0);
  EXPECT_NEAR(with["file_bytes"].get<double>() / static_cast<double>(fs::file_size(m_folder / "c.h5")), 1,
              0.15);
  const ProgramResult good = runProgram("plastiscope-cli", {"verify", path("c.h5")});
  EXPECT_EQ(good.exitCode, 0);
  EXPECT_THAT(good.out, HasSubstr("losses of 6 examples"));

  std::string bytes = readFile(m_folder / "c.h5");
  const auto losses = openCapture(m_folder / "c.h5")->losses(0).nll;
  const std::size_t at =
      bytes.find(std::string(reinterpret_cast<const char*>(losses.data() + 1), 40 * sizeof(float)));
  ASSERT_NE(at, std::string::npos);
  bytes[at + 7] ^= 1;
  std::ofstream(m_folder / "bad.h5", std::ios::binary) << bytes;
  const ProgramResult bad = runProgram("plastiscope-cli", {"verify", path("bad.h5")});
  EXPECT_EQ(bad.exitCode, 3);
  EXPECT_THAT(bad.out + bad.err, HasSubstr("/loss/nll"));
  EXPECT_EQ(static_cast<std::int64_t>(losses.size()) * 6, tokens);
}

// The weights of a base model have no output layer.
TEST_F(LossCapture, NeedsTheModelsOutput) {
  useTinyLlama();
  TinyLlama bare;
  bare.config["tie_word_embeddings"] = false;
  bare.tensors.erase("lm_head.weight");
  bare.write(m_folder / "bare");
  m_model = path("bare");
  const ProgramResult run = capture("c.h5");
  EXPECT_EQ(run.exitCode, 3);
  EXPECT_THAT(run.err, HasSubstr("the weights of the model's output, for --loss"));
  EXPECT_FALSE(fs::exists(m_folder / "c.h5"));
}

// Removing a head changes the predictions, even without a captured layer after it.
TEST_F(LossCapture, ShowsTheEffectOfRemovingAHead) {
  useTinyLlama();
  ASSERT_EQ(capture("plain.h5").exitCode, 0);
  const ProgramResult run = capture("changed.h5", {"--ablate", "L1H3"});
  ASSERT_EQ(run.exitCode, 0);
  EXPECT_THAT(run.err, Not(HasSubstr("the change will not be visible")));
  const auto plain = openCapture(m_folder / "plain.h5")->losses(0).nll;
  const auto changed = openCapture(m_folder / "changed.h5")->losses(0).nll;
  int different = 0;
  for (std::size_t t = 1; t < plain.size(); ++t) different += plain[t] != changed[t] ? 1 : 0;
  EXPECT_GT(different, 1000);
}

#endif

}  // namespace
}  // namespace plastiscope::test
