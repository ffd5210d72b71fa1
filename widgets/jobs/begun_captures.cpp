#include "widgets/jobs/begun_captures.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/store/work_folder.h"
#include "widgets/jobs/capture_events.h"
#include "widgets/state/file_text.h"

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
      // Finished meanwhile, or taken away by hand: nothing is left to go on with.
      if (WorkFolder::summaryOf(draft.out)) drafts.push_back(std::move(draft));
    } catch (const Error&) {
      // of another version of the program: its work folder stays where it is
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
  if (runsElsewhere) return Words::tr("%1 is being captured by another process.").arg(name);
  if (total <= 0) return Words::tr("The capture %1 was interrupted before its first text.").arg(name);
  if (share > 0 && finished == 0)
    return Words::tr(
               "The capture %1 was interrupted at %2 of its work, which is kept, before the first of %3 "
               "texts was finished.")
        .arg(name, shareText(share), QString::fromStdString(withCommas(total)));
  if (share > 0)
    return Words::tr("The capture %1 was interrupted after %2 of %3 texts, at %4 of its work, which is kept.")
        .arg(name, QString::fromStdString(withCommas(finished)), QString::fromStdString(withCommas(total)),
             shareText(share));
  if (finished == 0)
    return Words::tr("The capture %1 was interrupted before the first of %2 texts was finished.")
        .arg(name, QString::fromStdString(withCommas(total)));
  return Words::tr("The capture %1 was interrupted after %2 of %3 texts, which are kept.")
      .arg(name, QString::fromStdString(withCommas(finished)), QString::fromStdString(withCommas(total)));
}

std::vector<CaptureRequest> findBegunCaptures(const fs::path& folder) {
  std::vector<CaptureRequest> drafts;
  for (const fs::path& out : WorkFolder::outputsIn(folder)) {
    try {
      CaptureRequest draft = CaptureRequest::fromJson(WorkFolder::requestOf(out));
      draft.out = out;  // the folder may have been moved since
      draft.fresh = false;
      drafts.push_back(std::move(draft));
    } catch (const Error&) {
      // of a version that did not say what was asked for: nobody but its command can go on with it
    }
  }
  return drafts;
}

BegunCaptures::BegunCaptures(const fs::path& file)
    : m_file(file, "plastiscope-captures", kVersion), m_own(readDrafts(m_file)) {}

void BegunCaptures::remember(const CaptureRequest& draft) {
  eraseOutput(m_own, draft.out);
  m_own.push_back(draft);
  save();
}

void BegunCaptures::forget(const CaptureRequest& draft) {
  eraseOutput(m_own, draft.out);
  eraseOutput(m_found, draft.out);
  save();
}

std::vector<UnfinishedCapture> BegunCaptures::unfinished() const {
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

void BegunCaptures::save() {
  Json begun = Json::array();
  for (const CaptureRequest& draft : m_own) begun.push_back(draft.toJson());
  m_file.write({{"begun", begun}});
}

}  // namespace plastiscope
