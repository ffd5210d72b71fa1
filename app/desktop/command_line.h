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
struct ProgramCommand;

enum class WindowPage { Heads, Inspect, Compare, Benchmarks, Cloud, Text, Thesis, Tour, Runs };
constexpr std::array<const char*, 9> namesOf(WindowPage) {
  return {"heads", "inspect", "compare", "benchmarks", "cloud", "text", "thesis", "tour", "runs"};
}

struct CommandLine {
  enum class Mode { Window, Screenshot, Help, Version };
  Mode mode = Mode::Window;
  std::vector<std::filesystem::path> files;
  bool example = false;          // open the shipped example
  std::optional<HeadName> head;  // selected in every file
  WindowPage page = WindowPage::Heads;
  std::string theme;  // "" = the saved setting
  QSize size{1600, 1000};
  QString view;               // view for a screenshot; "" = the window
  std::filesystem::path out;  // image file of a screenshot
  bool force = false;         // replace an existing file of another program
};

// UsageError names the nearest option. `render` is not handled here.
CommandLine parseCommandLine(const std::vector<std::string>& arguments);
std::string helpText();

// Output of `plastiscope manual` and `plastiscope completions SHELL`; nullopt for other arguments. `render`:
// the command with its options.
std::optional<std::string> documentText(const std::vector<std::string>& arguments,
                                        const ProgramCommand& render);
// Makes Qt draw into memory regardless of displays in the environment. Call before a QApplication is created.
void useNoDisplay();
// `plastiscope render`: draws a figure without a display. `args`: arguments after the word "render". Creates
// its own QApplication, so call it before any other is created. Returns the exit code; errors are printed to
// stderr.
int runRender(const std::vector<std::string>& args);
// Prints the manual or completions if requested; false if not.
bool printDocument(const std::vector<std::string>& arguments);
// Opens the files in the window, waits until all views are drawn, saves the image. Returns the exit code;
// errors are printed to stderr.
int runScreenshot(const CommandLine& line, MainWindow& window);

}  // namespace plastiscope
