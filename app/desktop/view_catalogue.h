#pragma once
#include "widgets/pages/view_spec.h"

namespace plastiscope {
// Every view of a model tab, in one list. To add one: see widgets/pages/view_spec.h.
const ViewCatalogue& viewCatalogue();
}  // namespace plastiscope
