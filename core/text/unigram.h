#pragma once
// Unigram language model: of all ways to cut a piece into tokens the one whose scores sum highest. Two
// libraries define it, which differ in arithmetic and in what becomes of unknown characters.
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
  bool userDefined = false;  // always taken where it stands (SentencePiece)
  bool hidden = false;       // never found in a text
};

struct UnigramVocabulary {
  std::filesystem::path file;
  std::vector<UnigramToken> tokens;  // the index is the id
  std::int32_t unknown = 0;          // for characters that no token covers
  bool byteFallback = false;         // their bytes' tokens instead, when all of them are there
};

// As the `tokenizers` library: scores are doubles; neighbouring unknown characters are one.
std::shared_ptr<const PieceModel> makeUnigram(UnigramVocabulary vocabulary);
// As SentencePiece: scores are floats.
std::shared_ptr<const PieceModel> makeSentencePieceUnigram(UnigramVocabulary vocabulary);

}  // namespace plastiscope
