#include "core/text/sentence_piece.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>

#include "core/base/error.h"
#include "core/text/byte_spellings.h"
#include "core/text/byte_trie.h"
#include "core/text/precompiled_charsmap.h"
#include "core/text/unigram.h"
#include "core/text/utf8.h"

namespace plastiscope {

namespace {

constexpr std::size_t kLongestPiece = 8000;

std::string placeOf(std::size_t id) {
  return "piece " + std::to_string(id);
}

}  // namespace

void checkPieces(const SentencePieceModel& model) {
  std::unordered_set<std::string_view> texts;
  int unknown = 0, bytes = 0;
  for (std::size_t i = 0; i < model.pieces.size(); ++i) {
    const SentencePiece& piece = model.pieces[i];
    if (piece.text.empty() || piece.text.size() >= kLongestPiece) {
      throw InputError({model.file, placeOf(i), "a text of 1 to " + withCommas(kLongestPiece - 1) + " bytes",
                        withCommas(static_cast<long long>(piece.text.size()))});
    }
    if (!std::isfinite(piece.score)) throw InputError({model.file, placeOf(i), "a score", "no number"});
    if (!texts.insert(piece.text).second)
      throw InputError({model.file, placeOf(i), "a unique text", "\"" + piece.text + "\" again"});
    if (piece.kind == PieceKind::Unknown) ++unknown;
    if (piece.kind == PieceKind::Byte && ++bytes > 0 && !byteOfToken(piece.text))
      throw InputError({model.file, placeOf(i), "a byte such as <0x0A>", "\"" + piece.text + "\""});
  }
  if (unknown > 1 || (unknown == 0 && !model.byteFallback))
    throw InputError({model.file, "pieces", "one unknown piece", std::to_string(unknown)});
  if (model.byteFallback && bytes != 256)
    throw InputError({model.file, "pieces", "256 byte pieces (byte fallback)", std::to_string(bytes)});
}

std::shared_ptr<const PieceModel> makeSentencePieceUnigram(const SentencePieceModel& model) {
  UnigramVocabulary vocabulary;
  vocabulary.file = model.file;
  vocabulary.byteFallback = model.byteFallback;
  vocabulary.unknown = -1;
  for (std::size_t i = 0; i < model.pieces.size(); ++i) {
    const SentencePiece& piece = model.pieces[i];
    const bool userDefined = piece.kind == PieceKind::UserDefined;
    vocabulary.tokens.push_back(
        {piece.text, piece.score, userDefined, !userDefined && piece.kind != PieceKind::Normal});
    if (piece.kind == PieceKind::Unknown) vocabulary.unknown = static_cast<std::int32_t>(i);
  }
  return makeSentencePieceUnigram(std::move(vocabulary));
}

namespace {

// A prefix of the text and its replacement.
struct Step {
  std::size_t length;
  std::string_view result;
};

class SentencePieceNormalizer {
 public:
  explicit SentencePieceNormalizer(const SentencePieceModel& model)
      : m_addDummyPrefix(model.addDummyPrefix),
        m_removeExtraWhitespace(model.removeExtraWhitespace),
        m_whitespaceIsSuffix(model.whitespaceIsSuffix),
        m_space(model.escapeWhitespace ? "\u2581" : " ") {
    if (!model.charsmap.empty()) m_rules = PrecompiledCharsmap(model.charsmap, model.file, "normalizer_spec");
    for (const SentencePiece& piece : model.pieces) {
      if (piece.kind == PieceKind::UserDefined) m_userDefined.add(piece.text, 0);
    }
  }

  AlignedText operator()(AlignedText text, TextLimits& limits) const;

 private:
  class Result;
  Step stepAt(std::string_view text) const;
  std::size_t userDefinedLength(std::string_view text) const;

