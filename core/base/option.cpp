#include "core/base/option.h"

#include <algorithm>
#include <limits>
#include <ranges>
#include <type_traits>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/parsed_number.h"
#include "core/base/path_text.h"

namespace plastiscope {

namespace {

template <typename Value>
struct IsOptional : std::false_type {};
template <typename Value>
struct IsOptional<std::optional<Value>> : std::true_type {};

using Range = std::pair<double, double>;

template <typename Number>
const char* kindOf() {
  if (std::is_unsigned_v<Number>) return "an integer from 0 to 2^64 - 1";
  return std::is_integral_v<Number> ? "an integer" : "a number";
}

[[noreturn]] void refuse(const std::string& what, const std::string& expected, const std::string& found) {
  throw UsageError(what + ": expected " + expected + ", found " + found);
}

template <typename Number>
void setNumber(const std::string& what, const std::string& text, Number& into) {
  const auto value = parsedNumber<Number>(text);
  if (!value) refuse(what, kindOf<Number>(), "\"" + text + "\"");
  into = *value;
}

void setWord(const Option& option, const std::string& what, const std::string& word, std::string& into) {
  if (!option.traits.words.empty() && !option.traits.open) requireWord(what, word, option.traits.words);
  into = word;
}

void setChoice(const Choice& choice, const std::string& what, const std::string& word) {
  requireWord(what, word, choice.names);
  choice.set(std::ranges::find(choice.names, word) - choice.names.begin());
}

// ---- texts

struct SetTexts {
  const Option& option;
  const std::vector<std::string>& texts;

  void operator()(bool* flag) const { *flag = !option.traits.clears; }
  void operator()(std::string* text) const { setWord(option, option.name, texts.back(), *text); }
  void operator()(std::filesystem::path* path) const { *path = texts.back(); }
  void operator()(std::optional<Range>* range) const { *range = parseRange(texts.back()); }
  template <typename Number>
  void operator()(Number* value) const {
    setNumber(option.name, texts.back(), *value);
  }
  template <typename Number>
  void operator()(std::optional<Number>* value) const {
    setNumber(option.name, texts.back(), value->emplace());
  }
  void operator()(std::vector<std::string>* list) const { *list = texts; }
  void operator()(std::vector<std::filesystem::path>* list) const {
    list->assign(texts.begin(), texts.end());
  }
  void operator()(const Choice& choice) const { setChoice(choice, option.name, texts.back()); }
  void operator()(const TextForm& form) const { form.set(texts.back()); }
  void operator()(const TextsForm& form) const { form.set(texts); }
  void operator()(const JsonForm&) const {}
};

// ---- JSON

struct JsonOfValue {
  Json operator()(const std::string* text) const { return textOfBytes(*text); }
  Json operator()(const std::filesystem::path* path) const { return pathText(*path); }
  Json operator()(const std::vector<std::filesystem::path>* paths) const {
    Json list = Json::array();
    for (const auto& path : *paths) list.push_back(pathText(path));
    return list;
  }
  template <typename Value>
  Json operator()(const Value* value) const {
    if constexpr (std::is_same_v<Value, std::optional<Range>>)
      return *value ? Json({(*value)->first, (*value)->second}) : Json();
    else if constexpr (IsOptional<Value>::value)
      return *value ? Json(**value) : Json();
    else
      return *value;
  }
  Json operator()(const Choice& choice) const { return choice.names[choice.get()]; }
  Json operator()(const TextForm& form) const { return form.get(); }
  Json operator()(const TextsForm& form) const { return form.get(); }
  Json operator()(const JsonForm& form) const { return form.get(); }
};

struct SetJson {
  const Option& option;
  const Json& value;
  const std::string& what;

  [[noreturn]] void fail(const std::string& expected) const { refuse(what, expected, canonicalJson(value)); }

