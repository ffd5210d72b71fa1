#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace plastiscope {

class Progress;

struct Encoding {
  std::vector<std::int32_t> ids;
  // Byte offsets [begin, end) into the (repaired) text; template tokens have an empty range.
  std::vector<std::pair<std::int64_t, std::int64_t>> offsets;
};

// Role of a token. Special: control token or added by the template; Unknown: replaces text that the
// vocabulary lacks; Byte: "<0x00>" ... "<0xFF>".
enum class TokenRole { Plain, Special, Unknown, Byte };

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  // `text` must be valid UTF-8 (see repairUtf8). addSpecial: add tokens of the model's template (BOS, EOS).
  // InputError when the text grows too much (text_limits.h); Stopped when `progress` requests it.
  virtual Encoding encode(std::string_view text, bool addSpecial = true,
                          const Progress* progress = nullptr) const = 0;
  // The bytes of one token; "" for an id outside the vocabulary.
  virtual std::string tokenText(std::int32_t id) const = 0;
  virtual TokenRole role(std::int32_t id) const = 0;
  virtual std::int64_t vocabularySize() const = 0;
  // One-line summary: "byte-level BPE, 49,152 tokens, no BOS added".
  virtual std::string description() const = 0;
};

// Opens a model folder (tokenizer.json, else tokenizer.model, else tekken.json), one of these files, or a
// GGUF file (tokenizer.ggml.*). InputError names unknown parts.
std::shared_ptr<const Tokenizer> openTokenizer(const std::filesystem::path& modelPath);

// Replaces invalid UTF-8 by U+FFFD, one per maximal ill-formed subpart; `repaired` gets the count.
std::string repairUtf8(std::string_view bytes, std::int64_t* repaired = nullptr);

}  // namespace plastiscope