  PrecompiledCharsmap m_rules;
  ByteTrie m_userDefined;
  bool m_addDummyPrefix, m_removeExtraWhitespace, m_whitespaceIsSuffix;
  std::string m_space;
};

std::size_t SentencePieceNormalizer::userDefinedLength(std::string_view text) const {
  std::size_t length = 0;
  std::uint32_t node = ByteTrie::kRoot;
  for (std::size_t i = 0; i < text.size(); ++i) {
    node = m_userDefined.step(node, text[i]);
    if (node == ByteTrie::kNone) break;
    if (m_userDefined.value(node) >= 0) length = i + 1;
  }
  return length;
}

Step SentencePieceNormalizer::stepAt(std::string_view text) const {
  if (const std::size_t length = userDefinedLength(text)) return {length, text.substr(0, length)};
  if (const auto rule = m_rules.longest(text)) return {rule->length, rule->result};
  std::size_t length = 0;
  nextCodePoint(text, length);
  return {length, text.substr(0, length)};
}

// The new text, and for each byte the begin of its step in the old text. A token ends where the step of the
// next byte begins.
class SentencePieceNormalizer::Result {
 public:
  Result(std::size_t expected, std::string_view space, TextLimits& limits)
      : m_space(space), m_limits(limits) {
    m_text.reserve(expected);
    m_begins.reserve(expected);
  }
  void add(std::string_view bytes, std::size_t from) {
    m_limits.step(m_text.size() + bytes.size());
    for (const char byte : bytes) {
      if (byte == ' ') {
        addSpace(from);
      } else {
        m_text += byte;
        m_begins.push_back(static_cast<std::uint32_t>(from));
      }
    }
  }
  void addSpace(std::size_t from) {
    m_limits.step(m_text.size() + m_space.size());
    m_text += m_space;
    m_begins.resize(m_text.size(), static_cast<std::uint32_t>(from));
  }
  // Returns the end of the remaining text in the old one.
  std::size_t removeSpacesAtEnd(std::size_t end) {
    while (m_text.ends_with(m_space)) {
      const std::size_t length = m_text.size() - m_space.size();
      end = m_begins[length];
      m_text.resize(length);
      m_begins.resize(length);
    }
    return end;
  }
  AlignedText finish(std::size_t end, std::int64_t begin) {
    std::vector<SourceRange> sources(m_begins.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      sources[i] = {m_begins[i], i + 1 < sources.size() ? m_begins[i + 1] : static_cast<std::uint32_t>(end)};
    }
    return {std::move(m_text), std::move(sources), begin};
  }

 private:
  std::string_view m_space;
  TextLimits& m_limits;
  std::string m_text;
  std::vector<std::uint32_t> m_begins;
};

AlignedText SentencePieceNormalizer::operator()(AlignedText text, TextLimits& limits) const {
  const std::string_view bytes = text.view();
  std::size_t position = 0;
  while (m_removeExtraWhitespace && position < bytes.size()) {
    const Step step = stepAt(bytes.substr(position));
    if (step.result != " ") break;
    position += step.length;
  }
  Result result(bytes.size() + bytes.size() / 2, m_space, limits);
  if (position == bytes.size()) return result.finish(0, text.begin());
  if (m_addDummyPrefix && !m_whitespaceIsSuffix) result.addSpace(position);
  bool afterSpace = m_removeExtraWhitespace;
  while (position < bytes.size()) {
    limits.step();
    const Step step = stepAt(bytes.substr(position));
    std::string_view added = step.result;
    while (afterSpace && added.starts_with(' ')) added.remove_prefix(1);
    if (!added.empty()) {
      result.add(added, position);
      afterSpace = added.ends_with(' ');
    }
    position += step.length;
    afterSpace = afterSpace && m_removeExtraWhitespace;
  }
  std::size_t end = position;
  if (m_removeExtraWhitespace) end = result.removeSpacesAtEnd(end);
  if (m_addDummyPrefix && m_whitespaceIsSuffix) result.addSpace(end);
  return result.finish(end, text.begin());
}

}  // namespace

Normalizer makeSentencePieceNormalizer(const SentencePieceModel& model) {
  return SentencePieceNormalizer(model);
}

}  // namespace plastiscope
