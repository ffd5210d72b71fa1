#pragma once
// Common parts of dialogs: Cancel and Start, output file, equivalent command line.
#include <QFrame>
#include <QWidget>
#include <filesystem>

class QDialog;
class QLabel;
class QPushButton;
class QLineEdit;
class QPlainTextEdit;

namespace plastiscope {

// Last line of a dialog that starts work: hint, Cancel, Start.
class DialogButtons : public QWidget {
  Q_OBJECT
 public:
  struct Words {
    QString name;                        // object names for tests: "capture" -> captureHint, captureStart
    QString start, startTip, cancelTip;  // texts of the buttons
  };
  DialogButtons(const Words& words, QDialog* dialog);  // Cancel rejects the dialog

  // lacking: why Start is disabled, "" = enabled; hint: shown if enabled.
  void showState(const QString& lacking, const QString& hint = {});
  void say(const QString& sentence);

 Q_SIGNALS:
  void startRequested();

 private:
  QString m_startTip;
  QLabel* m_hint;
  QPushButton* m_start;
};

// Output file: a name is suggested until the user enters one.
class SaveBox : public QWidget {
  Q_OBJECT
 public:
  struct Words {
    QString tip;     // tool tip of the field
    QString title;   // title of the file dialog
    QString filter;  // "Captures (*.h5)"
  };
  explicit SaveBox(Words words, QWidget* parent = nullptr);
  void suggest(const std::filesystem::path& file);
  void forget() { m_byHand = false; }  // accepts the next suggestion
  std::filesystem::path file() const;  // empty: none yet

 Q_SIGNALS:
  void changed();  // by the user

 private:
  void browse();

  Words m_words;
  QLineEdit* m_file;
  bool m_byHand = false;
};

// Command line equivalent to the dialog's settings, with buttons that copy it, also as Python.
class CommandBox : public QFrame {
  Q_OBJECT
 public:
  // copyTip: use of the copied line.
  explicit CommandBox(const QString& copyTip, QWidget* parent = nullptr);
  void setCommand(const QString& command, const QStringList& arguments);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QPlainTextEdit* m_command;
  QString m_python;
};

}  // namespace plastiscope
