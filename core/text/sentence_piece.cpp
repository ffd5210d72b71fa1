#include "core/text/sentence_piece.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/base/error.h"
#include "core/text/byte_tokens.h"
#include "core/text/unigram.h"

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
      throw InputError({model.file, placeOf(i), "a text of its own", "\"" + piece.text + "\" again"});
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

}  // namespace plastiscope
