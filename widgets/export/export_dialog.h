#pragma once
// Figure, venue, size, type, theme and format, with a live preview at true size and the command that does the
// same.
#include <QDialog>
#include <memory>

#include "core/views/study.h"
#include "widgets/export/figure_spec.h"

namespace plastiscope {

class ExportDialog : public QDialog {
  Q_OBJECT
 public:
  // `studyFile`: what the window opened, for the command line. `initial`: figure, head and metric of the tab.
  ExportDialog(std::shared_ptr<const Study> study, const QString& studyFile, const FigureSpec& initial,
               QWidget* parent = nullptr);
  ~ExportDialog() override;

 Q_SIGNALS:
  void exported(const QStringList& files);

 private:
  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace plastiscope
