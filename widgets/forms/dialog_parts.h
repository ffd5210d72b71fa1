#pragma once
// Parts that dialogs share: Cancel and Start, the file to write, the command line that does the same.
#include <QFrame>
#include <QWidget>
#include <filesystem>

class QDialog;
class QLabel;
class QPushButton;
class QLineEdit;
class QPlainTextEdit;

namespace plastiscope {

// The last line of a dialog that begins something: what is missing, Cancel, Start.
class DialogButtons : public QWidget {
  Q_OBJECT
 public:
  struct Words {
    QString name;                        // of the parts for tests: "capture" -> captureHint, captureStart
    QString start, startTip, cancelTip;  // of the buttons
  };
  DialogButtons(const Words& words, QDialog* dialog);  // Cancel rejects the dialog

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

// The file that is written: a name is suggested until one is given by hand.
class SaveBox : public QWidget {
  Q_OBJECT
 public:
  struct Words {
    QString tip;     // of the field
    QString title;   // of the file dialog
    QString filter;  // "Captures (*.h5)"
  };
  explicit SaveBox(Words words, QWidget* parent = nullptr);
  void suggest(const std::filesystem::path& file);
  void forget() { m_byHand = false; }  // the next suggestion is taken
  std::filesystem::path file() const;  // empty: none yet

 Q_SIGNALS:
  void changed();  // by hand

 private:
  void browse();

  Words m_words;
  QLineEdit* m_file;
  bool m_byHand = false;
};

// The command line that does what a dialog is filled with, to be copied.
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
