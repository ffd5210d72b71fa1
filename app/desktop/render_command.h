#pragma once
// `plastiscope render`: draws a figure without a screen (contract.md section 4).
#include <string>
#include <vector>

namespace plastiscope {

// Arguments after the word "render". Makes its own QApplication (offscreen when there is no display), so it
// must be called before any other is made. Returns the exit code; errors are printed to stderr.
int runRender(const std::vector<std::string>& args);

}  // namespace plastiscope
