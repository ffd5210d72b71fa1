#pragma once
// The heart of byte-pair encoding: neighbouring symbols are merged, the best-ranked pair first.
#include <cstdint>
#include <vector>

#include "core/text/pair_table.h"
#include "core/text/text_limits.h"

namespace plastiscope {

// A node of the linked list of symbols; no bytes = merged into its left neighbour.
struct Symbol {
  std::int32_t id;              // negative: never merges
  std::int32_t previous, next;  // indices, -1 = none
  std::uint32_t bytes;
  std::uint32_t length;  // of the bytes in the vocabulary's own spelling
};

// Appends a symbol behind the last one.
void appendSymbol(std::vector<Symbol>& symbols, std::int32_t id, std::uint32_t bytes, std::uint32_t length);
// n log n in the number of symbols. No merge that makes the symbol `forbidden` is done.
void mergeSymbols(std::vector<Symbol>& symbols, const PairTable& merges, TextLimits& limits,
                  std::int32_t forbidden = -1);

}  // namespace plastiscope
