#pragma once
// What a head does, in one sentence made from its numbers by a stated rule (resources/help/views.json, "A
// head in a sentence").
#include <string>

#include "core/base/table.h"
#include "core/views/map_data.h"

namespace plastiscope {

// "prefers recent keys: +52 logits over the window; late queries hardly choose by content: AP 0.83 → 0.21".
// Binned values that are far above the aligned ones are said to be. `row` of the table heads; what is missing
// there is left out, "" without any of it.
std::string headSentence(const Table& heads, std::size_t row, ApKind plasticity = ApKind::Binned);
// "the order of two keys is fixed beyond 2,048 tokens": the least distance from which on the mean PP of
// all pairs at it and beyond is below 0.1; "" where it is never, or where no pair is known.
std::string fixedOrderSentence(const MapData& map);
// Both of a head, as far as they are known; "" where neither is.
std::string wholeSentence(const Table& heads, std::size_t row, const MapData* map,
                          ApKind plasticity = ApKind::Binned);

}  // namespace plastiscope
