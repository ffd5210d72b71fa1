// Whole runs on a tiny model: capture, stop, resume, full disk, newer files, tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/store/capture_writer.h"
#include "tests/cli/hdf5_content.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"
#include "tests/support/version_files.h"

namespace plastiscope::test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

#if PLASTISCOPE_HAS_TORCH

class CaptureRun : public ::testing::Test {
 protected:
  void SetUp() override { TinyLlama().write(m_folder / "model"); }

  std::vector<std::string> arguments(const std::string& out, std::vector<std::string> more = {}) const {
    std::vector<std::string> all{"capture",
                                 "--model",
                                 (m_folder / "model").string(),
                                 "--tokens",
                                 (m_folder / "t.jsonl").string(),
                                 "--heads",
                                 "all",
                                 "--rate",
                                 "40",
                                 "--progress",
                                 "json",
                                 "--out",
                                 (m_folder / out).string()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  // Expects equal datasets and attributes in two captures, except `created`.
  static void expectSameCapture(const fs::path& one, const fs::path& other) {
    const auto a = hdf5Content(one), b = hdf5Content(other);
    ASSERT_GT(a.size(), 80u);
    EXPECT_TRUE(a.contains("/layers/01/query/vectors/03"));
    for (const auto& [name, content] : a) {
      const auto found = b.find(name);
      ASSERT_TRUE(found != b.end()) << name;
      EXPECT_TRUE(found->second == content) << name;
    }
    EXPECT_EQ(a.size(), b.size());
  }

  TemporaryFolder m_folder;
};

TEST_F(CaptureRun, InterruptedAndResumedEqualsUndisturbed) {
  writeTokenFile(m_folder / "t.jsonl", 24, 2000);
  ASSERT_EQ(runProgram("plastiscope-cli", arguments("whole.h5")).exitCode, 0);

  ProgramOptions stop;
  stop.interruptWhen = [](const std::string& err) {
    return err.find("\"event\":\"unit\"") != std::string::npos;
  };
  const ProgramResult stopped = runProgram("plastiscope-cli", arguments("resumed.h5"), stop);
  EXPECT_EQ(stopped.exitCode, 5) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("plastiscope-cli: stopped on request; finished work is kept"));
  EXPECT_FALSE(fs::exists(m_folder / "resumed.h5"));

  const ProgramResult other = runProgram("plastiscope-cli", arguments("resumed.h5", {"--window", "1500"}));
  EXPECT_EQ(other.exitCode, 2) << other.err;
  EXPECT_THAT(other.err, HasSubstr("window"));

  const ProgramResult resumed = runProgram("plastiscope-cli", arguments("resumed.h5"));
  ASSERT_EQ(resumed.exitCode, 0) << resumed.err;
  expectSameCapture(m_folder / "whole.h5", m_folder / "resumed.h5");
  EXPECT_EQ(m_folder.listing(), "model resumed.h5 t.jsonl whole.h5");  // no unfinished work is left

  const auto threads = arguments("threads.h5", {"--threads", "1"});
  ASSERT_EQ(runProgram("plastiscope-cli", threads).exitCode, 0);
  expectSameCapture(m_folder / "whole.h5", m_folder / "threads.h5");
}

// SIGKILL leaves only what was written during the run; the capture resumes from that.
TEST_F(CaptureRun, KilledAndResumedEqualsUndisturbed) {
  writeTokenFile(m_folder / "t.jsonl", 8, 4000);  // four groups of two texts, of two chunks each
  ASSERT_EQ(runProgram("plastiscope-cli", arguments("whole.h5")).exitCode, 0);
  // Examples done according to the first or last line about the forward pass; -1: no such line.
  const auto doneOf = [](const std::string& err, bool last) {
    double done = -1;
    std::istringstream lines(err);
    for (std::string line; std::getline(lines, line);) {
      const Json event = Json::parse(line, nullptr, false);
      if (!event.is_object() || event.value("stage", "") != "capture" || !event.contains("done")) continue;
      done = event["done"].get<double>();
      if (!last) break;
    }
    return done;
  };
  int killed = 0;
  for (const double share : {0.3, 1.2, 2.1, 3.4, 5.0, 6.6, 7.5}) {
    ProgramOptions kill;
    kill.signal = SIGKILL;
    kill.interruptWhen = [&](const std::string& err) { return doneOf(err, true) >= share; };
    const auto often = arguments("resumed.h5", {"--checkpoint-every", "0"});
    const ProgramResult dead = runProgram("plastiscope-cli", often, kill);
    if (dead.exitCode == 0) continue;  // finished before the signal
    ++killed;
    ASSERT_EQ(dead.exitCode, 128 + SIGKILL) << dead.err;
    const ProgramResult resumed = runProgram("plastiscope-cli", arguments("resumed.h5"));
    ASSERT_EQ(resumed.exitCode, 0) << resumed.err;
    // Without a capture line all eight were captured: the signal came while they were joined.
    const double begun = doneOf(resumed.err, false), goesOnAt = begun < 0 ? 8 : begun;
    EXPECT_LE(doneOf(dead.err, true) - goesOnAt, 1.01) << "lost more than one text in one layer";
    expectSameCapture(m_folder / "whole.h5", m_folder / "resumed.h5");
    EXPECT_EQ(m_folder.listing(), "model resumed.h5 t.jsonl whole.h5");
    fs::remove(m_folder / "resumed.h5");
  }
  EXPECT_GT(killed, 0);
}

TEST_F(CaptureRun, FullDiskExitsWithCode4AndWorkResumes) {
  writeTokenFile(m_folder / "t.jsonl", 8, 1000);
  ProgramOptions full;
  full.fileSizeLimit = 300'000;  // units fit, the sealed file does not
  const ProgramResult result = runProgram("plastiscope-cli", arguments("c.h5"), full);
  EXPECT_EQ(result.exitCode, 4) << result.err;
  EXPECT_FALSE(fs::exists(m_folder / "c.h5"));
  ASSERT_EQ(runProgram("plastiscope-cli", arguments("c.h5")).exitCode, 0);
  ASSERT_EQ(runProgram("plastiscope-cli", arguments("undisturbed.h5")).exitCode, 0);
  expectSameCapture(m_folder / "c.h5", m_folder / "undisturbed.h5");
}

TEST_F(CaptureRun, KeepsTheWarningsOfUnusualTokens) {
  TinyLlama llama;
  llama.config["vocab_size"] = 600;
  for (auto& [name, shape] : llama.tensors)
    if (name.ends_with("embed_tokens.weight") || name == "lm_head.weight") shape[0] = 600;
  llama.write(m_folder / "model");
  fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "text/gpt2/tokenizer.json",
                m_folder / "model/tokenizer.json");
  writeFileAtomically(m_folder / "a.txt", std::string_view("a text<|endoftext|>and another"));
  std::vector<std::string> command = arguments("c.h5");
  command[3] = "--text";
  command[4] = (m_folder / "a.txt").string();
  constexpr const char* kWarning = "1 special token in 1 text";
  const ProgramResult result = runProgram("plastiscope-cli", command);
  ASSERT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr(kWarning));
  const std::string file = (m_folder / "c.h5").string();
  EXPECT_THAT(runProgram("plastiscope-cli", {"info", file}).err, HasSubstr(kWarning));
  EXPECT_EQ(runProgram("plastiscope-cli", command).exitCode, 0) << "finished already";
  command.push_back("--no-special");
  const ProgramResult other = runProgram("plastiscope-cli", command);
  EXPECT_EQ(other.exitCode, 2);
  EXPECT_THAT(other.err, HasSubstr("no_special"));
}

