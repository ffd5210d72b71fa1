#pragma once
// Causal attention of single queries of a text, where few of them are read.
#include "core/forward/attention.h"
#include "core/forward/row_choice.h"

namespace plastiscope {

// What causalAttention (attention.h) gives for the queries at these positions, a list, up to rounding: formed
// in float32 whatever the type, with running maxima and sums (Milakov and Gimelshein 2018) over pieces of
// kAttentionTile keys that begin at multiples of it. query [rows.count(), query_heads, head_dim]; returns
// [rows.count(), query_heads * head_dim].
at::Tensor chosenAttention(const at::Tensor& query, const RowChoice& rows, const at::Tensor& keys,
                           const at::Tensor& values, const AttentionRule& rule);

// Pairs of query and key among those queries: the useful work.
double chosenPairs(const RowChoice& rows, const AttentionRule& rule);

}  // namespace plastiscope
