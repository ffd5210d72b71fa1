#pragma once
// Preview of the export dialog with controls for zoom, screen resolution, page and greyscale.
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
  double dpi = 96;          // pixels per inch of this screen
  double zoom = 1;
  bool page = true, grey = false, millimetres = false;
};

class FigurePreview : public QWidget {
  Q_OBJECT
 public:
  explicit FigurePreview(QWidget* parent = nullptr);

  void setSettings(const PreviewSettings& settings);
  // Image at dpi() device pixels per inch; a null image shows `message`.
  void setPicture(const QImage& picture, const QString& message = {});
  // Device pixels per inch at which to draw the image. Lower than the screen's for very large figures, which
  // would take seconds; the image is then scaled up.
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

  // Value set by the user; 0 = as the screen reports.
  void setScreenDpi(double dpi);
  // Shows the figure at the size of `spec`; without a figure a message.
  void show(const FigureSpec& spec, bool millimetres, std::shared_ptr<const PreparedFigure> figure);
  using QWidget::show;

 Q_SIGNALS:
  void screenDpiChanged(double dpi);  // set by the user

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
