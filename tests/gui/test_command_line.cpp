// The program `plastiscope` and its arguments.
#include <gtest/gtest.h>

#include <QImage>
#include <filesystem>

#include "app/desktop/command_line.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/version.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "widgets/state/session_state.h"

namespace plastiscope {
namespace {

using test::runProgram;

TEST(CommandLine, ParsesFilesOptionsAndScreenshot) {
  const CommandLine window = parseCommandLine({"a.h5", "--head", "L12H6", "--theme=dark", "--", "--odd.h5"});
  EXPECT_EQ(window.mode, CommandLine::Mode::Window);
  EXPECT_EQ(window.files, (std::vector<std::filesystem::path>{"a.h5", "--odd.h5"}));
  EXPECT_EQ(window.head, (HeadName{12, 6}));
  EXPECT_EQ(window.theme, "dark");
  const CommandLine picture =
      parseCommandLine({"screenshot", "--out", "w.png", "--size", "1280x720", "--page", "inspect"});
  EXPECT_EQ(picture.mode, CommandLine::Mode::Screenshot);
  EXPECT_EQ(picture.size, QSize(1280, 720));
  EXPECT_EQ(picture.page, WindowPage::Inspect);
}

struct WrongLine {
  std::vector<std::string> arguments;
  const char* says;
};
class WrongLines : public testing::TestWithParam<WrongLine> {};

TEST_P(WrongLines, AreRefusedWithTheReason) {
  try {
    parseCommandLine(GetParam().arguments);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().says), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Arguments, WrongLines,
    testing::Values(WrongLine{{"--thme", "dark"}, "--theme"},
                    WrongLine{{"--theme", "blue"}, "system, light, dark"},
                    WrongLine{{"--head"}, "needs a value"}, WrongLine{{"--head", "L1H0-3"}, "one head"},
                    WrongLine{{"--size", "100x100"}, "screenshot"}, WrongLine{{"screenshot"}, "--out"},
                    WrongLine{{"screenshot", "--out", "a.png", "--size", "1x1"}, "400x300"},
                    WrongLine{{"screenshot", "--out", "a.png", "--page", "pie"},
                              "heads, inspect, compare, benchmarks, cloud"},
                    WrongLine{{"--example=3"}, "no value"}));

TEST(DesktopProgram, VersionHelpAndUsage) {
  const auto version = runProgram("plastiscope", {"--version"});
  EXPECT_EQ(version.exitCode, 0);
  EXPECT_EQ(version.out, std::string("plastiscope ") + kVersion + "\n");
  EXPECT_EQ(runProgram("plastiscope", {"--help"}).exitCode, 0);
  const auto wrong = runProgram("plastiscope", {"--hed", "L1H1"});
  EXPECT_EQ(wrong.exitCode, 2);
  EXPECT_EQ(wrong.err.rfind("plastiscope: ", 0), 0u) << wrong.err;
  EXPECT_NE(wrong.err.find("--head"), std::string::npos) << wrong.err;
}

// Options of the window are used without a command, so they are not completed after one.
TEST(DesktopProgram, PrintsCompletionsAndItsManual) {
  const auto fish = runProgram("plastiscope", {"completions", "fish"});
  EXPECT_EQ(fish.exitCode, 0) << fish.err;
  EXPECT_NE(fish.out.find("-n '__fish_seen_subcommand_from render' -l preset"), std::string::npos)
      << fish.out;
  EXPECT_NE(
      fish.out.find("-n 'not __fish_seen_subcommand_from render screenshot completions manual' -l example"),
      std::string::npos)
      << fish.out;
  EXPECT_EQ(runProgram("plastiscope", {"completions", "tcsh"}).exitCode, 2);
  EXPECT_EQ(runProgram("plastiscope", {"completions"}).exitCode, 2);
  EXPECT_EQ(runProgram("plastiscope", {"manual"}).out.rfind(".TH PLASTISCOPE 1 ", 0), 0u);
}

TEST(DesktopProgram, ReportsAMissingDisplay) {
  const auto ran =
      runProgram("plastiscope", {}, {.environment = {"DISPLAY=", "WAYLAND_DISPLAY=", "QT_QPA_PLATFORM="}});
  EXPECT_EQ(ran.exitCode, 3);
  EXPECT_NE(ran.err.find("no display"), std::string::npos) << ran.err;
}

struct Surroundings {
  const char *platform, *display;
};
class WithoutAWindow : public testing::TestWithParam<Surroundings> {};

// Commands without a window need no display, whatever the environment contains.
TEST_P(WithoutAWindow, CommandsWork) {
  const test::TemporaryFolder folder;
  const std::string capture = (folder / "g.h5").string();
  std::filesystem::copy_file(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "analysis/grouped.h5", capture);
  const test::ProgramOptions options{
      .environment = {std::string("DISPLAY=") + GetParam().display, "WAYLAND_DISPLAY=",
                      std::string("QT_QPA_PLATFORM=") + GetParam().platform, "QT_QPA_PLATFORMTHEME=gtk3",
                      "HOME=" + folder.path().string()}};
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"--help"},
           {"--version"},
           {"manual"},
           {"completions", "bash"},
           {"render", "--help"},
           {"render", "--list"},
           {"render", capture, "--figure", "head-grid", "--out", (folder / "f.svg").string()},
           {"render", capture, "--figure", "head-grid", "--out", (folder / "f.png").string()},
           {"screenshot", "--help"},
           {"screenshot", capture, "--size", "900x600", "--out", (folder / "w.png").string()}}) {
    const auto ran = runProgram("plastiscope", arguments, options);
    EXPECT_EQ(ran.exitCode, 0) << arguments.front() << ": " << ran.err;
    EXPECT_EQ(ran.err.find("display"), std::string::npos) << ran.err;
  }
}

