#pragma once
// An exported figure as described by its provenance: what it showed, and where its captures are now.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "widgets/export/figure_kinds.h"

namespace plastiscope {

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
