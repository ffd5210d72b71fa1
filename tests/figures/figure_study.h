#pragma once
// A study made of formulas: 12 layers x 6 heads in 2 KV groups, window 4096, drifting queries and keys. Layer
// 3 has no RoPE, layer 7 slides; heads of layer 5 beyond the second were not captured; L2H1 has no
// plasticity.
#include <cstdint>
#include <memory>

#include "core/views/study.h"

namespace plastiscope::test {

// `rows` per head and kind.
std::shared_ptr<const Study> figureStudy(std::int64_t rows = 800);

}  // namespace plastiscope::test
