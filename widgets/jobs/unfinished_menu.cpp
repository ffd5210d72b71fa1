#include "widgets/jobs/unfinished_menu.h"

#include <QAbstractButton>
#include <QMenu>
#include <QMessageBox>

#include "widgets/jobs/capture_events.h"
#include "widgets/jobs/capture_list.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace plastiscope {

void fillUnfinishedMenu(QMenu& menu, CaptureList& captures) {
  menu.clear();
  for (const UnfinishedCapture& each : captures.unfinished()) {
    const CaptureRequest draft = each.draft;
    QString title =
        QStringLiteral("%1   %2 / %3").arg(fileText(draft.out.stem())).arg(each.finished).arg(each.total);
    if (each.share > 0) title += QStringLiteral(" · ") + shareText(each.share);
    QMenu* actions = menu.addMenu(title);
    actions->setToolTip(plainTip(each.sentence()));
    QAction* resume = actions->addAction(lineIcon(QStringLiteral("play")), CaptureList::tr("Resume"));
    QAction* view =
        actions->addAction(lineIcon(QStringLiteral("open")), CaptureList::tr("View finished texts"));
    QAction* discard = actions->addAction(lineIcon(QStringLiteral("trash")), CaptureList::tr("Discard …"));
    resume->setEnabled(!each.runsElsewhere);
    discard->setEnabled(!each.runsElsewhere);
    view->setEnabled(each.finished > 0);
    QObject::connect(resume, &QAction::triggered, &captures, [&captures, draft] { captures.start(draft); });
    QObject::connect(view, &QAction::triggered, &captures, [&captures, draft] { captures.view(draft); });
    QObject::connect(
        discard, &QAction::triggered, &captures,
        [&captures, draft, parent = menu.parentWidget()] { discardAfterAsking(captures, draft, parent); });
  }
}

void discardAfterAsking(CaptureList& captures, const CaptureRequest& draft, QWidget* parent) {
  auto* question = new QMessageBox(
      QMessageBox::Question, CaptureList::tr("Discard the capture?"),
      CaptureList::tr("The finished texts of %1 are removed; the capture cannot be resumed then.")
          .arg(fileText(draft.out.filename())),
      QMessageBox::Discard | QMessageBox::Cancel, parent);
  question->setTextFormat(Qt::PlainText);
  question->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(question, &QMessageBox::buttonClicked, &captures,
                   [&captures, draft, question](QAbstractButton* button) {
                     if (question->standardButton(button) == QMessageBox::Discard) captures.discard(draft);
                   });
  question->open();
}

}  // namespace plastiscope
