// component_weights.csv and component_weights_pairs.csv: which query dimensions, and which RoPE pairs, drift
// with position (method.md 7.3).
#include "core/analysis/tables/head_table.h"
#include "core/analysis/tables/table_list.h"

namespace plastiscope {

namespace {

// Of a dimension; rotate-half pairs where nothing is known. Dimensions behind the rotated part have none.
std::int64_t pairOf(std::size_t dimension, std::size_t headDim, const RopePairs* rope) {
  const std::size_t half = rope != nullptr ? rope->frequencies.size() : headDim / 2;
  if (dimension >= 2 * half) return -1;
  const bool interleaved = rope != nullptr && rope->interleaved;
  return static_cast<std::int64_t>(interleaved ? dimension / 2 : dimension % half);
}

}  // namespace

Table componentWeightsTable(const TableInput& input) {
  HeadTable table("component_weights");
  Integers dimension;
  Numbers weight;
  for (const HeadResult& head : input.heads) {
    const Numbers& weights = head.model.weights;
    for (std::size_t c = 0; c < weights.size(); ++c) {
      table.startRow(head);
      dimension.push_back(static_cast<std::int64_t>(c));
      weight.push_back(weights[c]);
    }
  }
  return table.finish({{"dimension", dimension}, {"weight", weight}});
}

Table componentWeightPairsTable(const TableInput& input) {
  HeadTable table("component_weights_pairs");
  Integers pair;
  Numbers weight, frequency;
  for (const HeadResult& head : input.heads) {
    const Numbers& weights = head.model.weights;
    const auto found = input.context.rope.find(head.place.layer);
    const RopePairs* rope = found == input.context.rope.end() ? nullptr : &found->second;
    const std::size_t count = rope != nullptr ? rope->frequencies.size() : weights.size() / 2;
    Numbers sums(count, 0);
    for (std::size_t c = 0; c < weights.size(); ++c) {
      const std::int64_t place = pairOf(c, weights.size(), rope);
      if (place >= 0) sums[static_cast<std::size_t>(place)] += weights[c];
    }
    for (std::size_t p = 0; p < (weights.empty() ? 0 : count); ++p) {
      table.startRow(head);
      pair.push_back(static_cast<std::int64_t>(p));
      weight.push_back(sums[p]);
      frequency.push_back(rope != nullptr ? rope->frequencies[p] : kMissing);
    }
  }
  return table.finish({{"pair", pair}, {"weight", weight}, {"rope_frequency", frequency}});
}

}  // namespace plastiscope
