#pragma once
// Entries of the command palette for what a tab shows.
#include <vector>

#include "app/desktop/window_tabs.h"
#include "widgets/pages/command_palette.h"

namespace plastiscope {

class ModelPage;

// Each view of a model tab, and the options in its title bar.
std::vector<Command> viewCommands(ModelPage& page);
// Metrics and heads of the current tab.
std::vector<Command> headCommands(const WindowTabs& tabs);

}  // namespace plastiscope
