#pragma once
// Left side of the export dialog: widgets in, FigureSpec and ExportOptions out.
#include <QWidget>

#include "widgets/export/export_fields.h"

namespace plastiscope {

class SubjectFields;

class ExportForm : public QWidget {
  Q_OBJECT
 public:
  // Offers the figures that the studies can show (no scatters without rows).
  ExportForm(const Studies& studies, const FigureSpec& initial, QWidget* parent = nullptr);

  FigureSpec spec() const;
  // Head, metric and options of the tab with the form's venue and font, for all figures of the tab.
  FigureSpec specOfTab() const;
  bool millimetres() const { return m_size->millimetres(); }
  const FileFields& files() const { return *m_file; }

  // Settings kept for the next figure: venue, font, format, folder.
  Json memory() const;
  void recall(const Json& memory);  // invalid values are ignored
  // Only file settings: the figure has its own settings already.
  void recallPlace(const Json& memory);

 Q_SIGNALS:
  void figureChanged();     // redraw needed
  void targetChanged();     // only file, format or sidecar files
  void composeRequested();  // of a figure page

 private:
  void changed(bool venue, bool picture);
  void refresh(bool venueChanged);

  FigureSpec m_initial;
  SubjectFields* m_subject;
  SpecFields* m_text;
  SizeFields* m_size;
  StyleFields* m_style;
  FileFields* m_file;
  bool m_quiet = true;  // setting dependent values
};

}  // namespace plastiscope
