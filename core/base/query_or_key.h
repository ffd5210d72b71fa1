#pragma once
// The two kinds of vectors of an attention head.
#include <cstdint>
#include <string_view>

namespace plastiscope {

enum class QueryOrKey { Query, Key };

constexpr std::string_view nameOf(QueryOrKey kind) {
  return kind == QueryOrKey::Query ? "query" : "key";
}

// Number of the kind in the seed of a random choice (method.md, Random numbers).
constexpr std::uint64_t seedOf(QueryOrKey kind) {
  return kind == QueryOrKey::Query ? 0x71 : 0x6B;
}

}  // namespace plastiscope
