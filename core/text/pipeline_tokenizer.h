#pragma once
// Tokenizer assembled from parts: text -> added tokens and text in between -> normalised -> pieces -> tokens
// of the vocabulary -> offsets trimmed, template added.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/byte_trie.h"
#include "core/text/normalizers.h"
#include "core/text/piece_model.h"
#include "core/text/pipeline_steps.h"
#include "core/text/text_limits.h"
#include "core/text/tokenizer.h"

namespace plastiscope {

// ---- Added tokens: strings outside the vocabulary that are matched as a whole in the text.

// Fields as in tokenizer.json.
struct AddedToken {
  std::string text;
  std::int32_t id = 0;
  bool special = false;
  bool singleWord = false;                     // not inside a word
  bool stripLeft = false, stripRight = false;  // also takes white space on that side
  bool normalized = false;                     // matched in the normalised text
  std::string name;                            // "bos_token", ...; mostly empty
};

// A part of a text: an added token, or the text between two of them.
struct TextPart {
  std::size_t begin = 0, end = 0;
  std::optional<std::int32_t> token;
};

// Finds the leftmost longest matches of several strings.
class AddedTokenFinder {
 public:
  // InputError for texts longer than kLongest bytes.
  static constexpr std::size_t kLongest = 1000;
  AddedTokenFinder(const std::vector<AddedToken>& tokens, const std::filesystem::path& file);

  std::vector<TextPart> split(std::string_view text, TextLimits& limits) const;

 private:
  // Length of the longest token at the position (0 = none) and its index.
  std::size_t longestAt(std::string_view text, std::size_t position, std::size_t& token) const;
  TextPart widened(const AddedToken& token, std::string_view text, TextPart match, std::size_t least) const;

  std::vector<AddedToken> m_tokens;
  ByteTrie m_trie;  // of indices in m_tokens
};

struct TokenizerParts {
  std::filesystem::path file;
  std::vector<AddedToken> added;
  Normalizers normalizers;
  std::vector<SplitStep> splits;
  std::shared_ptr<const PieceModel> model;
  std::vector<PostStep> postSteps;
  // Texts of tokens that are not in the model and never matched in a text.
  std::vector<std::pair<std::int32_t, std::string>> names;
  std::int64_t vocabularySize = 0;
  bool fromSentencePiece = false;
  std::string note;  // for description(), e.g. a conflict between two files; may be empty
};

std::shared_ptr<const Tokenizer> makePipelineTokenizer(TokenizerParts parts);

}  // namespace plastiscope
