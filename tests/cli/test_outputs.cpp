// Outputs of commands: allowed and refused places, kept files, and standard output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>
#include <map>

#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/cli/command.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope::test {
namespace {

class Outputs : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"grouped.h5", "odd.h5"})
      fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "analysis" / name, m_folder / name);
  }
  std::string in(const std::string& name) const { return (m_folder / name).string(); }
  ProgramResult analyze(std::vector<std::string> options = {},
                        const std::string& capture = "grouped.h5") const {
    options.insert(options.begin(), {"analyze", in(capture), "--out", in("a.h5")});
    return run(options);
  }
  // Expects exit code 3 and unchanged files.
  void expectRefused(const std::vector<std::string>& arguments, const std::string& file,
                     const std::string& words) {
    const std::string before = fs::is_regular_file(file) ? readFile(file) : "";
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exitCode, 3) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr(file), HasSubstr(words)));
    if (!before.empty()) {
      EXPECT_EQ(readFile(file), before);
    }
  }
  TemporaryFolder m_folder;
};

TEST_F(Outputs, AnalyzeReplacesNothingButAnalyses) {
  TinyLlama().write(m_folder / "model");
  writeFileAtomically(m_folder / "notes.txt", std::string_view("mine"));
  ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
  fs::create_symlink(in("grouped.h5"), in("link.h5"));
  const auto to = [&](const std::string& out) {
    return std::vector<std::string>{"analyze", in("grouped.h5"), "--out", out, "--force"};
  };
  expectRefused(to(in("grouped.h5")), in("grouped.h5"), "this file is an input");
  expectRefused(to(in("./grouped.h5")), in("./grouped.h5"), "this file is an input");
  expectRefused(to(in("link.h5")), in("link.h5"), "this file is an input");
  expectRefused(to(in("model/model.safetensors")), in("model/model.safetensors"), "a file of a model");
  expectRefused(to(in("pipe")), in("pipe"), "found a named pipe");
  expectRefused(to("/dev/full"), "/dev/full", "found a device");
  expectRefused({"analyze", in("grouped.h5"), "--out", in("notes.txt")}, in("notes.txt"),
                "--force replaces it");
  expectRefused({"analyze", in("grouped.h5"), "--out", in("odd.h5")}, in("odd.h5"), "found a capture");
  EXPECT_TRUE(fs::is_fifo(in("pipe")));
  EXPECT_EQ(run(to(in("notes.txt"))).exitCode, 0);
  EXPECT_EQ(run({"verify", in("notes.txt")}).exitCode, 0);
}

TEST_F(Outputs, OtherCommandsReplaceNeitherInputsNorForeignFiles) {
  writeFileAtomically(m_folder / "notes.csv", std::string_view("mine"));
  expectRefused({"pairs", in("grouped.h5"), "--head", "L0H0", "--out", in("grouped.h5"), "--force"},
                in("grouped.h5"), "this file is an input");
  expectRefused({"pairs", in("grouped.h5"), "--head", "L0H0", "--out", in("notes.csv")}, in("notes.csv"),
                "--force");
  expectRefused({"import", "qk-sniffer", in("none"), "--out", in("notes.csv")}, in("notes.csv"), "--force");
  TinyLlama().write(m_folder / "model");
  writeTokenFile(m_folder / "t.jsonl", 1, 50);
  const auto capture = [&](const std::string& out) {
    return std::vector<std::string>{"capture",     "--model", in("model"), "--tokens",
                                    in("t.jsonl"), "--out",   out,         "--force"};
  };
#if PLASTISCOPE_HAS_TORCH
  expectRefused(capture(in("t.jsonl")), in("t.jsonl"), "this file is an input");
  expectRefused(capture(in("model/config.json")), in("model/config.json"), "this file is an input");
  std::vector<std::string> unforced = capture(in("notes.csv"));
  unforced.pop_back();
  expectRefused(unforced, in("notes.csv"), "--force replaces it");
  unforced.push_back("--estimate");
  expectRefused(unforced, in("notes.csv"), "--force replaces it");
  EXPECT_FALSE(fs::exists(in("notes.csv.partial")));
#endif
}

