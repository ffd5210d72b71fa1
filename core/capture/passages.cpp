#include "core/capture/passages.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/random.h"

namespace plastiscope {

std::vector<std::int32_t> firstPlacesOf(std::span<const std::int32_t> tokens) {
  std::vector<std::int32_t> places(tokens.size(), -1);
  std::unordered_multimap<std::uint64_t, std::int64_t> firsts;  // ends of passages, by a hash of their tokens
  const auto passage = [&](std::int64_t end) {
    return tokens.subspan(static_cast<std::size_t>(end + 1 - kPassageTokens), kPassageTokens);
  };
  for (std::int64_t end = kPassageTokens - 1; end < std::ssize(tokens); ++end) {
    std::uint64_t key = kSeedStart;
    for (const std::int32_t token : passage(end)) key = combine(key, static_cast<std::uint64_t>(token));
    const auto [begin, stop] = firsts.equal_range(key);
    const auto same = std::find_if(begin, stop, [&](const auto& first) {
      return std::ranges::equal(passage(first.second), passage(end));
    });
    if (same != stop)
      places[static_cast<std::size_t>(end)] = static_cast<std::int32_t>(same->second);
    else
      firsts.emplace(key, end);
  }
  return places;
}

}  // namespace plastiscope
