#include "core/text/merges.h"

#include <algorithm>
#include <queue>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/text/unicode.h"

namespace plastiscope {

namespace {

constexpr std::int32_t kMaxIds = 4'000'000;
// Tables have a row for every id up to the largest; this bounds them by the number of tokens.
constexpr std::size_t kIdsOfOneToken = 16, kIdsAlways = 100'000;

std::string quoted(const std::string& text) {
  return "\"" + sanitized(text) + "\"";
}

std::size_t spaceForIds(const TokenTexts& tokens, const std::filesystem::path& file) {
  std::int32_t last = -1;
  for (const auto& [text, id] : tokens) {
    if (id < 0 || id >= kMaxIds) {
      throw InputError({file, "vocabulary entry " + quoted(text),
                        "an id from 0 to " + withCommas(kMaxIds - 1), std::to_string(id)});
    }
    last = std::max(last, id);
  }
  const auto space = static_cast<std::size_t>(last + 1), most = kIdsOfOneToken * tokens.size() + kIdsAlways;
  if (space > most) {
    throw InputError({file, "vocabulary of " + withCommas(static_cast<long long>(tokens.size())) + " tokens",
                      "ids below " + withCommas(static_cast<long long>(most)), withCommas(last)});
  }
  return space;
}

}  // namespace

VocabularyIds::VocabularyIds(const TokenTexts& tokens, const std::filesystem::path& file)
    : m_file(file), m_space(spaceForIds(tokens, file)) {
  std::vector<bool> used(m_space);
  m_idOfText.reserve(tokens.size());
  for (const auto& [text, id] : tokens) {
    const auto index = static_cast<std::size_t>(id);
    if (used[index]) {
      throw InputError({file, "vocabulary entry " + quoted(text), "a unique id",
                        std::to_string(id) + ", which another entry has"});
    }
    used[index] = true;
    m_idOfText.emplace(text, id);
  }
}

PairTable VocabularyIds::merges(const MergeTexts& merges) const {
  PairTable table(merges.size());
  std::uint32_t rank = 0;
  for (const auto& [left, right] : merges) {
    const auto idOf = [&](const std::string& text) {
      const auto found = m_idOfText.find(text);
      if (found != m_idOfText.end()) return found->second;
      throw InputError(
          {m_file, "merge " + withCommas(rank + 1) + " (" + sanitized(left) + " " + sanitized(right) + ")",
           "tokens of the vocabulary", quoted(text) + ", which is not in it"});
    };
    const std::int32_t leftId = idOf(left), rightId = idOf(right);
    table.set(leftId, rightId, {rank, idOf(left + right)});
    ++rank;
  }
  return table;
}

namespace {

// A possible merge at the symbol `position`, ordered by rank, then leftmost first.
struct Candidate {
  std::uint32_t rank;
  std::int32_t position, result;
  bool operator>(const Candidate& other) const {
    return rank != other.rank ? rank > other.rank : position > other.position;
  }
};
using Queue = std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>>;

}  // namespace

void appendSymbol(std::vector<Symbol>& symbols, std::int32_t id, std::uint32_t bytes, std::uint32_t length) {
  const auto index = static_cast<std::int32_t>(symbols.size());
  if (index > 0) symbols.back().next = index;
  symbols.push_back({id, index - 1, -1, bytes, length});
}

void mergeSymbols(std::vector<Symbol>& symbols, const PairTable& merges, TextLimits& limits,
                  std::int32_t forbidden) {
  std::vector<Candidate> first;
  const auto candidateAt = [&](std::int32_t left, auto&& take) {
    if (left < 0 || symbols[static_cast<std::size_t>(left)].next < 0) return;
    const Symbol& symbol = symbols[static_cast<std::size_t>(left)];
    const Merge* merge = merges.get(symbol.id, symbols[static_cast<std::size_t>(symbol.next)].id);
    if (merge != nullptr && merge->result != forbidden) take(Candidate{merge->rank, left, merge->result});
  };
  for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
    limits.step();
    candidateAt(static_cast<std::int32_t>(i), [&](Candidate candidate) { first.push_back(candidate); });
  }
  Queue queue({}, std::move(first));
  const auto offer = [&](std::int32_t left) {
    candidateAt(left, [&](Candidate candidate) { queue.push(candidate); });
  };
  while (!queue.empty()) {
    limits.step();
    const Candidate best = queue.top();
    queue.pop();
    Symbol& left = symbols[static_cast<std::size_t>(best.position)];
    if (left.bytes == 0 || left.next < 0) continue;
    Symbol& right = symbols[static_cast<std::size_t>(left.next)];
    const Merge* merge = merges.get(left.id, right.id);
    if (merge == nullptr || merge->result != best.result) continue;  // outdated: a neighbour was merged since
    left.id = best.result;
    left.bytes += right.bytes;
    left.length += right.length;
    left.next = right.next;
    right.bytes = 0;
    if (left.next >= 0) symbols[static_cast<std::size_t>(left.next)].previous = best.position;
    offer(left.previous);
    offer(best.position);
  }
}

namespace {

std::uint64_t pairOf(char32_t left, char32_t right) {
  return (static_cast<std::uint64_t>(left) << 32) | right;
}

}  // namespace

void MergeBoundaries::addToken(std::string_view text) {
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

bool MergeBoundaries::joined(char32_t left, char32_t right) const {
  if (left < 128 && right < 128) return m_ascii[left * 128 + right];
  return m_pairs.contains(pairOf(left, right));
}

void MergeBoundaries::cut(std::string_view text, std::vector<std::size_t>& ends) const {
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
