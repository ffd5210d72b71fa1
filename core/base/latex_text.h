#pragma once
// Plain text as LaTeX.
#include <string>
#include <string_view>

namespace plastiscope {

// Escapes special characters; minus signs, Greek letters etc. become math. Letters that pdfLaTeX does not
// know become \otherletter{}, which kOtherLetter defines.
std::string latexText(std::string_view utf8);
// The letter in LuaTeX and XeTeX, a box in pdfLaTeX; without a line end.
inline constexpr const char* kOtherLetter =
    "\\providecommand{\\otherletter}[1]{\\ifdefined\\Umathchar#1\\else\\fbox{?}\\fi}";

}  // namespace plastiscope
