#pragma once
// Bar above the cloud: colour legend, choice of axes, perspective, reset.
#include <QToolButton>
#include <QWidget>

#include "core/views/cloud_data.h"
#include "widgets/plots/plot_style.h"

class QComboBox;

namespace plastiscope {

// "Q [ramp] K [ramp] position 0 … 4,095", cut from the right when space is short.
class RampLegend : public QWidget {
  Q_OBJECT
 public:
  explicit RampLegend(QWidget* parent = nullptr);
  void setStyle(const PlotStyle& style);
  void setWindow(std::int64_t window);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString positions() const;
  PlotStyle m_style;
  std::int64_t m_window = 0;
};

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
