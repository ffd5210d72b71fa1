#pragma once
// Figure, venue, size, type, theme and format, with a live preview at true size and the command that does the
// same.
#include <QDialog>
#include <memory>

#include "widgets/export/figure_kinds.h"

namespace plastiscope {

class Workers;

// What an export begins with.
struct ExportStart {
  Studies studies;
  QStringList files;        // what the window opened, for the command line
  FigureSpec figure;        // of the tab: figure, head and metric
  bool asExported = false;  // all of it was exported before: what the dialog remembers does not change it
  double screenDpi = 0;     // 0 = what the screen says of itself
};

class ExportDialog : public QDialog {
  Q_OBJECT
 public:
  // What is being computed when the dialog closes ends in `workers`, without it.
  ExportDialog(const ExportStart& start, Workers& workers, QWidget* parent = nullptr);
  ~ExportDialog() override;
  void reject() override;  // stops the writing of all figures first

 Q_SIGNALS:
  void exported(const QStringList& files);
  void screenDpiChanged(double dpi);

 private:
  void layOut();
  void connectAll();
  void prepare();
  void setReady(bool ready);
  void describe();
  void complain(const QString& sentence);
  void copyPicture();
  void exportChosen();
  void exportOne();
  void exportAllOfTab();
  void endBatch();
  void finish(const std::vector<std::filesystem::path>& written);
  void keepMemory();

  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace plastiscope
