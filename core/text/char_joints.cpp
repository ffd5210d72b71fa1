#include "core/text/char_joints.h"

#include "core/text/utf8.h"

namespace plastiscope {

namespace {

std::uint64_t pairOf(char32_t left, char32_t right) {
  return (static_cast<std::uint64_t>(left) << 32) | right;
}

}  // namespace

void CharJoints::addToken(std::string_view text) {
  if (text.empty()) return;
  std::size_t position = 0;
  char32_t left = nextCodePoint(text, position);
  while (position < text.size()) {
    const char32_t right = nextCodePoint(text, position);
    if (left < 128 && right < 128) {
      m_ascii[left * 128 + right] = true;
    } else {
      m_pairs.insert(pairOf(left, right));
    }
    left = right;
  }
}

bool CharJoints::joined(char32_t left, char32_t right) const {
  if (left < 128 && right < 128) return m_ascii[left * 128 + right];
  return m_pairs.contains(pairOf(left, right));
}

void CharJoints::cut(std::string_view text, std::vector<std::size_t>& ends) const {
  std::size_t position = 0;
  char32_t left = nextCodePoint(text, position);
  while (position < text.size()) {
    const std::size_t middle = position;
    const char32_t right = nextCodePoint(text, position);
    if (left < m_known.size() && right < m_known.size() && m_known[left] && m_known[right] &&
        !joined(left, right)) {
      ends.push_back(middle);
    }
    left = right;
  }
  ends.push_back(text.size());
}

}  // namespace plastiscope
