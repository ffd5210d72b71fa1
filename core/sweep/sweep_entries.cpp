#include "core/sweep/sweep_entries.h"

#include <toml++/toml.h>
#include <algorithm>
#include <cctype>
#include <string_view>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargestSweep = std::size_t{4} << 20;
// Limit per line: the TOML library nests one table per part of a.b.c and frees them recursively.
constexpr std::ptrdiff_t kMaxDots = 4096;

std::size_t lineOf(const toml::node& node) {
  return node.source().begin.line;
}

std::string withHyphens(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return key;
}

class EntryReader {
 public:
  explicit EntryReader(fs::path file) : m_file(std::move(file)) {}

  SweepEntries read() const {
    const toml::table root = parsed();
    SweepEntries entries;
    for (auto&& [key, node] : root) {
      const std::string section(key.str());
      addingPlace(m_file, key.source().begin.line, [&] {
        requireWord("section", section, {"defaults", "model", "texts", "capture", "analyze"});
      });
      if (section == "defaults") readDefaults(node, entries);
      if (section == "model") entries.models = listOf(section, node);
      if (section == "texts") entries.texts = listOf(section, node);
      if (section == "capture") entries.captures = listOf(section, node);
      if (section == "analyze") entries.analyses = listOf(section, node);
    }
    if (entries.models.empty()) refuseAt(m_file, 1, "expected at least one [[model]], found none");
    if (entries.texts.empty()) refuseAt(m_file, 1, "expected at least one [[texts]], found none");
    for (auto* list : {&entries.captures, &entries.analyses}) {
      if (list->empty()) list->emplace_back();
    }
    return entries;
  }

 private:
  std::string text() const {
    std::string text = readFile(m_file, kLargestSweep);
    std::size_t number = 1;
    for (std::size_t start = 0; start < text.size(); ++number) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      const auto line = std::string_view(text).substr(start, end - start);
      if (std::ranges::count(line, '.') > kMaxDots)
        refuseAt(m_file, number, "expected at most " + withCommas(kMaxDots) + " dots in a line, found more");
      start = end + 1;
    }
    return text;
  }

  toml::table parsed() const {
    try {
      return toml::parse(text());
    } catch (const toml::parse_error& error) {
      refuseAt(m_file, error.source().begin.line, sanitized(error.description(), kLongestMessage));
    }
  }

  void readDefaults(const toml::node& node, SweepEntries& entries) const {
    if (!node.is_table()) refuseAt(m_file, lineOf(node), "expected [defaults.capture] or [defaults.analyze]");
    for (auto&& [key, part] : *node.as_table()) {
      const std::string command(key.str());
      addingPlace(m_file, key.source().begin.line,
                  [&] { requireWord("defaults", command, {"capture", "analyze"}); });
      if (!part.is_table())
        refuseAt(m_file, lineOf(part), "expected a table [defaults." + command + "], found a value");
      (command == "capture" ? entries.captureDefaults : entries.analyzeDefaults) =
          entryOf(*part.as_table(), false);
    }
  }

  std::vector<SweepEntry> listOf(const std::string& section, const toml::node& node) const {
    std::vector<SweepEntry> entries;
    const toml::array* list = node.as_array();
    const bool tables =
        list != nullptr &&
        std::all_of(list->begin(), list->end(), [](const toml::node& each) { return each.is_table(); });
    if (!tables)
      refuseAt(m_file, lineOf(node),
               "expected [[" + section + "]], found " + (node.is_table() ? "[" + section + "]" : "a value"));
    for (const toml::node& each : *list) {
      SweepEntry entry = entryOf(*each.as_table(), true);
      const auto alike = std::find_if(entries.begin(), entries.end(), [&](const SweepEntry& other) {
        return !entry.name.empty() && other.name == entry.name;
      });
      if (alike != entries.end()) {
        refuseAt(m_file, entry.line,
                 "[[" + section + "]]: expected a unique name, found \"" + entry.name + "\" as in line " +
                     std::to_string(alike->line));
      }
      entries.push_back(std::move(entry));
    }
    return entries;
  }

  SweepEntry entryOf(const toml::table& table, bool named) const {
    SweepEntry entry;
    entry.line = lineOf(table);
    for (auto&& [key, node] : table) {
      const std::string name = withHyphens(std::string(key.str()));
      SweepValue value = valueOf(name, node);
      if (entry.values.contains(name)) refuseAt(m_file, value.line, name + " appears twice");
      if (!named || name != "name") {
        entry.values[name] = std::move(value);
        continue;
      }
      if (!node.is_string() || !isPlainName(value.texts.front()))
        refuseAt(m_file, value.line,
                 "name: expected letters, digits, \".\", \"-\", \"_\", \"+\" and \"=\", at most " +
                     std::to_string(kLongestPlainName) + ", found \"" +
                     sanitized(value.texts.empty() ? "" : value.texts.front()) + "\"");
      entry.name = value.texts.front();
    }
    return entry;
  }

  SweepValue valueOf(const std::string& key, const toml::node& node) const {
    SweepValue value;
    value.line = lineOf(node);
    if (node.is_boolean()) {
      value.isFlag = true;
      value.flag = node.as_boolean()->get();
    } else if (const toml::array* list = node.as_array()) {
      value.isList = true;
      for (const toml::node& each : *list) value.texts.push_back(textOf(key, each));
    } else {
      value.texts = {textOf(key, node)};
    }
    return value;
  }

  std::string textOf(const std::string& key, const toml::node& node) const {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
    if (const auto* number = node.as_floating_point()) return numberText(number->get());
    refuseAt(m_file, lineOf(node), key + ": expected a text, a number, true, false, or a list of texts");
  }

  fs::path m_file;
};

}  // namespace

SweepEntries readEntries(const fs::path& file) {
  return EntryReader(file).read();
}

void refuseAt(const fs::path& file, std::size_t line, const std::string& sentence) {
  throw InputError({file, "line " + std::to_string(line), "", sentence});
}

void addingPlace(const fs::path& file, std::size_t line, const std::function<void()>& what) {
  try {
    what();
  } catch (const UsageError& error) {
    refuseAt(file, line, error.what());
  }
}

bool isPlainName(const std::string& name) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view(".-_+=").find(c) != std::string_view::npos;
  };
  return !name.empty() && name.size() <= kLongestPlainName && name.front() != '.' && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), plain);
}

}  // namespace plastiscope
