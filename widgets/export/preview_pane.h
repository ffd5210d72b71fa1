#pragma once
// The preview of the export dialog with what it is looked at with: zoom, the screen's resolution, page, grey.
#include <QCheckBox>
#include <QComboBox>
#include <QImage>
#include <QSpinBox>
#include <QWidget>
#include <memory>

#include "widgets/export/figure_kinds.h"

namespace plastiscope {

// A figure at its true size on a page with rulers.
struct PreviewSettings {
  double widthInches = 5.5, heightInches = 2.1;
  double textInches = 5.5;  // text width of the venue: the page's lines
  double dpi = 96;          // pixels of this screen in an inch
  double zoom = 1;
  bool page = true, grey = false, millimetres = false;
};

class FigurePreview : public QWidget {
  Q_OBJECT
 public:
  explicit FigurePreview(QWidget* parent = nullptr);

  void setSettings(const PreviewSettings& settings);
  // Drawn at dpi() device pixels an inch; a null image shows `message`.
  void setPicture(const QImage& picture, const QString& message = {});
  // Device pixels in an inch: what the picture must be drawn with. Less than the screen's where a figure is
  // so large that the picture would take seconds; it is shown stretched.
  double dpi() const;
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  double pixels(double inches) const { return inches * m_settings.dpi * m_settings.zoom; }
  QRectF figureRect() const;
  QRectF pageRect() const;
  void drawPage(QPainter& painter) const;
  void drawRuler(QPainter& painter, Qt::Orientation orientation) const;

  PreviewSettings m_settings;
  QImage m_picture;
  QString m_message;
};

class PreviewPane : public QWidget {
  Q_OBJECT
 public:
  explicit PreviewPane(QWidget* parent = nullptr);

  // What the person said before; 0 = what the screen says of itself.
  void setScreenDpi(double dpi);
  // The figure at the size that `spec` gives; without one the sentence that there is none.
  void show(const FigureSpec& spec, bool millimetres, std::shared_ptr<const PreparedFigure> figure);
  using QWidget::show;

 Q_SIGNALS:
  void screenDpiChanged(double dpi);  // the person corrected it

 private:
  void draw();
  double ownDpi() const;

  FigurePreview* m_preview;
  QComboBox* m_zoom;
  QSpinBox* m_dpi;
  QCheckBox *m_page, *m_grey;
  FigureSpec m_spec;
  bool m_millimetres = false;
  std::shared_ptr<const PreparedFigure> m_figure;
};

}  // namespace plastiscope
