#pragma once
// A table as text for papers and other programs: CSV, LaTeX, Markdown.
#include <array>
#include <string>

#include "core/base/table.h"

namespace plastiscope {

enum class TableFormat { Csv, Latex, Markdown };
constexpr std::array<const char*, 3> namesOf(TableFormat) {
  return {"csv", "latex", "markdown"};
}
const char* extensionOf(TableFormat format);  // "csv", "tex", "md"

// CSV has all columns with all digits. In LaTeX and Markdown a number with an interval (columns X, X_low,
// X_high, or low and high) is one cell "0.312 [0.291, 0.333]", rounded to two significant digits of the half
// width; others have the decimals that their column needs, at most three if they were computed. Text is
// escaped.
std::string tableText(const Table& table, TableFormat format);

// Table of LaTeX with the rules of booktabs; with a caption and a label as a float that is no wider than the
// text.
std::string toLatex(const Table& table, const std::string& caption = {}, const std::string& label = {});

}  // namespace plastiscope
