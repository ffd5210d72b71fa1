#pragma once
// Provenance of a figure: program version, identity of capture and analysis, all settings.
#include <QString>
#include <filesystem>

#include "core/base/json_value.h"
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

// With several studies (or none) one entry of "inputs" each; else the study's own fields. Dates and folders
// only without `fixedDate`.
Json figureProvenance(const Studies& studies, const FigureSpec& spec, bool fixedDate);

// True by extension for files with provenance: .pdf, .svg, .png, .html with it inside, or .json beside the
// figure. Only the content shows whether Plastiscope wrote it.
bool mayBeFigure(const std::filesystem::path& file);
// True if a JSON file is the provenance of a figure; false for other and unreadable files.
bool isProvenanceFile(const std::filesystem::path& file);
// Creator name in all figures of this program.
QString programText();
// True if a PDF, SVG, PNG or HTML page names this program as creator, with or without provenance. InputError
// when it cannot be read.
bool isOwnFigure(const std::filesystem::path& file);
// The provenance object. InputError when the file is not from this program, damaged, or too large.
Json readProvenance(const std::filesystem::path& file);

}  // namespace plastiscope
