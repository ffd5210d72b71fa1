#pragma once
// Selection of several heads with the mouse, shared by the views of all heads.
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
  // Nullopt where no rectangle was begun, or where it is no larger than a click.
  std::optional<QRectF> end();
  void paint(QPainter& painter, const PlotStyle& style) const;  // nothing while none is drawn

 private:
  std::optional<QPointF> m_from;
  QPointF m_to;
};

// Selection after a click with Ctrl on `heads`: adds or removes each. `several`: the selection before, empty
// if only `head` is selected.
std::vector<HeadName> toggled(const std::vector<HeadName>& several, HeadName head,
                              const std::vector<HeadName>& heads);

}  // namespace plastiscope