TEST_F(CaptureRun, NaNsInTheWeightsAreNamed) {
  writeTokenFile(m_folder / "t.jsonl", 1, 100);
  const fs::path weights = m_folder / "model/model.safetensors";
  const std::string whole = readFile(weights);
  const std::string_view nan("\0\0\xC0\x7F", 4);
  const std::size_t first = whole.find("}}") + 2, last = whole.size() - nan.size();
  for (const auto& [place, tensor] :
       {std::pair(first, "model.embed_tokens.weight"), {last, "model.norm.weight"}}) {
    std::string damaged = whole;
    damaged.replace(place, nan.size(), nan);
    writeFileAtomically(weights, damaged);
    const ProgramResult result = runProgram("plastiscope-cli", arguments("c.h5", {"--loss", "--fresh"}));
    EXPECT_EQ(result.exitCode, 3);
    EXPECT_THAT(result.err,
                HasSubstr(std::string("tensor ") + tensor + ": expected finite numbers, found NaN"));
  }
}

TEST_F(CaptureRun, UnwritableOutputExitsWithCode3BeforeAnyWork) {
  writeTokenFile(m_folder / "t.jsonl", 1, 100);
  writeFileAtomically(m_folder / "file", std::string_view("x"));
  const ProgramResult result = runProgram("plastiscope-cli", arguments("file/c.h5"));
  EXPECT_EQ(result.exitCode, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("file"));
}

