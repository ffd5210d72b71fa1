#pragma once
// Message in place of a view's content, with a button for the command that provides what is missing.
#include <QWidget>

class QAction;
class QLabel;
class QPushButton;

namespace plastiscope {

class EmptyState : public QWidget {
  Q_OBJECT
 public:
  explicit EmptyState(QWidget* parent);
  void setText(const QString& sentence);
  QString text() const;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void offer();

  QLabel* m_text;
  QPushButton* m_offer;
};

}  // namespace plastiscope
