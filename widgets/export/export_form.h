#pragma once
// The left side of the export dialog: widgets in, FigureSpec and ExportOptions out.
#include <QWidget>
#include <memory>

#include "widgets/export/figure_list.h"
#include "widgets/export/figure_renderer.h"

namespace plastiscope {

class ExportForm : public QWidget {
  Q_OBJECT
 public:
  // Offers what the studies can show (no scatters without rows).
  ExportForm(const Studies& studies, const FigureSpec& initial, QWidget* parent = nullptr);
  ~ExportForm() override;

  FigureSpec spec() const;
  // Head, metric and choices of the tab in the form's venue and type, for all of its figures.
  FigureSpec specOfTab() const;
  ExportOptions options() const;
  bool millimetres() const;
  bool allFigures() const;  // every figure that the studies can show
  QString folder() const;
  QString extension() const;
  QString file() const;              // folder/name.pdf
  QStringList filesToWrite() const;  // names of the figure and what lies beside it

  // What the form remembers for the next figure: venue, type, format, folder.
  Json memory() const;
  void recall(const Json& memory);  // what is not understood is left alone
  // Only where and how files are written: the figure itself has its settings already.
  void recallPlace(const Json& memory);

 Q_SIGNALS:
  void figureChanged();  // the picture
  void targetChanged();  // only file, format or what lies beside it

 private:
  void changed(bool venue, bool picture);
  void follow(bool venueChanged);

  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace plastiscope
