#pragma once
// Composition scores (Elhage et al. 2021): how well what one head writes fits what a head of a later layer
// reads, from the weights alone (method.md, Composition).
#include <compare>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/table.h"
#include "core/capture/head_list.h"
#include "core/forward/forward.h"
#include "core/model/model.h"

namespace plastiscope {

// From the output of a head into the query, key or value of a query head of a later layer.
struct HeadEdge {
  HeadName from, to;
  AttentionInput into = AttentionInput::Query;
  double score = kMissing;  // 0 to 1

  std::string text() const;                        // "L0H4>L1H7:k"
  static HeadEdge parse(const std::string& text);  // UsageError
  bool sameEnds(const HeadEdge& other) const {
    return from == other.from && to == other.to && into == other.into;
  }
};

// Root mean square of the score of random matrices, whatever their shapes.
double compositionBaseline(const ModelSpec& spec);

// The scores of all edges between these heads, by later head, earlier head and input. `heads`: ascending.
// `threads`: 0 = all cores. UsageError if the model's attention has another form; Stopped.
std::vector<HeadEdge> compositionScores(const Model& model, std::span<const HeadName> heads, int threads,
                                        Progress& progress);

}  // namespace plastiscope
