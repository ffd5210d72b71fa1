#pragma once
// Layers x heads, coloured by one metric, as large as the widget. Layer 0 on top, a gap after each KV group;
// heads that were not captured are marked, never coloured. The wheel zooms around the pointer, a small
// picture of the whole then shows where one is.
#include <map>
#include <set>
#include <string>

#include "core/views/head_grid_data.h"
#include "widgets/plots/plot_view.h"

namespace plastiscope {

struct ZoomOverview;

class HeadGridView : public PlotView {
  Q_OBJECT
 public:
  explicit HeadGridView(QWidget* parent = nullptr);
  ~HeadGridView() override;

  void setData(std::shared_ptr<const HeadGridData> content);
  void setSelectedHead(std::optional<HeadName> head);  // brings it into view; emits nothing
  std::optional<HeadName> selectedHead() const;
  // Several selected heads, ascending: they are framed together.
  void setSeveral(std::vector<HeadName> heads);
  void setStarred(const std::set<HeadName>& heads);
  // Heads with a note: their corner is turned, and their tip ends with the note.
  void setNotes(const std::map<HeadName, std::string>& notes);
  // Heads whose data cannot be read: they are crossed out, and their tip says why.
  void setDamaged(const std::map<HeadName, std::string>& heads);
  // Heads that a filter leaves out are faded; nothing = all are shown.
  void setFilter(std::optional<std::set<HeadName>> heads);
  // Nothing = the data's own range.
  void setRange(std::optional<std::pair<double, double>> range);
  // Heads down, layers across: for models with many more heads than layers.
  void setTransposed(bool transposed);
  // Where a head is seen, pixels of the plot; nothing while it is not.
  std::optional<QRectF> placeOf(HeadName head) const;

 Q_SIGNALS:
  void headActivated(plastiscope::HeadName head);  // click, arrow keys, Home, End; captured heads only
  void headHovered(plastiscope::HeadName head);
  // A rectangle drawn with the mouse, clicks with Ctrl and Shift; Esc: none. Only offered where it is
  // listened to.
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
  void pan(const QPointF& pixels);         // moves what is seen by so much
  void centreOn(const QPointF& position);  // of the overview
  void tellPlace(std::int64_t place);
  ZoomOverview overview() const;
  bool isOnOverview(const QPointF& position) const;
  bool offersSeveral() const;
  std::vector<HeadName> headsBetween(std::int64_t one, std::int64_t other) const;  // places: of the rectangle
  void select(std::vector<HeadName> heads, bool adding);

  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace plastiscope
