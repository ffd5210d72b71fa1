#pragma once
// The scanners of pre_split.h with the patterns they implement.
#include "core/text/pre_split.h"

namespace plastiscope::split {

// GPT-2: 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
extern const SplitScanner gpt2;

// cl100k: (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|
// \s*[\r\n]+|\s+(?!\S)|\s+
extern const SplitScanner llama3;
extern const SplitScanner qwen2;   // single digits
extern const SplitScanner qwen35;  // as qwen2, marks count as letters
extern const SplitScanner seed;    // single digits, no line breaks after punctuation

// o200k: [^\r\n\p{L}\p{N}]?U*L+C?|[^\r\n\p{L}\p{N}]?U+L*C?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|
// \s*[\r\n]+|\s+(?!\S)|\s+ with U = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}], L = [\p{Ll}\p{Lm}\p{Lo}\p{M}] and C =
// (?i:'s|'t|'re|'ve|'m|'ll|'d)
extern const SplitScanner o200k;
extern const SplitScanner tekken;  // without C, single digits

// DeepSeek: [!-/:-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|
// \s+(?!\S)|\s+
extern const SplitScanner deepseek3;

// The text between two matches is a piece.
extern const SplitScanner digits;           // \p{N}
extern const SplitScanner digitRuns;        // \p{N}+
extern const SplitScanner digitsByThree;    // \p{N}{1,3}
extern const SplitScanner digitTriples;     // [0-9][0-9][0-9]
extern const SplitScanner punctuationRuns;  // [\p{P}$+<=>^~|]+
extern const SplitScanner cjkRuns;          // [U+4E00-U+9FA5 U+3040-U+30FF]+
extern const SplitScanner spaces;           // one space

// Classes of the named steps of tokenizer.json; each match is one character.
extern const SplitScanner numericCharacters;
extern const SplitScanner punctuationCharacters;
extern const SplitScanner whitespaceCharacters;
extern const SplitScanner words;  // \w+|[^\w\s]+

}  // namespace plastiscope::split
