#pragma once
// Layers x heads, coloured by one metric, as large as the widget. Layer 0 on top, a gap after each KV group;
// heads that were not captured are marked, never coloured. The wheel zooms around the pointer; a small
// overview then shows the visible part.
#include <map>
#include <set>
#include <string>

#include "core/views/head_grid_data.h"
#include "core/views/head_group.h"
#include "widgets/plots/plot_view.h"

namespace plastiscope {

struct ZoomOverview;

class HeadGridView : public PlotView {
  Q_OBJECT
 public:
  explicit HeadGridView(QWidget* parent = nullptr);
  ~HeadGridView() override;

  void setData(std::shared_ptr<const HeadGridData> content);
  void setSelectedHead(std::optional<HeadName> head);  // scrolls to it; emits nothing
  std::optional<HeadName> selectedHead() const;
  // Several selected heads, ascending, with a common frame.
  void setSeveral(std::vector<HeadName> heads);
  void setStarred(const std::set<HeadName>& heads);
  // Heads with a note: a folded corner, and the note at the end of their tip.
  void setNotes(const std::map<HeadName, std::string>& notes);
  // Heads with unreadable data: crossed out, with the reason in their tip.
  void setDamaged(const std::map<HeadName, std::string>& heads);
  // Groups of heads, outlined in their colours and named in the tips of their heads.
  void setGroups(HeadGroups groups);
  // Fades heads that are not in the filter; nullopt = shows all.
  void setFilter(std::optional<std::set<HeadName>> heads);
  // Nullopt = range of the data.
  void setRange(std::optional<std::pair<double, double>> range);
  // Heads down, layers across: for models with many more heads than layers.
  void setTransposed(bool transposed);
  // Visible rectangle of a head, pixels of the plot; nullopt if outside.
  std::optional<QRectF> placeOf(HeadName head) const;

 Q_SIGNALS:
  void headActivated(plastiscope::HeadName head);  // click, arrow keys, Home, End; captured heads only
  void headHovered(plastiscope::HeadName head);
  // Sent for a rectangle drawn with the mouse and clicks with Ctrl and Shift; Esc: none. Only enabled while
  // connected.
  void severalSelected(const std::vector<plastiscope::HeadName>& heads);

 protected:
  std::optional<Plot> makePlot() const override;
  std::optional<ViewRange> wholeRange() const override;
  void paintOverlay(QPainter& painter) const override;
  void hovered(const QPointF& position, const QPoint& global) override;
  void clicked(const QPointF& position) override;
  void menuAsked(const QPointF& position) override;
  bool dragBegins(const QPointF& position, Qt::KeyboardModifiers keys) override;
  void dragMoves(const QPointF& position) override;
  void dragEnds() override;
  bool laidOut() override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void activate(std::int64_t place);
  bool isZoomed() const;
  void pan(const QPointF& pixels);         // moves the visible part by that much
  void centreOn(const QPointF& position);  // position in the overview
  void tellPlace(std::int64_t place);
  ZoomOverview overview() const;
  bool isOnOverview(const QPointF& position) const;
  bool offersSeveral() const;
  std::vector<HeadName> headsBetween(std::int64_t one, std::int64_t other) const;  // corners of a rectangle
  void select(std::vector<HeadName> heads, bool adding);

  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace plastiscope
