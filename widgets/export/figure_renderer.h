#pragma once
// Draws a prepared figure as PDF, SVG, PNG, HTML page or preview image, all with one layout in twentieths of
// a point.
#include <QByteArray>
#include <QImage>
#include <filesystem>

#include "widgets/export/figure_kinds.h"
#include "widgets/export/figure_provenance.h"

class QMimeData;

namespace plastiscope {

enum class FigureFormat { Pdf, Svg, Png, Html };
struct FormatInfo {
  const char* extension;
  FigureFormat format;
};
inline constexpr FormatInfo kFigureFormats[] = {{"pdf", FigureFormat::Pdf},
                                                {"svg", FigureFormat::Svg},
                                                {"png", FigureFormat::Png},
                                                {"html", FigureFormat::Html}};
FigureFormat formatOf(const std::filesystem::path& file);  // by extension; UsageError for others

struct ExportOptions {
  bool dataTable = true;           // FILE.csv beside it
  bool provenance = true;          // FILE.json beside it
  bool embed = true;               // the same JSON inside the file
  bool pgfplots = false;           // FILE.tex and FILE.pgf.csv beside it
  bool fixedDate = false;          // reproducible bytes
  std::filesystem::path dataFile;  // instead of FILE.csv
  bool force = false;              // replace regular files not written by this program
  std::string remedy;              // alternative to --force in messages, for callers without a command line
};

// Command line flags of the options.
std::vector<std::string> flagsOf(const ExportOptions& options);

// Size of the figure in twentieths of a point, and its style for vector formats.
struct FigureLayout {
  QSize units;
  PlotStyle style;
};
FigureLayout layoutOf(const FigureSpec& spec);

// The file's bytes.
QByteArray renderFigure(const FigureContent& content, const FigureSpec& spec, FigureFormat format,
                        const Json& provenance, bool fixedDate);
// A PNG file's bytes. ResourceError where there is too little memory.
QByteArray pngOf(const QImage& image);
// Image with `dpi` pixels per inch.
QImage renderPreview(const FigureContent& content, const FigureSpec& spec, double dpi);

// Image as PNG, SVG and PDF, and numbers as CSV, for the clipboard. The caller owns it. GUI thread.
QMimeData* clipboardData(const PreparedFigure& figure);

// Writes figure and sidecar files, all or none, to permitted places (figure_places.h). Returns the files
// written. InputError, ResourceError.
std::vector<std::filesystem::path> exportFigure(const Studies& studies, const FigureContent& content,
                                                const FigureSpec& spec, const std::filesystem::path& out,
                                                const ExportOptions& options);

}  // namespace plastiscope
