#pragma once
// What stands behind a figure: program version, identity of capture and analysis, all settings.
#include <QString>
#include <filesystem>

#include "core/base/json_value.h"
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

// With several studies (or none) one entry of "inputs" for each; else the study's own fields. Dates and
// folders only when not `fixedDate`.
Json figureProvenance(const Studies& studies, const FigureSpec& spec, bool fixedDate);

// Reads back what an exported figure carries: the provenance inside a PDF, SVG, PNG or HTML page, or the JSON
// beside it. By the name: .pdf, .svg, .png, .html, .json. Only the content tells whether Plastiscope wrote
// it.
bool mayBeFigure(const std::filesystem::path& file);
// Whether a JSON file is the provenance of a figure; false for other and unreadable files.
bool isProvenanceFile(const std::filesystem::path& file);
// What every picture of this program names as its maker.
QString programText();
// Whether a PDF, SVG, PNG or HTML page names this program, with its provenance inside or without. InputError
// when it cannot be read.
bool isOwnFigure(const std::filesystem::path& file);
// The provenance object. InputError when the file is none of ours, damaged, or too large.
Json readProvenance(const std::filesystem::path& file);

}  // namespace plastiscope
