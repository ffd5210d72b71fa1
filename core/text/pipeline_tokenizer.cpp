// Tokenizer assembled from parts, with a cache for the tokens of short pieces of a text.
#include "core/text/pipeline_tokenizer.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "core/base/error.h"
#include "core/text/unicode.h"

namespace plastiscope {

class PieceCache {
 public:
  PieceCache(const PieceModel& model, TextLimits& limits) : m_model(model), m_limits(limits) {}

  // The tokens of `piece`; valid until the next call.
  const std::vector<PieceToken>& tokens(std::string_view piece) {
    m_limits.step();
    if (piece.size() > kLongestPiece) return encoded(piece);
    const auto known = m_known.find(piece);
    if (known != m_known.end()) return known->second;
    encoded(piece);
    if (m_known.size() < kMaxPieces) m_known.emplace(piece, m_tokens);
    return m_tokens;
  }

 private:
  static constexpr std::size_t kLongestPiece = 48, kMaxPieces = 200'000;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  const std::vector<PieceToken>& encoded(std::string_view piece) {
    m_tokens.clear();
    m_model.encode(piece, m_tokens, m_limits);
    return m_tokens;
  }

  const PieceModel& m_model;
  TextLimits& m_limits;
  std::unordered_map<std::string, std::vector<PieceToken>, Hash, std::equal_to<>> m_known;
  std::vector<PieceToken> m_tokens;
};

namespace {

// Spaces at the ends of an added token: white space, or U+0120 of the byte-level alphabet.
TokenSpaces spacesOfText(std::string_view text) {
  const auto isSpace = [](char32_t character) { return character == 0x120 || isWhitespace(character); };
  TokenSpaces spaces;
  for (std::size_t position = 0; position < text.size() && isSpace(nextCodePoint(text, position));)
    ++spaces.leading;
  for (std::size_t position = text.size(); position > 0; ++spaces.trailing) {
    position = previousCodePoint(text, position);
    std::size_t start = position;
    if (!isSpace(nextCodePoint(text, start))) break;
  }
  return spaces;
}

TokenSpaces spacesOfBytes(std::string_view bytes) {
  const auto first = bytes.find_first_not_of(' ');
  if (first == std::string_view::npos) {
    return {static_cast<std::int64_t>(bytes.size()), static_cast<std::int64_t>(bytes.size())};
  }
  return {static_cast<std::int64_t>(first),
          static_cast<std::int64_t>(bytes.size() - 1 - bytes.find_last_not_of(' '))};
}

// Runs `work`; turns TextOutgrown into an InputError about the tokenizer's file.
template <typename Work>
auto withinLimits(const std::filesystem::path& file, Work work) {
  try {
    return work();
  } catch (const TextOutgrown&) {
    throw InputError({file, "normalizer",
                      "at most " + std::to_string(TextLimits::kMaxGrowth) + " times the bytes of a text",
                      "more"});
  }
}

std::vector<AddedToken> addedTokens(const TokenizerParts& parts, bool inNormalized) {
  std::vector<AddedToken> result;
  for (AddedToken token : parts.added) {
    if (token.normalized != inNormalized) continue;
    if (inNormalized) {
      const std::string own = token.text;
      TextLimits limits(own.size());
      token.text = std::string(normalized(AlignedText(own, 0), parts.normalizers, limits).view());
    }
    result.push_back(std::move(token));
  }
  return result;
}

// The original range of a token in the piece that begins at `begin`.
ByteRange rangeOf(const AlignedText& text, std::size_t begin, const PieceToken& token) {
  if (token.end > token.begin) return text.original(begin + token.begin, begin + token.end);
  const std::int64_t position = text.begin() + text.source(begin + token.begin).first;
  return {position, position};
}

class PipelineTokenizer : public Tokenizer {
 public:
  explicit PipelineTokenizer(TokenizerParts parts)
      : m_parts(std::move(parts)),
        m_rawFinder(addedTokens(m_parts, false), m_parts.file),
        m_normalizedFinder(withinLimits(m_parts.file, [this] { return addedTokens(m_parts, true); }),
                           m_parts.file),
        m_trims(std::ranges::any_of(m_parts.postSteps, [](const PostStep& step) {
          return std::holds_alternative<TrimOffsets>(step);
        })) {
    for (const AddedToken& token : m_parts.added) m_addedTexts.emplace(token.id, token.text);
    m_addedTexts.insert(m_parts.names.begin(), m_parts.names.end());
    for (const std::int32_t id : m_parts.model->byteTokens()) m_roles[id] = TokenRole::Byte;
    for (const AddedToken& token : m_parts.added)
      if (token.special) m_roles[token.id] = TokenRole::Special;
    for (const PostStep& step : m_parts.postSteps) {
      if (const auto* around = std::get_if<AddTemplate>(&step))
        for (const auto& ids : {around->before, around->after})
          for (const std::int32_t id : ids) m_roles[id] = TokenRole::Special;
    }
    m_roles[m_parts.model->unknownToken()] = TokenRole::Unknown;
    m_roles.erase(-1);
  }

  Encoding encode(std::string_view text, bool addSpecial, const Progress* progress) const override;
  std::string tokenText(std::int32_t id) const override;
  TokenRole role(std::int32_t id) const override {
    const auto found = m_roles.find(id);
    return found == m_roles.end() ? TokenRole::Plain : found->second;
  }
  std::int64_t vocabularySize() const override { return m_parts.vocabularySize; }
  std::string description() const override;