// ---- finished outputs are kept

TEST_F(Outputs, AFinishedAnalysisIsKept) {
  ASSERT_EQ(analyze({"--csv", in("tables")}).exitCode, 0);
  const auto time = fs::last_write_time(in("a.h5")), tableTime = fs::last_write_time(in("tables/heads.csv"));
  const ProgramResult again = analyze({"--csv", in("tables")});
  EXPECT_EQ(again.exitCode, 0) << again.err;
  EXPECT_THAT(again.err, AllOf(HasSubstr("a.h5: this analysis already exists with the same settings"),
                               HasSubstr("tables: these tables")));
  EXPECT_EQ(again.out, in("a.h5") + "\n");
  EXPECT_EQ(fs::last_write_time(in("a.h5")), time);
  EXPECT_EQ(fs::last_write_time(in("tables/heads.csv")), tableTime);
  // A changed table is written again without a new analysis.
  writeFileAtomically(m_folder / "tables" / "heads.csv", std::string_view("changed"));
  ASSERT_EQ(analyze({"--csv", in("tables")}).exitCode, 0);
  EXPECT_THAT(readFile(in("tables/heads.csv")), HasSubstr("layer,head,kv_head"));
  EXPECT_EQ(fs::last_write_time(in("a.h5")), time);
}

TEST_F(Outputs, OtherSettingsOfAnAnalysisAreNamed) {
  ASSERT_EQ(analyze().exitCode, 0);
  const std::string before = readFile(in("a.h5"));
  const ProgramResult other = analyze({"--pairs", "16", "--tau", "mean"});
  EXPECT_EQ(other.exitCode, 2);
  EXPECT_THAT(other.err, AllOf(HasSubstr("pairs: 256 there, 16 now"),
                               HasSubstr("tau: \"midpoint\" there, \"mean\" now"), HasSubstr("--fresh")));
  EXPECT_EQ(readFile(in("a.h5")), before);
  ASSERT_EQ(analyze({"--pairs", "16", "--tau", "mean", "--fresh"}).exitCode, 0);
  EXPECT_NE(readFile(in("a.h5")), before);
  // The result equals that of a run into an empty place.
  ASSERT_EQ(
      run({"analyze", in("grouped.h5"), "--out", in("b.h5"), "--pairs", "16", "--tau", "mean"}).exitCode, 0);
  ASSERT_EQ(run({"export", "csv", in("a.h5"), "--out", in("ta")}).exitCode, 0);
  ASSERT_EQ(run({"export", "csv", in("b.h5"), "--out", in("tb")}).exitCode, 0);
  for (const auto& entry : fs::directory_iterator(in("ta"))) {
    if (entry.path().extension() != ".csv") continue;
    EXPECT_EQ(readFile(entry), readFile(m_folder / "tb" / entry.path().filename().string())) << entry.path();
  }
}

TEST_F(Outputs, TheAnalysisOfAnotherCaptureIsNotReplaced) {
  ASSERT_EQ(analyze().exitCode, 0);
  const ProgramResult other = analyze({}, "odd.h5");
  EXPECT_EQ(other.exitCode, 3);
  EXPECT_THAT(other.err, AllOf(HasSubstr("expected a new file or an analysis of " + in("odd.h5")),
                               HasSubstr("found an analysis of " + in("grouped.h5"))));
  EXPECT_EQ(analyze({"--fresh"}, "odd.h5").exitCode, 0);
  // A new capture under the old name gets a new analysis.
  fs::copy_file(in("grouped.h5"), in("odd.h5"), fs::copy_options::overwrite_existing);
  EXPECT_EQ(analyze({}, "odd.h5").exitCode, 0);
}

TEST_F(Outputs, ADamagedAnalysisIsComputedAgain) {
  ASSERT_EQ(analyze().exitCode, 0);
  std::string bytes = readFile(in("a.h5"));
  bytes[bytes.size() / 2] ^= 1;
  writeFileAtomically(m_folder / "a.h5", bytes);
  const ProgramResult again = analyze({"--force"});
  EXPECT_EQ(again.exitCode, 0) << again.err;
  EXPECT_EQ(run({"verify", in("a.h5")}).exitCode, 0);
}

