#pragma once
// A figure page while it is composed: its inputs, and panels with places, as figure "page" takes them. Places
// are in parts of the page's width (PagePart).
#include <QMimeData>
#include <QStringList>
#include <optional>
#include <vector>

#include "widgets/export/figure_panels.h"

namespace plastiscope {

// A figure of an open tab that can be put on the page.
struct PageFigure {
  Studies studies;
  QStringList files;  // [studies]
  FigureSpec spec;
};

// A figure that is dragged within this program; other programs get its name.
class PageFigureMime : public QMimeData {
  Q_OBJECT
 public:
  explicit PageFigureMime(PageFigure figure);
  const PageFigure& figure() const { return m_figure; }

 private:
  PageFigure m_figure;
};

inline constexpr double kPageGutter = 0.02;  // between panels

struct PagePlan {
  Studies studies;
  QStringList files;  // [studies]
  FigureSpec spec = emptySpec();

  static FigureSpec emptySpec();
  // Panels of a grid, or the default ones, get the places of the grid.
  static PagePlan of(const Studies& studies, const QStringList& files, const FigureSpec& spec);

  std::size_t panels() const { return spec.parts.size(); }
  std::vector<PanelPlace> places() const;
  QString titleOf(std::size_t panel) const;  // as set: "" = from the figure, "-" = none
  double height() const { return composedHeight(spec.parts); }

  // At the place, or at the first free one; UsageError above kMaxPanels. Panels are lettered in reading
  // order, so that numbers of panels change: each of these returns that of the panel.
  std::size_t add(const PageFigure& figure, std::optional<PanelPlace> at = {});
  std::size_t put(std::size_t panel, const PanelPlace& place);
  void remove(std::size_t panel);
  void setTitle(std::size_t panel, const QString& title);
  void setSubject(std::size_t panel, const QString& subject);  // "map:L12H6:1"

  // "Panels (a) and (b) overlap."; "" if none do.
  QString overlap() const;
  bool operator==(const PagePlan& other) const;
};

// "Panel (b) is too small for its figure."; "" if the boxes of all panels are in their places. GUI thread.
QString tooSmall(const PreparedFigure& page);
// The usual size of a panel of that figure.
PanelPlace usualPlace(const FigureSpec& figure);

// Edges that move: all four for a panel that is moved.
struct MovedEdges {
  bool left = true, top = true, right = true, bottom = true;
};
struct SnappedPlace {
  PanelPlace place;
  std::vector<double> across, down;  // lines that it snapped to: x, y
};
// Moves the edges to columns of the page and edges of the other panels that are nearer than `reach`, and into
// the page.
SnappedPlace snapped(const PanelPlace& wanted, const MovedEdges& edges, const std::vector<PanelPlace>& others,
                     const std::vector<double>& columns, double reach);
// Edges of the columns of a page: those of the venue, halves and thirds.
std::vector<double> pageColumns(const FigureSpec& spec);

}  // namespace plastiscope
