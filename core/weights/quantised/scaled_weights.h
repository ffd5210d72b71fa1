#pragma once
// 8-bit floating point weights that are stored with scales: one for the whole tensor, for each row, or for
// each rectangle of a grid.
#include <array>

#include "core/weights/quantised/method.h"

namespace plastiscope::quantised {

struct ScaleRule {
  std::vector<std::string_view>
      endings;  // of the scale's name after the weight's; the first that is there counts
  // Rows and columns of a rectangle as declared; 0: the scale tensor's shape alone decides.
  std::array<std::int64_t, 2> rectangle = {0, 0};
};

// Every F8 tensor times its scale. InputError when one has no scale, or one whose shape does not fit.
Derivation scaledWeights(const TensorSource& stored, const ScaleRule& rule);

// "[128,128]" -> the two numbers; zeros for null. InputError names `key` when it is something else.
std::array<std::int64_t, 2> rectangleFrom(const Json& value, const char* key,
                                          const std::filesystem::path& file);

}  // namespace plastiscope::quantised
