// Output of each command on valid input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/cli/command.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope::test {
namespace {

fs::path textData(const std::string& name) {
  return fs::path(PLASTISCOPE_TEST_DATA) / "text" / name;
}

// ---- tokenize

TEST(Tokenize, GivesTheIdsAndOffsetsOfTheLibrary) {
  const Json expected = readJsonFile(textData("golden") / "llama3.json").at("special");
  const TemporaryFolder folder;
  writeFileAtomically(folder / "text.txt", readJsonFile(textData("texts.json")).at(14).get<std::string>());
  const std::string model = textData("llama3").string(), file = (folder / "text.txt").string();
  const ProgramResult result = run({"tokenize", "--model", model, "--text", file, "--json"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  const Json printed = Json::parse(result.out);
  EXPECT_EQ(printed.size(), 2u);
  EXPECT_EQ(printed["tokens"], expected[0]);
  Json flat = Json::array();
  for (const Json& range : printed["offsets"]) flat.insert(flat.end(), range.begin(), range.end());
  EXPECT_EQ(flat, expected[1]);

  const ProgramResult plain = run({"tokenize", "--model", model, "--text", file, "--json", "--no-special"});
  Json without = expected[0];
  without.erase(0);  // the template's token at the start
  EXPECT_EQ(Json::parse(plain.out)["tokens"], without);
}

TEST(Tokenize, ReadsStandardInputAndPrintsIds) {
  const std::string model = textData("gpt2").string();
  const ProgramResult result = run({"tokenize", "--model", model, "--text", "-"}, "a<|endoftext|>a");
  ASSERT_EQ(result.exitCode, 0) << result.err;
  std::istringstream ids(result.out);
  std::int64_t first = 0, special = 0, last = 0;
  ASSERT_TRUE(ids >> first >> special >> last) << result.out;
  EXPECT_EQ(first, last);
  EXPECT_EQ(special, 560);
}

TEST(Tokenize, InvalidUtf8IsReplacedWithAWarning) {
  const std::string model = textData("gpt2").string();
  const ProgramResult broken = run({"tokenize", "--model", model, "--json"}, "x\xFFy");
  ASSERT_EQ(broken.exitCode, 0) << broken.err;
  EXPECT_THAT(broken.err, HasSubstr("warning"));
  EXPECT_EQ(broken.out, run({"tokenize", "--model", model, "--json"}, "x\uFFFDy").out);
}

TEST(Tokenize, NamesAMissingTextOrTokenizer) {
  const TemporaryFolder folder;
  const std::string model = textData("gpt2").string();
  const ProgramResult noText = run({"tokenize", "--model", model, "--text", (folder / "none.txt").string()});
  EXPECT_EQ(noText.exitCode, 3);
  EXPECT_THAT(noText.err, HasSubstr("none.txt"));
  const ProgramResult noTokenizer = run({"tokenize", "--model", folder.path().string()}, "x");
  EXPECT_EQ(noTokenizer.exitCode, 3);
  EXPECT_THAT(noTokenizer.err, HasSubstr("tokenizer"));
}

// ---- models and info

TEST(Models, ListsCacheAndFolders) {
  const TemporaryFolder folder;
  TinyLlama().write(folder / "plain" / "tiny");
  const fs::path entry = folder / "home" / "hub" / "models--org--cached";
  TinyLlama().write(entry / "snapshots" / "0123");
  fs::create_directories(entry / "refs");
  writeFileAtomically(entry / "refs" / "main", std::string_view("0123"));
  ProgramOptions options;
  options.environment = {"HF_HOME=" + (folder / "home").string(), "HF_HUB_CACHE=", "HUGGINGFACE_HUB_CACHE=",
                         "TRANSFORMERS_CACHE=", "HOME=" + (folder / "nobody").string()};
  const std::vector<std::string> call{"models", "--json", "--folder", (folder / "plain").string()};
  const ProgramResult result = runProgram("plastiscope-cli", call, options);
  ASSERT_EQ(result.exitCode, 0) << result.err;
  std::set<std::string> names;
  for (const Json& model : Json::parse(result.out)) {
    names.insert(model["name"].get<std::string>());
    EXPECT_EQ(model["card"]["layers"], 2) << model;
  }
  EXPECT_EQ(names.size(), 2u);
  EXPECT_TRUE(names.contains("org/cached"));

  const ProgramResult card = runProgram("plastiscope-cli", {"info", "org/cached", "--json"}, options);
  ASSERT_EQ(card.exitCode, 0) << card.err;
  const Json value = Json::parse(card.out);
  EXPECT_EQ(value["kind"], "model");
  EXPECT_EQ(value["query_heads"], 4);
  EXPECT_EQ(value["key_heads"], 2);
  EXPECT_EQ(value["head_dim"], 8);
}

TEST(Info, PrintsAModelSummary) {
  const TemporaryFolder folder;
  TinyLlama().write(folder / "model");
  const ProgramResult result = run({"info", (folder / "model").string()});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  for (const char* words : {"llama", "F32", "RoPE", "4,096 tokens"})
    EXPECT_THAT(result.out, HasSubstr(words));
}

#if PLASTISCOPE_HAS_TORCH

// ---- capture from texts, and its progress

class CaptureTexts : public ::testing::Test {
 protected:
  void SetUp() override {
    TinyLlama model;
    model.config["vocab_size"] = 600;
    model.tensors["model.embed_tokens.weight"] = {600, model.hidden};
    model.write(m_folder / "model");
    fs::copy(textData("gpt2") / "tokenizer.json", m_folder / "model" / "tokenizer.json");
    const std::string licence = "You may reproduce and distribute copies of the Work. It's 2024.\n";
    std::string text;
    for (int i = 0; i < 20; ++i) text += licence;
    writeFileAtomically(m_folder / "a.txt", text);
    writeFileAtomically(m_folder / "b.jsonl",
                        Json{{"id", 7}, {"text", text + "x\uD7FF"}, {"language", "English"}}.dump() + "\n" +
                            Json{{"id", 8}, {"text", ""}, {"language", "English"}}.dump() + "\n" +
                            Json{{"id", 9}, {"text", "no"}, {"language", "Chinese"}}.dump() + "\n");
  }

  ProgramResult capture(const std::vector<std::string>& more) const {
    std::vector<std::string> all{"capture", "--model", (m_folder / "model").string(), "--out",
                                 (m_folder / "c.h5").string()};
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  }

  TemporaryFolder m_folder;
};

TEST_F(CaptureTexts, TextsBecomeExamplesWithTheirIds) {
  const ProgramResult result =
      capture({"--text", (m_folder / "a.txt").string(), (m_folder / "b.jsonl").string(), "--heads", "all",
               "--max-examples", "2", "--window", "200", "--rate", "8"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  const ProgramResult card = run({"info", (m_folder / "c.h5").string(), "--json"});
  const Json value = Json::parse(card.out);
  EXPECT_EQ(value["examples"], 2);
  EXPECT_EQ(value["window"], 200);
  EXPECT_EQ(value["tokens"], 400);
  EXPECT_EQ(value["heads"].size(), 8u);
}

TEST_F(CaptureTexts, SelectionNeedsRecords) {
  const std::string records = (m_folder / "b.jsonl").string();
  ASSERT_EQ(capture({"--text", records, "--select", "language=English", "--heads", "L1H2"}).exitCode, 0);
  const ProgramResult none = capture({"--text", records, "--select", "language=German", "--fresh"});
  EXPECT_EQ(none.exitCode, 3);
  EXPECT_THAT(none.err, HasSubstr("language = German"));
  EXPECT_EQ(capture({"--text", (m_folder / "a.txt").string(), "--select", "language=English"}).exitCode, 2);
}

TEST_F(CaptureTexts, JsonProgressHasOneObjectPerLine) {
  const ProgramResult result =
      capture({"--text", (m_folder / "a.txt").string(), (m_folder / "b.jsonl").string(), "--select", "x=y",
               "--progress", "json"});
  EXPECT_EQ(result.exitCode, 2);  // --select and a plain text
  const ProgramResult good =
      capture({"--text", (m_folder / "b.jsonl").string(), "--progress", "json", "--heads", "all"});
  ASSERT_EQ(good.exitCode, 0) << good.err;
  std::istringstream lines(good.err);
  std::map<std::string, int> events;
  for (std::string line; std::getline(lines, line);) {
    const Json event = Json::parse(line);
    const std::string kind = event["event"];
    ++events[kind];
    if (kind == "progress") {
      EXPECT_TRUE(event.contains("stage") && event.contains("done") && event.contains("total") &&
                  event.contains("unit"));
    }
    if (kind == "start") {
      EXPECT_EQ(event["settings"]["heads"], "all");
    }
    if (kind == "warning") {
      EXPECT_THAT(event["message"].get<std::string>(), HasSubstr("empty"));
    }
  }
  EXPECT_EQ(events["start"], 1);
  EXPECT_EQ(events["unit"], 2);
  EXPECT_EQ(events["warning"], 1);
  EXPECT_EQ(events["done"], 1);
  EXPECT_GE(events["progress"], 1);
}

TEST_F(CaptureTexts, JsonProgressContainsErrors) {
  const ProgramResult result = capture({"--text", (m_folder / "none.txt").string(), "--progress", "json"});
  EXPECT_EQ(result.exitCode, 3);
  const Json event = Json::parse(result.err.substr(0, result.err.find('\n')));
  EXPECT_EQ(event["event"], "error");
  EXPECT_EQ(event["code"], 3);
  EXPECT_THAT(event["message"].get<std::string>(), HasSubstr("none.txt"));
}

TEST_F(CaptureTexts, QuietPrintsNothing) {
  const ProgramResult result =
      capture({"--text", (m_folder / "a.txt").string(), "--heads", "all", "--quiet"});
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_EQ(result.out + result.err, "");
}

// ---- verify

TEST_F(CaptureTexts, VerifyFindsAChangedByte) {
  ASSERT_EQ(capture({"--text", (m_folder / "a.txt").string(), "--heads", "all", "--rate", "8"}).exitCode, 0);
  const fs::path file = m_folder / "c.h5";
  EXPECT_THAT(run({"verify", file.string()}).out, HasSubstr("intact"));
  std::string bytes = readFile(file);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  writeFileAtomically(file, bytes);
  const ProgramResult damaged = run({"verify", file.string()});
  EXPECT_EQ(damaged.exitCode, 3);
  EXPECT_THAT(damaged.out, HasSubstr("PROBLEM"));
  EXPECT_THAT(damaged.err, HasSubstr("c.h5"));
}

// ---- a full disk while results are written

TEST_F(CaptureTexts, AnalyzeAndExportLeaveNothingOnAFullDisk) {
  ASSERT_EQ(capture({"--text", (m_folder / "a.txt").string(), "--heads", "all", "--rate", "8"}).exitCode, 0);
  const std::string file = (m_folder / "c.h5").string(), analysis = (m_folder / "a.h5").string();
  const std::string before = m_folder.listing();
  ProgramOptions full;
  full.fileSizeLimit = 2000;
  const ProgramResult analyze = runProgram("plastiscope-cli", {"analyze", file, "--out", analysis}, full);
  EXPECT_EQ(analyze.exitCode, 4) << analyze.err;
  EXPECT_EQ(m_folder.listing(), before);

  ASSERT_EQ(run({"analyze", file, "--out", analysis}).exitCode, 0);
  full.fileSizeLimit = 100;
  const std::string tables = (m_folder / "tables").string();
  const ProgramResult exported =
      runProgram("plastiscope-cli", {"export", "csv", analysis, "--out", tables}, full);
  EXPECT_EQ(exported.exitCode, 4) << exported.err;
  EXPECT_THAT(exported.err, HasSubstr("the largest file size allowed here"));
  EXPECT_FALSE(fs::exists(tables)) << "partial output";
}

#endif

}  // namespace
}  // namespace plastiscope::test
