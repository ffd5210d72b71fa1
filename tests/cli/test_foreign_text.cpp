// Names of any bytes and untrusted text in the whole program: nothing is lost, nothing reaches the terminal
// unescaped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/cli/command.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope::test {
namespace {

const fs::path kExample = fs::path(PLASTISCOPE_RESOURCES) / "example" / "smollm2-135m-licences.h5";

// The bytes of a name and how JSON spells it (resources/help/capture-format.md).
struct Name {
  std::string bytes, text;
};
const std::vector<Name> kNames = {
    {"\xff\xfe caf\xe9", R"(\xFF\xFE caf\xE9)"}, {"line\nbreak \x1b[31m", "line\nbreak \x1b[31m"},
    {"say \"x\" 'y'", "say \"x\" 'y'"},          {"lone \x80", R"(lone \x80)"},
    {R"(\xFF real)", R"(\x5CxFF real)"},         {"模型", "模型"},
};

bool hasControls(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return (c < ' ' && c != '\n') || c == 0x7F; });
}

TEST(ForeignNames, RoundTripThroughJson) {
  const TemporaryFolder folder;
  for (const Name& name : kNames) {
    const std::string capture = (folder / (name.bytes + ".h5")).native();
    const std::string analysis = (folder / (name.bytes + ".analysis.h5")).native();
    const std::string tables = (folder / (name.bytes + " tables")).native();
    fs::copy_file(kExample, capture);
    const ProgramResult analysed =
        run({"analyze", capture, "--out", analysis, "--csv", tables, "--heads", "L0H0", "--pairs", "8"});
    ASSERT_EQ(analysed.exitCode, 0) << analysed.err;
    EXPECT_FALSE(hasControls(analysed.out + analysed.err));
    const std::string expected = (folder.path() / "").native() + name.text + ".h5";
    const ProgramResult info = run({"info", analysis, "--json"});
    ASSERT_EQ(info.exitCode, 0) << info.err;
    EXPECT_EQ(Json::parse(info.out).at("capture_file"), expected);
    EXPECT_EQ(readJsonFile(fs::path(tables) / "provenance.json").at("capture_file"), expected);
    EXPECT_EQ(run({"verify", capture, analysis}).exitCode, 0);
    const ProgramResult compared = run({"compare", analysis, analysis, "--csv", tables + "2"});
    EXPECT_EQ(compared.exitCode, 0) << compared.err;
    EXPECT_FALSE(hasControls(compared.out));
  }
}

TEST(ForeignNames, OneBadFolderDoesNotHideTheOtherModels) {
  const TemporaryFolder folder;
  for (const Name& name : kNames) TinyLlama().write(folder / name.bytes);
  const ProgramResult models = run({"models", "--json", "--folder", folder.path().native()});
  ASSERT_EQ(models.exitCode, 0) << models.err;
  std::vector<std::string> names;
  for (const Json& model : Json::parse(models.out)) names.push_back(model.at("name"));
  for (const Name& name : kNames) EXPECT_THAT(names, ::testing::Contains(name.text));
  const ProgramResult listed = run({"models", "--folder", folder.path().native()});
  EXPECT_FALSE(hasControls(listed.out));
  for (const Name& name : kNames) {
    const ProgramResult info = run({"info", (folder / name.bytes).native(), "--json"});
    ASSERT_EQ(info.exitCode, 0) << info.err;
    EXPECT_EQ(Json::parse(info.out).at("name"), name.text);
  }
}

TEST(ForeignNames, UnknownNamesAreRefusedInOneLine) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"info", "no\xff\x1b[2J\nsuch.h5"},
           {"analyze", "no\xff.h5", "--out", "a.h5"},
           {"--variance", "\xff\x1b", "info", "x"},
           {"analyze", kExample.string(), "--out", "/tmp/x.h5", "--pairs", "\xff\x1b"},
           {"\x1b[31mxx"}}) {
    const ProgramResult result = run(arguments);
    EXPECT_THAT(result.exitCode, ::testing::AnyOf(2, 3)) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_FALSE(hasControls(result.err)) << result.err;
    EXPECT_THAT(result.err, Not(HasSubstr("json.exception")));
  }
}