  const std::string& named() const { return option.name.empty() ? what : option.name; }
  std::string text() const {
    if (!value.is_string()) fail("a text");
    return value.get<std::string>();
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> list;
    if (!value.is_array()) fail("a list of texts");
    for (const Json& each : value) {
      if (!each.is_string()) fail("a list of texts");
      list.push_back(each.get<std::string>());
    }
    return list;
  }
  template <typename Number>
  Number number(const Json& from) const {
    bool fits = from.is_number();
    if constexpr (std::is_unsigned_v<Number>)
      fits = from.is_number_unsigned();
    else if constexpr (std::is_integral_v<Number>)
      fits =
          from.is_number_integer() &&
          !(from.is_number_unsigned() && from.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) &&
          from.get<std::int64_t>() >= std::numeric_limits<Number>::min() &&
          from.get<std::int64_t>() <= std::numeric_limits<Number>::max();
    if (!fits) fail(kindOf<Number>());
    const auto read = from.get<Number>();
    const auto real = static_cast<double>(read);
    if (option.traits.limit == Limit::Between && !(real >= option.traits.least && real <= option.traits.most))
      fail(numberText(option.traits.least) + " to " + numberText(option.traits.most));
    return read;
  }

  void operator()(bool* flag) const {
    if (!value.is_boolean()) fail("true or false");
    *flag = value.get<bool>();
  }
  void operator()(std::string* into) const { setWord(option, named(), bytesOfText(text()), *into); }
  void operator()(std::filesystem::path* path) const { *path = pathOfText(text()); }
  void operator()(std::optional<Range>* range) const {
    if (value.is_null()) return range->reset();
    if (!value.is_array() || value.size() != 2) fail("two rising numbers");
    const Range read{number<double>(value[0]), number<double>(value[1])};
    if (!(read.first < read.second)) fail("two rising numbers");
    *range = read;
  }
  template <typename Number>
  void operator()(Number* into) const {
    *into = number<Number>(value);
  }
  template <typename Number>
  void operator()(std::optional<Number>* into) const {
    if (value.is_null()) return into->reset();
    *into = number<Number>(value);
  }
  void operator()(std::vector<std::string>* list) const { *list = texts(); }
  void operator()(std::vector<std::filesystem::path>* list) const {
    list->clear();
    for (const std::string& each : texts()) list->push_back(pathOfText(each));
  }
  void operator()(const Choice& choice) const { setChoice(choice, named(), text()); }
  void operator()(const TextForm& form) const { form.set(text()); }
  void operator()(const TextsForm& form) const { form.set(texts()); }
  void operator()(const JsonForm& form) const { form.set(value); }
};

// "plan.rate" in {"plan": {"rate": 1}}
const Json* memberAt(const Json& object, const std::string& key) {
  const auto dot = key.find('.');
  const auto found = object.is_object() ? object.find(key.substr(0, dot)) : object.end();
  if (!object.is_object() || found == object.end()) return nullptr;
  return dot == std::string::npos ? &*found : memberAt(*found, key.substr(dot + 1));
}

Json& memberFor(Json& object, const std::string& key) {
  const auto dot = key.find('.');
  Json& member = object[key.substr(0, dot)];
  return dot == std::string::npos ? member : memberFor(member, key.substr(dot + 1));
}

}  // namespace

bool takesSeveral(const Option& option) {
  return std::holds_alternative<TextsForm>(option.value) ||
         std::holds_alternative<std::vector<std::string>*>(option.value) ||
         std::holds_alternative<std::vector<std::filesystem::path>*>(option.value);
}

bool isFlag(const Option& option) {
  return std::holds_alternative<bool*>(option.value);
}

const std::vector<std::string>& wordsOf(const Option& option) {
  const auto* choice = std::get_if<Choice>(&option.value);
  return choice != nullptr ? choice->names : option.traits.words;
}

std::vector<std::string> textsOf(const Option& option) {
  if (isFlag(option) || std::holds_alternative<JsonForm>(option.value)) return {};
  const auto* list = std::get_if<std::vector<std::string>*>(&option.value);
  const Json value = jsonOf(option);
  std::vector<std::string> texts;
  for (const Json& each : value.is_array() ? value : Json::array({value})) {
    if (each.is_string())
      texts.push_back(list != nullptr ? textOfBytes(each.get<std::string>()) : each.get<std::string>());
    else if (!each.is_null())
      texts.push_back(each.is_number_float() ? numberText(each.get<double>()) : each.dump());
  }
  const bool isRange = std::holds_alternative<std::optional<Range>*>(option.value);
  const char separator = isRange ? ',' : list != nullptr ? option.traits.separator : '\0';
  if (separator != '\0' && !texts.empty()) texts = {joined(texts, {}, std::string(1, separator))};
  if (texts.size() == 1 && texts.front().empty()) texts.clear();
  return texts;
}

void setTexts(const Option& option, const std::vector<std::string>& texts) {
  std::visit(SetTexts{option, texts}, option.value);
}

Json jsonOf(const Option& option) {
  return std::visit(JsonOfValue(), option.value);
}

void setJson(const Option& option, const Json& value, const std::string& what) {
  std::visit(SetJson{option, value, what}, option.value);
}

bool sameValue(const Option& a, const Option& b) {
  return jsonOf(a) == jsonOf(b);
}

void copyValue(const Option& to, const Option& from) {
  std::visit(
      [](const auto& target, const auto& source) {
        using Target = std::decay_t<decltype(target)>;
        if constexpr (!std::is_same_v<Target, std::decay_t<decltype(source)>>)
          throw Error(ErrorKind::Internal, "options of two kinds");
        else if constexpr (std::is_pointer_v<Target>)
          *target = *source;
        else
          target.set(source.get());
      },
      to.value, from.value);
}

std::vector<std::string> argumentsOf(const OptionList& now, const OptionList& standard) {
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Option& option = now[i];
    if (!option.name.starts_with("--") || sameValue(option, standard[i])) continue;
    const std::vector<std::string> texts = textsOf(option);
    if (std::holds_alternative<TextsForm>(option.value)) {
      for (const std::string& text : texts) arguments.insert(arguments.end(), {option.name, text});
    } else if (isFlag(option) || !texts.empty()) {
      arguments.push_back(option.name);
      arguments.insert(arguments.end(), texts.begin(), texts.end());
    }
  }
  return arguments;
}

