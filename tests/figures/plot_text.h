#pragma once
// A plot as text, for exact comparison.
#include <string>

#include "core/views/plot.h"

namespace plastiscope::test {

// One line per object with named fields, defaults left out, numbers to nine digits; long rows are shown by
// their ends and a checksum.
std::string plotText(const Plot& plot);

}  // namespace plastiscope::test
