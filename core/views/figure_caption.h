#pragma once
// Draft of a figure's caption from what is known of its inputs.
#include <memory>
#include <string>
#include <vector>

#include "core/views/head_interval.h"
#include "core/views/plasticity_choice.h"
#include "core/views/study.h"

namespace plastiscope {

// Properties of a figure that its caption states, besides its inputs.
struct CaptionFacts {
  std::vector<std::string> panels;  // "Plasticity map, L16H4", in the order of the letters
  bool plasticity = false;          // some panel shows AP
  ApKind kind = ApKind::Binned;     // the kind that is shown
  bool intervals = false;           // some panel shows intervals
  std::vector<std::string> over =
      {};  // units of the intervals: "examples", "heads", ... (nameOf(IntervalOver))
};
// Plain text of a few sentences: panels with letters; model, texts, tokens and heads of each input; kind and
// estimator of plasticity, pairs and bins; intervals. What an input does not state is left out.
std::string draftCaption(const CaptionFacts& facts, const std::vector<std::shared_ptr<const Study>>& studies);

}  // namespace plastiscope
