// What `cmake --install` puts into a folder works from there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <regex>
#include <set>

#include "core/base/files.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const char* const kExample = "share/plastiscope/example/smollm2-135m-licences.h5";

class Installed : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    s_folder = std::make_unique<TemporaryFolder>();
    const ProgramResult made = runProgram(PLASTISCOPE_CMAKE, {"--install", PLASTISCOPE_BUILD, "--prefix",
                                                              prefix().string(), "--component", "program"});
    ASSERT_EQ(made.exitCode, 0) << made.err;
  }
  static void TearDownTestSuite() { s_folder.reset(); }

  static fs::path prefix() { return *s_folder / "there"; }
  static std::string place(const std::string& name) { return (prefix() / name).string(); }
  static std::vector<std::string> programs() {
    return PLASTISCOPE_HAS_GUI ? std::vector<std::string>{"plastiscope-cli", "plastiscope"}
                               : std::vector<std::string>{"plastiscope-cli"};
  }
  // `arguments` of an installed program, with settings and caches in a folder of the test.
  static ProgramResult start(const std::string& program, const std::vector<std::string>& arguments) {
    const std::string home = "HOME=" + s_folder->path().string();
    return runProgram(place("bin/" + program), arguments,
                      {.environment = {home, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "XDG_DATA_HOME=",
                                       "DISPLAY=", "WAYLAND_DISPLAY=", "QT_QPA_PLATFORM=offscreen"}});
  }
  static std::string manualOf(const std::string& program) {
    const ProgramResult page =
        runProgram("/bin/sh", {"-c", "gzip -dc '" + place("share/man/man1/" + program + ".1.gz") + "'"});
    EXPECT_EQ(page.exitCode, 0) << page.err;
    return page.out;
  }

 private:
  static inline std::unique_ptr<TemporaryFolder> s_folder;
};

// The words that begin lines of a help behind spaces: options, or subcommands below their heading.
std::set<std::string> firstWords(const std::string& help, const std::regex& form) {
  std::set<std::string> words;
  for (std::sregex_iterator found(help.begin(), help.end(), form), end; found != end; ++found)
    words.insert((*found)[1]);
  return words;
}

std::set<std::string> optionsIn(const std::string& help) {
  auto options = firstWords(help, std::regex("\n  (?:-[a-z],)?(--[a-z][a-z0-9-]*)"));
  for (const char* everywhere : {"--help", "--version"}) options.erase(everywhere);
  return options;
}

std::set<std::string> commandsIn(const std::string& help) {
  const std::size_t begin = help.find("\nSubcommands:\n");
  if (begin == std::string::npos) return {};
  const std::size_t first = begin + 13, end = help.find("\n\n", first);
  return firstWords(help.substr(first, end - first), std::regex("\n  ([a-z][a-z-]*)"));
}

// As roff spells it.
std::string spelled(const std::string& text) {
  return std::regex_replace(text, std::regex("-"), "\\-");
}

// The lines of a page below `heading`, up to the next one.
std::string sectionOf(const std::string& page, const std::string& heading) {
  const std::size_t begin = page.find("\n" + heading + "\n");
  if (begin == std::string::npos) return {};
  return page.substr(begin, page.find("\n.S", begin + heading.size()) - begin);
}

void expectLines(const std::set<std::string>& options, const std::string& section,
                 const std::string& command) {
  for (const std::string& option : options)
    EXPECT_THAT(section, HasSubstr(".TP\n\\fB" + spelled(option) + "\\fR")) << command;
}

TEST_F(Installed, NamesOneVersion) {
  const auto first = [](const std::string& text, const char* form) {
    std::smatch found;
    return std::regex_search(text, found, std::regex(form)) ? found[1].str() : "none";
  };
  const std::string documents = "share/doc/plastiscope/";
  const std::string version = first(start("plastiscope-cli", {"--version"}).out, "(\\d+\\.\\d+\\.\\d+)");
  const std::string cited = readFile(place(documents + "CITATION.cff"));
  const std::string day = first(cited, "\ndate-released: (\\S+)");
  EXPECT_EQ(first(cited, "\nversion: (\\S+)"), version);
  EXPECT_EQ(first(readFile(place(documents + "CHANGELOG.md")), "\n## (\\d.*)"), version + ", " + day);
  if (!PLASTISCOPE_HAS_GUI) return;
  const std::string catalogue = readFile(place("share/metainfo/org.plastiscope.plastiscope.metainfo.xml"));
  EXPECT_EQ(first(catalogue, "<release version=\"([^\"]+)\""), version);
  EXPECT_EQ(first(catalogue, "date=\"([^\"]+)\""), day);
}

TEST_F(Installed, VerifiesItsExample) {
  const ProgramResult verified = start("plastiscope-cli", {"verify", place(kExample)});
  EXPECT_EQ(verified.exitCode, 0) << verified.err;
}

TEST_F(Installed, OpensItsOwnExample) {
  if (!PLASTISCOPE_HAS_GUI) GTEST_SKIP() << "built without the window";
  const std::vector<std::string> picture{"screenshot", "--example", "--head",
                                         "L16H4",      "--out",     place("window.png")};
  const ProgramResult drawn = start("plastiscope", picture);
  EXPECT_EQ(drawn.exitCode, 0) << drawn.err;
  EXPECT_TRUE(fs::exists(place("window.png")));
  fs::rename(place("share/plastiscope"), place("share/elsewhere"));
  EXPECT_NE(start("plastiscope", picture).exitCode, 0) << "found another one than its own";
  fs::rename(place("share/elsewhere"), place("share/plastiscope"));
}

