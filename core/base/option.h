#pragma once
// Options as data. A list of them says once what each value is called, what it means and what it takes;
// command line, help, shell completions, JSON, printed commands and the fields of dialogs are made of such
// lists.
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

// An enumeration, written as one of these names: its values count from 0 in their order.
struct Choice {
  std::vector<std::string> names;
  std::function<std::size_t()> get;
  std::function<void(std::size_t)> set;
};
// `namesOf(Enum)` stands beside the enumeration.
template <typename Enum>
requires requires(Enum value) {
  namesOf(value);
}
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

// Values with a form of their own, such as heads or a size; `set` throws UsageError.
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

// Where a value lives, which says what kind it is.
using OptionValue =
    std::variant<bool*, int*, std::int64_t*, std::uint64_t*, double*, std::string*, std::filesystem::path*,
                 std::optional<std::int64_t>*, std::optional<std::uint64_t>*, std::optional<double>*,
                 std::optional<std::pair<double, double>>*, std::vector<std::string>*,
                 std::vector<std::filesystem::path>*, Choice, TextForm, TextsForm, JsonForm>;

// Of a number that a person gives; only Between holds for stored ones too.
enum class Limit { None, Positive, NotNegative, Between };

// How a dialog asks for the value. Fields of one row stand beside each other.
struct OptionField {
  std::string page = {}, row = {};  // row "": no dialog asks for it
  std::string label = {};           // before the field, or of its box
  std::string tip = {};             // "": the help
  std::string special = {};         // said instead of the least number, or in an empty line
  std::string suffix = {};
  double least = 0, most = 0, step = 1;
  int decimals = 0;
  std::vector<std::string> words = {};  // shown for the names of a choice; none: the names themselves
};

struct OptionTraits {
  std::string group = {};  // its heading in the help
  bool required = false;
  bool hidden = false;        // from help and completions
  bool showsDefault = false;  // in the help
  bool clears = false;        // a flag that sets false
  bool leftOut = false;       // of JSON, while it has its default
  Limit limit = Limit::None;
  double least = 0, most = 0;           // Between
  std::vector<std::string> words = {};  // a text is one of these,
  bool open = false;                    // or something else
  bool listsWords = false;              // in the help
  char separator = 0;                   // of several values in one argument
  std::string excludes = {};            // the flag that cannot be given with it
  std::string form = {};                // what stands for the value in the window's help: "FILE.png"
};

struct Option {
  std::string name;  // "--bucket-size"; "CAPTURE": given without a name; "": not on the command line
  std::string key;   // in JSON, "plan.rate" inside of "plan"; "": not kept
  OptionValue value;
  std::string help = {};
  OptionTraits traits = {};
  OptionField field = {};
};
using OptionList = std::vector<Option>;

bool isFlag(const Option& option);
bool takesSeveral(const Option& option);  // several texts, which is not one text that is a list
// What it may be set to, as far as there is a list of it.
const std::vector<std::string>& wordsOf(const Option& option);

// As on the command line: nothing for what is not given, several texts for several values.
std::vector<std::string> textsOf(const Option& option);
// UsageError that names the option, what is expected and what was found.
void setTexts(const Option& option, const std::vector<std::string>& texts);

nlohmann::json jsonOf(const Option& option);
// UsageError that begins with `what` ("capture setting window").
void setJson(const Option& option, const nlohmann::json& value, const std::string& what);

bool sameValue(const Option& a, const Option& b);
// `to` gets the value of `from`, the same option of another object.
void copyValue(const Option& to, const Option& from);
// What differs from the defaults, as arguments: "--rate", "14". `standard`: the same list with defaults.
std::vector<std::string> argumentsOf(const OptionList& now, const OptionList& standard);

nlohmann::json toJson(const OptionList& now, const OptionList& standard);
// Members that are missing keep their value. UsageError for wrong ones, also for unknown ones where `what`
// ("capture setting") is to have no others.
void readMembers(const OptionList& list, const nlohmann::json& object, const std::string& what);
void requireKnownMembers(const OptionList& list, const nlohmann::json& object, const std::string& what);

Option* findOption(OptionList& list, std::string_view nameOrKey);
// Every text that takes certain words alone has one of them. UsageError.
void requireWords(const OptionList& list);
// "0,1". UsageError unless the numbers rise.
std::pair<double, double> parseRange(const std::string& text);
// "--store: expected float16, float32, found "float61"; did you mean float16?"
void requireWord(const std::string& what, const std::string& word, const std::vector<std::string>& words);

}  // namespace plastiscope
