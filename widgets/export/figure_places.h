#pragma once
// Where a figure and its sidecar files may be written (core/store/output_place.h), and how each is
// recognised: the figure by its metadata, its table by the checksum in the provenance, its LaTeX source by
// its first line.
#include "core/store/output_place.h"
#include "widgets/export/figure_renderer.h"

namespace plastiscope {

// Provenance key: SHA-256 of the table written with the figure, or null.
inline constexpr const char* kTableChecksum = "table_sha256";

// PDF, SVG, PNG or HTML, by file extension.
OutputKind figureOutput();
// InputError for the first file that may not be written, UsageError if two would have the same name.
void requireFigurePlaces(const std::filesystem::path& out, const ExportOptions& options,
                         const std::vector<std::filesystem::path>& inputs);
// Input files of a figure's studies and scores.
std::vector<std::filesystem::path> inputsOf(const Studies& studies, const FigureSpec& spec);

}  // namespace plastiscope
