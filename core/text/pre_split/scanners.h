#pragma once
// The scanners of pre_split.h. Each comment names the pattern that the scanner reads.
#include <string_view>
#include <vector>

#include "core/text/pre_split.h"

namespace plastiscope::split {

using Cuts = std::vector<Cut>;

// patterns.cpp. GPT-2: 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
void gpt2(std::string_view text, Cuts& cuts);

// cl100k: (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|
// \s*[\r\n]+|\s+(?!\S)|\s+
void llama3(std::string_view text, Cuts& cuts);
void qwen2(std::string_view text, Cuts& cuts);   // with single digits
void qwen35(std::string_view text, Cuts& cuts);  // and with marks counted among the letters
void seed(std::string_view text, Cuts& cuts);    // with single digits, no line breaks behind punctuation

// o200k: [^\r\n\p{L}\p{N}]?U*L+C?|[^\r\n\p{L}\p{N}]?U+L*C?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|
// \s*[\r\n]+|\s+(?!\S)|\s+ with U = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}], L = [\p{Ll}\p{Lm}\p{Lo}\p{M}] and C =
// (?i:'s|'t|'re|'ve|'m|'ll|'d)
void o200k(std::string_view text, Cuts& cuts);
void tekken(std::string_view text, Cuts& cuts);  // without C, with single digits

// DeepSeek: [!-/:-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|
// \s+(?!\S)|\s+
void deepseek3(std::string_view text, Cuts& cuts);

// classes.cpp: what lies between two matches is a piece of its own.
void digits(std::string_view text, Cuts& cuts);           // \p{N}
void digitRuns(std::string_view text, Cuts& cuts);        // \p{N}+
void digitsByThree(std::string_view text, Cuts& cuts);    // \p{N}{1,3}
void digitTriples(std::string_view text, Cuts& cuts);     // [0-9][0-9][0-9]
void punctuationRuns(std::string_view text, Cuts& cuts);  // [\p{P}$+<=>^~|]+
void cjkRuns(std::string_view text, Cuts& cuts);          // [U+4E00-U+9FA5 U+3040-U+30FF]+
void spaces(std::string_view text, Cuts& cuts);           // one space

// The classes of the named steps of tokenizer.json, one character a match.
void numericCharacters(std::string_view text, Cuts& cuts);
void punctuationCharacters(std::string_view text, Cuts& cuts);
void whitespaceCharacters(std::string_view text, Cuts& cuts);
void words(std::string_view text, Cuts& cuts);  // \w+|[^\w\s]+

}  // namespace plastiscope::split
