#pragma once
// Arguments of `plastiscope`, and the commands that need no window (resources/help/commands.md).
#include <QSize>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/capture/head_list.h"

namespace plastiscope {

class MainWindow;
class Session;
struct ProgramCommand;

enum class WindowPage { Heads, Inspect, Compare, Benchmarks, Cloud, Text, Thesis, Tour };
constexpr std::array<const char*, 8> namesOf(WindowPage) {
  return {"heads", "inspect", "compare", "benchmarks", "cloud", "text", "thesis", "tour"};
}

struct CommandLine {
  enum class Mode { Window, Screenshot, Help, Version };
  Mode mode = Mode::Window;
  std::vector<std::filesystem::path> files;
  bool example = false;          // open the shipped example
  std::optional<HeadName> head;  // select it in every file
  WindowPage page = WindowPage::Heads;
  std::string theme;  // "" = the remembered choice
  QSize size{1600, 1000};
  QString view;               // of a screenshot: this one alone; "" = the window
  std::filesystem::path out;  // of a screenshot
  bool force = false;         // replace a foreign file there
};

// UsageError names the nearest option. `render` is not handled here.
CommandLine parseCommandLine(const std::vector<std::string>& arguments);
std::string helpText();

// What `plastiscope manual` and `plastiscope completions SHELL` print; nothing for other arguments. `render`:
// the command with its options.
std::optional<std::string> documentText(const std::vector<std::string>& arguments,
                                        const ProgramCommand& render);
// Qt draws into memory, whatever the environment says of displays. Before a QApplication is made.
void useNoDisplay();
// `plastiscope render`: draws a figure without a screen. Arguments after the word "render". Makes its own
// QApplication, so it must be called before any other is made. Returns
// the exit code; errors are printed to stderr.
int runRender(const std::vector<std::string>& args);
// Prints the manual or completions where the arguments ask for them; false where they do not.
bool printDocument(const std::vector<std::string>& arguments);
// Opens the files in the window, waits until all views are drawn, saves the picture. Returns the exit code;
// errors go to stderr.
int runScreenshot(const CommandLine& line, Session& session, MainWindow& window);

}  // namespace plastiscope
