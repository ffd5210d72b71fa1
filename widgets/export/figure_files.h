#pragma once
// A figure as files: itself, the table of its numbers, its provenance and its LaTeX source; where they may be
// written (core/store/output_place.h), and how each is recognised: the figure by its metadata, its table by
// the checksum in the provenance, its LaTeX source by its first line.
#include <filesystem>
#include <string>
#include <vector>

#include "core/store/output_place.h"
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

struct ExportOptions {
  bool dataTable = true;           // FILE.csv beside it
  bool provenance = true;          // FILE.json beside it
  bool embed = true;               // the same JSON inside the file
  bool pgfplots = false;           // FILE.tex and FILE.pgf.csv beside it
  bool caption = false;            // draft of the caption: FILE.caption.tex and FILE.caption.txt
  bool fixedDate = false;          // reproducible bytes
  std::filesystem::path dataFile;  // instead of FILE.csv
  bool force = false;              // replace regular files not written by this program
  std::string remedy;              // alternative to --force in messages, for callers without a command line
};

// Command line flags of the options.
std::vector<std::string> flagsOf(const ExportOptions& options);

// Provenance key: SHA-256 of the table written with the figure, or null.
inline constexpr const char* kTableChecksum = "table_sha256";

// PDF, SVG, PNG or HTML, by file extension.
OutputKind figureOutput();
// InputError for the first file that may not be written, UsageError if two would have the same name.
void requireFigurePlaces(const std::filesystem::path& out, const ExportOptions& options,
                         const std::vector<std::filesystem::path>& inputs);
// Input files of a figure's studies and scores.
std::vector<std::filesystem::path> inputsOf(const Studies& studies, const FigureSpec& spec);

// Writes figure and sidecar files, all or none, to permitted places. Returns the files written. InputError,
// ResourceError.
std::vector<std::filesystem::path> exportFigure(const Studies& studies, const FigureContent& content,
                                                const FigureSpec& spec, const std::filesystem::path& out,
                                                const ExportOptions& options);
// Writes NAME.tex, NAME.pgf.csv and the images beside the figure `out`, each atomically, the source last.
// Returns the files written.
std::vector<std::filesystem::path> writePgfplots(const FigureContent& content, const FigureSpec& spec,
                                                 const std::filesystem::path& out);

}  // namespace plastiscope
