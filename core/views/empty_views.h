#pragma once
// Why a view of an analysis shows nothing, in one sentence; "" while it shows something.
#include <string>

#include "core/views/map_data.h"
#include "core/views/profile_data.h"

namespace plastiscope {

std::string whyNoProfile(const ProfileField& field);
std::string whyNoMap(const MapData& map);

}  // namespace plastiscope
