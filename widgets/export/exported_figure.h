#pragma once
// A figure that was exported, as its provenance tells it: what it showed, and where its captures are now.
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

// The looks that its captures have in it, by their print (capturePrint()): those given to it, else those that
// they have by themselves.
std::map<std::string, int> looksOf(const ExportedFigure& figure);

// InputError when the file is no figure of this program.
ExportedFigure readExportedFigure(const std::filesystem::path& file);

struct FoundStudies {
  std::vector<std::filesystem::path> files;  // [studies]
  std::vector<std::string> differences;      // a sentence for each that is not what the figure was drawn from
};
// Looks at the recorded places, beside the figure, and among `known` files; those that agree with the figure
// first. InputError naming the file that was expected. Reads files: not on the GUI thread.
FoundStudies findStudies(const ExportedFigure& figure, const std::vector<std::filesystem::path>& known);

}  // namespace plastiscope
