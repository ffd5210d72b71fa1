#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <type_traits>
#include <variant>

#include "app/command_line/command_line.h"
#include "core/base/error.h"
#include "core/base/json.h"

namespace plastiscope {

namespace {

std::string functionName(const ProgramCommand& program) {
  std::string name = "_" + program.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// "--text" of "--text,TEXT"; "" for what is given without a name.
std::string optionName(const Option& option) {
  const std::string name = option.name.substr(0, option.name.find(','));
  return name.starts_with("--") && !option.traits.hidden ? name : "";
}

std::string joinedWords(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) {
    if (!word.empty()) all += (all.empty() ? "" : " ") + word;
  }
  return all;
}

std::string fishQuoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

// Every command with the words that lead to it: "", "capture", "export csv".
void visitCommands(const ProgramCommand& command, const std::string& path,
                   const std::function<void(const ProgramCommand&, const std::string&)>& visit) {
  visit(command, path);
  for (const ProgramCommand& form : command.forms)
    visitCommands(form, path + (path.empty() ? "" : " ") + form.name, visit);
}

std::string bashScript(const ProgramCommand& program) {
  std::ostringstream commands, values, words;
  const auto global = [&] {
    std::vector<std::string> names{"--help"};
    for (const Option& option : program.options) names.push_back(optionName(option));
    return names;
  }();
  visitCommands(program, "", [&](const ProgramCommand& command, const std::string& path) {
    std::vector<std::string> offered;
    for (const ProgramCommand& form : command.forms) {
      offered.push_back(form.name);
      const std::string inner = path + (path.empty() ? "" : " ") + form.name;
      commands << "      '" << path << "/" << form.name << "') command='" << inner << "' ;;\n";
    }
    for (const Option& option : command.options) {
      const std::string name = optionName(option);
      if (name.empty()) continue;
      if (!path.empty()) offered.push_back(name);
      if (!wordsOf(option).empty())
        values << "    '" << path << "/" << name << "') words='" << joinedWords(wordsOf(option)) << "' ;;\n";
    }
    offered.insert(offered.end(), global.begin(), global.end());
    words << "      '" << path << "') words='" << joinedWords(offered) << "' ;;\n";
  });
  const std::string function = functionName(program);
  return function + "() {\n  local command= words= word\n" +
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n" +
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n    case \"$command/$word\" in\n" +
         commands.str() + "    esac\n  done\n  case \"$command/$previous\" in\n" + values.str() +
         "    *) case \"$command\" in\n" + words.str() + "    esac ;;\n  esac\n" +
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n}\n" + "complete -o default -F " +
         function + " " + program.name + "\n";
}

std::string fishScript(const ProgramCommand& program) {
  std::ostringstream script;
  visitCommands(program, "", [&](const ProgramCommand& command, const std::string& path) {
    std::string there;
    std::istringstream parts(path);
    for (std::string part; parts >> part;)
      there += (there.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + part);
    const std::string begin = "complete -c " + program.name;
    for (const ProgramCommand& form : command.forms) {
      std::vector<std::string> names;
      for (const ProgramCommand& each : command.forms) names.push_back(each.name);
      const std::string none = "not __fish_seen_subcommand_from " + joinedWords(names);
      script << begin << " -n " << fishQuoted(there.empty() ? none : there + "; and " + none) << " -a "
             << form.name << " -d " << fishQuoted(form.help) << "\n";
    }
    for (const Option& option : command.options) {
      const std::string name = optionName(option);
      if (name.empty()) continue;
      script << begin << (there.empty() ? "" : " -n " + fishQuoted(there)) << " -l " << name.substr(2)
             << (isFlag(option) ? "" : " -r");
      if (!wordsOf(option).empty()) script << " -f -a " << fishQuoted(joinedWords(wordsOf(option)));
      script << " -d " << fishQuoted(option.help) << "\n";
    }
  });
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

bool takesSeveralValues(const Option& option) {
  return std::holds_alternative<TextsForm>(option.value) ||
         std::holds_alternative<std::vector<std::string>*>(option.value) ||
         std::holds_alternative<std::vector<std::filesystem::path>*>(option.value);
}

Json jsonOfOption(const Option& option) {
  Json json = {{"name", option.name},
               {"help", option.help},
               {"kind", std::visit(KindOf(), option.value)},
               {"several", takesSeveralValues(option)},
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

std::string completionScript(const ProgramCommand& program, const std::string& shell) {
  requireWord("completions", shell, {"bash", "zsh", "fish", "json"});
  if (shell == "json") return optionsJson(program);
  if (shell == "fish") return fishScript(program);
  // zsh runs scripts for bash.
  const std::string begin =
      shell == "zsh" ? "autoload -Uz compinit bashcompinit\ncompinit\nbashcompinit\n" : "";
  return begin + bashScript(program);
}

}  // namespace plastiscope
