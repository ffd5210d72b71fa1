#pragma once
// What the palette offers of the views of a model tab: each view itself, and the options that it shows of
// itself.
#include <vector>

#include "widgets/pages/command_palette.h"

namespace plastiscope {

class ModelPage;

// They hold until the page goes.
std::vector<Command> viewCommands(ModelPage& page);

}  // namespace plastiscope
