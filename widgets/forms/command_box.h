#pragma once
// The command line that does what a dialog is filled with, to be copied.
#include <QFrame>

class QPlainTextEdit;

namespace plastiscope {

class CommandBox : public QFrame {
  Q_OBJECT
 public:
  // copyTip: what the copied line is good for.
  explicit CommandBox(const QString& copyTip, QWidget* parent = nullptr);
  void setCommand(const QString& command);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QPlainTextEdit* m_command;
};

}  // namespace plastiscope
