#pragma once
// Where the command line program is: beside our own executable, or found on the PATH.
#include <QString>

namespace plastiscope {
QString commandLineProgram();  // "" when there is none
}  // namespace plastiscope
