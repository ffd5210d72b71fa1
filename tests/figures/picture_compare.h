#pragma once
// Compares drawn files: visual similarity of two pictures (structural similarity of their grey, reduced
// versions), and page size and fonts of a PDF file.
#include <QByteArray>
#include <QImage>
#include <QSizeF>
#include <QStringList>
#include <optional>

namespace plastiscope::test {

// 1 = equal, 0 = unrelated; mean over 8 x 8 windows of pictures reduced to `width` pixels, so that another
// font's outlines weigh little and a missing part weighs much. 0 when the proportions differ by more than 1
// %.
double similarity(const QImage& a, const QImage& b, int width = 200);

// The largest mean difference of a colour channel in any 8 x 8 window, 0 .. 255. A changed colour, a missing
// curve or a shifted label raises it. 255 for pictures of different sizes.
double largestDifference(const QImage& a, const QImage& b);

// Share of pixels within `tolerance` (per channel) of a colour.
double shareOf(const QImage& image, QRgb colour, int tolerance = 2);

// Width and height of its first MediaBox in points; nothing without one.
std::optional<QSizeF> pageOf(const QByteArray& pdf);
// A line for each font, as pdffonts lists them; nothing where that tool is not installed.
std::optional<QStringList> fontsOf(const QByteArray& pdf);
bool isEmbeddedTrueType(const QString& fontLine);

}  // namespace plastiscope::test
