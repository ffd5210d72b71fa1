// Help, version, wrong usage and shell completions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "core/analysis/settings.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct UsageCase {
  const char* name;
  std::vector<std::string> arguments;
  const char* sentence;
};

class WrongUsage : public ::testing::TestWithParam<UsageCase> {};

TEST_P(WrongUsage, EndsWithCodeTwoAndOneSentence) {
  const ProgramResult result = runProgram("plastiscope-cli", GetParam().arguments);
  EXPECT_EQ(result.exitCode, 2) << result.err;
  EXPECT_THAT(result.err, StartsWith("plastiscope-cli: "));
  EXPECT_THAT(result.err, HasSubstr(GetParam().sentence));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_EQ(result.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    Cli, WrongUsage,
    ::testing::Values(
        UsageCase{"no_command", {}, "subcommand"},
        UsageCase{"unknown_command", {"captre"}, "did you mean capture?"},
        UsageCase{"unknown_option", {"capture", "--widnow", "5", "--model", "m"}, "did you mean --window?"},
        UsageCase{
            "unknown_option_of_analyze", {"analyze", "x.h5", "--out", "y.h5", "--pair", "5"}, "--pairs"},
        UsageCase{"missing_out", {"capture", "--model", "m", "--tokens", "t.jsonl"}, "--out"},
        UsageCase{"no_texts", {"capture", "--model", "m", "--out", "o.h5"}, "--text"},
        UsageCase{"both_texts_and_tokens",
                  {"capture", "--model", "m", "--out", "o.h5", "--text", "a", "--tokens", "b"},
                  "--text"},
        UsageCase{"bad_number", {"capture", "--model", "m", "--window", "many"}, "many"},
        UsageCase{"bad_select",
                  {"capture", "--model", "m", "--out", "o.h5", "--text", "a", "--select", "x"},
                  "KEY=VALUE"},
        UsageCase{"bad_memory",
                  {"capture", "--model", "m", "--out", "o.h5", "--text", "a", "--memory-limit", "much"},
                  "--memory-limit"},
        UsageCase{"bad_progress",
                  {"capture", "--model", "m", "--out", "o.h5", "--text", "a", "--progress", "bar"},
                  "--progress"},
        UsageCase{"bad_setting", {"analyze", "x.h5", "--out", "y.h5", "--variance", "thesys"}, "thesis"},
        UsageCase{"bad_preset", {"analyze", "x.h5", "--out", "y.h5", "--preset", "nobody"}, "thesis"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Usage, VersionAndHelpAreResultsNotErrors) {
  const ProgramResult version = runProgram("plastiscope-cli", {"--version"});
  EXPECT_EQ(version.exitCode, 0);
  EXPECT_THAT(version.out, StartsWith("plastiscope-cli "));
  for (const char* command : {"info", "models", "tokenize", "capture", "analyze", "verify", "export"}) {
    const ProgramResult help = runProgram("plastiscope-cli", {command, "--help"});
    EXPECT_EQ(help.exitCode, 0) << command;
    EXPECT_THAT(help.out, HasSubstr("Example:")) << command;
    EXPECT_THAT(help.out, HasSubstr(std::string("plastiscope-cli ") + command)) << command;
  }
}

TEST(Usage, EverySettingOfAnAnalysisIsAnOption) {
  const std::string help = runProgram("plastiscope-cli", {"analyze", "--help"}).out;
  const Json settings = AnalysisSettings().toJson();
  for (const auto& [key, value] : settings.items()) {
    std::string name = key;
    std::replace(name.begin(), name.end(), '_', '-');
    EXPECT_THAT(help, HasSubstr("--" + name + " ")) << key;
  }
}

// Completions that bash offers for the last word.
std::string offered(const std::filesystem::path& script, const std::string& words) {
  const std::string line =
      "source '" + script.string() + "'; COMP_WORDS=(" + words +
      "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _plastiscope_cli; echo \"${COMPREPLY[*]}\"";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(("bash <<'END'\n" + line + "\nEND").c_str(), "r"),
                                                   ::pclose);
  std::string answer;
  for (int c = std::fgetc(pipe.get()); c != EOF && c != '\n'; c = std::fgetc(pipe.get()))
    answer += static_cast<char>(c);
  return answer;
}

TEST(Completions, OfferCommandsOptionsAndValues) {
  const TemporaryFolder folder;
  const std::filesystem::path script = folder / "completions.bash";
  const ProgramResult printed = runProgram("plastiscope-cli", {"completions", "bash"});
  ASSERT_EQ(printed.exitCode, 0) << printed.err;
  writeFileAtomically(script, printed.out);
  EXPECT_EQ(offered(script, "plastiscope-cli cap"), "capture");
  EXPECT_EQ(offered(script, "plastiscope-cli --quiet capture --sam"), "--sampler --sample-seed");
  EXPECT_EQ(offered(script, "plastiscope-cli capture --sampler log"), "log_uniform");
  EXPECT_EQ(offered(script, "plastiscope-cli analyze --variance t"), "thesis");
  EXPECT_EQ(offered(script, "plastiscope-cli export c"), "csv");
  EXPECT_EQ(offered(script, "plastiscope-cli export qk-sniffer --pre"), "--pre-rope");
  EXPECT_EQ(offered(script, "plastiscope-cli verify some/fi"), "") << "the shell offers files";
  EXPECT_THAT(runProgram("plastiscope-cli", {"completions", "fish"}).out,
              HasSubstr("-n '__fish_seen_subcommand_from capture' -l paired"));
  EXPECT_THAT(runProgram("plastiscope-cli", {"completions", "zsh"}).out, HasSubstr("#compdef plastiscope-cli\n"));
  EXPECT_EQ(runProgram("plastiscope-cli", {"completions", "tcsh"}).exitCode, 2);
}

Json named(const Json& list, const std::string& name) {
  for (const Json& each : list) {
    if (each.at("name") == name) return each;
  }
  return {};
}

TEST(Completions, ListOptionsAsJson) {
  const Json program = parseJson(runProgram("plastiscope-cli", {"completions", "json"}).out, "options");
  const Json capture = named(program.at("commands"), "capture").at("options");
  EXPECT_EQ(named(capture, "--paired").at("kind"), "flag");
  EXPECT_EQ(named(capture, "--window").at("kind"), "integer");
  EXPECT_EQ(named(capture, "--rate").at("default"), 1.0);
  EXPECT_EQ(named(capture, "--store").at("words"), Json({"float16", "float32"}));
  EXPECT_EQ(named(capture, "--text").at("several"), true);
  EXPECT_EQ(named(capture, "--model").at("required"), true);
  EXPECT_EQ(named(named(program.at("commands"), "export").at("commands"), "csv").at("options").size(), 3u);
  EXPECT_TRUE(named(named(program.at("commands"), "verify").at("options"), "--sandbox").is_null())
      << "hidden option";
}

}  // namespace
}  // namespace plastiscope::test
