#pragma once
// What some tokenizers do to the text before they split it.
#include <memory>
#include <vector>

#include "core/text/aligned_text.h"
#include "core/text/text_limits.h"

namespace plastiscope {

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual AlignedText apply(AlignedText text, TextLimits& limits) const = 0;
};

using Normalizers = std::vector<std::shared_ptr<const Normalizer>>;

inline AlignedText normalized(AlignedText text, const Normalizers& steps, TextLimits& limits) {
  for (const auto& step : steps) text = step->apply(std::move(text), limits);
  return text;
}

}  // namespace plastiscope
