#pragma once
// The best path through a piece of text (Viterbi), in the arithmetic of `Score`.
#include <algorithm>
#include <string_view>
#include <vector>

#include "core/text/byte_trie.h"
#include "core/text/text_limits.h"
#include "core/text/utf8.h"

namespace plastiscope {

template <typename Score>
struct UnigramSearch {
  struct Part {
    std::int32_t id;
    std::uint32_t begin, end;
  };
  // Numbers of the trie are indices of `scores`. `scoreOf(id, length)` gives the score of a token.
  template <typename ScoreOf>
  std::vector<Part> parts(std::string_view text, TextLimits& limits, ScoreOf scoreOf) const;

  const ByteTrie& trie;
  std::int32_t unknown;
  Score unknownScore;
  Score resetAt;  // sums beyond it, either way, start again at 0; 0 = never

 private:
  struct Best {
    Score score = 0;
    std::int32_t id = -1;
    std::int32_t begin = -1;  // -1: not reached
  };
  static void offer(Best& best, Score score, std::int32_t id, std::size_t begin) {
    if (best.begin >= 0 && !(score > best.score)) return;
    best = {score, id, static_cast<std::int32_t>(begin)};
  }
};

template <typename Score>
template <typename ScoreOf>
auto UnigramSearch<Score>::parts(std::string_view text, TextLimits& limits, ScoreOf scoreOf) const
    -> std::vector<Part> {
  std::vector<Best> best(text.size() + 1);
  std::size_t furthest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    limits.step();
    if (resetAt > 0 && (best[begin].score > resetAt || best[begin].score < -resetAt)) {
      const Score sum = best[begin].score;
      for (std::size_t i = begin; i <= furthest; ++i) {
        if (i == begin || best[i].begin >= 0) best[i].score -= sum;
      }
    }
    const Score soFar = best[begin].score;
    std::size_t next = begin;
    nextCodePoint(text, next);
    bool covered = false;  // by a token of this one character
    std::uint32_t node = ByteTrie::kRoot;
    for (std::size_t end = begin; end < text.size();) {
      node = trie.step(node, text[end]);
      if (node == ByteTrie::kNone) break;
      ++end;
      const std::int32_t id = trie.value(node);
      if (id < 0) continue;
      furthest = std::max(furthest, end);
      offer(best[end], scoreOf(id, end - begin) + soFar, id, begin);
      covered = covered || end == next;
    }
    if (!covered) {
      furthest = std::max(furthest, next);
      offer(best[next], unknownScore + soFar, unknown, begin);
    }
    begin = next;
  }
  std::vector<Part> result;
  for (std::size_t end = text.size(); end > 0;) {
    const Best& last = best[end];
    result.push_back({last.id, static_cast<std::uint32_t>(last.begin), static_cast<std::uint32_t>(end)});
    end = static_cast<std::size_t>(last.begin);
  }
  std::ranges::reverse(result);
  return result;
}

}  // namespace plastiscope
