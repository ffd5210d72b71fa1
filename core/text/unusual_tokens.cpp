#include "core/text/unusual_tokens.h"

#include "core/base/error.h"
#include "core/base/foreign_text.h"

namespace plastiscope {

void UnusualTokens::add(const Tokenizer& tokenizer, const Encoding& encoding, std::string_view text) {
  std::array<std::int64_t, 4> found{};
  const auto& ids = encoding.ids;
  const bool doubled = ids.size() > 1 && ids[0] == ids[1] && tokenizer.role(ids[0]) == TokenRole::Special;
  found[Doubled] = doubled ? 1 : 0;
  for (std::size_t i = doubled ? 2 : 0; i < ids.size(); ++i) {
    const TokenRole role = tokenizer.role(ids[i]);
    if (role == TokenRole::Plain) continue;
    std::string_view written;
    if (!text.empty()) {
      const auto [begin, end] = encoding.offsets[i];
      written = text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    }
    // An unknown token may be spelled out in the text or be part of the template.
    const bool spelled =
        !written.empty() && written.find(tokenizer.tokenText(ids[i])) != std::string_view::npos;
    if (role == TokenRole::Byte)
      ++found[Bytes];
    else if (role == TokenRole::Special || spelled)
      found[Special] += written.empty() ? 0 : 1;
    else if (!written.empty() || text.empty())
      ++found[Unknown];
  }
  if (2 * found[Bytes] <= static_cast<std::int64_t>(ids.size())) found[Bytes] = 0;
  for (std::size_t kind = 0; kind < found.size(); ++kind) {
    m_counts[kind].tokens += found[kind];
    m_counts[kind].texts += found[kind] > 0 ? 1 : 0;
  }
}

std::vector<std::string> UnusualTokens::warnings() const {
  const auto counted = [](std::int64_t count, const std::string& thing) {
    return withCommas(count) + " " + thing + (count == 1 ? "" : "s");
  };
  const auto inTexts = [&](Kind kind) { return " in " + counted(m_counts[kind].texts, "text"); };
  std::vector<std::string> warnings;
  if (m_counts[Doubled].texts > 0)
    warnings.push_back("the special token at the start stands there twice" + inTexts(Doubled) + " (" +
                       counted(m_counts[Doubled].tokens, "token") +
                       " too many); use --no-special where the texts begin with it");
  if (m_counts[Special].texts > 0)
    warnings.push_back(counted(m_counts[Special].tokens, "special token") + inTexts(Special) +
                       " came from the words of the texts, not from the model's template");
  if (m_counts[Unknown].texts > 0)
    warnings.push_back(counted(m_counts[Unknown].tokens, "unknown token") + inTexts(Unknown) +
                       ": the vocabulary lacks these characters");
  if (m_counts[Bytes].texts > 0)
    warnings.push_back(counted(m_counts[Bytes].tokens, "byte token") + inTexts(Bytes) +
                       ": more than half of the tokens there are single bytes (<0x00> to <0xFF>)");
  return warnings;
}

}  // namespace plastiscope
