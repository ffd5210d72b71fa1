#include "core/weights/quantised/method.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/regex.h"

namespace plastiscope::quantised {

namespace {

constexpr std::string_view kRegex = "re:";

// Matches a module and those within it; * is any text, ? any character.
std::string wildcardPattern(std::string_view text) {
  std::string pattern;
  for (const char c : text) pattern += c == '*' ? ".*" : c == '?' ? "." : "\\Q" + std::string(1, c) + "\\E";
  return pattern + "(?:\\.|\\z)";
}

// Modules with these names are embeddings; all other quantised modules are linear layers.
bool isOfClass(std::string_view module, std::string_view name) {
  const bool embedding = module.ends_with("embed_tokens") || module.ends_with("wte");
  return name == "Module" || name == (embedding ? "Embedding" : "Linear");
}

// A language model within another model has two spellings, depending on the version of transformers; lists
// and tensors may differ in it. Returns the same name twice if there is only one.
std::array<std::string, 2> spellingsOf(std::string_view module) {
  constexpr std::array<std::string_view, 2> kPrefixes = {"language_model.model.", "model.language_model."};
  std::array<std::string, 2> spellings = {std::string(module), std::string(module)};
  for (std::size_t i = 0; i < 2; ++i)
    if (module.starts_with(kPrefixes[i]))
      spellings[1] = std::string(kPrefixes[1 - i]).append(module.substr(kPrefixes[i].size()));
  return spellings;
}

}  // namespace

struct ModuleNames::Entry {
  std::string text;
  Regex regex{nullptr, onig_free};

  // Like Python's re.match: anchored at the start only.
  bool matches(std::string_view name) const {
    const OnigUChar *begin = regexBytes(name), *end = begin + name.size();
    return regex != nullptr && onig_match(regex.get(), begin, end, begin, nullptr, ONIG_OPTION_NONE) >= 0;
  }
};

ModuleNames::ModuleNames(const Json& list, NameSpelling spelling, const char* key,
                         const std::filesystem::path& file)
    : m_spelling(spelling) {
  if (list.is_null()) return;
  const auto refuse = [&](const Json& value) {
    throw InputError({file, key, "names of modules, patterns of names, or null", shortJson(value)});
  };
  if (!list.is_array()) refuse(list);
  for (const Json& value : list) {
    if (!value.is_string()) refuse(value);
    auto& entry = *m_entries.emplace_back(std::make_unique<Entry>());
    entry.text = value.get<std::string>();
    const bool regex = entry.text.starts_with(kRegex);
    if (spelling == NameSpelling::CompressedTensors && !regex) continue;
    const std::string pattern = spelling == NameSpelling::CompressedTensors ? entry.text.substr(kRegex.size())
                                : spelling == NameSpelling::Wildcards
                                    ? wildcardPattern(entry.text)
                                    : "(?:" + entry.text + ")(?:(?<=\\.)|(?=\\.|$))";
    std::string problem;
    entry.regex = compileRegex(pattern, ONIG_SYNTAX_PERL, problem);
    if (!entry.regex) refuse(value);
  }
  std::ranges::sort(m_entries, {},
                    [](const auto& entry) { return std::tuple(entry->regex != nullptr, entry->text); });
}

ModuleNames::~ModuleNames() = default;

const std::string* ModuleNames::closest(std::string_view module) const {
  const bool withEnds = m_spelling == NameSpelling::Transformers,
             withClasses = m_spelling == NameSpelling::CompressedTensors;
  const std::array<std::string, 2> spellings = spellingsOf(module);
  for (const auto& entry : m_entries) {
    for (const std::string& name : spellings) {
      if (entry->text == name || entry->matches(name) || (withEnds && name.ends_with(entry->text)))
        return &entry->text;
    }
  }
  for (const auto& entry : m_entries)
    if (withClasses && isOfClass(module, entry->text)) return &entry->text;
  return nullptr;
}

std::string_view moduleOf(std::string_view tensor) {
  constexpr std::string_view kWeight = ".weight";
  return tensor.ends_with(kWeight) ? tensor.substr(0, tensor.size() - kWeight.size()) : tensor;
}

}  // namespace plastiscope::quantised
