#include <algorithm>
#include <sstream>

#include "app/command_line/command_line.h"
#include "core/base/error.h"

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

}  // namespace

std::string completionScript(const ProgramCommand& program, const std::string& shell) {
  requireWord("completions", shell, {"bash", "zsh", "fish"});
  if (shell == "fish") return fishScript(program);
  // zsh runs scripts for bash.
  const std::string begin =
      shell == "zsh" ? "autoload -Uz compinit bashcompinit\ncompinit\nbashcompinit\n" : "";
  return begin + bashScript(program);
}

}  // namespace plastiscope
