// Unigram encoding: best path through a piece of text (Viterbi), computed in the type `Score`.
#include "core/text/unigram.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "core/base/error.h"
#include "core/text/byte_spellings.h"
#include "core/text/byte_trie.h"
#include "core/text/text_limits.h"
#include "core/text/unicode.h"

namespace plastiscope {

template <typename Score>
struct UnigramSearch {
  struct Part {
    std::int32_t id;
    std::uint32_t begin, end;
  };
  // The trie maps texts to token ids. `scoreOf(id, length)` returns the score of a token.
  template <typename ScoreOf>
  std::vector<Part> parts(std::string_view text, TextLimits& limits, ScoreOf scoreOf) const;

  const ByteTrie& trie;
  std::int32_t unknown;
  Score unknownScore;
  Score resetAt;  // a sum beyond +-resetAt restarts at 0; 0 = never

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
auto UnigramSearch<Score>::parts(std::string_view text, TextLimits& limits,
                                 ScoreOf scoreOf) const -> std::vector<Part> {
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
    bool covered = false;  // by a one-character token
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

namespace {

constexpr int kUnknownPenalty = 10;            // subtracted from the lowest score
constexpr std::size_t kLongestUnigram = 8000;  // as SentencePiece; bounds the search per character

class Unigram : public PieceModel {
 public:
  explicit Unigram(UnigramVocabulary vocabulary) : m_vocabulary(std::move(vocabulary)) {
    m_unknownToken = m_vocabulary.unknown;
    for (std::size_t i = 0; i < m_vocabulary.tokens.size(); ++i) {
      const UnigramToken& token = m_vocabulary.tokens[i];
      const auto id = static_cast<std::int32_t>(i);
      m_bytes.push_back(bytesOfCharacterToken(token.text));
      if (const auto byte = byteOfToken(token.text)) m_byteTokens[*byte] = id;
      if (token.hidden || token.text.empty()) continue;
      if (token.text.size() > kLongestUnigram) {
        throw InputError({m_vocabulary.file, "vocabulary entry " + std::to_string(i),
                          "a text of at most " + withCommas(kLongestUnigram) + " bytes",
                          withCommas(static_cast<long long>(token.text.size()))});
      }
      if (!m_trie.add(token.text, id)) throw InputError({m_vocabulary.file, "vocabulary", "16 MB", "more"});
    }
  }

 protected:
  const UnigramToken& token(std::int32_t id) const {
    return m_vocabulary.tokens[static_cast<std::size_t>(id)];
  }

  UnigramVocabulary m_vocabulary;
  ByteTrie m_trie;
};

class HuggingFaceUnigram : public Unigram {
 public:
  explicit HuggingFaceUnigram(UnigramVocabulary vocabulary) : Unigram(std::move(vocabulary)) {
    double lowest = std::numeric_limits<double>::infinity();
    for (const UnigramToken& each : m_vocabulary.tokens) lowest = std::min(lowest, each.score);
    m_unknownScore = lowest - kUnknownPenalty;
  }

  void encode(std::string_view piece, std::vector<PieceToken>& tokens, TextLimits& limits) const override {
    using Search = UnigramSearch<double>;
    const Search search{m_trie, m_vocabulary.unknown, m_unknownScore, 0};
    const auto parts =
        search.parts(piece, limits, [&](std::int32_t id, std::size_t) { return token(id).score; });
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Search::Part part = parts[i];
      const bool unknown = part.id == m_vocabulary.unknown;
      while (unknown && i + 1 < parts.size() && parts[i + 1].id == m_vocabulary.unknown)
        part.end = parts[++i].end;
      append(piece, part.begin, part.end, tokens);
    }
  }

  std::string name() const override {
    return m_vocabulary.byteFallback ? "Unigram with byte fallback" : "Unigram";
  }

 private:
  // Like the library, looks up the text of every part, also of fused unknown characters.
  void append(std::string_view piece, std::uint32_t begin, std::uint32_t end,
              std::vector<PieceToken>& tokens) const {
    const std::string_view text = piece.substr(begin, end - begin);
    std::uint32_t node = ByteTrie::kRoot;
    for (std::size_t i = 0; i < text.size() && node != ByteTrie::kNone; ++i)
      node = m_trie.step(node, text[i]);
    const std::int32_t id = node == ByteTrie::kNone ? -1 : m_trie.value(node);
    const auto tokenOf = [&](char byte) { return m_byteTokens[static_cast<unsigned char>(byte)]; };
    if (id < 0 && m_vocabulary.byteFallback &&
        std::ranges::all_of(text, [&](char byte) { return tokenOf(byte) >= 0; })) {
      for (const char byte : text) tokens.push_back({tokenOf(byte), begin, end});
    } else {
      tokens.push_back({id < 0 ? m_vocabulary.unknown : id, begin, end});
    }
  }

  double m_unknownScore = 0;
};

class SentencePieceUnigram : public Unigram {
 public:
  explicit SentencePieceUnigram(UnigramVocabulary vocabulary) : Unigram(std::move(vocabulary)) {
    float lowest = std::numeric_limits<float>::max();
    for (const UnigramToken& each : m_vocabulary.tokens) {
      if (!each.hidden && !each.userDefined) lowest = std::min(lowest, static_cast<float>(each.score));
    }
    m_unknownScore = lowest - kUnknownPenalty;
  }

  void encode(std::string_view piece, std::vector<PieceToken>& tokens, TextLimits& limits) const override {
    const UnigramSearch<float> search{m_trie, m_vocabulary.unknown, m_unknownScore, 100'000.0f};
    const auto parts = search.parts(piece, limits, [&](std::int32_t id, std::size_t length) {
      const UnigramToken& each = token(id);
      return each.userDefined ? userDefinedScore(length) : static_cast<float>(each.score);
    });
    bool lastUnknown = false;
    for (const auto& part : parts) {
      const bool unknown = part.id == m_vocabulary.unknown;
      if (unknown && m_vocabulary.byteFallback) {
        appendByteTokens(piece, part.begin, part.end, tokens);
      } else if (unknown && lastUnknown) {
        tokens.back().end = part.end;
      } else {
        tokens.push_back({part.id, part.begin, part.end});
      }
      lastUnknown = unknown;
    }
  }

  std::string name() const override {
    return m_vocabulary.byteFallback ? "SentencePiece Unigram with byte fallback" : "SentencePiece Unigram";
  }

 private:
  // Scores are log probabilities, so this beats every other split of the same bytes.
  static float userDefinedScore(std::size_t length) {
    return static_cast<float>(0.1 * (static_cast<double>(length) - 1));
  }
  // The last byte token covers the whole character, the others an empty range before it.
  void appendByteTokens(std::string_view piece, std::uint32_t begin, std::uint32_t end,
                        std::vector<PieceToken>& tokens) const {
    for (std::uint32_t i = begin; i < end; ++i) {
      tokens.push_back(
          {m_byteTokens[static_cast<unsigned char>(piece[i])], begin, i + 1 == end ? end : begin});
    }
  }

  float m_unknownScore = 0;
};

}  // namespace

std::shared_ptr<const PieceModel> makeUnigram(UnigramVocabulary vocabulary) {
  return std::make_shared<HuggingFaceUnigram>(std::move(vocabulary));
}

std::shared_ptr<const PieceModel> makeSentencePieceUnigram(UnigramVocabulary vocabulary) {
  return std::make_shared<SentencePieceUnigram>(std::move(vocabulary));
}

}  // namespace plastiscope
