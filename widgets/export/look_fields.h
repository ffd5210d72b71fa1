#pragma once
// Fields of the export form: venue, width and height, in inches or millimetres.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QObject>

#include "widgets/export/figure_kinds.h"
#include "widgets/forms/option_form.h"

namespace plastiscope {

class SizeFields : public QObject {
  Q_OBJECT
 public:
  SizeFields(QFormLayout& layout, QObject* parent);

  void show(const FigureSpec& spec);
  void read(FigureSpec& spec) const;
  void follow(const FigureSpec& now);  // shows the size that results from the other fields
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

// Fields of the export form for one page of the list of options, and the figure that they edit.
class SpecFields : public QObject {
  Q_OBJECT
 public:
  // `words`: possible values of text options, by option key.
  SpecFields(QFormLayout& layout, std::string page, QWidget* parent,
             const std::map<std::string, std::vector<std::string>>& words = {});

  void show(const FigureSpec& spec);
  void read(FigureSpec& spec) const;
  void follow(const FigureKind& kind);  // shows the options of the figure
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

// Fields of the export form: font, lines, theme and range.
class StyleFields : public QObject {
  Q_OBJECT
 public:
  StyleFields(QFormLayout& layout, QWidget* parent);

  void show(const FigureSpec& spec);
  void read(FigureSpec& spec) const;
  void useVenue(FigureSpec spec);  // font size of the venue
  void follow(const FigureSpec& now, const FigureKind& kind);

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

}  // namespace plastiscope