 private:
  struct Work {
    TextLimits& limits;
    TokenRow tokens;
    PieceCache cache;
    std::vector<std::size_t> ends;
  };
  Encoding encodeWithin(std::string_view text, bool addSpecial, const Progress* progress) const;
  void encodeBetween(AlignedText text, Work& work) const;
  void encodePieces(AlignedText text, Work& work) const;
  void encodePiece(const AlignedText& text, Span piece, Work& work) const;
  void addToken(std::int32_t id, std::string_view matched, ByteRange range, TokenRow& tokens) const;
  std::string templateText() const;

  TokenizerParts m_parts;
  AddedTokenFinder m_rawFinder, m_normalizedFinder;
  bool m_trims;  // a step needs the spaces of the tokens
  std::unordered_map<std::int32_t, std::string> m_addedTexts;
  std::unordered_map<std::int32_t, TokenRole> m_roles;  // roles other than Plain
};

void PipelineTokenizer::addToken(std::int32_t id, std::string_view matched, ByteRange range,
                                 TokenRow& tokens) const {
  tokens.encoding.ids.push_back(id);
  tokens.encoding.offsets.push_back(range);
  if (m_trims) tokens.spaces.push_back(spacesOfText(matched));
}

void PipelineTokenizer::encodePiece(const AlignedText& text, Span piece, Work& work) const {
  work.ends.clear();
  m_parts.model->cut(text.view().substr(piece.begin, piece.end - piece.begin), work.ends);
  std::size_t begin = piece.begin;
  for (const std::size_t length : work.ends) {
    const std::size_t end = piece.begin + length;
    for (const PieceToken& token : work.cache.tokens(text.view().substr(begin, end - begin))) {
      work.tokens.encoding.ids.push_back(token.id);
      work.tokens.encoding.offsets.push_back(rangeOf(text, begin, token));
      if (m_trims) work.tokens.spaces.push_back(spacesOfBytes(m_parts.model->tokenBytes(token.id)));
    }
    begin = end;
  }
}

void PipelineTokenizer::encodePieces(AlignedText text, Work& work) const {
  const SplitText split = splitIntoPieces(std::move(text), m_parts.splits, work.limits);
  for (const Span& piece : split.pieces) encodePiece(split.text, piece, work);
}

void PipelineTokenizer::encodeBetween(AlignedText text, Work& work) const {
  text = normalized(std::move(text), m_parts.normalizers, work.limits);
  for (const TextPart& part : m_normalizedFinder.split(text.view(), work.limits)) {
    if (part.token) {
      const std::string_view matched = text.view().substr(part.begin, part.end - part.begin);
      addToken(*part.token, matched, text.original(part.begin, part.end), work.tokens);
    } else if (part.begin == 0 && part.end == text.view().size()) {
      encodePieces(std::move(text), work);
      return;
    } else {
      encodePieces(text.slice(part.begin, part.end), work);
    }
  }
}

Encoding PipelineTokenizer::encode(std::string_view text, bool addSpecial, const Progress* progress) const {
  return withinLimits(m_parts.file, [&] { return encodeWithin(text, addSpecial, progress); });
}

Encoding PipelineTokenizer::encodeWithin(std::string_view text, bool addSpecial,
                                         const Progress* progress) const {
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw InputError({"", "text", "at most 2 GB", byteText(text.size())});
  }
  TextLimits limits(text.size(), progress);
  Work work{limits, {}, PieceCache(*m_parts.model, limits), {}};
  for (const TextPart& part : m_rawFinder.split(text, limits)) {
    const std::string_view bytes = text.substr(part.begin, part.end - part.begin);
    const auto begin = static_cast<std::int64_t>(part.begin);
    limits.step();
    if (part.token) {
      addToken(*part.token, bytes, {begin, static_cast<std::int64_t>(part.end)}, work.tokens);
    } else {
      encodeBetween({bytes, begin}, work);
    }
  }
  for (const PostStep& step : m_parts.postSteps) {
    if (const auto* trim = std::get_if<TrimOffsets>(&step)) {
      trimOffsets(*trim, text, work.tokens);
    } else if (addSpecial) {
      addTemplate(std::get<AddTemplate>(step), work.tokens);
    }
  }
  return std::move(work.tokens.encoding);
}

std::string PipelineTokenizer::tokenText(std::int32_t id) const {
  const auto added = m_addedTexts.find(id);
  if (added != m_addedTexts.end()) return added->second;
  return std::string(m_parts.model->tokenBytes(id));
}

std::string PipelineTokenizer::templateText() const {
  std::string before, after;
  for (const PostStep& step : m_parts.postSteps) {
    const auto* around = std::get_if<AddTemplate>(&step);
    if (around == nullptr) continue;
    for (const std::int32_t id : around->before) before += " " + tokenText(id);
    for (const std::int32_t id : around->after) after += " " + tokenText(id);
  }
  std::string text = before.empty() ? "no BOS added" : "adds" + before + " at the start";
  if (!after.empty()) text += ", adds" + after + " at the end";
  return text;
}

std::string PipelineTokenizer::description() const {
  std::string text =
      m_parts.model->name() + ", " + withCommas(m_parts.vocabularySize) + " tokens, " + templateText();
  if (!m_parts.note.empty()) text += "; " + m_parts.note;
  return text;
}

}  // namespace

std::shared_ptr<const Tokenizer> makePipelineTokenizer(TokenizerParts parts) {
  return std::make_shared<PipelineTokenizer>(std::move(parts));
}

// ---- Added tokens

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
