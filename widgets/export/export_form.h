#pragma once
// The left side of the export dialog: widgets in, FigureSpec and ExportOptions out.
#include <QWidget>

#include "widgets/export/file_fields.h"
#include "widgets/export/look_fields.h"

namespace plastiscope {

class SubjectFields;

class ExportForm : public QWidget {
  Q_OBJECT
 public:
  // Offers what the studies can show (no scatters without rows).
  ExportForm(const Studies& studies, const FigureSpec& initial, QWidget* parent = nullptr);

  FigureSpec spec() const;
  // Head, metric and choices of the tab in the form's venue and type, for all of its figures.
  FigureSpec specOfTab() const;
  bool millimetres() const { return m_size->millimetres(); }
  const FileFields& files() const { return *m_file; }

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

  FigureSpec m_initial;
  SubjectFields* m_subject;
  SpecFields* m_text;
  SizeFields* m_size;
  StyleFields* m_style;
  FileFields* m_file;
  bool m_quiet = true;  // values are being set that follow from others
};

}  // namespace plastiscope
