#pragma once
// The vocabulary of a tokenizer.json.
#include <memory>

#include "core/text/json_node.h"
#include "core/text/piece_model.h"

namespace plastiscope {

constexpr std::size_t kMostTokens = 2'000'000, kMostMerges = 4'000'000;

// InputError when the list or object has more entries.
void requireAtMost(const JsonNode& node, std::size_t most);

// `byteLevel`: pieces are bytes, and the vocabulary is written in the byte-level alphabet.
std::shared_ptr<const PieceModel> readModel(const JsonNode& model, bool byteLevel);

}  // namespace plastiscope
