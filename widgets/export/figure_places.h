#pragma once
// Where a figure and what lies beside it may be written (core/store/output_place.h), and how each is
// recognised: the figure by what it says of itself, its table by the checksum in the provenance, its LaTeX
// source by its first line.
#include "core/store/output_place.h"
#include "widgets/export/figure_renderer.h"

namespace plastiscope {

// Of the provenance: SHA-256 of the table that was written with the figure, or null.
inline constexpr const char* kTableChecksum = "table_sha256";

// PDF, SVG, PNG or HTML, by the name.
OutputKind figureOutput();
// InputError for the first file that may not be written, UsageError when two would be one.
void requireFigurePlaces(const std::filesystem::path& out, const ExportOptions& options,
                         const std::vector<std::filesystem::path>& inputs);
// What the studies and the scores of a figure are read from.
std::vector<std::filesystem::path> inputsOf(const Studies& studies, const FigureSpec& spec);

}  // namespace plastiscope
