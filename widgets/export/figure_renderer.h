#pragma once
// Draws a prepared figure into PDF, SVG, PNG, a page or an image for a preview: one layout in twentieths of a
// point for all.
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
  bool fixedDate = false;          // the same bytes each time
  std::filesystem::path dataFile;  // instead of FILE.csv
  bool force = false;              // foreign regular files are replaced
  std::string wayOut;              // what else to do about them, where no command line says --force
};

// What the command line calls them.
std::vector<std::string> flagsOf(const ExportOptions& options);

// The figure in twentieths of a point, and its look for vectors.
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
// The picture at `dpi` pixels an inch.
QImage renderPreview(const FigureContent& content, const FigureSpec& spec, double dpi);

// The picture as PNG, SVG and PDF and its numbers as CSV: the program that pastes takes what it can. The
// caller owns it. GUI thread.
QMimeData* clipboardData(const PreparedFigure& figure);

// Figure and sidecars, all or none, in the places that are free for them (figure_places.h). Returns the files
// written. InputError, ResourceError.
std::vector<std::filesystem::path> exportFigure(const Studies& studies, const FigureContent& content,
                                                const FigureSpec& spec, const std::filesystem::path& out,
                                                const ExportOptions& options);

}  // namespace plastiscope
