#pragma once
// The last line of a dialog that begins something: what is missing, Cancel, Start.
#include <QWidget>

class QDialog;
class QLabel;
class QPushButton;

namespace plastiscope {

class DialogFoot : public QWidget {
  Q_OBJECT
 public:
  struct Words {
    QString name;                        // of the parts for tests: "capture" -> captureHint, captureStart
    QString start, startTip, cancelTip;  // of the buttons
  };
  DialogFoot(const Words& words, QDialog* dialog);  // Cancel rejects the dialog

  // lacking: what keeps Start from being possible, "" = nothing; hint: what is said then.
  void showState(const QString& lacking, const QString& hint = {});
  void say(const QString& sentence);

 Q_SIGNALS:
  void startRequested();

 private:
  QString m_startTip;
  QLabel* m_hint;
  QPushButton* m_start;
};

}  // namespace plastiscope
