#pragma once
// The tokenizer.ggml.* entries of a GGUF file, checked.
#include <optional>
#include <string>
#include <vector>

#include "core/text/post_process.h"
#include "core/weights/gguf.h"

namespace plastiscope {

std::string ggufKey(const char* name);  // "tokenizer.ggml." + name

// nullptr when absent; InputError when it is no such list or has more entries than `most`.
template <typename Value>
const std::vector<Value>* ggufList(const GgufFile& file, const char* name, std::size_t most);

// Texts, types (of PieceKind) and scores of the tokens; absent types are Normal, absent scores 0.
struct GgufTokens {
  const std::vector<std::string>& texts;
  const std::vector<std::int64_t>* types;
  const std::vector<double>* scores;
  std::int64_t type(std::size_t id) const { return types == nullptr ? 1 : (*types)[id]; }
};
// InputError when the lists are missing, too long, or not of one length.
GgufTokens readGgufTokens(const GgufFile& file);

// What tokenizer.ggml.add_bos_token and add_eos_token ask for.
std::vector<PostStep> readGgufTemplate(const GgufFile& file, std::size_t tokens, bool addBosByDefault);

extern template const std::vector<std::string>* ggufList(const GgufFile&, const char*, std::size_t);
extern template const std::vector<std::int64_t>* ggufList(const GgufFile&, const char*, std::size_t);

}  // namespace plastiscope
