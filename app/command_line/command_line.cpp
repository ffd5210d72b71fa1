#include "app/command_line/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <map>

#include "core/base/joined.h"

namespace plastiscope {

namespace {

// Types that CLI11 reads itself, so that its usual messages and help apply.
struct AddNative {
  CLI::App& app;
  const Option& option;

  CLI::Option* operator()(bool* flag) const {
    return (option.traits.clears ? app.add_flag_callback(
                                       option.name, [flag] { *flag = false; }, option.help)
                                 : app.add_flag(option.name, *flag, option.help))
        ->disable_flag_override();
  }
  CLI::Option* operator()(std::string* text) const {
    const bool checked = !option.traits.words.empty() && !option.traits.open && !option.traits.listsWords;
    return checked ? nullptr : app.add_option(option.name, *text, option.help);
  }
  template <typename Value>
  CLI::Option* operator()(Value* value) const {
    if constexpr (std::is_same_v<Value, std::filesystem::path> ||
                  std::is_same_v<Value, std::vector<std::filesystem::path>> ||
                  std::is_same_v<Value, std::optional<std::pair<double, double>>>)
      return nullptr;
    else
      return app.add_option(option.name, *value, option.help);
  }
  template <typename Form>
  requires(!std::is_pointer_v<Form>) CLI::Option* operator()(const Form&) const { return nullptr; }
};

void limit(CLI::Option& made, const Option& option) {
  switch (option.traits.limit) {
    case Limit::None:
      break;
    case Limit::Positive:
      made.check(CLI::PositiveNumber);
      break;
    case Limit::NotNegative:
      made.check(CLI::NonNegativeNumber);
      break;
    case Limit::Between:
      made.check(CLI::Range(static_cast<int>(option.traits.least), static_cast<int>(option.traits.most)));
      break;
  }
  if (option.traits.listsWords) made.check(CLI::IsMember(option.traits.words));
}

std::vector<std::string> longNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

const CLI::App& innermost(const CLI::App& app) {
  const auto given = app.get_subcommands();
  return given.empty() ? app : innermost(*given.front());
}

// The first option in the arguments that is unknown to `app` and its parents.
std::string unknownOption(const CLI::App& app, const std::vector<std::string>& arguments,
                          std::vector<std::string>& known) {
  for (const CLI::App* each = &app; each != nullptr; each = each->get_parent()) {
    const auto names = longNames(*each);
    known.insert(known.end(), names.begin(), names.end());
  }
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (argument == "--") break;
    if (name.starts_with("--") && std::ranges::count(known, name) == 0) return name;
  }
  return {};
}

// "--head needs a value", "--example takes no value"; "" when it is neither.
std::string mismatchedOption(const ProgramCommand& command, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string name = arguments[i].substr(0, arguments[i].find('='));
    const bool attached = name.size() < arguments[i].size();
    for (const Option& option : command.options) {
      if (option.name != name) continue;
      if (isFlag(option) && attached) return name + " takes no value";
      if (!isFlag(option) && !attached && (i + 1 == arguments.size() || arguments[i + 1].starts_with("--")))
        return name + " needs a value";
    }
  }
  return {};
}

// Arguments after "--" are never options. CLI11 2.1 assigns them to the wrong command, so they are marked
// until they are values.
constexpr char kPlain = '\x01';

std::vector<std::string> markedArguments(const std::vector<std::string>& arguments) {
  std::vector<std::string> marked;
  bool plain = false;
  for (const std::string& argument : arguments) {
    if (!plain && argument == "--")
      plain = true;
    else
      marked.push_back(plain ? kPlain + argument : argument);
  }
  return marked;
}

std::string withoutMark(std::string argument) {
  return argument.starts_with(kPlain) ? argument.substr(1) : argument;
}

}  // namespace

struct CommandLineParser::Private {
  // Value that CLI11 reads as texts.
  struct GivenTexts {
    const Option* option;
    const CLI::Option* given;
    std::vector<std::string> texts;
  };

  const ProgramCommand& program;
  CLI::App app;
  std::deque<GivenTexts> texts;
  std::map<const CLI::App*, const ProgramCommand*> commands;

