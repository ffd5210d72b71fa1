#pragma once
// Search field of the tool bar (Ctrl+K): finds actions, heads, metrics, models and files by words
// (word_match.h).
#include <QLineEdit>
#include <functional>
#include <vector>

class QAbstractItemModel;
class QListView;

namespace plastiscope {

struct Command {
  QString title;   // "Export figure …", "L12 H6"
  QString detail;  // "Ctrl+E", "head", "capture"
  std::function<void()> run;
  QString words = {};  // by which it is found as well
  QString needs = {};  // why it cannot run now, shown in place of the detail; "" = it can
};

class CommandPalette : public QLineEdit {
  Q_OBJECT
 public:
  using Source = std::function<std::vector<Command>()>;  // called each time the list opens
  explicit CommandPalette(Source source, QWidget* parent = nullptr);
  ~CommandPalette() override;

  void open();  // takes the focus and shows the list
  QStringList shownTitles() const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void gather();
  void showHits();
  void runRow(int row);
  void close();

  Source m_source;
  std::vector<Command> m_commands;
  std::vector<std::size_t> m_hits;  // into m_commands, best first; those that cannot run last
  QFrame* m_popup;
  QListView* m_list;
  class HitModel;
  HitModel* m_model;
};

}  // namespace plastiscope
