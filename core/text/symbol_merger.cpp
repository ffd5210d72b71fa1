#include "core/text/symbol_merger.h"

#include <queue>

namespace plastiscope {

namespace {

// A possible merge at the symbol `position`; the best rank first, the leftmost among equals.
struct Candidate {
  std::uint32_t rank;
  std::int32_t position, result;
  bool operator>(const Candidate& other) const {
    return rank != other.rank ? rank > other.rank : position > other.position;
  }
};
using Queue = std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>>;

}  // namespace

void appendSymbol(std::vector<Symbol>& symbols, std::int32_t id, std::uint32_t bytes, std::uint32_t length) {
  const auto index = static_cast<std::int32_t>(symbols.size());
  if (index > 0) symbols.back().next = index;
  symbols.push_back({id, index - 1, -1, bytes, length});
}

void mergeSymbols(std::vector<Symbol>& symbols, const PairTable& merges, TextLimits& limits,
                  std::int32_t forbidden) {
  std::vector<Candidate> first;
  const auto candidateAt = [&](std::int32_t left, auto&& take) {
    if (left < 0 || symbols[static_cast<std::size_t>(left)].next < 0) return;
    const Symbol& symbol = symbols[static_cast<std::size_t>(left)];
    const Merge* merge = merges.get(symbol.id, symbols[static_cast<std::size_t>(symbol.next)].id);
    if (merge != nullptr && merge->result != forbidden) take(Candidate{merge->rank, left, merge->result});
  };
  for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
    limits.step();
    candidateAt(static_cast<std::int32_t>(i), [&](Candidate candidate) { first.push_back(candidate); });
  }
  Queue queue({}, std::move(first));
  const auto offer = [&](std::int32_t left) {
    candidateAt(left, [&](Candidate candidate) { queue.push(candidate); });
  };
  while (!queue.empty()) {
    limits.step();
    const Candidate best = queue.top();
    queue.pop();
    Symbol& left = symbols[static_cast<std::size_t>(best.position)];
    if (left.bytes == 0 || left.next < 0) continue;
    Symbol& right = symbols[static_cast<std::size_t>(left.next)];
    const Merge* merge = merges.get(left.id, right.id);
    if (merge == nullptr || merge->result != best.result) continue;  // a neighbour has changed since
    left.id = best.result;
    left.bytes += right.bytes;
    left.length += right.length;
    left.next = right.next;
    right.bytes = 0;
    if (left.next >= 0) symbols[static_cast<std::size_t>(left.next)].previous = best.position;
    offer(left.previous);
    offer(best.position);
  }
}

}  // namespace plastiscope
