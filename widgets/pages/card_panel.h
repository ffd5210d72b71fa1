#pragma once
// The details dock: the card of what is selected in the library or shown in the tab.
#include <QWidget>

#include "widgets/models/library_entry.h"

class QFormLayout;
class QLabel;

namespace plastiscope {

class CardPanel : public QWidget {
  Q_OBJECT
 public:
  explicit CardPanel(QWidget* parent = nullptr);
  void show(const LibraryEntry& entry);
  void clear();
  using QWidget::show;

 private:
  QLabel *m_icon, *m_name, *m_empty;
  QWidget* m_rows = nullptr;
  QWidget* m_body;
};

}  // namespace plastiscope
