#pragma once
// List of captures to add to a comparison, with a filter: open tabs, the library, the published atlas.
#include <QFrame>
#include <QIcon>
#include <filesystem>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace plastiscope {

struct AddableCapture {
  QString group;  // "Open tabs", ...
  std::filesystem::path file;
  QString name, note, tip;
  QIcon icon;
};

// Popup; deletes itself when closed.
class AddCaptures : public QFrame {
  Q_OBJECT
 public:
  // `room`: maximum number of captures to add.
  AddCaptures(const std::vector<AddableCapture>& captures, std::size_t room, QWidget* parent);
  void showBelow(const QWidget& button);

 Q_SIGNALS:
  void chosen(const std::vector<std::filesystem::path>& files);
  void filesRequested();  // opens a file dialog

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void filter(const QString& text);
  void count();
  std::vector<std::filesystem::path> marked() const;

  std::size_t m_room;
  QLineEdit* m_filter;
  QTreeWidget* m_list;
  QLabel* m_note;
  QPushButton* m_add;
};

}  // namespace plastiscope
