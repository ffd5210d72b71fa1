#pragma once
// The top of a compare tab: a chip for each model, a place to add one, and how the profiles are shown.
#include <QFrame>

#include "widgets/compare/compare_model.h"

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace plastiscope {

class CompareBar : public QFrame {
  Q_OBJECT
 public:
  explicit CompareBar(CompareModel& model, QWidget* parent = nullptr);

 Q_SIGNALS:
  void addRequested();  // the button: choose a file

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void fillChips();
  QWidget* chip(const CompareModel::Input& input, const QString& name, std::size_t index);
  void choose();
  void offerPublished(const CompareViews& views);
  // The mark of an input in the plots; null until it is compared.
  QIcon markOf(const std::string& name) const;

  CompareModel& m_model;
  QHBoxLayout *m_first, *m_second, *m_chips;  // the choices stand in the first line, or below many chips
  QWidget* m_options;
  QPushButton* m_add;
  QComboBox *m_profiles, *m_axis;
  QCheckBox *m_locked, *m_published, *m_intervals;
};

}  // namespace plastiscope
