#pragma once
// The scanners of pre_split.h. Each comment names the pattern that the scanner reads.
#include <cstddef>
#include <string_view>
#include <vector>

namespace plastiscope::split {

using Ends = std::vector<std::size_t>;

// gpt2.cpp: 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
void gpt2(std::string_view text, Ends& ends);

// cl100k.cpp: (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|
// \s*[\r\n]+|\s+(?!\S)|\s+ with numbers of up to three digits, or of one.
void llama3(std::string_view text, Ends& ends);
void qwen2(std::string_view text, Ends& ends);

// runs.cpp: what lies between two matches is a piece of its own.
void digits(std::string_view text, Ends& ends);           // \p{N}
void digitRuns(std::string_view text, Ends& ends);        // \p{N}+
void digitTriples(std::string_view text, Ends& ends);     // [0-9][0-9][0-9]
void punctuationRuns(std::string_view text, Ends& ends);  // [\p{P}$+<=>^~|]+

}  // namespace plastiscope::split
