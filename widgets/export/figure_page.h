#pragma once
// A figure as a self-contained HTML page for a paper's supplement: image, tool tips, plotted numbers and
// provenance. Loads nothing: no network, no other file.
#include <QByteArray>
#include <QString>

#include "widgets/plots/plot_renderer.h"

namespace plastiscope {

struct PageContent {
  QString title, maker;
  QString provenance;  // JSON; "" = none
  QByteArray table;    // CSV
  QByteArray svg;      // the image
};
// `plot`: layout of the image; its items get their tips.
QByteArray figurePage(const PageContent& content, const LaidOutPlot& plot);

}  // namespace plastiscope