TEST_F(Outputs, FinishedComparisonsAndCorrelationsAreKept) {
  const std::vector<std::string> compare{"compare", in("grouped.h5"), in("odd.h5"), "--csv", in("c")};
  writeFileAtomically(m_folder / "scores.csv", std::string_view("model,score\na,1\nb,2\nc,4\n"));
  writeFileAtomically(m_folder / "x.csv", std::string_view("model,x\na,1\nb,2\nc,3\n"));
  const std::vector<std::string> correlate{"correlate", "--benchmark", in("scores.csv"), "--predictors",
                                           in("x.csv"), "--csv",       in("r")};
  for (const auto& [command, table] :
       {std::pair{compare, "c/models.csv"}, {correlate, "r/correlations.csv"}}) {
    ASSERT_EQ(run(command).exitCode, 0);
    const auto time = fs::last_write_time(in(table));
    const ProgramResult again = run(command);
    EXPECT_EQ(again.exitCode, 0) << again.err;
    EXPECT_THAT(again.err, HasSubstr("these tables already exist with the same inputs and settings"));
    EXPECT_EQ(fs::last_write_time(in(table)), time);
    std::vector<std::string> other = command;
    other.insert(other.end(), {"--seed", "5"});
    const ProgramResult refused = run(other);
    EXPECT_EQ(refused.exitCode, 2);
    EXPECT_THAT(refused.err, HasSubstr("seed: 0 there, 5 now"));
    EXPECT_EQ(fs::last_write_time(in(table)), time);
    other.emplace_back("--fresh");
    EXPECT_EQ(run(other).exitCode, 0);
  }
  // Other scores under the same name are other inputs.
  writeFileAtomically(m_folder / "scores.csv", std::string_view("model,score\na,4\nb,2\nc,1\n"));
  const ProgramResult changed = run(correlate);
  EXPECT_EQ(changed.exitCode, 3);
  EXPECT_THAT(changed.err, HasSubstr("with other content"));
}

TEST_F(Outputs, TablesOfAnotherCommandAreNotReplaced) {
  ASSERT_EQ(analyze({"--csv", in("tables")}).exitCode, 0);
  const std::string depth = readFile(in("tables/depth.csv")),
                    provenance = readFile(in("tables/provenance.json"));
  const std::vector<std::string> compare{"compare", in("grouped.h5"), in("odd.h5"), "--csv", in("tables")};
  const ProgramResult refused = run(compare);
  EXPECT_EQ(refused.exitCode, 3);
  EXPECT_THAT(refused.err,
              HasSubstr("expected tables of `compare` of grouped.h5, odd.h5, found tables of `analyze` of "
                        "grouped.h5: choose another folder, or --force replaces them"));
  EXPECT_EQ(refused.out, "");
  for (const std::vector<std::string>& command : {std::vector<std::string>{"converge", in("grouped.h5")},
                                                  {"what-if", in("grouped.h5"), "--drop", "L0H0"},
                                                  {"reference", "--check"},
                                                  {"correlate"}}) {
    std::vector<std::string> whole = command;
    whole.insert(whole.end(), {"--csv", in("tables")});
    EXPECT_EQ(run(whole).exitCode, 3) << command.front();
  }
  EXPECT_EQ(readFile(in("tables/depth.csv")), depth);
  EXPECT_EQ(readFile(in("tables/provenance.json")), provenance);
  // Different commands write the same tables of an analysis.
  EXPECT_EQ(run({"export", "csv", in("a.h5"), "--out", in("tables")}).exitCode, 0);
  std::vector<std::string> forced = compare;
  forced.emplace_back("--force");
  ASSERT_EQ(run(forced).exitCode, 0);
  EXPECT_NE(readFile(in("tables/depth.csv")), depth);
  EXPECT_FALSE(fs::exists(in("tables/heads.csv")));
}

