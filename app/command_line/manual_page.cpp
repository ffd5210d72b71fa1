// Manual page in the man macros of roff (groff_man(7)).
#include <algorithm>
#include <cctype>
#include <type_traits>

#include "app/command_line/command_line.h"
#include "core/base/joined.h"
#include "core/base/version.h"

namespace plastiscope {

namespace {

constexpr std::size_t kFewWords = 6;  // listed in place of the value; more of them after the help

// Escapes text literally: no hyphen becomes a dash, no line a request.
std::string roff(const std::string& text) {
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] == '.' || text[i] == '\'') && (i == 0 || text[i - 1] == '\n')) safe += "\\&";
    if (text[i] == '\\')
      safe += "\\e";
    else
      safe += text[i] == '-' ? "\\-" : std::string(1, text[i]);
  }
  return safe;
}

std::string bold(const std::string& text) {
  return "\\fB" + roff(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + roff(text) + "\\fR";
}

bool isNamed(const Option& option) {
  return option.name.starts_with("--");
}

// Placeholder for a value of this type.
template <typename Value>
const char* nameOfKind() {
  using std::is_same_v;
  namespace fs = std::filesystem;
  if (is_same_v<Value, bool>) return "";
  if (is_same_v<Value, fs::path>) return "FILE";
  if (is_same_v<Value, std::vector<fs::path>>) return "FILE ...";
  if (is_same_v<Value, std::vector<std::string>> || is_same_v<Value, TextsForm>) return "TEXT ...";
  if (is_same_v<Value, std::optional<std::pair<double, double>>>) return "X,X";
  if (is_same_v<Value, double> || is_same_v<Value, std::optional<double>>) return "X";
  const bool whole = std::is_integral_v<Value> || is_same_v<Value, std::optional<std::int64_t>> ||
                     is_same_v<Value, std::optional<std::uint64_t>>;
  return whole ? "N" : "TEXT";
}

bool namesItsWords(const Option& option) {
  const auto& words = wordsOf(option);
  return !words.empty() && words.size() <= kFewWords && !option.traits.open &&
         std::ranges::count(words, "") == 0;
}

std::string valueOf(const Option& option) {
  if (!option.traits.form.empty()) return option.traits.form;
  if (namesItsWords(option)) return joined(wordsOf(option), {}, "|");
  if (option.traits.separator != 0) return std::string("TEXT") + option.traits.separator + "...";
  return std::visit(
      [](const auto& value) { return nameOfKind<std::remove_pointer_t<std::decay_t<decltype(value)>>>(); },
      option.value);
}

std::string sentence(std::string text) {
  if (!text.empty() && std::string_view(".:!?").find(text.back()) == std::string_view::npos) text += '.';
  return text;
}

// ".TP", the option, its help.
std::string entry(const Option& option) {
  std::string what = isNamed(option) ? bold(longName(option)) : italic(option.name);
  if (isNamed(option) && !isFlag(option)) what += " " + italic(valueOf(option));
  std::string help = sentence(option.help);
  std::vector<std::string> words = wordsOf(option);
  std::erase(words, "");
  if (isNamed(option) && !words.empty() && !namesItsWords(option))
    help += " One of: " + joined(words) + (option.traits.open ? ", or another." : ".");
  const std::string standard = option.traits.showsDefault ? joined(textsOf(option)) : "";
  if (!standard.empty()) help += " Default: " + standard + ".";
  if (option.traits.required) help += " Required.";
  return ".TP\n" + what + "\n" + roff(help) + "\n";
}

// Positional options first, then the others in the order of the list under the headings of their groups.
std::string entries(const OptionList& options) {
  std::string text, group;
  for (const bool named : {false, true}) {
    for (const Option& option : options) {
      if (option.name.empty() || option.traits.hidden || isNamed(option) != named) continue;
      if (named && option.traits.group != group) {
        group = option.traits.group;
        if (!group.empty()) text += ".PP\n" + bold(group) + "\n";
      }
      text += entry(option);
    }
  }
  return text;
}

std::string synopsis(const ProgramCommand& command, const std::string& name) {
  std::string line = bold(name);
  const auto shown = [](const Option& option) { return !option.name.empty() && !option.traits.hidden; };
  if (std::ranges::any_of(command.options, [&](const Option& o) { return shown(o) && isNamed(o); }))
    line += " [" + italic("OPTION") + " ...]";
  for (const Option& option : command.options) {
    if (!shown(option) || isNamed(option)) continue;
    const std::string several = valueOf(option).ends_with("...") ? " ..." : "";
    line += option.traits.required ? " " + italic(option.name) + several
                                   : " [" + italic(option.name) + several + "]";
  }
  return line;
}

// The examples at the end of a command's help, line by line.
std::string examples(const ProgramCommand& command) {
  const std::size_t begin = command.footer.find("Example");
  if (begin == std::string::npos) return {};
  return ".PP\n.nf\n" + roff(command.footer.substr(begin)) + "\n.fi\n";
}

std::string sections(const ProgramCommand& command, const std::string& before) {
  std::string text;
  for (const ProgramCommand& form : command.forms) {
    const std::string name = before + " " + form.name;
    text += ".SS " + roff(name) + "\n" + roff(sentence(form.help)) + "\n";
    if (form.forms.empty()) text += ".PP\n" + synopsis(form, name) + "\n";
    text += entries(form.options) + examples(form) + sections(form, name);
  }
  return text;
}

std::string exitCodes() {
  std::string text;
  for (std::size_t code = 0; code < kExitCodes.size(); ++code)
    text += ".TP\n" + bold(std::to_string(code)) + "\n" + roff(sentence(kExitCodes[code])) + "\n";
  return text;
}

}  // namespace

std::string manualPage(const ProgramCommand& program) {
  std::string title = program.name;
  std::ranges::transform(title, title.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const std::string other = program.name == "plastiscope" ? "plastiscope-cli" : "plastiscope";
  return ".TH " + roff(title) + " 1 \"\" \"Plastiscope " + kVersion + "\" \"User Commands\"\n" +
         ".SH NAME\n" + roff(program.name) + " \\- " + roff(program.help) + "\n.SH SYNOPSIS\n" +
         (program.ownOptions ? synopsis(program, program.name) + "\n.br\n" : "") + bold(program.name) + " " +
         italic("COMMAND") + " ...\n.SH OPTIONS\n" + entries(program.options) + ".TP\n" + bold("--help") +
         "\nPrint the options of the program, or of a command.\n.TP\n" + bold("--version") +
         "\nPrint the version.\n" + ".SH COMMANDS\n" + sections(program, program.name) + ".SH EXIT STATUS\n" +
         exitCodes() + ".SH SEE ALSO\n" + bold(other) + "(1)\n";
}

}  // namespace plastiscope
