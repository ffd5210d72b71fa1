#pragma once
// What some tokenizers do to the text before they split it.
#include <memory>
#include <vector>

#include "core/text/aligned_text.h"

namespace plastiscope {

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual AlignedText apply(AlignedText text) const = 0;
};

using Normalizers = std::vector<std::shared_ptr<const Normalizer>>;

inline AlignedText normalized(AlignedText text, const Normalizers& steps) {
  for (const auto& step : steps) text = step->apply(std::move(text));
  return text;
}

}  // namespace plastiscope