TEST_F(Outputs, AnExportThatDoesNotFitLeavesTheOlderTables) {
  ASSERT_EQ(analyze().exitCode, 0);
  ASSERT_EQ(run({"export", "csv", in("a.h5"), "--out", in("t")}).exitCode, 0);
  std::map<std::string, std::string> before;
  for (const auto& entry : fs::directory_iterator(in("t")))
    before[entry.path().filename().string()] = readFile(entry);
  ASSERT_EQ(analyze({"--pairs", "16", "--fresh"}).exitCode, 0);
  ProgramOptions full;
  full.fileSizeLimit = 3000;
  const ProgramResult result =
      runProgram("plastiscope-cli", {"export", "csv", in("a.h5"), "--out", in("t")}, full);
  EXPECT_EQ(result.exitCode, 4) << result.err;
  std::map<std::string, std::string> after;
  for (const auto& entry : fs::directory_iterator(in("t")))
    after[entry.path().filename().string()] = readFile(entry);
  EXPECT_EQ(after, before);
  ASSERT_EQ(run({"export", "csv", in("a.h5"), "--out", in("t")}).exitCode, 0);
  EXPECT_NE(readFile(in("t/heads.csv")), before["heads.csv"]);
}

// ---- standard output

int shell(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(Outputs, FailedWritesToStandardOutputAreReported) {
  const std::string program = std::string(PLASTISCOPE_BIN) + "/plastiscope-cli ", err = " 2> " + in("err");
  const std::string model = (fs::path(PLASTISCOPE_TEST_DATA) / "text" / "gpt2").string();
  writeFileAtomically(m_folder / "t.txt", std::string_view("a few words"));
  struct Case {
    std::string command;
    int code;
    const char* words;
  };
  const Case cases[] = {
      {"info " + in("grouped.h5") + " > /dev/full", 4, "standard output: the disk is full"},
      {"info --json " + in("grouped.h5") + " > /dev/full", 4, "standard output: the disk is full"},
      {"reference plasticity_models > /dev/full", 4, "standard output: the disk is full"},
      {"--help > /dev/full", 4, "standard output: the disk is full"},
      {"tokenize --model " + model + " < " + in("t.txt") + " >&-", 3,
       "standard output: cannot be written: Bad file descriptor"}};
  for (const Case& one : cases) {
    const int code = shell(program + one.command + err);
    const std::string said = readFile(in("err"));
    EXPECT_EQ(code, one.code) << one.command << ": " << said;
    EXPECT_THAT(said, HasSubstr(one.words)) << one.command;
  }
}

// With descriptors 0 to 2 closed, printed text must not end up in the output file.
TEST_F(Outputs, ClosedStandardDescriptorsAreNotTakenByFiles) {
  const std::string program = std::string(PLASTISCOPE_BIN) + "/plastiscope-cli ";
  shell(program + "analyze " + in("grouped.h5") + " --out " + in("a.h5") + " --progress json <&- >&- 2>&-");
  EXPECT_EQ(run({"verify", in("a.h5")}).exitCode, 0);
}

// ---- inputs

TEST_F(Outputs, PipesAreRefusedAndNotWaitedFor) {
  ASSERT_EQ(::mkfifo(in("pipe.h5").c_str(), 0600), 0);
  const std::string pipe = in("pipe.h5"), out = in("out");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"info", pipe},
        {"verify", pipe},
        {"analyze", pipe, "--out", out},
        {"compare", pipe},
        {"export", "csv", pipe, "--out", out},
        {"correlate", "--benchmark", pipe},
        {"tokenize", "--model", pipe},
        {"tokenize", "--model", in("grouped.h5"), "--text", pipe}}) {
    const ProgramResult result = run(command);
    EXPECT_GE(result.exitCode, 2) << command.front();
    EXPECT_LE(result.exitCode, 3) << command.front() << result.err;
  }
  EXPECT_THAT(run({"info", pipe}).err, HasSubstr("expected a regular file, found a named pipe"));
  EXPECT_FALSE(fs::exists(out));
}

}  // namespace
}  // namespace plastiscope::test
