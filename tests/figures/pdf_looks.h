#pragma once
// What tests ask of a PDF file from outside.
#include <QByteArray>
#include <QSizeF>
#include <QStringList>
#include <optional>

namespace plastiscope::test {

// Width and height of its first MediaBox in points; nothing without one.
std::optional<QSizeF> pageOf(const QByteArray& pdf);
// A line for each font, as pdffonts lists them; nothing where that tool is not installed.
std::optional<QStringList> fontsOf(const QByteArray& pdf);
bool isEmbeddedTrueType(const QString& fontLine);

}  // namespace plastiscope::test
