#include "core/text/post_process.h"

#include <algorithm>

#include "core/text/utf8.h"

namespace plastiscope {

namespace {

// `position` moved by `characters` towards the end, at most to `limit`.
std::int64_t movedForward(std::string_view text, std::int64_t position, std::int64_t characters,
                          std::int64_t limit) {
  for (; characters > 0 && position < limit; --characters) {
    position += static_cast<std::int64_t>(
        utf8Length(static_cast<unsigned char>(text[static_cast<std::size_t>(position)])));
  }
  return std::min(position, limit);
}

// ... towards the start, at least to `limit`; unchanged when the text has fewer characters before it.
std::int64_t movedBack(std::string_view text, std::int64_t position, std::int64_t characters,
                       std::int64_t limit) {
  auto moved = static_cast<std::size_t>(position);
  for (; characters > 0; --characters) {
    if (moved == 0) return position;
    moved = previousCodePoint(text, moved);
  }
  return std::max(static_cast<std::int64_t>(moved), limit);
}

}  // namespace

void trimOffsets(const TrimOffsets& step, std::string_view text, TokenRow& tokens) {
  for (std::size_t i = 0; i < tokens.spaces.size(); ++i) {
    auto& [begin, end] = tokens.encoding.offsets[i];
    TokenSpaces spaces = tokens.spaces[i];
    const bool first = i == 0 || begin == 0;
    if (first && step.addPrefixSpace && spaces.leading == 1) spaces.leading = 0;
    begin = movedForward(text, begin, spaces.leading, end);
    end = movedBack(text, end, spaces.trailing, begin);
  }
}

void addTemplate(const AddTemplate& step, TokenRow& tokens) {
  auto& [ids, offsets] = tokens.encoding;
  ids.insert(ids.begin(), step.before.begin(), step.before.end());
  offsets.insert(offsets.begin(), step.before.size(), {0, 0});
  if (!tokens.spaces.empty()) tokens.spaces.insert(tokens.spaces.begin(), step.before.size(), {});
  ids.insert(ids.end(), step.after.begin(), step.after.end());
  offsets.resize(ids.size(), {0, 0});
  if (!tokens.spaces.empty()) tokens.spaces.resize(ids.size());
}

}  // namespace plastiscope
