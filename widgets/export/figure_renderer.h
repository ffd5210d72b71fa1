#pragma once
// Draws a prepared figure as PDF, SVG, PNG, HTML page or preview image, all with one layout in twentieths of
// a point.
#include <QByteArray>
#include <QImage>
#include <filesystem>

#include "widgets/export/figure_kinds.h"
#include "widgets/plots/plot_style.h"

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

}  // namespace plastiscope
