#pragma once
// A figure as one HTML page for a paper's supplement: the picture, what the pointer is on, the plotted
// numbers and the provenance. It reads nothing else: no network, no other file.
#include <QByteArray>
#include <QString>

#include "widgets/plots/plot_renderer.h"

namespace plastiscope {

struct PageContent {
  QString title, maker;
  QString provenance;  // JSON; "" = none
  QByteArray table;    // CSV
  QByteArray svg;      // the picture
};
// `plot`: as the picture shows it; its items get their tips.
QByteArray figurePage(const PageContent& content, const LaidOutPlot& plot);

}  // namespace plastiscope
