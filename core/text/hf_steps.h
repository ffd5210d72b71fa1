#pragma once
// The steps of a tokenizer.json around its vocabulary.
#include <functional>
#include <optional>
#include <vector>

#include "core/text/json_node.h"
#include "core/text/pipeline_tokenizer.h"

namespace plastiscope {

std::vector<const Normalizer*> readNormalizers(const JsonNode& root);
// InputError unless the last step is ByteLevel.
std::vector<SplitStep> readPreTokenizer(const JsonNode& root);
std::vector<PostStep> readPostProcessor(const JsonNode& root);

}  // namespace plastiscope
