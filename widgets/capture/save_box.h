#pragma once
// Where a capture is saved: a name is suggested until one is given by hand.
#include <QWidget>
#include <filesystem>

class QLineEdit;

namespace plastiscope {

class SaveBox : public QWidget {
  Q_OBJECT
 public:
  explicit SaveBox(QWidget* parent = nullptr);
  void suggest(const std::filesystem::path& file);
  std::filesystem::path file() const;  // empty: none yet

 Q_SIGNALS:
  void changed();  // by hand

 private:
  void browse();

  QLineEdit* m_file;
  bool m_byHand = false;
};

}  // namespace plastiscope
