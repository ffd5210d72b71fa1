#pragma once
// `export qk-sniffer`: one of the forms of the command export.
#include <utility>

#include "app/cli/command.h"

namespace plastiscope {

// Its subcommand, and what runs when it was given.
std::pair<CLI::App*, CommandRun> addExportQkSniffer(CLI::App& app, GlobalOptions& global);

}  // namespace plastiscope
