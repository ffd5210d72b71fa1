#pragma once
// The notes dock: what a person writes about the chosen head and about the capture, and every note so far.
#include <QPointer>
#include <QWidget>

#include "widgets/state/selection.h"
#include "widgets/state/study_notes.h"

class QLabel;
class QListWidget;
class QPlainTextEdit;

namespace plastiscope {

class NotesPanel : public QWidget {
  Q_OBJECT
 public:
  explicit NotesPanel(QWidget* parent = nullptr);
  // The notes and the selection of the tab in front; both null = no study is in front.
  void follow(NotesDocument* notes, Selection* selection);

 private:
  void showHead();
  void showList();

  QPointer<NotesDocument> m_notes;
  QPointer<Selection> m_selection;
  bool m_filling = false;
  QLabel *m_head, *m_empty;
  QPlainTextEdit *m_headText, *m_studyText;
  QListWidget* m_list;
};

}  // namespace plastiscope
