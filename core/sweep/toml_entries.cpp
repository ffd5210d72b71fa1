#include "core/sweep/toml_entries.h"

#include <glob.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/natural_order.h"
#include "core/base/parsed_number.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargestFile = std::size_t{4} << 20;
// Limit per line: the TOML library nests one table per part of a.b.c and frees them recursively.
constexpr std::ptrdiff_t kMaxDots = 4096;

std::string withHyphens(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return key;
}

TomlNode nodeOf(const toml::node& node, std::string key, std::size_t keyLine) {
  using Kind = TomlNode::Kind;
  TomlNode result;
  result.key = std::move(key);
  result.keyLine = keyLine;
  result.line = node.source().begin.line;
  const auto setText = [&result](std::string text) {
    result.kind = Kind::Text;
    result.text = std::move(text);
  };
  if (const auto* text = node.as_string()) setText(text->get());
  if (const auto* integer = node.as_integer()) setText(std::to_string(integer->get()));
  if (const auto* number = node.as_floating_point()) setText(numberText(number->get()));
  if (const auto* flag = node.as_boolean()) {
    result.kind = Kind::Flag;
    result.flag = flag->get();
  }
  if (const auto* list = node.as_array()) {
    result.kind = Kind::List;
    for (const toml::node& each : *list) result.children.push_back(nodeOf(each, "", result.line));
  }
  if (const auto* table = node.as_table()) {
    result.kind = Kind::Table;
    for (auto&& [name, each] : *table)
      result.children.push_back(nodeOf(each, std::string(name.str()), name.source().begin.line));
  }
  return result;
}

// Applies the limits of the option, as the command line does.
void requireLimit(const Option& option) {
  const std::vector<std::string> texts = textsOf(option);
  const auto number = texts.empty() ? std::nullopt : parsedFinite(texts.front());
  if (!number) return;
  const OptionTraits& traits = option.traits;
  const auto require = [&](bool good, const std::string& expected) {
    if (!good) throw UsageError(option.name + ": expected a number " + expected + ", found " + texts.front());
  };
  if (traits.limit == Limit::Positive) require(*number > 0, "above 0");
  if (traits.limit == Limit::NotNegative) require(*number >= 0, "from 0 on");
  if (traits.limit == Limit::Between)
    require(*number >= traits.least && *number <= traits.most,
            "from " + numberText(traits.least) + " to " + numberText(traits.most));
}

}  // namespace

bool isPlainName(const std::string& name) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view(".-_+=").find(c) != std::string_view::npos;
  };
  return !name.empty() && name.size() <= kLongestPlainName && name.front() != '.' && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), plain);
}

TomlFile::TomlFile(fs::path file) : m_file(std::move(file)), m_folder(fs::absolute(m_file).parent_path()) {}

void TomlFile::refuse(std::size_t line, const std::string& sentence) const {
  throw InputError({m_file, "line " + std::to_string(line), "", sentence});
}

void TomlFile::addingLine(std::size_t line, const std::function<void()>& what) const {
  try {
    what();
  } catch (const UsageError& error) {
    refuse(line, error.what());
  }
}

TomlNode TomlFile::read() const {
  const std::string text = readFile(m_file, kLargestFile);
  std::istringstream lines(text);
  std::size_t number = 1;
  for (std::string line; std::getline(lines, line); ++number) {
    if (std::ranges::count(line, '.') > kMaxDots)
      refuse(number, "expected at most " + withCommas(kMaxDots) + " dots in a line, found more");
  }
  try {
    return nodeOf(toml::parse(text), "", 1);
  } catch (const toml::parse_error& error) {
    refuse(error.source().begin.line, sanitized(error.description(), kLongestMessage));
  }
}

TomlValue TomlFile::value(const std::string& key, const TomlNode& node) const {
  const auto textOf = [&](const TomlNode& each) {
    if (each.kind != TomlNode::Kind::Text)
      refuse(each.line, key + ": expected a text, a number, true, false, or a list of texts");
    return each.text;
  };
  TomlValue value;
  value.line = node.line;
  if (node.kind == TomlNode::Kind::Flag) {
    value.isFlag = true;
    value.flag = node.flag;
  } else if (node.kind == TomlNode::Kind::List) {
    for (const TomlNode& each : node.children) value.texts.push_back(textOf(each));
  } else {
    value.texts = {textOf(node)};
  }
  return value;
}