TEST(ForeignText, ModelTextIsEscapedOnTheTerminal) {
  const TemporaryFolder folder;
  TinyLlama model;
  model.config["_name_or_path"] = "org/evil\x1b[31m\x07name";
  model.write(folder / "model");
  const ProgramResult info = run({"info", (folder / "model").string()});
  ASSERT_EQ(info.exitCode, 0) << info.err;
  EXPECT_THAT(info.out, AllOf(HasSubstr(R"(org/evil\x1B[31m\x07name)"), Not(HasSubstr("\x1b"))));
  const ProgramResult json = run({"info", (folder / "model").string(), "--json"});
  EXPECT_EQ(Json::parse(json.out).at("name"), "org/evil\x1b[31m\x07name");
}

TEST(ForeignText, FormulasAreMarkedInTables) {
  const TemporaryFolder folder;
  const std::string tables = (folder / "tables").string(), analysis = (folder / "a.h5").string();
  ASSERT_EQ(
      run({"analyze", kExample.string(), "--out", analysis, "--heads", "L0H0", "--pairs", "8"}).exitCode, 0);
  const ProgramResult result =
      run({"compare", analysis, analysis, "--names", "=1+cmd|' /C',b", "--csv", tables});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  const std::string models = readFile(fs::path(tables) / "models.csv");
  EXPECT_THAT(models, AllOf(HasSubstr("\n'=1+cmd|' /C'"), Not(HasSubstr("\n=1"))));
}

struct CutFile {
  const char* name;
  std::function<fs::path(const fs::path& folder)> make;  // the whole file, in `folder`
  std::function<std::vector<std::string>(const fs::path& file)> command;
};

const std::vector<CutFile>& cutFiles() {
  const auto info = [](const fs::path& file) { return std::vector<std::string>{"info", file.string()}; };
  const auto infoOfFolder = [](const fs::path& file) {
    return std::vector<std::string>{"info", file.parent_path().string()};
  };
  const auto tokenize = [](const fs::path& file) {
    return std::vector<std::string>{"tokenize", "--model", file.string(), "--text",
                                    PLASTISCOPE_RESOURCES "/example/README.md"};
  };
  const auto copied = [](const fs::path& from) {
    return [from](const fs::path& folder) {
      fs::copy_file(from, folder / from.filename());
      return folder / from.filename();
    };
  };
  const auto ofModel = [](const char* file) {
    return [file](const fs::path& folder) {
      TinyLlama().write(folder);
      return folder / file;
    };
  };
  const fs::path data(PLASTISCOPE_TEST_DATA);
  static const std::vector<CutFile> kCases {
    {"capture", copied(kExample), info},
        {"capture_analysed", copied(kExample),
         [](const fs::path& file) {
           return std::vector<std::string>{"analyze", file.string(), "--out",
                                           (file.parent_path() / "a.h5").string()};
         }},
        {"safetensors", ofModel("model.safetensors"), infoOfFolder},
        {"config", ofModel("config.json"), infoOfFolder},
        {"gguf", copied(data / "model" / "tiny.gguf"), info},
#if PLASTISCOPE_HAS_ARROW
        {"parquet",
         [data](const fs::path& folder) {
           fs::copy(data / "qk_sniffer" / "branch", folder / "set", fs::copy_options::recursive);
           return folder / "set" / "l01h02q" / "data.parquet";
         },
         [](const fs::path& file) {
           const fs::path set = file.parent_path().parent_path();
           return std::vector<std::string>{
               "import",   "qk-sniffer", set.string(), "--out", (set.parent_path() / "a.h5").string(),
               "--window", "64"};
         }},
#endif
        {"tokenizer_json", copied(data / "text" / "gpt2" / "tokenizer.json"), tokenize},
  };
  return kCases;
}

// At many lengths: every message names the file once, that it is cut short, and its length.
TEST(CutFiles, AreReportedAsCutShortWithThePathOnce) {
  for (const CutFile& each : cutFiles()) {
    const TemporaryFolder folder;
    const fs::path file = each.make(folder.path());
    const auto whole = fs::file_size(file);
    for (const int percent : {99, 60, 20, 1}) {
      const auto bytes = whole * static_cast<unsigned>(percent) / 100;
      fs::resize_file(file, bytes);
      const ProgramResult result = run(each.command(file));
      EXPECT_EQ(result.exitCode, 3) << each.name << " " << percent << ": " << result.err;
      EXPECT_THAT(result.err, HasSubstr("cut short")) << each.name << " " << percent;
      const auto at = result.err.find(file.string());
      EXPECT_NE(at, std::string::npos) << each.name << ": " << result.err;
      EXPECT_EQ(result.err.find(file.string(), at + 1), std::string::npos) << result.err;
    }
  }
}

}  // namespace
}  // namespace plastiscope::test
