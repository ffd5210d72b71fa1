#include "app/desktop/command_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

#include "core/base/error.h"

namespace plastiscope {
namespace {

struct Option {
  const char* name;
  bool takesValue;
  bool screenshotOnly;
  void (*apply)(CommandLine&, const std::string& value);
};

void requireOneOf(const char* option, const std::string& value, std::initializer_list<const char*> known) {
  if (std::find(known.begin(), known.end(), value) != known.end()) return;
  std::string names;
  for (const char* each : known) names += (names.empty() ? "" : ", ") + std::string(each);
  throw UsageError(std::string(option) + ": expected " + names + "; found \"" + value + "\"");
}

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

const std::array kOptions = {
    Option{"--help", false, false,
           [](CommandLine& line, const std::string&) { line.mode = CommandLine::Mode::Help; }},
    Option{"--version", false, false,
           [](CommandLine& line, const std::string&) { line.mode = CommandLine::Mode::Version; }},
    Option{"--example", false, false, [](CommandLine& line, const std::string&) { line.example = true; }},
    Option{"--head", true, false,
           [](CommandLine& line, const std::string& value) { line.head = headFrom(value); }},
    Option{"--theme", true, false,
           [](CommandLine& line, const std::string& value) {
             requireOneOf("--theme", value, {"system", "light", "dark"});
             line.theme = value;
           }},
    Option{"--page", true, true,
           [](CommandLine& line, const std::string& value) {
             requireOneOf("--page", value, {"heads", "inspect", "compare", "benchmarks", "cloud"});
             line.page = value;
           }},
    Option{"--size", true, true,
           [](CommandLine& line, const std::string& value) { line.size = sizeFrom(value); }},
    Option{"--force", false, true, [](CommandLine& line, const std::string&) { line.force = true; }},
    Option{"--out", true, true, [](CommandLine& line, const std::string& value) { line.out = value; }},
};

const Option& optionNamed(const std::string& name) {
  std::vector<std::string> names;
  for (const Option& option : kOptions) {
    if (name == option.name) return option;
    names.emplace_back(option.name);
  }
  const std::string near = nearestName(name, names);
  throw UsageError("unknown option " + name +
                   (near.empty() ? "; see plastiscope --help" : "; did you mean " + near + "?"));
}

}  // namespace

CommandLine parseCommandLine(const std::vector<std::string>& arguments) {
  CommandLine line;
  std::size_t first = 0;
  if (!arguments.empty() && arguments.front() == "screenshot") {
    line.mode = CommandLine::Mode::Screenshot;
    first = 1;
  }
  const bool screenshot = line.mode == CommandLine::Mode::Screenshot;
  bool onlyFiles = false;
  for (std::size_t i = first; i < arguments.size(); ++i) {
    std::string name = arguments[i], value;
    if (onlyFiles || name.size() < 2 || name[0] != '-') {
      line.files.emplace_back(name);
      continue;
    }
    if (name == "--") {
      onlyFiles = true;
      continue;
    }
    const auto equals = name.find('=');
    const bool attached = equals != std::string::npos;
    if (attached) {
      value = name.substr(equals + 1);
      name.resize(equals);
    }
    if (name == "-h") name = "--help";
    const Option& option = optionNamed(name);
    if (option.screenshotOnly && !screenshot) throw UsageError(name + " belongs to plastiscope screenshot");
    if (option.takesValue && !attached) {
      if (i + 1 == arguments.size()) throw UsageError(name + " needs a value");
      value = arguments[++i];
    }
    if (!option.takesValue && attached) throw UsageError(name + " takes no value");
    option.apply(line, value);
  }
  const bool noPlace = line.mode == CommandLine::Mode::Screenshot && line.out.empty();
  if (noPlace) throw UsageError("plastiscope screenshot needs --out FILE.png");
  return line;
}

std::string helpText() {
  return R"(plastiscope: a microscope for the attention heads of language models

  plastiscope [FILE ...]          open captures (.h5), analyses, model folders, .gguf files, or what an exported
                                  figure (.pdf, .svg, .png, .html, .json) shows, beside the tabs of the last session;
                                  a session that was saved (.json) opens in a window of its own
  plastiscope --example           open the shipped example capture
  plastiscope render ...          draw a figure without a screen (plastiscope render --help)
  plastiscope screenshot [FILE ...] --out FILE.png
                                  save a picture of the window with all views drawn

  --head L12H6                    select this head in every file; a comparison shows its profiles, and the heads of
                                  the others that match it
  --theme system|light|dark       look of the window
  --version, --help

of screenshot:
  --page heads|inspect|compare|benchmarks|cloud
                                  all panels; only those of the head; the files compared; the files beside the
                                  thesis' models; the cloud in front
  --size 1600x1000                size of the window in pixels
  --force                         replace a file that is no picture of Plastiscope; never an input, a model's file,
                                  a folder or a device

Example: plastiscope screenshot licences.h5 --head L16H4 --theme dark --out window.png
)";
}

}  // namespace plastiscope
