#pragma once
// The file that is written: a name is suggested until one is given by hand.
#include <QWidget>
#include <filesystem>

class QLineEdit;

namespace plastiscope {

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

}  // namespace plastiscope
