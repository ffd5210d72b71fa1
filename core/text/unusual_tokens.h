#pragma once
// Counts tokens that are rarely meant: a doubled first token, special tokens within a text, unknown tokens,
// texts that are mostly bytes.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/tokenizer.h"

namespace plastiscope {

class UnusualTokens {
 public:
  // `text`: what was encoded. Empty for ids that came without one: then special tokens are not counted.
  void add(const Tokenizer& tokenizer, const Encoding& encoding, std::string_view text);
  // One sentence for each kind that occurred.
  std::vector<std::string> warnings() const;

 private:
  enum Kind { Doubled, Special, Unknown, Bytes };
  struct Count {
    std::int64_t tokens = 0, texts = 0;
  };
  std::array<Count, 4> m_counts;  // [Kind]
};

}  // namespace plastiscope
