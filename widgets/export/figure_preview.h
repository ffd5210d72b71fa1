#pragma once
// A figure at its true size on a page with rulers.
#include <QImage>
#include <QWidget>

namespace plastiscope {

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
  // Device pixels in an inch: what the picture must be drawn with.
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

}  // namespace plastiscope
