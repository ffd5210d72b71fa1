// `import qk-sniffer` and `export qk-sniffer` on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/cli/command.h"
#include "tests/cli/hdf5_content.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope::test {
namespace {

std::string data(const std::string& name) {
  return (fs::path(PLASTISCOPE_TEST_DATA) / "qk_sniffer" / name).string();
}

#if PLASTISCOPE_HAS_ARROW

TEST(QkSnifferCommands, HelpShowsAnExample) {
  const ProgramResult import = run({"import", "qk-sniffer", "--help"}),
                      out = run({"export", "qk-sniffer", "--help"});
  EXPECT_EQ(import.exitCode, 0);
  EXPECT_THAT(import.out, AllOf(HasSubstr("plastiscope-cli import qk-sniffer"), HasSubstr("--window"),
                                HasSubstr("--model"), HasSubstr("token_str")));
  EXPECT_THAT(out.out, HasSubstr("plastiscope-cli export qk-sniffer study.h5 --out"));
}

TEST(QkSnifferCommands, ImportedCapturesAreVerifiedShownAnalysedAndExported) {
  const TemporaryFolder folder;
  const std::string a = (folder / "a.h5").string(), b = (folder / "b.h5").string(),
                    set = (folder / "set").string();
  const ProgramResult import = run({"import", "qk-sniffer", data("branch"), "--out", a, "--window", "64"});
  ASSERT_EQ(import.exitCode, 0) << import.err;
  EXPECT_EQ(import.out, a + "\n");
  EXPECT_EQ(run({"verify", a}).exitCode, 0);
  const ProgramResult info = run({"info", a, "--json"});
  ASSERT_EQ(info.exitCode, 0) << info.err;
  EXPECT_EQ(Json::parse(info.out).at("heads"), Json({"L0H0", "L0H3", "L1H2", "L3H0", "L3H1"}));
  const std::string tables = (folder / "tables").string();
  const ProgramResult analyze = run({"analyze", a, "--out", (folder / "a.analysis.h5").string(), "--csv",
                                     tables, "--min-queries", "2", "--min-pairs", "1"});
  ASSERT_EQ(analyze.exitCode, 0) << analyze.err;
  const std::string heads = readFile(folder / "tables" / "heads.csv");
  EXPECT_EQ(std::count(heads.begin(), heads.end(), '\n'), 6);  // five heads
  ASSERT_EQ(run({"export", "qk-sniffer", a, "--out", set}).exitCode, 0);
  const ProgramResult again = run({"import", "qk-sniffer", set, "--out", b});
  ASSERT_EQ(again.exitCode, 0) << again.err;
  EXPECT_EQ(hdf5Content(a), hdf5Content(b));
}

TEST(QkSnifferCommands, AModelFolderSuppliesMissingMetadata) {
  const TemporaryFolder folder;
  TinyLlama model;
  model.config["num_hidden_layers"] = 4;
  model.config["head_dim"] = 16;
  model.config["rope_theta"] = 500000.0;
  model.config["max_position_embeddings"] = 64;
  model.write(folder / "tiny");
  const std::string out = (folder / "a.h5").string();
  const ProgramResult import =
      run({"import", "qk-sniffer", data("branch"), "--out", out, "--model", (folder / "tiny").string()});
  ASSERT_EQ(import.exitCode, 0) << import.err;
  EXPECT_THAT(import.err, HasSubstr("the model's context of 64 tokens"));
  const Json info = Json::parse(run({"info", out, "--json"}).out);
  EXPECT_EQ(info.at("architecture"), "llama");
  EXPECT_EQ(info.at("window"), 64);
  EXPECT_EQ(info.at("rope").at("rope_theta"), 500000.0);
  model.config["head_dim"] = 8;
  model.write(folder / "other");
  const ProgramResult other = run({"import", "qk-sniffer", data("branch"), "--out",
                                   (folder / "b.h5").string(), "--model", (folder / "other").string()});
  EXPECT_EQ(other.exitCode, 3);
  EXPECT_THAT(other.err, AllOf(HasSubstr("8 values"), HasSubstr("found 16")));
}

TEST(QkSnifferCommands, WrongUseExitsWithCode2AndWrongFilesWithCode3) {
  const TemporaryFolder folder;
  const std::string out = (folder / "a.h5").string();
  const ProgramResult noWindow = run({"import", "qk-sniffer", data("branch"), "--out", out});
  EXPECT_EQ(noWindow.exitCode, 2);
  EXPECT_THAT(noWindow.err, HasSubstr("--window"));
  const ProgramResult beyond = run({"import", "qk-sniffer", data("branch"), "--out", out, "--window", "20"});
  EXPECT_EQ(beyond.exitCode, 3);
  EXPECT_THAT(beyond.err, AllOf(HasSubstr("data.parquet"), HasSubstr("row "), HasSubstr("window of 20")));
  EXPECT_EQ(run({"import", "qk-sniffer", data("branch"), "--out", out, "--windw", "20"}).exitCode, 2);
  EXPECT_EQ(
      run({"import", "qk-sniffer", data("branch"), "--out", out, "--window", "64", "--rope", "{"}).exitCode,
      2);
  EXPECT_EQ(
      run({"import", "qk-sniffer", data("branch"), "--out", out, "--window", "64", "--rope", "[1]"}).exitCode,
      2);
  EXPECT_EQ(run({"import"}).exitCode, 2);
  EXPECT_EQ(run({"import", "qk-sniffer", data("branch"), "--window", "64"}).exitCode, 2);
  EXPECT_EQ(run({"export", "qk-sniffer", data("texts.parquet"), "--out", (folder / "set").string()}).exitCode,
            3);
  EXPECT_EQ(run({"export", "qk-sniffer", (folder / "none.h5").string(), "--out", (folder / "set").string()})
                .exitCode,
            3);
  EXPECT_EQ(folder.listing(), "");
}

TEST(QkSnifferCommands, AFullDiskLeavesNothing) {
  const TemporaryFolder folder;
  const std::string a = (folder / "a.h5").string();
  ProgramOptions small;
  small.fileSizeLimit = 3000;
  const ProgramResult full = runProgram(
      "plastiscope-cli", {"import", "qk-sniffer", data("branch"), "--out", a, "--window", "64"}, small);
  EXPECT_EQ(full.exitCode, 4) << full.err;
  EXPECT_EQ(folder.listing(), "");
  ASSERT_EQ(run({"import", "qk-sniffer", data("branch"), "--out", a, "--window", "64"}).exitCode, 0);
  small.fileSizeLimit = 1000;
  const ProgramResult out =
      runProgram("plastiscope-cli", {"export", "qk-sniffer", a, "--out", (folder / "set").string()}, small);
  EXPECT_EQ(out.exitCode, 4) << out.err;
  EXPECT_EQ(folder.listing(), "a.h5");
}

TEST(QkSnifferCommands, WritesProgressAsJson) {
  const TemporaryFolder folder;
  const ProgramResult import = run({"import", "qk-sniffer", data("branch"), "--out",
                                    (folder / "a.h5").string(), "--window", "64", "--progress", "json"});
  ASSERT_EQ(import.exitCode, 0) << import.err;
  EXPECT_THAT(import.err, AllOf(HasSubstr("\"stage\":\"check\""), HasSubstr("\"stage\":\"import\""),
                                HasSubstr("eta_seconds"), HasSubstr("\"event\":\"done\"")));
}

#else

TEST(QkSnifferCommands, ABuildWithoutArrowRefuses) {
  const TemporaryFolder folder;
  const ProgramResult import =
      run({"import", "qk-sniffer", data("branch"), "--out", (folder / "a.h5").string(), "--window", "64"});
  EXPECT_EQ(import.exitCode, 2);
  EXPECT_THAT(import.err, AllOf(HasSubstr("Parquet"), HasSubstr("Arrow")));
  EXPECT_EQ(folder.listing(), "");
}

#endif

}  // namespace
}  // namespace plastiscope::test
