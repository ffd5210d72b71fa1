#pragma once
// Recognises what often stands where a downloaded file should be: a git-lfs pointer, a web page, an error
// message, a part of a file, a format from before.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace plastiscope {

class InputFile;

// What a file of this name is instead of a whole file, and what to do; "" for other names.
std::string standInByName(const std::string& name);

// InputError when something else stands in place of the file. Pages and messages count only where they cannot
// be the content itself: `isData`, by default for the extensions of models, tokenizers, captures and tables.
void refuseStandIn(const InputFile& file);
void refuseStandIn(const InputFile& file, bool isData);

}  // namespace plastiscope
