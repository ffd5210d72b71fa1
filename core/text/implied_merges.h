#pragma once
// Merges of a vocabulary that has none: any two symbols whose joined text is a symbol too may merge, and the
// rank of the result decides.
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "core/text/pair_table.h"

namespace plastiscope {

using SymbolIds = std::unordered_map<std::string_view, std::int32_t>;

// `rankOf(id)` gives the rank of a merge that makes `id`, or nothing when none may make it.
template <typename RankOf>
PairTable impliedMerges(const SymbolIds& ids, RankOf rankOf) {
  struct Found {
    std::int32_t left, right;
    Merge merge;
  };
  std::vector<Found> found;
  for (const auto& [text, id] : ids) {
    const auto rank = rankOf(id);
    if (!rank) continue;
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
      const auto left = ids.find(text.substr(0, cut));
      if (left == ids.end()) continue;
      const auto right = ids.find(text.substr(cut));
      if (right != ids.end()) found.push_back({left->second, right->second, {*rank, id}});
    }
  }
  PairTable merges(found.size());
  for (const Found& each : found) merges.set(each.left, each.right, each.merge);
  return merges;
}

}  // namespace plastiscope
