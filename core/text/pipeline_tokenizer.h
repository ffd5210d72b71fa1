#pragma once
// Tokenizer assembled from parts: text -> added tokens and text in between -> normalised -> pieces -> tokens
// of the vocabulary -> offsets trimmed, template added.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/text/added_tokens.h"
#include "core/text/normalizers.h"
#include "core/text/piece_model.h"
#include "core/text/pipeline_steps.h"
#include "core/text/tokenizer.h"

namespace plastiscope {

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
