#pragma once
// A SentencePiece model from tokenizer.model or a GGUF file of type "llama".
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/text/normalizers.h"
#include "core/text/piece_model.h"

namespace plastiscope {

// Numbers as in the files.
enum class PieceKind { Normal = 1, Unknown = 2, Control = 3, UserDefined = 4, Unused = 5, Byte = 6 };

struct SentencePiece {
  std::string text;
  float score = 0;
  PieceKind kind = PieceKind::Normal;
};

struct SentencePieceModel {
  std::filesystem::path file;         // for messages
  std::vector<SentencePiece> pieces;  // the index is the id
  bool byteFallback = false;
  // Normalisation.
  std::string charsmap;  // precompiled rules, "" = none
  bool addDummyPrefix = true, removeExtraWhitespace = true, escapeWhitespace = true,
       whitespaceIsSuffix = false;
};

// InputError: an empty or overlong piece, a duplicate text, no unknown piece, an incomplete set of byte
// pieces, a score that is not finite.
void checkPieces(const SentencePieceModel& model);
// For models that passed checkPieces().
std::shared_ptr<const PieceModel> makeSentencePieceBpe(const SentencePieceModel& model);
std::shared_ptr<const PieceModel> makeSentencePieceUnigram(const SentencePieceModel& model);
// Applies the charsmap (longest match first) except to user-defined pieces, escapes spaces, adds the prefix.
Normalizer makeSentencePieceNormalizer(const SentencePieceModel& model);

}  // namespace plastiscope
