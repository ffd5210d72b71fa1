#pragma once
#include "app/desktop/command_line.h"

namespace plastiscope {

class MainWindow;
class Session;

// Opens the files in the window, waits until all views are drawn, saves the picture. Returns the exit code;
// errors go to stderr.
int runScreenshot(const CommandLine& line, Session& session, MainWindow& window);

}  // namespace plastiscope
