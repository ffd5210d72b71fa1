#pragma once
// Writes a command line as a call of the Python package.
#include <string>
#include <vector>

namespace plastiscope {

// Code with an import and one call, such as ps.render("study.h5", figure="map", out="map.pdf"). `command`:
// "render", "analyze"; `arguments`: what follows it, files first, paths as pathText(). Options become keyword
// arguments: a flag is True; several values, also of a repeated option, are a list.
std::string pythonCall(const std::string& command, const std::vector<std::string>& arguments);

}  // namespace plastiscope
