#pragma once
// Finds passages that occur more than once in a text.
#include <cstdint>
#include <span>
#include <vector>

namespace plastiscope {

// Length of a passage: equal tokens in a row.
inline constexpr std::int64_t kPassageTokens = 8;

// For every token: the index at which the passage of kPassageTokens tokens ending with it first ends in the
// text; -1 if that is this token itself, or fewer tokens precede it.
std::vector<std::int32_t> firstPlacesOf(std::span<const std::int32_t> tokens);

}  // namespace plastiscope
