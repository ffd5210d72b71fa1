#pragma once
// The help dock: what the metric in use and each view mean, with formula, unit, sign and caveat.
#include <QTextBrowser>
#include <string>

class QAction;

namespace plastiscope {

class HelpPanel : public QTextBrowser {
  Q_OBJECT
 public:
  explicit HelpPanel(QWidget* parent = nullptr);
  void showMetric(const std::string& column);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void render();
  std::string m_metric;
};

// The shortcut sheet (F1) and the About box, as rich text.
QString shortcutSheet(const QList<QAction*>& actions);
QString aboutText();

}  // namespace plastiscope