INSTANTIATE_TEST_SUITE_P(Environments, WithoutAWindow,
                         testing::Values(Surroundings{"xcb", ""}, Surroundings{"xcb", ":987"},
                                         Surroundings{"wayland", ""}, Surroundings{"none such", ":987"},
                                         Surroundings{"", ":987"}));

TEST(DesktopProgram, ScreenshotOfACaptureWithoutADisplay) {
  const test::TemporaryFolder folder;
  std::filesystem::copy_file(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "analysis/grouped.h5",
                             folder / "g.h5");
  const std::string out = (folder / "w.png").string();
  const test::ProgramOptions bare{
      .environment = {"DISPLAY=", "WAYLAND_DISPLAY=", "QT_QPA_PLATFORM=", "HOME=" + folder.path().string()}};
  const auto ran = runProgram(
      "plastiscope", {"screenshot", (folder / "g.h5").string(), "--size", "1100x700", "--out", out}, bare);
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  const QImage picture(QString::fromStdString(out));
  EXPECT_EQ(picture.size(), QSize(1100, 700));
  const auto wrong =
      runProgram("plastiscope", {"screenshot", (folder / "missing.h5").string(), "--out", out}, bare);
  EXPECT_EQ(wrong.exitCode, 3);
  EXPECT_NE(wrong.err.find("missing.h5"), std::string::npos) << wrong.err;
}

// Both captures contain L0H3 and neither contains L9H9.
TEST(DesktopProgram, ScreenshotsRefuseAHeadThatWasNotCaptured) {
  const test::TemporaryFolder folder;
  std::vector<std::string> files;
  for (const char* name : {"a.h5", "b.h5"}) {
    std::filesystem::copy_file(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "analysis/grouped.h5",
                               folder / name);
    files.push_back((folder / name).string());
  }
  const test::ProgramOptions bare{
      .environment = {"DISPLAY=", "WAYLAND_DISPLAY=", "QT_QPA_PLATFORM=", "HOME=" + folder.path().string()}};
  struct Case {
    const char *page, *head;
    int code;
    const char* says;
  };
  for (const Case& one :
       {Case{"heads", "L0H3", 0, ""}, Case{"compare", "L0H3", 0, ""},
        Case{"benchmarks", "L0H3", 0, "whole models"}, Case{"heads", "L9H9", 3, "L9H9 was not captured"},
        Case{"compare", "L9H9", 3, "L9H9 was not captured"},
        Case{"benchmarks", "L9H9", 3, "L9H9 was not captured"}}) {
    const auto ran = runProgram("plastiscope",
                                {"screenshot", files[0], files[1], "--page", one.page, "--head", one.head,
                                 "--size", "900x600", "--out", (folder / "w.png").string()},
                                bare);
    EXPECT_EQ(ran.exitCode, one.code) << one.page << " " << one.head << ": " << ran.err;
    EXPECT_NE(ran.err.find(one.says), std::string::npos) << one.page << ": " << ran.err;
  }
}

TEST(DesktopProgram, ScreenshotOfASavedSession) {
  const test::TemporaryFolder folder;
  const std::filesystem::path capture = folder / "g.h5", session = folder / "thesis.json";
  std::filesystem::copy_file(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "analysis/grouped.h5", capture);
  SessionState state;
  state.tabs.push_back({capture, {}});
  state.current = 0;
  SessionStore::writeNamed(state, session);
  const test::ProgramOptions bare{
      .environment = {"DISPLAY=", "WAYLAND_DISPLAY=", "QT_QPA_PLATFORM=", "HOME=" + folder.path().string()}};
  const auto draw = [&](const char* name) {
    return runProgram("plastiscope",
                      {"screenshot", session.string(), "--head", "L1H2", "--size", "1100x700", "--out",
                       (folder / name).string()},
                      bare);
  };
  const auto whole = draw("whole.png");
  EXPECT_EQ(whole.exitCode, 0) << whole.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "whole.png"));
  std::filesystem::remove(capture);
  std::filesystem::remove(folder / "g.analysis.h5");
  const auto gone = draw("gone.png");
  EXPECT_EQ(gone.exitCode, 3);
  EXPECT_NE(gone.err.find("g.h5"), std::string::npos) << gone.err;
  const std::string content = readFile(session);
  writeFileAtomically(session, content.substr(0, content.size() - 40));
  const auto damaged = draw("damaged.png");
  EXPECT_EQ(damaged.exitCode, 3);
  EXPECT_NE(damaged.err.find("thesis.json"), std::string::npos) << damaged.err;
}

}  // namespace
}  // namespace plastiscope
