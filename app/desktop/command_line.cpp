#include "app/desktop/command_line.h"

#include <algorithm>
#include <charconv>

#include "app/command_line/command_line.h"
#include "core/base/error.h"
#include "core/base/version.h"

namespace plastiscope {
namespace {

QSize sizeFrom(const std::string& text) {
  const auto cross = text.find('x');
  int width = 0, height = 0;
  if (cross != std::string::npos) {
    std::from_chars(text.data(), text.data() + cross, width);
    std::from_chars(text.data() + cross + 1, text.data() + text.size(), height);
  }
  if (width < 400 || height < 300 || width > 16384 || height > 16384) {
    throw UsageError("--size: expected WIDTHxHEIGHT in pixels from 400x300 to 16384x16384; found \"" + text +
                     "\"");
  }
  return {width, height};
}

HeadName headFrom(const std::string& text) {
  const auto heads = parseHeadList(text);
  if (heads.size() != 1) throw UsageError("--head: expected one head such as L12H6; found \"" + text + "\"");
  return heads.front();
}

TextForm headForm(std::optional<HeadName>& head) {
  return {[&head] { return head ? head->text() : std::string(); },
          [&head](const std::string& text) { head = headFrom(text); }};
}

TextForm sizeForm(QSize& size) {
  return {[&size] { return std::to_string(size.width()) + "x" + std::to_string(size.height()); },
          [&size](const std::string& text) { size = sizeFrom(text); }};
}

TextForm viewForm(QString& view) {
  return {[&view] { return view.toStdString(); },
          [&view](const std::string& text) { view = QString::fromStdString(text); }};
}

OptionList windowOptions(CommandLine& line) {
  return {
      Option{"FILE", "", &line.files,
             "open captures (.h5), analyses, model folders, .gguf or .safetensors files, or the data of an "
             "exported figure (.pdf, .svg, .png, .html, .json), beside the tabs of the last session; a saved "
             "session (.json) or the folder of a sweep opens in a separate window"},
      Option{"--example", "", &line.example, "open the shipped example capture"},
      Option{
          "--head", "", headForm(line.head),
          "select this head in every file; a comparison shows its profiles, and the heads of the others that "
          "match it",
          OptionTraits{.form = "L12H6"}},
      Option{"--theme", "", &line.theme, "look of the window",
             OptionTraits{.words = {"system", "light", "dark"}, .form = "system|light|dark"}},
  };
}

OptionList screenshotOptions(CommandLine& line) {
  return {
      Option{"--page", "", choiceOf(line.page),
             "all panels; the panels of the head; a comparison of the files; benchmarks of the files and the "
             "thesis' models; the cloud in front; the text in front with its middle query selected; the "
             "figures of the thesis; the first step of the tour; the runs in the given folders",
             OptionTraits{.form = "heads|inspect|compare|benchmarks|cloud|text|thesis|tour|runs"}},
      Option{"--view", "", viewForm(line.view),
             "one view alone instead of the window: the id of its dock, such as planeDock or textDock",
             OptionTraits{.form = "ID"}},
      Option{"--size", "", sizeForm(line.size), "size of the window in pixels",
             OptionTraits{.form = "1600x1000"}},
      Option{"--force", "", &line.force,
             "replace a file that is not a picture by Plastiscope; never an input, a model's file, a folder "
             "or a device"},
      Option{"--out", "", &line.out, "save a picture of the window with all views drawn",
             OptionTraits{.form = "FILE.png"}},
  };
}

// ---- help

constexpr std::size_t kColumn = 34, kWidth = 120;

// "  --head L12H6      what it is", wrapped.
std::string described(const std::string& what, const std::string& help) {
  std::string text = "  " + what;
  std::size_t at = text.size();
  const auto newLine = [&] {
    text += "\n" + std::string(kColumn, ' ');
    at = kColumn;
  };
  if (at + 2 > kColumn)
    newLine();
  else
    text.append(kColumn - std::exchange(at, kColumn), ' ');
  for (std::size_t begin = 0; begin < help.size();) {
    const std::size_t end = std::min(help.find(' ', begin), help.size());
    if (at > kColumn && at + 1 + end - begin > kWidth) newLine();
    if (at > kColumn) text += ' ', ++at;
    text += help.substr(begin, end - begin);
    at += end - begin;
    begin = end + 1;
  }
  return text + "\n";
}

std::string described(const Option& option) {
  return described(option.name + (option.traits.form.empty() ? "" : " " + option.traits.form), option.help);
}

void requireKnownHere(const std::vector<std::string>& arguments, OptionList known, OptionList elsewhere) {
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (argument == "--") return;
    if (findOption(known, name) == nullptr && name.starts_with("--") &&
        findOption(elsewhere, name) != nullptr)
      throw UsageError(name + " belongs to plastiscope screenshot");
  }
}

}  // namespace

