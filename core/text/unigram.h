#pragma once
// Unigram language model: splits a piece into the tokens with the highest sum of scores. The two libraries
// that define it differ in arithmetic and in the treatment of unknown characters.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/text/piece_model.h"

namespace plastiscope {

struct UnigramToken {
  std::string text;
  double score = 0;
  bool userDefined = false;  // always used where it occurs (SentencePiece)
  bool hidden = false;       // never used
};

struct UnigramVocabulary {
  std::filesystem::path file;
  std::vector<UnigramToken> tokens;  // the index is the id
  std::int32_t unknown = 0;          // for characters that no token covers
  bool byteFallback = false;         // use byte tokens instead if all exist
};

// Arithmetic of the `tokenizers` library: double scores; neighbouring unknown characters become one token.
std::shared_ptr<const PieceModel> makeUnigram(UnigramVocabulary vocabulary);
// Arithmetic of SentencePiece: float scores.
std::shared_ptr<const PieceModel> makeSentencePieceUnigram(UnigramVocabulary vocabulary);

}  // namespace plastiscope
