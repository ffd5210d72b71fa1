#pragma once
// A study made of formulas, with drifting queries and keys. Layer 3 has no RoPE, layer 7 has sliding
// attention; heads of layer 5 beyond the second were not captured; L2H1 has no plasticity.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/views/study.h"

namespace plastiscope::test {

struct StudyShape {
  std::int64_t layers = 12, heads = 6, keyHeads = 2, window = 4096;
  std::int64_t rows = 800;  // per head and kind
  std::int64_t group() const { return heads / keyHeads; }
  std::string name() const;
};
// As large as a model of 70 billion weights: 5,120 heads less those that were not captured.
inline constexpr StudyShape kLargeShape{80, 64, 8, 131072, 320};

std::shared_ptr<const Study> figureStudy(const StudyShape& shape);
std::shared_ptr<const Study> figureStudy(std::int64_t rows = 800);

// Several studies that differ in name, family, window and plasticity; only the first has its capture.
std::vector<std::shared_ptr<const Study>> figureStudies(std::size_t count, std::int64_t rows = 800);

// The same with aligned values below the binned ones, and with placement, salience, softmax and
// results of probes and studies.
std::shared_ptr<const Study> withAligned(const Study& study);

// The same with L4H2 at each of the first 1,024 positions of every text.
std::shared_ptr<const Study> withDense(const Study& study);

}  // namespace plastiscope::test
