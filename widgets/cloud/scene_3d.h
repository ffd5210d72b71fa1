#pragma once
// The part of the cloud view that draws points in three dimensions. One implementation stands on VTK; a build
// without VTK has none.
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

  // rgb: [points, 3]. The camera stays as it is.
  virtual void setPoints(std::shared_ptr<const CloudLayout> layout, const std::vector<std::uint8_t>& rgb) = 0;
  virtual void setSelection(const std::vector<std::size_t>& points) = 0;  // indices of the layout's points
  virtual void setColours(const SceneColours& colours) = 0;
  virtual void setPerspective(bool on) = 0;
  virtual void resetCamera() = 0;  // the default direction, the whole box
  virtual void fitCamera() = 0;    // the whole box from the direction it has
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

// Once, before the QApplication is made: the surface format that VTK's OpenGL needs.
void prepareCloudGraphics();
// Why there is no scene here, as a sentence; empty when there can be one. Needs a QApplication.
QString scene3dProblem();
// Only when scene3dProblem() is empty.
Scene3d* makeScene3d(QWidget* parent);

}  // namespace plastiscope
