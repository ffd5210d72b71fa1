#pragma once
// The left side of the export dialog: widgets in, FigureSpec and ExportOptions out.
#include <QWidget>
#include <memory>

#include "widgets/export/figure_renderer.h"

namespace plastiscope {

class ExportForm : public QWidget {
  Q_OBJECT
 public:
  // Offers what the studies can show (no scatters without rows).
  ExportForm(const Studies& studies, const FigureSpec& initial, QWidget* parent = nullptr);
  ~ExportForm() override;

  FigureSpec spec() const;
  ExportOptions options() const;
  bool millimetres() const;
  bool allFigures() const;           // every figure that the studies can show
  QString file() const;              // folder/name.pdf
  QStringList filesToWrite() const;  // names of the figure and what lies beside it

  // What the form remembers for the next figure: venue, type, format, folder.
  Json memory() const;
  void recall(const Json& memory);  // what is not understood is left alone

 Q_SIGNALS:
  void figureChanged();  // the picture
  void targetChanged();  // only file, format or what lies beside it

 private:
  void makeFigureFields(const Studies& studies);
  void makeStyleFields();
  void makeFileFields();
  void start(const FigureSpec& initial);
  void connectFields();
  void changed(bool venue, bool picture);
  void changeUnit();
  void follow(bool venueChanged);
  void offerSubjects();

  struct Private;
  std::unique_ptr<Private> d;
};

// The figures of so many studies, in the order of the list. Those that need none stand apart: they are
// offered without studies, and where `shown`, the figure of the tab, is one of them.
std::vector<const FigureKind*> figuresFor(const Studies& studies, const std::string& shown = {});
// Those of the thesis (thesis_figures.h) that the studies can show, or without studies the published numbers.
std::vector<const FigureKind*> thesisKindsFor(const Studies& studies);
// "map-L12H6", "head-grid-ap_drop": a file's name without its extension.
QString figureFileName(const FigureSpec& spec);

}  // namespace plastiscope
