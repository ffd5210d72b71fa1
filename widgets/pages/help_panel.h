#pragma once
// The help dock: what the view under the pointer, the metric in use and every other view mean, with formula,
// unit, sign and caveat.
#include <QTextBrowser>
#include <string>
#include <vector>

class QAction;

namespace plastiscope {

class HelpPanel : public QTextBrowser {
  Q_OBJECT
 public:
  explicit HelpPanel(QWidget* parent = nullptr);
  void showMetric(const std::string& column);
  // What the pointer or the keyboard is in comes first: a view of the catalogue, "compare" or "benchmarks".
  void showView(const QString& view);

  struct Entry {
    QString title, text;
    QString view, picture;  // may be empty
  };

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void render();
  std::vector<Entry> m_entries;
  std::string m_metric;
  QString m_view;
};

// The shortcut sheet (F1) and the About box, as rich text.
QString shortcutSheet(const QList<QAction*>& actions);
QString aboutText();

}  // namespace plastiscope
