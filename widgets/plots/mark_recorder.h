#pragma once
// A paint device that keeps what is painted on it. Private to widgets/plots.
#include <QPaintDevice>
#include <QPaintEngine>

#include "widgets/plots/recorded_figure.h"

namespace plastiscope {

class MarkRecorder : public QPaintEngine {
 public:
  explicit MarkRecorder(RecordedFigure& figure) : QPaintEngine(AllFeatures), m_figure(figure) {}

  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  void updateState(const QPaintEngineState&) override {}
  void drawPath(const QPainterPath& path) override;
  void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override;
  void drawPixmap(const QRectF& rect, const QPixmap& pixmap, const QRectF& source) override;
  void drawImage(const QRectF& rect, const QImage& image, const QRectF& source,
                 Qt::ImageConversionFlags flags) override;
  void drawTextItem(const QPointF& at, const QTextItem& item) override;
  Type type() const override { return User; }

 private:
  int panelOfClip() const;
  void add(const QPainterPath& path, bool filled);

  RecordedFigure& m_figure;
  QPointF m_textEnd;  // where the last text ended: what goes on there belongs to it
};

class RecordingDevice : public QPaintDevice {
 public:
  explicit RecordingDevice(RecordedFigure& figure) : m_figure(figure), m_engine(figure) {}
  QPaintEngine* paintEngine() const override { return &m_engine; }

 protected:
  int metric(PaintDeviceMetric metric) const override;

 private:
  RecordedFigure& m_figure;
  mutable MarkRecorder m_engine;
};

}  // namespace plastiscope
