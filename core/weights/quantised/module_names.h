#pragma once
// Lists of modules in the configuration of a quantisation: which are quantised how, and which are not.
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json_value.h"

namespace plastiscope::quantised {

// How the library of a method spells entries of its lists.
enum class NameSpelling {
  CompressedTensors,  // a module's name, a class ("Linear"), or re: and a regular expression
  Transformers,       // the beginning of a name up to a dot, as a regular expression, or its end
  Wildcards           // a name, with * and ?
};

class ModuleNames {
 public:
  // `list`: texts, or null. InputError names `key` when it is something else or no regular expression.
  ModuleNames(const Json& list, NameSpelling spelling, const char* key, const std::filesystem::path& file);
  ~ModuleNames();
  ModuleNames(const ModuleNames&) = delete;
  ModuleNames& operator=(const ModuleNames&) = delete;

  // The entry that is closest to the module, by its name as in the file's tensors; null when none fits. Of
  // several, compressed-tensors takes names before regular expressions before classes, each in the order of
  // their letters (compressed_tensors.utils.match.match_targets).
  const std::string* closest(std::string_view module) const;

 private:
  struct Entry;
  std::vector<std::unique_ptr<Entry>> m_entries;  // closest first
  NameSpelling m_spelling;
};

// "model.layers.0.self_attn.q_proj.weight" -> "model.layers.0.self_attn.q_proj"
std::string_view moduleOf(std::string_view tensor);

}  // namespace plastiscope::quantised
