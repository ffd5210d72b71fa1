#pragma once
// Figures of several panels: what is given several times where a figure shows one.
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

struct FigurePart {
  const FigureKind* kind = nullptr;
  std::string title;  // "L12H6", "Qwen3-4B"; empty where the panel says what it shows
  Studies studies;
  FigureSpec spec;  // of this panel alone
};
// The figure of panels that are figures of their own, each with its own head, metric and input.
inline constexpr const char* kPageFigure = "page";
// Such a panel as it is written: "ab-scatter:L12H6", "head-grid:ap_drop:2". A part without a head is of the page's.
std::string partText(const FigureSpec& spec);

// One part for every head, study and metric that the spec names; a single one for a plain figure.
std::vector<FigurePart> figureParts(const FigureKind& kind, const Studies& studies, const FigureSpec& spec);
std::size_t partsOf(const FigureKind& kind, const FigureSpec& spec);  // how many, by spec.studies

struct ContentPanel {
  std::string title;
  FigureContent content;
};
// Panels with letters; the table has the panel's letter and title in its first column. A single panel
// without a note stays as it is.
FigureContent composePanels(std::vector<ContentPanel> panels, const PanelOptions& options);

}  // namespace plastiscope