TomlEntry TomlFile::entry(const TomlNode& table, bool named) const {
  TomlEntry entry;
  entry.line = table.line;
  for (const TomlNode& node : table.children) {
    const std::string key = withHyphens(node.key);
    TomlValue value = this->value(key, node);
    if (entry.values.contains(key)) refuse(value.line, key + " appears twice");
    if (!named || key != "name") {
      entry.values[key] = std::move(value);
      continue;
    }
    if (node.kind != TomlNode::Kind::Text || !isPlainName(node.text))
      refuse(value.line, "name: expected letters, digits, \".\", \"-\", \"_\", \"+\" and \"=\", at most " +
                             std::to_string(kLongestPlainName) + ", found \"" +
                             sanitized(value.texts.empty() ? "" : value.texts.front()) + "\"");
    entry.name = node.text;
  }
  return entry;
}

std::vector<TomlEntry> TomlFile::entries(const TomlNode& list) const {
  const auto isTable = [](const TomlNode& each) { return each.kind == TomlNode::Kind::Table; };
  if (list.kind != TomlNode::Kind::List || !std::ranges::all_of(list.children, isTable))
    refuse(list.line, "expected [[" + list.key + "]], found " +
                          (list.kind == TomlNode::Kind::Table ? "[" + list.key + "]" : "a value"));
  std::vector<TomlEntry> entries;
  for (const TomlNode& each : list.children) {
    TomlEntry entry = this->entry(each, true);
    const auto alike = std::ranges::find_if(
        entries, [&](const TomlEntry& other) { return !entry.name.empty() && other.name == entry.name; });
    if (alike != entries.end())
      refuse(entry.line, "[[" + list.key + "]]: expected a unique name, found \"" + entry.name +
                             "\" as in line " + std::to_string(alike->line));
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string tomlText(const std::string& text) {
  return Json(text).dump();  // a JSON string is a TOML string
}

std::string tomlLines(const OptionList& now, const OptionList& usual) {
  std::string lines;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (!now[i].name.starts_with("--") || sameValue(now[i], usual[i])) continue;
    const std::vector<std::string> texts = textsOf(now[i]);
    const std::string values = joined(texts, tomlText);
    lines += now[i].name.substr(2) + " = " +
             (isFlag(now[i])      ? "true"
              : texts.size() == 1 ? values
                                  : "[" + values + "]") +
             "\n";
  }
  return lines;
}

std::string TomlFile::placeOf(const std::string& text) const {
  return text.empty() ? text : (m_folder / text).lexically_normal().string();
}

bool TomlFile::isPattern(const std::string& text) {
  return text.find_first_of("*?[") != std::string::npos;
}

std::vector<std::string> TomlFile::filesAt(const std::string& text, std::size_t line) const {
  const std::string whole = placeOf(text);
  if (!isPattern(text) || fs::exists(whole)) return {whole};
  glob_t found{};
  const int failed = ::glob(whole.c_str(), GLOB_NOSORT, nullptr, &found);
  std::vector<std::string> names(found.gl_pathv, found.gl_pathv + (failed == 0 ? found.gl_pathc : 0));
  ::globfree(&found);
  if (names.empty()) refuse(line, "expected files that fit \"" + text + "\", found none");
  std::sort(names.begin(), names.end(), naturallyBefore);
  return names;
}

void TomlFile::set(const Option& option, const TomlValue& value) const {
  if (isFlag(option) != value.isFlag)
    throw UsageError(option.name + ": expected " + (isFlag(option) ? "true or false" : "a text or a number") +
                     ", found " + (value.isFlag ? "true or false" : "a text or a number"));
  if (isFlag(option)) {
    *std::get<bool*>(option.value) = value.flag != option.traits.clears;
    return;
  }
  std::vector<std::string> texts = value.texts;
  if (!takesSeveral(option)) texts = {joined(texts, {}, ",")};
  if (std::holds_alternative<fs::path*>(option.value)) texts = {placeOf(texts.front())};
  if (std::holds_alternative<std::vector<fs::path>*>(option.value)) {
    std::vector<std::string> files;
    for (const std::string& text : texts) {
      for (std::string& file : filesAt(text, value.line)) files.push_back(std::move(file));
    }
    texts = std::move(files);
  }
  setTexts(option, texts);
  requireLimit(option);
}

void TomlFile::apply(const std::string& what, const TomlEntry& entry, OptionList& options,
                     const std::vector<std::string>& others) const {
  std::vector<std::string> known = others;
  for (const Option& option : options)
    if (option.name.starts_with("--")) known.push_back(option.name.substr(2));
  for (const auto& [key, value] : entry.values) {
    if (std::ranges::find(others, key) != others.end()) continue;
    addingLine(value.line, [&, &name = key] {
      requireWord(what, name, known);
      set(*findOption(options, "--" + name), value);
    });
  }
}

}  // namespace plastiscope
