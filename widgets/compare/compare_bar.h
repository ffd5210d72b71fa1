#pragma once
// Top bar of a compare tab: a chip for each model, a button to add one, and display options.
#include <QFrame>

#include "widgets/compare/compare_model.h"

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace plastiscope {

class CompareChip;
class ChipStrip;

class CompareBar : public QFrame {
  Q_OBJECT
 public:
  explicit CompareBar(CompareModel& model, QWidget* parent = nullptr);

 Q_SIGNALS:
  void addRequested(QWidget* button);  // the list opens below the button

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fillChips();
  void choose();
  void offerPublished(const CompareViews& views);
  void offerHeads(const Comparison& comparison);

  CompareModel& m_model;
  void makeMatrixOptions();
  void useView();
  void fit();  // into the current width

  QButtonGroup* m_view;                        // matrix or charts
  QHBoxLayout *m_first, *m_second, *m_chips;   // options are in the first row, or below the chips
  std::vector<CompareChip*> m_shownChips;      // [inputs]
  std::vector<QString> m_names, m_briefNames;  // [inputs]
  ChipStrip* m_strip;
  QWidget *m_switch, *m_chipRow, *m_options, *m_ofCharts, *m_ofMatrix;
  QToolButton* m_rows;
  QPushButton* m_add;
  QComboBox *m_profiles, *m_axis, *m_order, *m_matching, *m_heads;
  QCheckBox *m_locked, *m_published, *m_intervals;
};

}  // namespace plastiscope
