#pragma once
// The search field of the tool bar (Ctrl+K): every action, head, metric, model and file by a few letters of
// its name.
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
};

// How well `typed` fits `title`: letters in order, better at word starts and side by side; < 0: not at all.
int fuzzyScore(const QString& typed, const QString& title);

class CommandPalette : public QLineEdit {
  Q_OBJECT
 public:
  using Source = std::function<std::vector<Command>()>;  // asked each time the list opens
  explicit CommandPalette(Source source, QWidget* parent = nullptr);
  ~CommandPalette() override;

  void open();  // takes the keyboard and shows the list
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
  std::vector<std::size_t> m_hits;  // into m_commands, best first
  QFrame* m_popup;
  QListView* m_list;
  class HitModel;
  HitModel* m_model;
};

}  // namespace plastiscope
