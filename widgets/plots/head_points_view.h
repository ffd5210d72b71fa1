#pragma once
// Heads as points: a click selects one, a rectangle drawn with the mouse several; selected points are drawn
// above the others.
#include <vector>

#include "widgets/plots/figure_view.h"
#include "widgets/plots/several_heads.h"

namespace plastiscope {

class HeadPointsView : public FigureView {
  Q_OBJECT
 public:
  using FigureView::FigureView;
  // The ids of the plot's points are indices into `heads`.
  void setHeads(Plot plot, std::vector<HeadName> heads, Values x, Values y);
  void forgetHeads();
  void setSelectedHead(std::optional<HeadName> head);
  void setSeveral(std::vector<HeadName> heads);         // ascending
  std::optional<QPointF> placeOf(HeadName head) const;  // pixels of the plot

 Q_SIGNALS:
  void headActivated(plastiscope::HeadName head);
  void headHovered(plastiscope::HeadName head);
  void severalSelected(const std::vector<plastiscope::HeadName>& heads);

 protected:
  void paintOverlay(QPainter& painter) const override;
  void hovered(const QPointF& position, const QPoint& global) override;
  void clicked(const QPointF& position) override;
  void menuAsked(const QPointF& position) override;
  bool dragBegins(const QPointF& position, Qt::KeyboardModifiers keys) override;
  void dragMoves(const QPointF& position) override;
  void dragEnds() override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void activate(HeadName head);

  std::vector<HeadName> m_heads, m_several;
  Values m_x, m_y;
  std::optional<HeadName> m_selected;
  DrawnRectangle m_rectangle;
  bool m_adding = false;
};

// r_q against r_k on PC0 of all heads, with the class borders.
class TaxonomyView : public HeadPointsView {
  Q_OBJECT
 public:
  explicit TaxonomyView(QWidget* parent = nullptr);
  void setData(const std::shared_ptr<const TaxonomyData>& content);
};

}  // namespace plastiscope
