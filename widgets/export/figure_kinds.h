#pragma once
// Every figure that can be exported, in one list. To add one: a builder in widgets/plots, a table in
// core/views/figure_tables, one line in figure_kinds.cpp, a line and a baseline in tests/figures.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/views/study.h"
#include "widgets/export/figure_spec.h"

class QCustomPlot;

namespace plastiscope {

// Ready to draw: made anywhere (no widgets), drawn on the GUI thread.
struct FigureContent {
  std::function<void(QCustomPlot&, const PlotStyle&)> build;
  Table data;           // exactly the plotted numbers
  std::string subject;  // "SmolLM2-135M-Instruct, L12H6"
};

enum class HeadNeed { None, Optional, Required };

struct FigureKind {
  std::string id, title;
  HeadNeed head = HeadNeed::None;
  bool takesLayer = false, takesMetric = false, takesRange = false, takesReference = false;
  bool needsRows = false;     // the capture itself, not only its analysis
  double proportion = 0.618;  // height / width unless a size is given
  FigureContent (*prepare)(const Study&, const FigureSpec&);
};

const std::vector<FigureKind>& figureKinds();
const FigureKind& figureKind(const std::string& id);  // UsageError names the nearest one
// The spec for another figure of the same head: without the head, layer, metric or range that the kind does
// not take.
FigureSpec fitToKind(FigureSpec spec, const FigureKind& kind);
// Checks the spec against the kind and the study, then prepares. UsageError, InputError.
FigureContent prepareFigure(const Study& study, const FigureSpec& spec);

struct FigureSize {
  double widthInches = 0, heightInches = 0, labelPoints = 9, tickPoints = 7, numberPoints = 6.5;
};
FigureSize resolveSize(const FigureSpec& spec);

}  // namespace plastiscope
