#pragma once
// Fields of the export form: format, sidecar files, folder and name.
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QObject>

#include "widgets/export/figure_renderer.h"

namespace plastiscope {

class FileFields : public QObject {
  Q_OBJECT
 public:
  // `figuresOfTab`: number of figures in "all figures"; `folderOfAll`: name of their folder.
  FileFields(QFormLayout& layout, int figuresOfTab, QString folderOfAll, QObject* parent);

  void show(const FigureSpec& spec);
  void read(FigureSpec& spec) const;
  void follow(const FigureSpec& now);

  ExportOptions options() const;
  bool allFigures() const;
  QString folder() const;            // a separate one for all figures
  QString extension() const;         // "pdf", "svg", "png", "html"
  QString file() const;              // folder/name.pdf
  QStringList filesToWrite() const;  // names of the figure and its sidecar files

  void remember(Json& memory) const;
  void recall(const Json& memory);

 Q_SIGNALS:
  void changed();

 private:
  void addFormats(QFormLayout& layout);
  void addBeside(QFormLayout& layout);
  void addPlace(QFormLayout& layout, int figuresOfTab);
  void browse(QWidget* parent);

  QButtonGroup *m_format, *m_which;
  QComboBox* m_dpi = nullptr;
  QCheckBox *m_table, *m_provenance, *m_pgfplots, *m_embed, *m_fixedDate;
  QLineEdit *m_folder, *m_name;
  QString m_folderOfAll;
  bool m_nameEdited = false;
};

}  // namespace plastiscope
