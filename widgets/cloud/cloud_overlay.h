#pragma once
// Text and marks over the points: axis titles with variance shares, tick numbers, orientation marker, notes.
// Painted by Qt, with the fonts and sharpness of the other plots.
#include <QString>
#include <QWidget>
#include <array>

#include "widgets/cloud/cloud_geometry.h"
#include "widgets/plots/plot_style.h"

class QPainter;

namespace plastiscope {

struct OverlayScene {
  SceneView view;
  std::array<SceneAxis, 3> axes;
  QString note;  // top right
};

void paintOverlay(QPainter& painter, const OverlayScene& scene, const PlotStyle& style);

// Covers the scene and ignores the mouse.
class CloudOverlay : public QWidget {
  Q_OBJECT
 public:
  explicit CloudOverlay(QWidget* parent);
  void setScene(OverlayScene scene);
  void setStyle(const PlotStyle& style);
  const OverlayScene& scene() const { return m_scene; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  OverlayScene m_scene;
  PlotStyle m_style;
};

}  // namespace plastiscope
