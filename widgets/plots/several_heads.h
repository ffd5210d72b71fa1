#pragma once
// How the views of all heads select several of them with the mouse.
#include <QPointF>
#include <QRectF>
#include <optional>
#include <vector>

#include "core/capture/head_list.h"
#include "widgets/plots/plot_style.h"

class QPainter;

namespace plastiscope {

class DrawnRectangle {
 public:
  void begin(const QPointF& at) { m_from = m_to = at; }
  void moveTo(const QPointF& at) { m_to = at; }
  // Nothing where none was begun, or where it is no larger than a click.
  std::optional<QRectF> end();
  void paint(QPainter& painter, const PlotStyle& style) const;  // nothing while none is drawn

 private:
  std::optional<QPointF> m_from;
  QPointF m_to;
};

// What a click with Ctrl on `heads` leaves selected: each is added, or taken out. `several`: before, none
// where only `head` is selected.
std::vector<HeadName> toggled(const std::vector<HeadName>& several, HeadName head,
                              const std::vector<HeadName>& heads);

}  // namespace plastiscope
