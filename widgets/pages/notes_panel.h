#pragma once
// Notes dock: the user's notes on the selected head and the capture, and a list of all notes.
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
  // Notes and selection of the current tab; both null = no study.
  void setStudy(NotesDocument* notes, Selection* selection);

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
