#pragma once
// Options as data. A list defines name, meaning and allowed values of each option; command line, help, shell
// completions, JSON, printed commands and dialog fields are generated from such lists.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace plastiscope {

// An enumeration with names: its values count from 0 in their order.
struct Choice {
  std::vector<std::string> names;
  std::function<std::size_t()> get;
  std::function<void(std::size_t)> set;
};
// `namesOf(Enum)` is defined beside the enumeration.
template <typename Enum>
  requires requires(Enum value) { namesOf(value); }
std::string nameOf(Enum value) {
  return namesOf(value)[static_cast<std::size_t>(value)];
}
template <typename Enum>
Choice choiceOf(Enum& value) {
  const auto names = namesOf(value);
  return {{names.begin(), names.end()},
          [&value] { return static_cast<std::size_t>(value); },
          [&value](std::size_t index) { value = static_cast<Enum>(index); }};
}

// Values with their own text form, such as heads or a size; `set` throws UsageError.
struct TextForm {
  std::function<std::string()> get;
  std::function<void(const std::string&)> set;
};
struct TextsForm {
  std::function<std::vector<std::string>()> get;
  std::function<void(const std::vector<std::string>&)> set;
};
struct JsonForm {
  std::function<nlohmann::json()> get;
  std::function<void(const nlohmann::json&)> set;
};

// Pointer to the value, or accessors; the alternative defines the option's type.
using OptionValue =
    std::variant<bool*, int*, std::int64_t*, std::uint64_t*, double*, std::string*, std::filesystem::path*,
                 std::optional<std::int64_t>*, std::optional<std::uint64_t>*, std::optional<double>*,
                 std::optional<std::pair<double, double>>*, std::vector<std::string>*,
                 std::vector<std::filesystem::path>*, Choice, TextForm, TextsForm, JsonForm>;

// Limit of a number from the user; only Between applies to stored numbers too.
enum class Limit { None, Positive, NotNegative, Between };

// Field of the value in a dialog. Fields with the same row are placed side by side.
struct OptionField {
  std::string page = {}, row = {};  // row "": not in dialogs
  std::string label = {};           // before the field, or of its check box
  std::string tip = {};             // "": the help text
  std::string special = {};         // shown for the least number or an empty line
  std::string suffix = {};
  double least = 0, most = 0, step = 1;
  int decimals = 0;
  std::vector<std::string> words = {};  // shown instead of the names of a choice; empty: names
};

struct OptionTraits {
  std::string group = {};  // heading in the help
  bool required = false;
  bool hidden = false;        // not in help and completions
  bool showsDefault = false;  // in the help
  bool clears = false;        // a flag that sets false
  bool leftOut = false;       // of JSON while at its default
  Limit limit = Limit::None;
  double least = 0, most = 0;           // for Between
  std::vector<std::string> words = {};  // allowed texts
  bool open = false;                    // other texts as well
  bool listsWords = false;              // in the help
  char separator = 0;                   // between several values in one argument
  std::string excludes = {};            // name of the flag that excludes it
  std::string form = {};                // placeholder in the help of the desktop program: "FILE.png"
};

struct Option {
  std::string name;  // "--bucket-size"; "CAPTURE": positional; "": not on the command line
  std::string key;   // in JSON, nested as "plan.rate"; "": not stored
  OptionValue value;
  std::string help = {};
  OptionTraits traits = {};
  OptionField field = {};
};
using OptionList = std::vector<Option>;

bool isFlag(const Option& option);
bool takesSeveral(const Option& option);  // several texts; false for one text that holds a list
// Allowed words, if they are listed.
const std::vector<std::string>& wordsOf(const Option& option);

// The arguments on the command line: none if not given, one text per value.
std::vector<std::string> textsOf(const Option& option);
// UsageError that names the option, what is expected and what was found.
void setTexts(const Option& option, const std::vector<std::string>& texts);

nlohmann::json jsonOf(const Option& option);
// UsageError that begins with `what` ("capture setting window").
void setJson(const Option& option, const nlohmann::json& value, const std::string& what);

bool sameValue(const Option& a, const Option& b);
// `to` gets the value of `from`, the same option of another object.
void copyValue(const Option& to, const Option& from);
// Values that differ from `standard` (the same list with defaults) as arguments: "--rate", "14".
std::vector<std::string> argumentsOf(const OptionList& now, const OptionList& standard);

nlohmann::json toJson(const OptionList& now, const OptionList& standard);
// Missing members keep their value. UsageError for wrong values; requireKnownMembers: for unknown members of
// `what` ("capture setting").
void readMembers(const OptionList& list, const nlohmann::json& object, const std::string& what);
void requireKnownMembers(const OptionList& list, const nlohmann::json& object, const std::string& what);

Option* findOption(OptionList& list, std::string_view nameOrKey);
// UsageError unless each text with a fixed list of words has one of them.
void requireWords(const OptionList& list);
// "0,1"; UsageError unless the numbers increase.
std::pair<double, double> parseRange(const std::string& text);
// "--store: expected float16, float32, found "float61"; did you mean float16?"
void requireWord(const std::string& what, const std::string& word, const std::vector<std::string>& words);
// The value of an enumeration with this name; UsageError as requireWord().
template <typename Enum>
Enum named(const std::string& what, const std::string& name) {
  const auto names = namesOf(Enum());
  requireWord(what, name, {names.begin(), names.end()});
  return static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace plastiscope
