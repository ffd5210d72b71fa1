#pragma once
// The figure page at its true size: panels are moved, sized and dropped with the mouse or the arrow keys.
#include <QImage>
#include <QWidget>
#include <optional>

#include "widgets/export/page_plan.h"

namespace plastiscope {

class PageCanvas : public QWidget {
  Q_OBJECT
 public:
  explicit PageCanvas(QWidget* parent = nullptr);

  // `dpi`: pixels per inch of the page on the screen.
  void show(const PagePlan& plan, double dpi);
  using QWidget::show;
  // The drawn page; a null image shows the places only.
  void setPicture(const QImage& picture);
  void select(std::optional<std::size_t> panel);
  std::optional<std::size_t> selected() const { return m_selected; }
  QRectF rectOf(const PanelPlace& place) const;  // in pixels
  QSize sizeHint() const override;

 Q_SIGNALS:
  void selectionChanged();
  void placed(std::size_t panel, const plastiscope::PanelPlace& place);
  void dropped(const plastiscope::PageFigure& figure, const plastiscope::PanelPlace& place);
  void removeRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  struct Grip {
    std::optional<std::size_t> panel;
    MovedEdges edges;
  };
  double pageWidth() const;  // pixels
  QPointF ofPage(QPointF pixels) const;
  Grip gripAt(QPointF at) const;
  void follow(PanelPlace wanted, const MovedEdges& edges, std::optional<std::size_t> moved);
  void drawGuides(QPainter& painter) const;

  PagePlan m_plan;
  double m_dpi = 96;
  QImage m_picture;
  std::optional<std::size_t> m_selected;
  Grip m_grip;                           // while the mouse is pressed
  QPointF m_pressed;                     // where, on the page
  std::optional<SnappedPlace> m_moving;  // place of the panel that is moved or dropped
};

}  // namespace plastiscope
