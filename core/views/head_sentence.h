#pragma once
// Describes a head in one sentence made from its numbers by a stated rule (resources/help/views.json, "A head
// in a sentence").
#include <string>

#include "core/base/table.h"
#include "core/views/map_data.h"

namespace plastiscope {

// "prefers recent keys: +52 logits over the window; late queries hardly choose by content: AP 0.83 → 0.21".
// Adds a note where binned values are far above the aligned ones. `row` of the table heads; missing values
// are left out, "" if all are missing. Fewer than 20 queries or keys have no sentence but that.
std::string headSentence(const Table& heads, std::size_t row, ApKind plasticity = ApKind::Binned);
// "the order of two keys is fixed beyond 2,048 tokens": the least distance from which on the mean PP of all
// pairs is below 0.1; "" if there is no such distance or no pair is known.
std::string fixedOrderSentence(const MapData& map);
// Both sentences of a head, where available; "" if neither is.
std::string wholeSentence(const Table& heads, std::size_t row, const MapData* map,
                          ApKind plasticity = ApKind::Binned);

}  // namespace plastiscope
