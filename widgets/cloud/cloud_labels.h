#pragma once
// Around the points of a cloud: the bar above them, and text and marks over them: axis titles with variance
// shares, tick numbers, orientation marker, notes. Painted by Qt, with the fonts and sharpness of the other
// plots.
#include <QString>
#include <QWidget>
#include <array>

#include "core/views/cloud_data.h"
#include "widgets/cloud/cloud_geometry.h"
#include "widgets/plots/plot_style.h"

class QComboBox;
class QPainter;
class QToolButton;

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

class RampLegend;

// Colour legend, choice of axes, perspective, reset.
class CloudBar : public QWidget {
  Q_OBJECT
 public:
  explicit CloudBar(QWidget* parent = nullptr);

  void setStyle(const PlotStyle& style);
  void showData(const CloudData& cloud, std::size_t frame);  // emits nothing
  void showPerspective(bool on);                             // emits nothing

 Q_SIGNALS:
  void frameChosen(const QString& id);
  void perspectiveChosen(bool on);
  void resetWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  RampLegend* m_legend;
  QComboBox* m_frames;
  QToolButton *m_perspective, *m_reset;
};

}  // namespace plastiscope
