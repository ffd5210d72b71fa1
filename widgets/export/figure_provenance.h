#pragma once
// Provenance of a figure: program version, identity of capture and analysis, all settings. It is written
// inside and beside exported figures; an exported figure is opened again from it.
#include <QString>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

// With several studies (or none) one entry of "inputs" each; else the study's own fields. Dates and folders
// only without `fixedDate`.
Json figureProvenance(const Studies& studies, const FigureSpec& spec, bool fixedDate);

// --- Read back from files (provenance_reader.cpp)

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

// --- An exported figure: what it showed, and where its captures are now

struct NamedStudy {
  std::filesystem::path file;  // as recorded; only a name where folders were left out
  // "" = not stated
  std::string modelFingerprint, captureHash, settingsHash;
};

struct ExportedFigure {
  std::filesystem::path file;  // of the figure
  FigureSpec spec;
  std::vector<NamedStudy> studies;
};

// Looks of the captures in the figure, by fingerprint (captureDigestOf()): assigned looks, else their own.
std::map<std::string, int> looksOf(const ExportedFigure& figure);

// InputError when the file is not a figure of this program.
ExportedFigure readExportedFigure(const std::filesystem::path& file);

struct FoundStudies {
  std::vector<std::filesystem::path> files;  // [studies]
  std::vector<std::string> differences;      // one sentence per file that differs from the figure's
};
// Searches the recorded paths, the figure's folder and `known` files, preferring files that agree with the
// figure. InputError with the name of a missing file. Reads files: not on the GUI thread.
FoundStudies findStudies(const ExportedFigure& figure, const std::vector<std::filesystem::path>& known);

}  // namespace plastiscope
