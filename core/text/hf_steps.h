#pragma once
// The steps of a tokenizer.json behind its normalisers and its vocabulary.
#include <vector>

#include "core/text/json_node.h"
#include "core/text/pipeline_tokenizer.h"

namespace plastiscope {

struct PreTokenizer {
  std::vector<SplitStep> steps;
  bool byteLevel = false;  // the pieces are bytes: the last step is ByteLevel
};

PreTokenizer readPreTokenizer(const JsonNode& root);
// InputError where offsets are to be trimmed and the pieces are not bytes.
std::vector<PostStep> readPostProcessor(const JsonNode& root, bool byteLevel);

}  // namespace plastiscope
