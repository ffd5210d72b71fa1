#pragma once
// The figure of a benchmark: the thesis' models, and any analyses beside them (figure_kinds.cpp lists it).
#include "core/compare/benchmark_data.h"
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

inline constexpr std::size_t kMostOwn = 24;

FigureContent benchmarkFigure(const Studies& studies, const FigureSpec& spec);

}  // namespace plastiscope
