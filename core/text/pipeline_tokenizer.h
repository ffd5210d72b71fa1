#pragma once
// The one tokenizer: parts that a file names, put together. Text -> added tokens and what lies between ->
// normalised -> cut into pieces -> tokens of the vocabulary -> trimmed, template added.
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
  // Texts of tokens that are neither in the model nor found in a text.
  std::vector<std::pair<std::int32_t, std::string>> names;
  std::int64_t vocabularySize = 0;
  bool fromSentencePiece = false;
  std::string note;  // for the description, e.g. a conflict between two files; may be empty
};

std::shared_ptr<const Tokenizer> makePipelineTokenizer(TokenizerParts parts);

}  // namespace plastiscope
