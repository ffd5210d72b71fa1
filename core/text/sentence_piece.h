#pragma once
// A SentencePiece model, whatever file it comes from (tokenizer.model, a GGUF file of type "llama").
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/text/normalizers.h"
#include "core/text/piece_model.h"

namespace plastiscope {

// The numbers are those of the files.
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
  // What is done to the text first.
  std::string charsmap;  // precompiled rules, "" = none
  bool addDummyPrefix = true, removeExtraWhitespace = true, escapeWhitespace = true,
       whitespaceIsSuffix = false;
};

// InputError: an empty or overlong piece, a text twice, no unknown piece, an incomplete set of byte pieces, a
// score that is no number.
void checkPieces(const SentencePieceModel& model);
// Of models that passed the check.
std::shared_ptr<const PieceModel> makeSentencePieceBpe(const SentencePieceModel& model);
std::shared_ptr<const PieceModel> makeSentencePieceUnigram(const SentencePieceModel& model);
// Rules of the charsmap (the longest first), user-defined pieces untouched, spaces escaped, dummy prefix.
Normalizer makeSentencePieceNormalizer(const SentencePieceModel& model);

}  // namespace plastiscope
