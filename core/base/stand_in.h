#pragma once
// Detects common substitutes for a downloaded file: git-lfs pointer, web page, error message, part of a file,
// outdated format.
#include <string>

namespace plastiscope {

class InputFile;

// Problem and remedy if the name is that of an unfinished download or one part of several; else "".
std::string standInByName(const std::string& name);

// InputError when the file is such a substitute. Web pages and messages are refused only where they cannot be
// valid content (`isData`; default: by the extensions of models, tokenizers, captures and tables).
void refuseStandIn(const InputFile& file);
void refuseStandIn(const InputFile& file, bool isData);

}  // namespace plastiscope