CommandLine parseCommandLine(const std::vector<std::string>& arguments) {
  CommandLine line;
  const bool screenshot = !arguments.empty() && arguments.front() == "screenshot";
  ProgramCommand command{.name = "plastiscope", .options = windowOptions(line)};
  const OptionList ofScreenshot = screenshotOptions(line);
  if (screenshot) {
    line.mode = CommandLine::Mode::Screenshot;
    command.options.insert(command.options.end(), ofScreenshot.begin(), ofScreenshot.end());
  } else {
    requireKnownHere(arguments, command.options, ofScreenshot);
  }
  CommandLineParser parser(command, kVersion);
  const CommandCall call = parser.parse({arguments.begin() + (screenshot ? 1 : 0), arguments.end()});
  if (const std::string wrong = parser.readValues(); !wrong.empty()) throw UsageError(wrong);
  if (call.asked != CommandCall::Asked::Run) {
    line.mode = call.asked == CommandCall::Asked::Help ? CommandLine::Mode::Help : CommandLine::Mode::Version;
  } else if (screenshot && line.out.empty()) {
    throw UsageError("plastiscope screenshot needs --out FILE.png");
  }
  return line;
}

std::string helpText() {
  CommandLine line;
  const OptionList window = windowOptions(line), screenshot = screenshotOptions(line);
  const Option &file = window[0], &example = window[1], &out = screenshot.back();
  std::string text = "plastiscope: a microscope for the attention heads of language models\n\n";
  text += described("plastiscope [FILE ...]", file.help) + described("plastiscope --example", example.help) +
          described("plastiscope render ...", "draw a figure without a screen (plastiscope render --help)") +
          described("plastiscope screenshot [FILE ...] " + out.name + " " + out.traits.form, out.help) + "\n";
  for (std::size_t i = 2; i < window.size(); ++i) text += described(window[i]);
  text += "  --version, --help\n\noptions of screenshot:\n";
  for (std::size_t i = 0; i + 1 < screenshot.size(); ++i) text += described(screenshot[i]);
  text += "\n" + described("plastiscope completions SHELL", "print completions for bash, zsh or fish") +
          described("plastiscope manual", "print the manual page");
  return text + "\nExample: plastiscope screenshot licences.h5 --head L16H4 --theme dark --out window.png\n";
}

std::optional<std::string> documentText(const std::vector<std::string>& arguments,
                                        const ProgramCommand& render) {
  if (arguments.empty() || (arguments.front() != "manual" && arguments.front() != "completions")) return {};
  CommandLine line;
  std::string shell;
  ProgramCommand drawing = render, picture{.name = "screenshot",
                                           .help = "Save a picture of the window with all views drawn",
                                           .options = windowOptions(line)};
  drawing.name = "render";
  const OptionList ofPicture = screenshotOptions(line);
  picture.options.insert(picture.options.end(), ofPicture.begin(), ofPicture.end());
  ProgramCommand program{.name = "plastiscope",
                         .help = "a microscope for the attention heads of language models",
                         .options = windowOptions(line),
                         .ownOptions = true};
  program.forms = {drawing,
                   picture,
                   {.name = "completions",
                    .help = "Print a script that completes commands and options in a shell",
                    .options = {{"SHELL", "", &shell, "bash, zsh or fish", {.required = true}}}},
                   {.name = "manual", .help = "Print the manual page"}};
  const bool manual = arguments.front() == "manual";
  ProgramCommand& asked = manual ? program.forms[3] : program.forms[2];
  CommandLineParser parser(asked, "");
  const CommandCall call = parser.parse({arguments.begin() + 1, arguments.end()});
  if (call.asked == CommandCall::Asked::Help) return call.text;
  return manual ? manualPage(program) : completionScript(program, shell);
}

}  // namespace plastiscope
