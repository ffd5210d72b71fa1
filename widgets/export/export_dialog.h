#pragma once
// Export dialog: figure, venue, size, font, theme and format, with a live preview at true size and the
// equivalent command.
#include <QDialog>
#include <memory>

#include "widgets/export/figure_kinds.h"

namespace plastiscope {

class Workers;

// Initial state of an export.
struct ExportStart {
  Studies studies;
  QStringList files;        // opened files, for the command line
  FigureSpec figure;        // from the tab: figure, head and metric
  bool asExported = false;  // settings of an exported figure: not changed by the dialog's memory
  double screenDpi = 0;     // 0 = as the screen reports

  // Arguments of `plastiscope render` that draw `spec` of these studies, with the intervals that they have.
  std::vector<std::string> arguments(const FigureSpec& spec, const std::string& out,
                                     std::vector<std::string> flags = {}) const;
};

class ExportDialog : public QDialog {
  Q_OBJECT
 public:
  // Computations that still run when the dialog closes end in `workers`.
  ExportDialog(const ExportStart& start, Workers& workers, QWidget* parent = nullptr);
  ~ExportDialog() override;
  void reject() override;  // stops the export of all figures first

 Q_SIGNALS:
  void exported(const QStringList& files);
  void screenDpiChanged(double dpi);
  void composeRequested(const plastiscope::FigureSpec& page);  // the page is to be composed with the mouse

 private:
  void layOut();
  void connectAll();
  void prepare();
  void setReady(bool ready);
  void describe();
  void showProblem(const QString& sentence);
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
