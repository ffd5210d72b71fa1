#pragma once
// Where a figure is laid out: a whole plot, or one panel of a composition. Builders of figures do not know
// which.
class QCPLayoutGrid;
class QCustomPlot;

namespace plastiscope {

struct PanelFurniture;
struct PlotStyle;

class FigurePlace {
 public:
  FigurePlace(QCustomPlot& plot);  // all of it; implicit, for callers that have nothing else
  // A part of it.
  FigurePlace(QCustomPlot& plot, QCPLayoutGrid& part) : m_plot(&plot), m_grid(&part) {}
  // A panel: its legend and colour bar are handed to the composition instead of being drawn.
  FigurePlace(QCustomPlot& plot, QCPLayoutGrid& cell, PanelFurniture& furniture)
      : m_plot(&plot), m_grid(&cell), m_furniture(&furniture) {}

  QCustomPlot& plot() const { return *m_plot; }
  QCPLayoutGrid& grid() const { return *m_grid; }
  PanelFurniture* furniture() const { return m_furniture; }  // null for a whole plot
  // Builders begin with it: an empty place in the style.
  void clear(const PlotStyle& style) const;

 private:
  QCustomPlot* m_plot;
  QCPLayoutGrid* m_grid;
  PanelFurniture* m_furniture = nullptr;
};

}  // namespace plastiscope
