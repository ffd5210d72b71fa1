#include "core/text/pipeline_tokenizer.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "core/base/error.h"
#include "core/text/char_class.h"
#include "core/text/piece_cache.h"
#include "core/text/utf8.h"

namespace plastiscope {

namespace {

using Ends = std::vector<std::size_t>;

Ends refined(const SplitRule& rule, std::string_view text, const Ends& ends) {
  Ends result, inside;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    inside.clear();
    rule.scan(text.substr(begin, end - begin), inside);
    for (const std::size_t cut : inside) result.push_back(begin + cut);
    begin = end;
  }
  return result;
}

// The added spaces come from the first character of their piece.
AlignedText withPrefixSpaces(const AlignedText& text, Ends& ends) {
  const std::string_view bytes = text.view();
  std::string changed;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sources;
  std::size_t begin = 0;
  for (std::size_t& end : ends) {
    if (bytes[begin] != ' ') {
      changed += ' ';
      sources.push_back(text.source(begin));
    }
    for (std::size_t i = begin; i < end; ++i) sources.push_back(text.source(i));
    changed.append(bytes.substr(begin, end - begin));
    begin = end;
    end = changed.size();
  }
  return {std::move(changed), std::move(sources), text.begin()};
}

// Spaces at the ends of an added token: white space, or the byte-level alphabet's character for a space.
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

std::vector<AddedToken> addedTokens(const TokenizerParts& parts, bool normalized) {
  std::vector<AddedToken> result;
  for (AddedToken token : parts.added) {
    if (token.normalized != normalized) continue;
    if (normalized) {
      const std::string own = token.text;
      AlignedText text(own, 0);
      for (const Normalizer* normalizer : parts.normalizers) text = normalizer->apply(std::move(text));
      token.text = std::string(text.view());
    }
    result.push_back(std::move(token));
  }
  return result;
}

class PipelineTokenizer : public Tokenizer {
 public:
  explicit PipelineTokenizer(TokenizerParts parts)
      : m_parts(std::move(parts)),
        m_rawFinder(addedTokens(m_parts, false), m_parts.file),
        m_normalizedFinder(addedTokens(m_parts, true), m_parts.file) {
    for (const AddedToken& token : m_parts.added) m_addedTexts.emplace(token.id, token.text);
  }

  Encoding encode(std::string_view text, bool addSpecial) const override;
  std::string tokenText(std::int32_t id) const override;
  std::int64_t vocabularySize() const override { return m_parts.vocabularySize; }
  std::string description() const override;

 private:
  struct Work {
    TokenRow tokens;
    PieceCache cache;
  };
  void encodeBetween(AlignedText text, Work& work) const;
  void encodePieces(AlignedText text, Work& work) const;
  static void addToken(std::int32_t id, std::string_view matched, ByteRange range, TokenRow& tokens);
  std::string templateText() const;

  TokenizerParts m_parts;
  AddedTokenFinder m_rawFinder, m_normalizedFinder;
  std::unordered_map<std::int32_t, std::string> m_addedTexts;
};

void PipelineTokenizer::addToken(std::int32_t id, std::string_view matched, ByteRange range,
                                 TokenRow& tokens) {
  tokens.encoding.ids.push_back(id);
  tokens.encoding.offsets.push_back(range);
  tokens.spaces.push_back(spacesOfText(matched));
}

void PipelineTokenizer::encodePieces(AlignedText text, Work& work) const {
  if (text.view().empty()) return;
  Ends ends{text.view().size()};
  for (const SplitStep& step : m_parts.splits) {
    if (const auto* rule = std::get_if<const SplitRule*>(&step)) {
      ends = refined(**rule, text.view(), ends);
    } else {
      text = withPrefixSpaces(text, ends);
    }
  }
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    for (const PieceToken& token : work.cache.tokens(text.view().substr(begin, end - begin))) {
      work.tokens.encoding.ids.push_back(token.id);
      work.tokens.encoding.offsets.push_back(text.original(begin + token.begin, begin + token.end));
      work.tokens.spaces.push_back(spacesOfBytes(m_parts.model->tokenBytes(token.id)));
    }
    begin = end;
  }
}

void PipelineTokenizer::encodeBetween(AlignedText text, Work& work) const {
  for (const Normalizer* normalizer : m_parts.normalizers) text = normalizer->apply(std::move(text));
  for (const TextPart& part : m_normalizedFinder.split(text.view())) {
    if (part.token) {
      const std::string_view matched = text.view().substr(part.begin, part.end - part.begin);
      addToken(*part.token, matched, text.original(part.begin, part.end), work.tokens);
    } else {
      encodePieces(text.slice(part.begin, part.end), work);
    }
  }
}

Encoding PipelineTokenizer::encode(std::string_view text, bool addSpecial) const {
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw InputError({"", "text", "at most 2 GB", byteText(text.size())});
  }
  Work work{{}, PieceCache(*m_parts.model)};
  for (const TextPart& part : m_rawFinder.split(text)) {
    const std::string_view bytes = text.substr(part.begin, part.end - part.begin);
    const auto begin = static_cast<std::int64_t>(part.begin);
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

}  // namespace plastiscope
