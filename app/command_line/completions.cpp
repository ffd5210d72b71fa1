#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <variant>

#include "app/command_line/command_line.h"
#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/base/json.h"

namespace plastiscope {

namespace {

std::string functionName(const ProgramCommand& program) {
  std::string name = "_" + program.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string joinedWords(std::vector<std::string> words) {
  std::erase(words, "");
  return joined(words, {}, " ");
}

// Single-quoted text; `before` is put before a single quote inside.
std::string quotedFor(std::string_view shell, const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' && shell == "zsh")
      quoted += "'\\''";
    else
      quoted += (shell == "fish" && (c == '\'' || c == '\\')) ? std::string{'\\', c} : std::string(1, c);
  }
  return quoted + "'";
}

// ---- words by place

struct Offer {
  std::string word, help;
};

// A command with its words: "", "capture", "export csv".
struct Place {
  std::string path;
  const ProgramCommand& command;
  std::vector<Offer> offered;

  std::string inner(const ProgramCommand& form) const { return path + (path.empty() ? "" : " ") + form.name; }
};

void addOptions(const OptionList& options, std::vector<Offer>& to) {
  for (const Option& option : options) {
    if (const std::string name = longName(option); !name.empty()) to.push_back({name, option.help});
  }
}

void addPlaces(const ProgramCommand& program, const Place& place, std::vector<Place>& places) {
  const bool outermost = place.path.empty();
  Place whole = place;
  for (const ProgramCommand& form : place.command.forms) whole.offered.push_back({form.name, form.help});
  if (!outermost) addOptions(place.command.options, whole.offered);
  whole.offered.push_back({"--help", "Print the options"});
  if (outermost || !program.ownOptions) addOptions(program.options, whole.offered);
  places.push_back(whole);
  for (const ProgramCommand& form : place.command.forms)
    addPlaces(program, {place.inner(form), form, {}}, places);
}

std::vector<Place> placesOf(const ProgramCommand& program) {
  std::vector<Place> places;
  addPlaces(program, {"", program, {}}, places);
  return places;
}

// ---- scripts

// Lines of `case "$command/$word"`: the next command for a word.
std::string stepLines(const std::vector<Place>& places) {
  std::string lines;
  for (const Place& place : places) {
    for (const ProgramCommand& form : place.command.forms)
      lines += "      '" + place.path + "/" + form.name + "') command='" + place.inner(form) + "' ;;\n";
  }
  return lines;
}

// Lines of `case "$command/$previous"`: the words of the previous option, between `open` and `close`.
std::string valueLines(const std::vector<Place>& places, const std::string& open, const std::string& close) {
  std::string lines;
  for (const Place& place : places) {
    for (const Option& option : place.command.options) {
      const std::string name = longName(option), words = joinedWords(wordsOf(option));
      if (!name.empty() && !words.empty())
        lines += "    '" + place.path + "/" + name + "') " + open + words + close + " ;;\n";
    }
  }
  return lines;
}

std::string bashScript(const ProgramCommand& program) {
  const std::vector<Place> places = placesOf(program);
  const std::string function = functionName(program);
  std::string words;
  for (const Place& place : places)
    words += "      '" + place.path + "') words='" + joined(place.offered, &Offer::word, " ") + "' ;;\n";
  return function + "() {\n  local command= words= word\n" +
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n" +
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n    case \"$command/$word\" in\n" +
         stepLines(places) + "    esac\n  done\n  case \"$command/$previous\" in\n" +
         valueLines(places, "words='", "'") + "    *) case \"$command\" in\n" + words +
         "    esac ;;\n  esac\n" + "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n}\n" +
         "complete -o default -F " + function + " " + program.name + "\n";
}

// Works both as a file in $fpath and as a sourced script.
std::string zshScript(const ProgramCommand& program) {
  const std::vector<Place> places = placesOf(program);
  const std::string function = "_" + program.name;
  std::string words;
  for (const Place& place : places) {
    words += "      '" + place.path + "') offered=(\n";
    for (const Offer& offer : place.offered)
      words += "        " + quotedFor("zsh", offer.word + ":" + offer.help) + "\n";
    words += "      ) ;;\n";
  }
  return "#compdef " + program.name + "\n" + function +
         "() {\n  local command= word previous=${words[CURRENT-1]}\n  local -a offered\n" +
         "  for word in \"${(@)words[2,CURRENT-1]}\"; do\n    case \"$command/$word\" in\n" +
         stepLines(places) + "    esac\n  done\n  case \"$command/$previous\" in\n" +
         valueLines(places, "offered=(", ")") + "    *) case \"$command\" in\n" + words +
         "    esac ;;\n  esac\n  (( $#offered )) && _describe " + program.name + " offered\n" +
         "  [[ $words[CURRENT] == -* ]] || _files\n}\n" + "if [[ $funcstack[1] == " + function +
         " ]]; then\n  " + function +
         " \"$@\"\nelse\n  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }\n" +
         "  compdef " + function + " " + program.name + "\nfi\n";
}

std::string fishScript(const ProgramCommand& program) {
  std::ostringstream script;
  for (const Place& place : placesOf(program)) {
    std::string there;
    std::istringstream parts(place.path);
    for (std::string part; parts >> part;)
      there += (there.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + part);
    const std::string none =
        "not __fish_seen_subcommand_from " + joined(place.command.forms, &ProgramCommand::name, " ");
    const std::string begin = "complete -c " + program.name;
    for (const ProgramCommand& form : place.command.forms)
      script << begin << " -n " << quotedFor("fish", there.empty() ? none : there + "; and " + none) << " -a "
             << form.name << " -d " << quotedFor("fish", form.help) << "\n";
    const std::string where = there.empty() && program.ownOptions ? none : there;
    for (const Option& option : place.command.options) {
      const std::string name = longName(option), words = joinedWords(wordsOf(option));
      if (name.empty()) continue;
      script << begin << (where.empty() ? "" : " -n " + quotedFor("fish", where)) << " -l " << name.substr(2)
             << (isFlag(option) ? "" : " -r");
      if (!words.empty()) script << " -f -a " << quotedFor("fish", words);
      script << " -d " << quotedFor("fish", option.help) << "\n";
    }
  }
  return script.str();
}

// ---- as JSON

struct KindOf {
  template <typename Value>
  const char* operator()(const Value&) const {
    using Plain = std::remove_pointer_t<Value>;
    if (std::is_same_v<Plain, bool>) return "flag";
    if (std::is_same_v<Plain, double> || std::is_same_v<Plain, std::optional<double>>) return "number";
    if (std::is_same_v<Plain, std::filesystem::path> ||
        std::is_same_v<Plain, std::vector<std::filesystem::path>>)
      return "path";
    const bool integer = std::is_integral_v<Plain> || std::is_same_v<Plain, std::optional<std::int64_t>> ||
                         std::is_same_v<Plain, std::optional<std::uint64_t>>;
    return integer ? "integer" : "text";
  }
};

Json jsonOfOption(const Option& option) {
  Json json = {{"name", option.name},
               {"help", option.help},
               {"kind", std::visit(KindOf(), option.value)},
               {"several", takesSeveral(option)},
               {"required", option.traits.required}};
  if (const Json value = jsonOf(option); !isFlag(option) && !value.is_null() && value != "" && !value.empty())
    json["default"] = value;
  if (!wordsOf(option).empty()) json["words"] = wordsOf(option);
  if (option.traits.open) json["open"] = true;
  return json;
}

Json jsonOfCommand(const ProgramCommand& command) {
  Json json = {{"name", command.name}, {"help", command.help}, {"options", Json::array()}};
  for (const Option& option : command.options) {
    if (!option.name.empty() && !option.traits.hidden) json["options"].push_back(jsonOfOption(option));
  }
  for (const ProgramCommand& form : command.forms) json["commands"].push_back(jsonOfCommand(form));
  return json;
}

}  // namespace

std::string optionsJson(const ProgramCommand& program) {
  return indentedJson(jsonOfCommand(program), 1) + "\n";
}

std::string longName(const Option& option) {
  const std::string name = option.name.substr(0, option.name.find(','));
  return name.starts_with("--") && !option.traits.hidden ? name : "";
}

std::string completionScript(const ProgramCommand& program, const std::string& shell) {
  requireWord("completions", shell, {"bash", "zsh", "fish", "json"});
  if (shell == "json") return optionsJson(program);
  if (shell == "fish") return fishScript(program);
  return shell == "zsh" ? zshScript(program) : bashScript(program);
}

}  // namespace plastiscope
