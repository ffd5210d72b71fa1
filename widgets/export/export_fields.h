#pragma once
// Groups of fields of the export form. show() fills the fields from a figure, read() does the inverse,
// refresh() shows what results from the other fields; remember() and recall() keep settings for the next
// figure.
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QObject>
#include <map>

#include "widgets/export/figure_files.h"
#include "widgets/forms/option_form.h"

namespace plastiscope {

// Venue, width and height, in inches or millimetres.
class SizeFields : public QObject {
  Q_OBJECT
 public:
  SizeFields(QFormLayout& layout, QObject* parent);

  void show(const FigureSpec& spec);
  void read(FigureSpec& spec) const;
  void refresh(const FigureSpec& now);
  bool millimetres() const;

  void remember(Json& memory) const;
  void recall(const Json& memory);

 Q_SIGNALS:
  void changed();
  void venueChanged();

 private:
  void changeUnit();
  double inches(double shown) const;
  double shown(double inches) const;

  QComboBox *m_venue, *m_width, *m_unit;
  QDoubleSpinBox *m_widthBox, *m_heightBox;
  QCheckBox* m_ownHeight;
};

// The options of one page of the list of options, and the figure that they edit.
class SpecFields : public QObject {
  Q_OBJECT
 public:
  // `words`: possible values of text options, by option key.
  SpecFields(QFormLayout& layout, std::string page, QWidget* parent,
             const std::map<std::string, std::vector<std::string>>& words = {});

  void show(const FigureSpec& spec);
  void read(FigureSpec& spec) const;
  void refresh(const FigureKind& kind);  // shows the options of the figure
  const FigureSpec& spec() const { return m_spec; }

 Q_SIGNALS:
  void changed();

 private:
  void copy(FigureSpec& to, FigureSpec from) const;

  QFormLayout& m_layout;
  std::string m_page;
  FigureSpec m_spec, m_plain;
  OptionList m_options, m_standard;
  OptionFields* m_fields;
};

// Font, lines, theme and range.
class StyleFields : public QObject {
  Q_OBJECT
 public:
  StyleFields(QFormLayout& layout, QWidget* parent);

  void show(const FigureSpec& spec);
  void read(FigureSpec& spec) const;
  void useVenue(FigureSpec spec);  // font size of the venue
  void refresh(const FigureSpec& now, const FigureKind& kind);

  void remember(Json& memory) const;
  void recall(const Json& memory);

 Q_SIGNALS:
  void changed();

 private:
  SpecFields* m_lines;
  QComboBox *m_font, *m_range;
  QDoubleSpinBox *m_labels, *m_low, *m_high;
  QLabel* m_ticks;
};

// Format, sidecar files, folder and name.
class FileFields : public QObject {
  Q_OBJECT
 public:
  // `figuresOfTab`: number of figures in "all figures"; `folderOfAll`: name of their folder.
  FileFields(QFormLayout& layout, int figuresOfTab, QString folderOfAll, QObject* parent);

  void show(const FigureSpec& spec);
  void read(FigureSpec& spec) const;
  void refresh(const FigureSpec& now);

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
  QCheckBox *m_table, *m_provenance, *m_pgfplots, *m_caption, *m_embed, *m_fixedDate;
  QLineEdit *m_folder, *m_name;
  QString m_folderOfAll;
  bool m_nameEdited = false;
};

}  // namespace plastiscope
