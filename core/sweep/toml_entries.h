#pragma once
// Reads and writes TOML files whose keys are options: values in the form of the command line, each with its
// line number. The files are untrusted: their size and nesting are limited. Every error is an InputError with
// the line.
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/option.h"

namespace plastiscope {

inline constexpr std::size_t kLongestPlainName = 100;
// Whether the name is valid in file names on all systems.
bool isPlainName(const std::string& name);

// A text in quotes, and lines of the options that differ from their defaults.
std::string tomlText(const std::string& text);
std::string tomlLines(const OptionList& now, const OptionList& usual);

// A part of the file. The members of a table are in order of their keys.
struct TomlNode {
  enum class Kind { Text, Flag, List, Table, Other };  // numbers are Text, dates Other
  Kind kind = Kind::Other;
  std::string key;  // as written; "" in a list
  std::string text;
  bool flag = false;
  std::vector<TomlNode> children;     // of a list or table
  std::size_t line = 0, keyLine = 0;  // of the value and of its key
};

// A value in the form of the command line.
struct TomlValue {
  std::vector<std::string> texts;
  bool isFlag = false, flag = false;
  std::size_t line = 0;
};

// A table of values.
struct TomlEntry {
  std::string name;  // its key `name` if names are read; "" = none
  std::size_t line = 0;
  std::map<std::string, TomlValue> values;  // by key, with hyphens; without `name`
};

class TomlFile {
 public:
  explicit TomlFile(std::filesystem::path file);  // does not open it yet

  TomlNode read() const;
  // `key`: for the message.
  TomlValue value(const std::string& key, const TomlNode& node) const;
  // `named`: its key `name` is a plain name.
  TomlEntry entry(const TomlNode& table, bool named) const;
  // The entries of [[key]], with unique names.
  std::vector<TomlEntry> entries(const TomlNode& list) const;

  // "FILE: line 3: ..."
  [[noreturn]] void refuse(std::size_t line, const std::string& sentence) const;
  // Throws the same for a UsageError of `what`.
  void addingLine(std::size_t line, const std::function<void()>& what) const;

  // Paths are relative to the folder of the file.
  std::string placeOf(const std::string& text) const;
  static bool isPattern(const std::string& text);
  // Files that match a pattern, in natural order. Other texts are returned as a place.
  std::vector<std::string> filesAt(const std::string& text, std::size_t line) const;
  // Sets the option, with patterns of files replaced. UsageError as on the command line.
  void set(const Option& option, const TomlValue& value) const;
  // Sets the options that the entry names. InputError for keys that are neither among the options nor among
  // `others`, which are left out.
  void apply(const std::string& what, const TomlEntry& entry, OptionList& options,
             const std::vector<std::string>& others = {}) const;

 private:
  std::filesystem::path m_file, m_folder;
};

}  // namespace plastiscope
