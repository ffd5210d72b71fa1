#pragma once
// The preview of the export dialog with what it is looked at with: zoom, the screen's resolution, page, grey.
#include <QCheckBox>
#include <QComboBox>
#include <QSpinBox>
#include <QWidget>
#include <memory>

#include "widgets/export/figure_preview.h"
#include "widgets/export/prepared_figure.h"

namespace plastiscope {

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