Json toJson(const OptionList& now, const OptionList& standard) {
  Json object = Json::object();
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Option& option = now[i];
    if (option.key.empty() || (option.traits.leftOut && sameValue(option, standard[i]))) continue;
    memberFor(object, option.key) = jsonOf(option);
  }
  return object;
}

void readMembers(const OptionList& list, const Json& object, const std::string& what) {
  for (const Option& option : list) {
    const Json* value = option.key.empty() ? nullptr : memberAt(object, option.key);
    if (value != nullptr) setJson(option, *value, what + " " + option.key);
  }
}

void requireKnownMembers(const OptionList& list, const Json& object, const std::string& what) {
  std::vector<std::string> known;
  for (const Option& option : list) {
    if (!option.key.empty()) known.push_back(option.key);
  }
  for (const auto& [key, ignored] : object.items()) requireWord(what, key, known);
}

Option* findOption(OptionList& list, std::string_view nameOrKey) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Option& option) {
    return option.name == nameOrKey || option.key == nameOrKey;
  });
  return found == list.end() ? nullptr : &*found;
}

void requireWords(const OptionList& list) {
  for (const Option& option : list) {
    const auto* text = std::get_if<std::string*>(&option.value);
    if (text != nullptr && !option.traits.words.empty() && !option.traits.open)
      requireWord(option.name, **text, option.traits.words);
  }
}

std::pair<double, double> parseRange(const std::string& text) {
  const auto comma = text.find(',');
  if (comma != std::string::npos) {
    const auto low = parsedFinite(std::string_view(text).substr(0, comma)),
               high = parsedFinite(std::string_view(text).substr(comma + 1));
    if (low && high && *low < *high) return {*low, *high};
  }
  throw UsageError("range: expected MIN,MAX with MIN below MAX, such as 0,1, found \"" + text + "\"");
}

void requireWord(const std::string& what, const std::string& word, const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), word) != words.end()) return;
  auto known = words | std::views::filter([](const std::string& each) { return !each.empty(); });
  const std::string near = nearestName(word, words);
  throw UsageError(what + ": expected " + joined(known) + ", found \"" + word + "\"" +
                   (near.empty() ? "" : "; did you mean " + near + "?"));
}

}  // namespace plastiscope
