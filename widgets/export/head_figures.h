#pragma once
// Figures of the heads of one or many captures or analyses (figure_kinds.cpp lists them).
#include "core/compare/bar_data.h"
#include "core/compare/depth_map_data.h"
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

FigureContent headScatterFigure(const Studies& studies, const FigureSpec& spec);
FigureContent densityFigure(const Studies& studies, const FigureSpec& spec);
FigureContent depthMapFigure(const Studies& studies, const FigureSpec& spec);
FigureContent modelBarsFigure(const Studies& studies, const FigureSpec& spec);
FigureContent signalBarsFigure(const Studies& studies, const FigureSpec& spec);
FigureContent signalFigure(const Studies& studies, const FigureSpec& spec);
FigureContent componentSignalFigure(const Studies& studies, const FigureSpec& spec);
FigureContent componentVarianceFigure(const Studies& studies, const FigureSpec& spec);
FigureContent complementFigure(const Study& study, const FigureSpec& spec);

// Data that are there already, own or published, as figures.
FigureContent barsContent(const BarData& data, const FigureSpec& spec, std::string subject);
FigureContent depthMapContent(const DepthMapData& data, const FigureSpec& spec, std::string subject);

}  // namespace plastiscope
