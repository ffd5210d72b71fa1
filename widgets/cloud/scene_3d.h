#pragma once
// Interface of the 3-D scene that draws the cloud's points. Implemented with VTK; a build without VTK has no
// implementation.
#include <QColor>
#include <QImage>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <vector>

#include "widgets/cloud/cloud_geometry.h"

namespace plastiscope {

struct SceneColours {
  QColor background, box, selection, casing;
};

class Scene3d : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;

  // rgb: [points, 3]. The camera is not changed.
  virtual void setPoints(std::shared_ptr<const CloudLayout> layout, const std::vector<std::uint8_t>& rgb) = 0;
  virtual void setSelection(const std::vector<std::size_t>& points) = 0;  // indices of the layout's points
  virtual void setColours(const SceneColours& colours) = 0;
  virtual void setPerspective(bool on) = 0;
  virtual void resetCamera() = 0;  // default direction, zoomed to the box
  virtual void fitCamera() = 0;    // current direction, zoomed to the box
  virtual SceneView view() const = 0;
  virtual double pointRadius() const = 0;       // logical pixels
  virtual std::size_t pointsDrawn() const = 0;  // fewer than all while the camera moves
  virtual QImage picture() = 0;                 // points and box, device pixels

 Q_SIGNALS:
  void viewChanged();  // camera, size or level of detail
  void clicked(const QPointF& place);
  void hovered(const QPointF& place);
  void hoverLeft();
};

// Sets the surface format for VTK's OpenGL. Call once, before the QApplication is created.
void prepareCloudGraphics();
// Why no scene can be created, as a sentence; "" if it can. Needs a QApplication.
QString scene3dProblem();
// Only when scene3dProblem() is empty.
Scene3d* makeScene3d(QWidget* parent);

}  // namespace plastiscope
