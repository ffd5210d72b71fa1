#pragma once
// Passages of a text that stand in it more than once.
#include <cstdint>
#include <span>
#include <vector>

namespace plastiscope {

// Tokens that must be the same in a row.
inline constexpr std::int64_t kPassageTokens = 8;

// Of every token: where the kPassageTokens tokens that end with it end for the first time in the text; -1
// where that is here, or fewer tokens come before.
std::vector<std::int32_t> firstPlacesOf(std::span<const std::int32_t> tokens);

}  // namespace plastiscope
