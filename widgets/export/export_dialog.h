#pragma once
// Figure, venue, size, type, theme and format, with a live preview at true size and the command that does the
// same.
#include <QDialog>
#include <memory>

#include "core/base/progress.h"
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

class ExportDialog : public QDialog {
  Q_OBJECT
 public:
  // `files`: what the window opened, for the command line. `initial`: figure, head and metric of the tab.
  ExportDialog(Studies studies, const QStringList& files, const FigureSpec& initial,
               QWidget* parent = nullptr);
  ~ExportDialog() override;

 Q_SIGNALS:
  void exported(const QStringList& files);

 private:
  struct FigureFile {
    FigureSpec spec;
    FigureContent content;
    QString file;
  };

  void layOut();
  void prepare();
  void setReady(bool ready);
  void draw();
  void describe();
  void complain(const QString& sentence);
  void copyPicture();
  void exportChosen();
  void writeFigures(const std::vector<FigureFile>& figures);
  void keepMemory();
  static std::vector<FigureFile> prepareAll(const Studies& studies, const FigureSpec& spec,
                                            const QString& file, Progress& progress);

  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace plastiscope
