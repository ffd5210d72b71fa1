#pragma once
// Layers x heads, coloured by one metric. Layer 0 on top, a gap after each KV group, rows of 12 pixels or
// more with scrolling; heads that were not captured are marked, never coloured.
#include <map>
#include <set>
#include <string>

#include "core/views/head_grid_data.h"
#include "widgets/plots/plot_view.h"

namespace plastiscope {

class HeadGridView : public PlotView {
  Q_OBJECT
 public:
  explicit HeadGridView(QWidget* parent = nullptr);
  ~HeadGridView() override;

  void setData(std::shared_ptr<const HeadGridData> content);
  void setSelectedHead(std::optional<HeadName> head);  // scrolls it into view; emits nothing
  std::optional<HeadName> selectedHead() const;
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

 Q_SIGNALS:
  void headActivated(plastiscope::HeadName head);  // click, arrow keys, Home, End; captured heads only
  void headHovered(plastiscope::HeadName head);

 protected:
  std::optional<Plot> makePlot() const override;
  void paintOverlay(QPainter& painter) const override;
  void hovered(const QPointF& position, const QPoint& global) override;
  void clicked(const QPointF& position) override;
  bool laidOut() override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void activate(HeadName head);

  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace plastiscope
