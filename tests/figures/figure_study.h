#pragma once
// A study made of formulas: 12 layers x 6 heads in 2 KV groups, window 4096, drifting queries and keys. Layer
// 3 has no RoPE, layer 7 slides; heads of layer 5 beyond the second were not captured; L2H1 has no
// plasticity.
#include <cstdint>
#include <memory>
#include <vector>

#include "core/views/study.h"

namespace plastiscope::test {

// `rows` per head and kind.
std::shared_ptr<const Study> figureStudy(std::int64_t rows = 800);

// Several of them that differ in name, family, window and plasticity; without their captures but the first.
std::vector<std::shared_ptr<const Study>> figureStudies(std::size_t count, std::int64_t rows = 800);

}  // namespace plastiscope::test
