#pragma once
// Counts suspicious tokens: doubled first token, special tokens within a text, unknown tokens, mostly byte
// tokens.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/tokenizer.h"

namespace plastiscope {

class UnusualTokens {
 public:
  // `text`: the encoded text; empty for ids without a text, where special tokens are not counted.
  void add(const Tokenizer& tokenizer, const Encoding& encoding, std::string_view text);
  // One sentence per kind that occurred.
  std::vector<std::string> warnings() const;

 private:
  enum Kind { Doubled, Special, Unknown, Bytes };
  struct Count {
    std::int64_t tokens = 0, texts = 0;
  };
  std::array<Count, 4> m_counts;  // [Kind]
};

}  // namespace plastiscope
