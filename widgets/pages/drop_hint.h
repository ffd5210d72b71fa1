#pragma once
// The middle of a page that has nothing to show yet: a title and what to do.
#include <QWidget>

class QLabel;

namespace plastiscope {

class DropHint : public QWidget {
  Q_OBJECT
 public:
  explicit DropHint(QWidget* parent = nullptr);
  void say(const QString& title, const QString& text);

 private:
  QLabel *m_title, *m_text;
};

}  // namespace plastiscope
