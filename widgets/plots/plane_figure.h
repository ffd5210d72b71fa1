#pragma once
// Fills a plot with query and key rows in two axes: used by the widget and by the export.
#include <functional>
#include <memory>

#include "core/views/plane_data.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"

class QCPAxisRect;
class QCPPainter;

namespace plastiscope {

class PlaneCloud;

// Above so many points a file holds one lossless image under vector axes instead of one circle a row
// (figures.md 5.3).
inline constexpr std::size_t kVectorPointLimit = 20000;

// The points alone.
void buildCloud(const FigurePlace& place, const std::shared_ptr<const PlaneData>& data,
                const PlotStyle& style);
// `paint`: how the rows are painted instead, such as a widget's kept picture.
using CloudPaint = std::function<void(QCPPainter&, const PlaneCloud&, const QCPAxisRect&)>;
void buildPlane(const FigurePlace& place, const std::shared_ptr<const PlaneData>& data,
                const PlotStyle& style, const CloudPaint& paint = {});

}  // namespace plastiscope
