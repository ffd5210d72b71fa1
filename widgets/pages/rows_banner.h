#pragma once
// Banner of a model tab computed from some rows of its capture, with a button to use all rows.
#include <QFrame>

#include "core/analysis/row_choice.h"

class QLabel;
class QPushButton;

namespace plastiscope {

class IconLabel;

class RowsBanner : public QFrame {
  Q_OBJECT
 public:
  explicit RowsBanner(QWidget* parent = nullptr);

  // Hidden for all rows. `state`: progress or error, "" = these rows are shown.
  void showChoice(const RowChoice& choice, const QString& state);
  void offerButtons(bool offered);  // not if the file itself has only some rows

 Q_SIGNALS:
  void changeRequested();
  void allRequested();

 private:
  IconLabel* m_icon;
  QLabel* m_text;
  QPushButton *m_change, *m_all;
};

}  // namespace plastiscope