TEST_F(Installed, DoesNotDependOnTheBuildFolder) {
  for (const std::string& program : programs())
    EXPECT_EQ(readFile(place("bin/" + program)).find(PLASTISCOPE_SOURCE), std::string::npos) << program;
}

// An empty place among those of libraries is the folder that a person works in, where anything may lie.
TEST_F(Installed, LoadsNoLibraryFromTheWorkingFolder) {
  for (const std::string& program : programs()) {
    for (const fs::path& file :
         {fs::path(PLASTISCOPE_BUILD) / "bin" / program, fs::path(place("bin/" + program))}) {
      const ProgramResult sections = runProgram("/usr/bin/readelf", {"--dynamic", file.string()});
      ASSERT_EQ(sections.exitCode, 0) << sections.err;
      std::smatch found;
      ASSERT_TRUE(std::regex_search(sections.out, found, std::regex("\\((?:RPATH|RUNPATH)\\).*\\[(.*)\\]")))
          << file;
      const std::string places = ":" + found[1].str() + ":";
      EXPECT_THAT(places, HasSubstr(":$ORIGIN/../lib/plastiscope:")) << file;
      EXPECT_FALSE(std::regex_search(places, std::regex("::|:[^$/]"))) << file << ": " << places;
    }
  }
}

TEST_F(Installed, InstallsCompletionsAndDesktopFiles) {
  std::vector<std::string> names{"share/doc/plastiscope/copyright"};
  for (const std::string& program : programs()) {
    for (const std::string& name :
         {"share/man/man1/" + program + ".1.gz", "share/bash-completion/completions/" + program,
          "share/zsh/vendor-completions/_" + program, "share/zsh/site-functions/_" + program,
          "share/fish/vendor_completions.d/" + program + ".fish"})
      names.push_back(name);
  }
  if (PLASTISCOPE_HAS_GUI) {
    for (const char* name : {"share/applications/plastiscope.desktop", "share/mime/packages/plastiscope.xml",
                             "share/metainfo/org.plastiscope.plastiscope.metainfo.xml",
                             "share/icons/hicolor/scalable/apps/plastiscope.svg"})
      names.emplace_back(name);
  }
  for (const std::string& name : names) EXPECT_TRUE(fs::is_regular_file(place(name))) << name;
}

TEST_F(Installed, ManualHasALineForEveryOptionOfTheCommandLine) {
  const std::string page = manualOf("plastiscope-cli");
  std::size_t seen = 0;
  std::vector<std::vector<std::string>> commands{{}};
  for (std::size_t i = 0; i < commands.size(); ++i) {
    std::vector<std::string> command = commands[i], arguments = command;
    arguments.emplace_back("--help");
    const std::string help = start("plastiscope-cli", arguments).out;
    std::string name = "plastiscope-cli";
    for (const std::string& word : command) name += " " + word;
    const std::string section = sectionOf(page, command.empty() ? ".SH OPTIONS" : ".SS " + spelled(name));
    EXPECT_FALSE(section.empty()) << name;
    expectLines(optionsIn(help), section, name);
    seen += optionsIn(help).size();
    for (const std::string& form : commandsIn(help)) {
      commands.push_back(command);
      commands.back().push_back(form);
    }
  }
  EXPECT_GT(commands.size(), 18u) << "found in the helps";
  EXPECT_GT(seen, 150u) << "found in the helps";
}

TEST_F(Installed, ManualHasALineForEveryOptionOfTheWindow) {
  if (!PLASTISCOPE_HAS_GUI) GTEST_SKIP() << "built without the window";
  const std::string page = manualOf("plastiscope");
  const std::string help = start("plastiscope", {"--help"}).out,
                    render = start("plastiscope", {"render", "--help"}).out;
  const std::size_t picture = help.find("of screenshot:");
  ASSERT_NE(picture, std::string::npos);
  EXPECT_GT(optionsIn(render).size(), 30u);
  expectLines(optionsIn(help.substr(0, picture)), sectionOf(page, ".SH OPTIONS"), "plastiscope");
  expectLines(optionsIn(help.substr(picture)), sectionOf(page, ".SS plastiscope screenshot"), "screenshot");
  expectLines(optionsIn(render), sectionOf(page, ".SS plastiscope render"), "render");
}

// The list of file types knows a capture by a word at a place; the example has it there.
TEST_F(Installed, FileTypeOfTheExampleIsRecognised) {
  if (!PLASTISCOPE_HAS_GUI) GTEST_SKIP() << "built without the window";
  const std::string types = readFile(place("share/mime/packages/plastiscope.xml")),
                    capture = readFile(place(kExample));
  std::smatch rule;
  ASSERT_TRUE(
      std::regex_search(types, rule, std::regex("offset=\"(\\d+):(\\d+)\" value=\"(plastiscope-capture)\"")));
  const std::size_t at = capture.find(rule[3]);
  EXPECT_GE(at, std::stoul(rule[1]));
  EXPECT_LE(at, std::stoul(rule[2]));
}

}  // namespace
}  // namespace plastiscope::test
