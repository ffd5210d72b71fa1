#include "core/base/python_call.h"

#include <algorithm>
#include <regex>

#include "core/base/joined.h"
#include "core/base/json.h"

namespace plastiscope {

namespace {

constexpr std::size_t kLongestLine = 100;

// A text in JSON is one in Python, except for the escapes of pathText(): bytes outside UTF-8 become the
// surrogates that Python uses for them in paths.
std::string literalOf(const std::string& text) {
  static const std::regex kByte(R"(\\\\x([89A-F][0-9A-F]))"), kBackslash(R"(\\\\x5C)");
  return std::regex_replace(std::regex_replace(Json(text).dump(), kByte, R"(\udc$1)"), kBackslash, R"(\\)");
}

// Numbers that Python prints as they are written need no quotes.
std::string valueOf(const std::string& text) {
  static const std::regex kNumber("-?(0|[1-9][0-9]{0,14})(\\.[0-9]{0,9}[1-9])?");
  return std::regex_match(text, kNumber) ? text : literalOf(text);
}

std::string identifierOf(std::string name) {
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace

std::string pythonCall(const std::string& command, const std::vector<std::string>& arguments) {
  std::vector<std::string> parts, names;         // of the call; of keyword arguments
  std::vector<std::vector<std::string>> values;  // [names]
  std::size_t current = 0;
  for (const std::string& argument : arguments) {
    if (argument.starts_with("--")) {
      const std::string name = identifierOf(argument.substr(2));
      current = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
      if (current == names.size()) names.push_back(name);
      values.resize(names.size());
    } else if (names.empty()) {
      parts.push_back(literalOf(argument));
    } else {
      values[current].push_back(valueOf(argument));
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string list = joined(values[i]);
    parts.push_back(names[i] + (values[i].empty()       ? "=True"
                                : values[i].size() == 1 ? "=" + list
                                                        : "=[" + list + "]"));
  }
  const std::string function = "ps." + (command == "study" ? "run_study" : identifierOf(command));
  std::string call = function + "(" + joined(parts) + ")";
  if (call.size() > kLongestLine) call = function + "(\n    " + joined(parts, {}, ",\n    ") + ",\n)";
  return "import plastiscope as ps\n\n" + call + "\n";
}

}  // namespace plastiscope