TEST_F(CaptureRun, TooLittleMemoryExitsWithCode4BeforeTheStart) {
  writeTokenFile(m_folder / "t.jsonl", 1, 1000);
  const ProgramResult result = runProgram("plastiscope-cli", arguments("c.h5", {"--memory-limit", "100kB"}));
  EXPECT_EQ(result.exitCode, 4) << result.err;
  EXPECT_THAT(result.err, HasSubstr("memory"));
  EXPECT_EQ(m_folder.listing(), "model t.jsonl");
}

TEST_F(CaptureRun, TokensOutsideTheVocabularyAreNamed) {
  writeFileAtomically(m_folder / "t.jsonl", std::string_view("{\"id\": 5, \"tokens\": [1, 2, 64]}\n"));
  const ProgramResult result = runProgram("plastiscope-cli", arguments("c.h5"));
  EXPECT_EQ(result.exitCode, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("64"));
}

TEST_F(CaptureRun, RefusesACaptureFromANewerVersion) {
  writeTokenFile(m_folder / "t.jsonl", 1, 300);
  ASSERT_EQ(runProgram("plastiscope-cli", arguments("c.h5")).exitCode, 0);
  const hid_t file = H5Fopen((m_folder / "c.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
  const std::int64_t newer = 2;
  ASSERT_GE(H5Awrite(attribute, H5T_NATIVE_INT64, &newer), 0);
  H5Aclose(attribute);
  H5Fclose(file);
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"info", (m_folder / "c.h5").string()},
        std::vector<std::string>{"analyze", (m_folder / "c.h5").string(), "--out",
                                 (m_folder / "a.h5").string()}}) {
    const ProgramResult result = runProgram("plastiscope-cli", call);
    EXPECT_EQ(result.exitCode, 3) << result.err;
    EXPECT_THAT(result.err, HasSubstr("newer"));
  }
  EXPECT_FALSE(fs::exists(m_folder / "a.h5"));
}

TEST_F(CaptureRun, CaptureAndAnalyzeWriteTables) {
  writeTokenFile(m_folder / "t.jsonl", 12, 600);
  ASSERT_EQ(runProgram("plastiscope-cli", arguments("c.h5")).exitCode, 0);
  const ProgramResult card = runProgram("plastiscope-cli", {"info", (m_folder / "c.h5").string(), "--json"});
  ASSERT_EQ(card.exitCode, 0) << card.err;
  EXPECT_EQ(Json::parse(card.out)["heads"],
            Json({"L0H0", "L0H1", "L0H2", "L0H3", "L1H0", "L1H1", "L1H2", "L1H3"}));

  const std::string analysis = (m_folder / "a.h5").string(), again = (m_folder / "b.h5").string();
  const ProgramResult run = runProgram("plastiscope-cli", {"analyze", (m_folder / "c.h5").string(), "--out",
                                                           analysis, "--csv", (m_folder / "csv").string()});
  ASSERT_EQ(run.exitCode, 0) << run.err;
  ASSERT_EQ(runProgram("plastiscope-cli", {"analyze", (m_folder / "c.h5").string(), "--out", again,
                                           "--threads", "1", "--csv", (m_folder / "csv1").string()})
                .exitCode,
            0);
  ASSERT_EQ(runProgram("plastiscope-cli", {"export", "csv", analysis, "--out", (m_folder / "csv2").string()})
                .exitCode,
            0);
  int tables = 0;
  for (const auto& entry : fs::directory_iterator(m_folder / "csv")) {
    if (entry.path().extension() != ".csv") continue;
    ++tables;
    const std::string name = entry.path().filename().string();
    EXPECT_EQ(readFile(entry.path()), readFile(m_folder / "csv1" / name)) << name;
    EXPECT_EQ(readFile(entry.path()), readFile(m_folder / "csv2" / name)) << name;
  }
  EXPECT_GE(tables, 8);
  EXPECT_THAT(readFile(m_folder / "csv" / "heads.csv"),
              HasSubstr("layer,head,kv_head,attention,rope,query_rows"));
  EXPECT_TRUE(fs::exists(m_folder / "csv" / "provenance.json"));
  EXPECT_EQ(runProgram("plastiscope-cli", {"verify", (m_folder / "c.h5").string(), analysis}).exitCode, 0);
}

TEST_F(CaptureRun, EstimateWritesNothing) {
  writeTokenFile(m_folder / "t.jsonl", 3, 500);
  const ProgramResult result =
      runProgram("plastiscope-cli", arguments("c.h5", {"--estimate", "--json", "--device", "cpu"}));
  ASSERT_EQ(result.exitCode, 0) << result.err;
  const Json estimate = Json::parse(result.out);
  EXPECT_EQ(estimate["examples"], 3);
  EXPECT_EQ(estimate["tokens_after_cut"], 1500);
  EXPECT_FALSE(estimate.contains("card_bytes")) << "computed on the CPU";
  EXPECT_EQ(m_folder.listing(), "model t.jsonl");
}

