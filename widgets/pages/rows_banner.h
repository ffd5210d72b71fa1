#pragma once
// Says at the top of a model tab that it is computed from some rows of its capture only, and leads back.
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

  // Hidden for all rows. `state`: what is being done or went wrong, "" = these rows are shown.
  void showChoice(const RowChoice& choice, const QString& state);
  void offerButtons(bool offered);  // not where the file itself is of some rows

 Q_SIGNALS:
  void changeRequested();
  void allRequested();

 private:
  IconLabel* m_icon;
  QLabel* m_text;
  QPushButton *m_change, *m_all;
};

}  // namespace plastiscope
