#pragma once
// Module lists in a quantisation configuration: which modules are quantised, and how.
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json_value.h"

namespace plastiscope::quantised {

// Syntax of list entries, by library.
enum class NameSpelling {
  CompressedTensors,  // module name, class name ("Linear"), or re: and a regular expression
  Transformers,       // regular expression for a prefix up to a dot, or a suffix
  Wildcards           // name with * and ?
};

class ModuleNames {
 public:
  // `list`: strings, or null. InputError names `key` for other values and invalid regular expressions.
  ModuleNames(const Json& list, NameSpelling spelling, const char* key, const std::filesystem::path& file);
  ~ModuleNames();
  ModuleNames(const ModuleNames&) = delete;
  ModuleNames& operator=(const ModuleNames&) = delete;

  // The best matching entry for a module, named as in the tensors; null when none matches. Order of
  // precedence (compressed_tensors.utils.match.match_targets): names, regular expressions, classes,
  // alphabetically within each.
  const std::string* closest(std::string_view module) const;

 private:
  struct Entry;
  std::vector<std::unique_ptr<Entry>> m_entries;  // in order of precedence
  NameSpelling m_spelling;
};

// "model.layers.0.self_attn.q_proj.weight" -> "model.layers.0.self_attn.q_proj"
std::string_view moduleOf(std::string_view tensor);

}  // namespace plastiscope::quantised