  void declare(CLI::App& to, const ProgramCommand& command);
  void add(CLI::App& to, const Option& option);
  std::string sentence(const CLI::ParseError& error, const std::vector<std::string>& arguments) const;
};

void CommandLineParser::Private::add(CLI::App& to, const Option& option) {
  CLI::Option* made = std::visit(AddNative{to, option}, option.value);
  if (made == nullptr) {
    GivenTexts& given = texts.emplace_back(GivenTexts{&option, nullptr, {}});
    made = to.add_option(option.name, given.texts, option.help);
    if (!takesSeveral(option)) made->expected(1)->allow_extra_args(false);
    given.given = made;
    const std::vector<std::string> standard = textsOf(option);
    if (option.traits.showsDefault && !standard.empty()) made->default_str(standard.front());
  } else if (option.traits.showsDefault) {
    made->capture_default_str();
  }
  if (!option.name.starts_with("--")) made->transform(withoutMark);
  if (option.traits.separator != 0) made->delimiter(option.traits.separator);
  if (option.traits.required) made->required();
  if (option.traits.hidden || !option.traits.group.empty()) made->group(option.traits.group);
  if (!option.traits.excludes.empty()) made->excludes(to.get_option(option.traits.excludes));
  limit(*made, option);
}

void CommandLineParser::Private::declare(CLI::App& to, const ProgramCommand& command) {
  commands[&to] = &command;
  if (!command.footer.empty()) to.footer(command.footer);
  for (const Option& option : command.options) {
    if (!option.name.empty()) add(to, option);
  }
  if (!command.forms.empty()) to.require_subcommand(1);
  for (const ProgramCommand& form : command.forms) declare(*to.add_subcommand(form.name, form.help), form);
}

// One sentence for a parse error.
std::string CommandLineParser::Private::sentence(const CLI::ParseError& error,
                                                 const std::vector<std::string>& arguments) const {
  const CLI::App& at = innermost(app);
  std::vector<std::string> known;
  const std::string unknown = unknownOption(at, arguments, known);
  if (!unknown.empty()) return "unknown option " + unknown + didYouMean(unknown, known);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string mismatch = mismatchedOption(*commands.at(&at), arguments);
    if (!mismatch.empty()) return mismatch;
  }
  const ProgramCommand& command = *commands.at(&at);
  if (!command.forms.empty() && !arguments.empty() && arguments.front().front() != '-' && &at == &app) {
    std::vector<std::string> names;
    for (const ProgramCommand& form : command.forms) names.push_back(form.name);
    return "unknown command " + arguments.front() +
           didYouMean(arguments.front(), names, " (known: " + joined(names) + ")");
  }
  return error.what();
}

CommandLineParser::CommandLineParser(const ProgramCommand& program, const std::string& version)
    : d(new Private{program, CLI::App(program.help, program.name), {}, {}}) {
  if (!version.empty()) d->app.set_version_flag("--version", version);
  d->app.fallthrough();
  d->declare(d->app, program);
}

CommandLineParser::~CommandLineParser() = default;

CommandCall CommandLineParser::parse(const std::vector<std::string>& arguments) {
  const std::vector<std::string> marked = markedArguments(arguments);
  try {
    d->app.parse(std::vector<std::string>(marked.rbegin(), marked.rend()));
  } catch (const CLI::CallForVersion& version) {
    return {CommandCall::Asked::Version, &d->program, std::string(version.what()) + "\n"};
  } catch (const CLI::Success&) {
    return {CommandCall::Asked::Help, &d->program, d->app.help()};
  } catch (const CLI::ParseError& error) {
    throw UsageError(d->sentence(error, arguments));
  }
  return {CommandCall::Asked::Run, d->commands.at(&innermost(d->app)), {}};
}

std::string CommandLineParser::readValues() const {
  std::string wrong;
  for (const auto& given : d->texts) {
    if (given.given->count() == 0) continue;
    try {
      setTexts(*given.option, given.texts);
    } catch (const UsageError& error) {
      if (wrong.empty()) wrong = error.what();
    }
  }
  return wrong;
}

}  // namespace plastiscope