// Unfinished work of an older version either resumes and equals an undisturbed run, or is refused.
class UnfinishedWork : public ::testing::TestWithParam<std::string> {};

TEST_P(UnfinishedWork, IsResumedOrRefused) {
  const fs::path packed = fs::path(PLASTISCOPE_TEST_DATA) / "versions" / GetParam() / "unfinished.tar.gz";
  if (!fs::exists(packed)) GTEST_SKIP() << "unfinished work of 0.1 is not supported";
  const TemporaryFolder folder;
  ASSERT_EQ(std::system(("tar xzf '" + packed.string() + "' -C '" + folder.path().string() + "'").c_str()),
            0);
  const auto capture = [&](const std::string& out) {
    std::vector<std::string> all{"capture",
                                 "--model",
                                 PLASTISCOPE_TEST_DATA "/model/tiny.gguf",
                                 "--tokens",
                                 (folder / "tokens.jsonl").string(),
                                 "--out",
                                 (folder / out).string()};
    for (const char* more : {"--window", "600", "--bucket-size", "150", "--rate", "4", "--heads", "all",
                             "--dtype", "float32", "--device", "cpu", "--progress", "json"})
      all.emplace_back(more);
    return runProgram("plastiscope-cli", all);
  };
  const auto units = [](const ProgramResult& result) {
    std::set<std::string> names;
    std::istringstream lines(result.err);
    for (std::string line; std::getline(lines, line);) {
      const Json event = Json::parse(line, nullptr, false);
      if (event.is_object() && event.value("event", "") == "unit") names.insert(event["unit"]);
    }
    return names;
  };
  const fs::path work = folder / "unfinished.h5.partial";
  const bool same = readJsonFile(work / "settings.json")["program_version"] == kVersion;
  const ProgramResult resumed = capture("unfinished.h5");
  if (!same) {
    EXPECT_EQ(resumed.exitCode, 2) << resumed.err;
    EXPECT_THAT(resumed.err, HasSubstr("program_version"));
    EXPECT_TRUE(fs::exists(work / "units/000000.safetensors"));
    return;
  }
  ASSERT_EQ(resumed.exitCode, 0) << resumed.err;
  EXPECT_FALSE(fs::exists(work));
  EXPECT_THAT(units(resumed), ::testing::ElementsAre("text-2", "text-3", "text-4"));
  const ProgramResult whole = capture("whole.h5");
  ASSERT_EQ(whole.exitCode, 0) << whole.err;
  EXPECT_EQ(units(whole).size(), 5u);
  const auto one = openCapture(folder / "unfinished.h5"), other = openCapture(folder / "whole.h5");
  std::size_t compared = 0;
  for (const CaptureLayerInfo& layer : other->info().layerInfos) {
    for (const RowSet set : rowSetsOf(other->info(), layer)) {
      for (const std::int64_t head : headsOf(layer, set)) {
        const CapturedRows a = one->rows({layer.layer, head, set}), b = other->rows({layer.layer, head, set});
        EXPECT_EQ(a.position, b.position);
        EXPECT_EQ(a.example, b.example);
        ASSERT_EQ(a.vectors.size(), b.vectors.size());
        // It may have been started on another CPU: the last bits of float16 can differ.
        for (std::size_t i = 0; i < a.vectors.size(); ++i)
          ASSERT_NEAR(a.vectors[i], b.vectors[i], 2e-3 * (1 + std::abs(b.vectors[i])));
        compared += a.vectors.size();
      }
    }
  }
  EXPECT_GT(compared, 5000u);
}

INSTANTIATE_TEST_SUITE_P(Versions, UnfinishedWork, ::testing::ValuesIn(versions()), [](const auto& version) {
  std::string name = "of_" + version.param;
  std::ranges::replace(name, '.', '_');
  return name;
});

#else

TEST(CaptureWithoutTorch, ReportsThatTheBuildHasNoBackend) {
  const TemporaryFolder folder;
  TinyLlama().write(folder / "model");
  writeTokenFile(folder / "t.jsonl", 1, 100);
  const ProgramResult result =
      runProgram("plastiscope-cli", {"capture", "--model", (folder / "model").string(), "--tokens",
                                     (folder / "t.jsonl").string(), "--out", (folder / "c.h5").string()});
  EXPECT_EQ(result.exitCode, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("torch"));
  EXPECT_EQ(folder.listing(), "model t.jsonl");
}

#endif

}  // namespace
}  // namespace plastiscope::test
