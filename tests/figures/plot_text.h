#pragma once
// A plot as text, for exact comparison.
#include <string>

#include "core/views/plot.h"

namespace plastiscope::test {

// One line a thing, each field by its name, defaults left out; every number to nine digits; of long rows the
// ends and a checksum.
std::string plotText(const Plot& plot);

}  // namespace plastiscope::test
