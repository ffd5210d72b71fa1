#pragma once
// Typed, range-checked look-ups in a model's configuration. Both containers use Hugging Face's key names
// here; a GGUF file's metadata are translated first (gguf_config.cpp), and messages name the file's own key.
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/json_value.h"

namespace plastiscope {

// Values used where a file has none, by key.
using ConfigDefaults = std::map<std::string, std::variant<bool, std::int64_t, double, std::string>>;

class ConfigValues {
 public:
  ConfigValues(std::filesystem::path file, const Json& values,
               std::map<std::string, std::string> ownNames = {})
      : m_file(std::move(file)), m_values(values), m_ownNames(std::move(ownNames)) {}

  void setDefaults(const ConfigDefaults& defaults);

  // nullptr when the key is absent or null and has no default.
  const Json* find(const std::string& key) const;
  // InputError when absent, mistyped, or outside [least, most].
  std::int64_t integer(const std::string& key, std::int64_t least, std::int64_t most) const;
  std::int64_t integerOr(const std::string& key, std::int64_t otherwise, std::int64_t least,
                         std::int64_t most) const;
  double number(const std::string& key, double least, double most) const;
  double numberOr(const std::string& key, double otherwise, double least, double most) const;
  bool flagOr(const std::string& key, bool otherwise) const;
  std::string textOr(const std::string& key, const std::string& otherwise) const;
  // Lists; yes and no count as 1 and 0.
  std::vector<std::int64_t> integersOr(const std::string& key, std::vector<std::int64_t> otherwise,
                                       std::int64_t least, std::int64_t most) const;
  std::vector<std::string> textsOr(const std::string& key, std::vector<std::string> otherwise) const;
  // The settings of an object, empty when it is absent.
  ConfigValues object(const std::string& key) const;
  [[noreturn]] void refuse(const std::string& key, const std::string& expected,
                           const std::string& found) const;

  const std::filesystem::path& file() const { return m_file; }

 private:
  std::filesystem::path m_file;
  JsonValue m_values, m_defaults = JsonValue::object();
  std::map<std::string, std::string> m_ownNames;
};

Json toJson(const ConfigDefaults& defaults);

// A value in a message: its JSON text, cut when long.
std::string shortText(const Json& value);

}  // namespace plastiscope
