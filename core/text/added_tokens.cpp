#include "core/text/added_tokens.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/text/char_class.h"
#include "core/text/utf8.h"

namespace plastiscope {

namespace {

bool wordEndsBefore(std::string_view text, std::size_t position) {
  if (position == 0) return false;
  std::size_t start = previousCodePoint(text, position);
  return isWordCharacter(nextCodePoint(text, start));
}

bool wordStartsAt(std::string_view text, std::size_t position) {
  return position < text.size() && isWordCharacter(nextCodePoint(text, position));
}

std::size_t whitespaceStart(std::string_view text, std::size_t end, std::size_t least) {
  while (end > least) {
    const std::size_t start = previousCodePoint(text, end);
    std::size_t position = start;
    if (!isWhitespace(nextCodePoint(text, position))) break;
    end = start;
  }
  return end;
}

std::size_t whitespaceStop(std::string_view text, std::size_t position) {
  while (position < text.size()) {
    std::size_t next = position;
    if (!isWhitespace(nextCodePoint(text, next))) break;
    position = next;
  }
  return position;
}

}  // namespace

AddedTokenFinder::AddedTokenFinder(const std::vector<AddedToken>& tokens, const std::filesystem::path& file)
    : m_tokens(tokens) {
  for (std::size_t i = 0; i < m_tokens.size(); ++i) {
    const std::string& text = m_tokens[i].text;
    if (text.empty()) continue;
    if (text.size() > kLongest) {
      throw InputError({file, "added token " + std::to_string(m_tokens[i].id),
                        "a text of at most " + withCommas(kLongest) + " bytes",
                        withCommas(static_cast<long long>(text.size()))});
    }
    if (!m_trie.add(text, static_cast<std::int32_t>(i)))
      throw InputError({file, "added tokens", "at most 16 MB of texts", "more"});
  }
}

std::size_t AddedTokenFinder::longestAt(std::string_view text, std::size_t position,
                                        std::size_t& token) const {
  std::size_t length = 0;
  std::uint32_t node = ByteTrie::kRoot;
  for (std::size_t i = position; i < text.size(); ++i) {
    node = m_trie.step(node, text[i]);
    if (node == ByteTrie::kNone) break;
    if (m_trie.value(node) < 0) continue;
    token = static_cast<std::size_t>(m_trie.value(node));
    length = i + 1 - position;
  }
  return length;
}

TextPart AddedTokenFinder::widened(const AddedToken& token, std::string_view text, TextPart match,
                                   std::size_t least) const {
  // White space already taken by an earlier token stays with it.
  if (token.stripLeft) match.begin = std::max(whitespaceStart(text, match.begin, 0), least);
  if (token.stripRight) match.end = whitespaceStop(text, match.end);
  return match;
}

std::vector<TextPart> AddedTokenFinder::split(std::string_view text, TextLimits& limits) const {
  std::vector<TextPart> parts;
  std::size_t done = 0;
  for (std::size_t position = 0; position < text.size();) {
    limits.step();
    std::size_t index = 0;
    const std::size_t length = longestAt(text, position, index);
    if (length == 0) {
      ++position;
      continue;
    }
    const AddedToken& token = m_tokens[index];
    const TextPart match{position, position + length, token.id};
    position = match.end;
    if (token.singleWord && (wordEndsBefore(text, match.begin) || wordStartsAt(text, match.end))) continue;
    const TextPart part = widened(token, text, match, done);
    if (part.begin > done) parts.push_back({done, part.begin, std::nullopt});
    parts.push_back(part);
    done = part.end;
  }
  if (done < text.size()) parts.push_back({done, text.size(), std::nullopt});
  return parts;
}

}  // namespace plastiscope
