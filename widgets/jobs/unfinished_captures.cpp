#include "widgets/jobs/unfinished_captures.h"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QMenu>
#include <QMessageBox>
#include <algorithm>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/store/work_folder.h"
#include "widgets/jobs/capture_end.h"
#include "widgets/jobs/capture_list.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr int kVersion = 1;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(CaptureList)
};

std::vector<CaptureRequest> readDrafts(const StateFile& file) {
  std::vector<CaptureRequest> drafts;
  const Json content = file.read();
  if (!content.is_object() || !content.contains("begun")) return drafts;
  for (const Json& each : content["begun"]) {
    try {
      CaptureRequest draft = CaptureRequest::fromJson(each);
      draft.fresh = false;
      // Skipped if it was finished or deleted meanwhile: nothing is left to resume.
      if (WorkFolder::summaryOf(draft.out)) drafts.push_back(std::move(draft));
    } catch (const Error&) {
      // from another program version: its work folder is kept
    }
  }
  return drafts;
}

void eraseOutput(std::vector<CaptureRequest>& drafts, const fs::path& out) {
  std::erase_if(drafts, [&](const CaptureRequest& each) { return each.out == out; });
}

}  // namespace

QString UnfinishedCapture::sentence() const {
  const QString name = fileText(draft.out.stem());
  if (runsElsewhere)
    return Words::tr("%1 is being captured by another process: %2 of %3 texts.")
        .arg(name, groupedText(finished), groupedText(total));
  if (total <= 0) return Words::tr("The capture %1 was interrupted before its first text.").arg(name);
  if (share > 0 && finished == 0)
    return Words::tr(
               "The capture %1 was interrupted at %2 of its work, which is kept, before the first of %3 "
               "texts was finished.")
        .arg(name, shareText(share), groupedText(total));
  if (share > 0)
    return Words::tr("The capture %1 was interrupted after %2 of %3 texts, at %4 of its work, which is kept.")
        .arg(name, groupedText(finished), groupedText(total), shareText(share));
  if (finished == 0)
    return Words::tr("The capture %1 was interrupted before the first of %2 texts was finished.")
        .arg(name, groupedText(total));
  return Words::tr("The capture %1 was interrupted after %2 of %3 texts, which are kept.")
      .arg(name, groupedText(finished), groupedText(total));
}

FoundCaptures findUnfinishedCaptures(const fs::path& folder) {
  FoundCaptures found;
  for (const fs::path& out : WorkFolder::outputsIn(folder)) {
    try {
      CaptureRequest draft = CaptureRequest::fromJson(WorkFolder::requestOf(out));
      draft.out = out;  // the folder may have been moved
      draft.fresh = false;
      const auto work = WorkFolder::summaryOf(out);
      if (work && work->busy)
        found.running.push_back({draft, work->finished, work->total, true, work->parkedShare});
      found.drafts.push_back(std::move(draft));
    } catch (const Error&) {
      // from a version that did not store its settings: only its command can resume it
    }
  }
  return found;
}

UnfinishedCaptures::UnfinishedCaptures(const fs::path& file)
    : m_file(file, "plastiscope-captures", kVersion), m_own(readDrafts(m_file)) {}

void UnfinishedCaptures::setFound(FoundCaptures found) {
  m_found = std::move(found.drafts);
  m_running = std::move(found.running);
  std::erase_if(m_running, [this](const UnfinishedCapture& each) {
    return std::ranges::any_of(m_own, [&](const CaptureRequest& own) { return own.out == each.draft.out; });
  });
}

void UnfinishedCaptures::remember(const CaptureRequest& draft) {
  eraseOutput(m_own, draft.out);
  m_own.push_back(draft);
  save();
}

void UnfinishedCaptures::forget(const CaptureRequest& draft) {
  eraseOutput(m_own, draft.out);
  eraseOutput(m_found, draft.out);
  save();
}

std::vector<UnfinishedCapture> UnfinishedCaptures::unfinished() const {
  std::vector<UnfinishedCapture> all;
  const auto known = [&](const CaptureRequest& draft) {
    return std::ranges::any_of(m_own, [&](const CaptureRequest& own) { return own.out == draft.out; });
  };
  for (const CaptureRequest& draft : m_own) {
    if (const auto work = WorkFolder::summaryOf(draft.out))
      all.push_back({draft, work->finished, work->total, work->busy, work->parkedShare});
  }
  for (const CaptureRequest& draft : m_found) {
    const auto work = known(draft) ? std::nullopt : WorkFolder::summaryOf(draft.out);
    if (work && !work->busy) all.push_back({draft, work->finished, work->total, false, work->parkedShare});
  }
  return all;
}

void UnfinishedCaptures::save() {
  Json begun = Json::array();
  for (const CaptureRequest& draft : m_own) begun.push_back(draft.toJson());
  m_file.write({{"begun", begun}});
}

void fillUnfinishedMenu(QMenu& menu, CaptureList& captures, const std::vector<UnfinishedCapture>& shown) {
  menu.clear();
  for (const UnfinishedCapture& each : shown) {
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
      CaptureList::tr("The finished texts of %1 will be deleted, and the capture can no longer be resumed.")
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
