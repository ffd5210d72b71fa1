// Tabs with missing files: they are kept, and the user can locate the file.
#include <QFileDialog>
#include <QTabWidget>
#include <algorithm>

#include "app/desktop/main_window.h"
#include "core/base/path_text.h"
#include "core/jobs/study_finder.h"
#include "core/store/stored_file.h"
#include "widgets/pages/file_pages.h"
#include "widgets/pages/model_page.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

QString studyFilter() {
  return MainWindow::tr("Captures and analyses (*.h5 *.hdf5)");
}

// The nearest existing folder above a path.
QString folderNear(const fs::path& file) {
  fs::path folder = file.parent_path();
  std::error_code ignored;
  while (folder.has_relative_path() && !fs::is_directory(folder, ignored)) folder = folder.parent_path();
  return fileText(folder);
}

}  // namespace

void MainWindow::showMissing(int index, const SessionTab& tab, const ResolvedSession::Missing& missing,
                             bool gone) {
  auto* page = new MissingPage(tab, missing.why, gone, m_tabs);
  if (!missing.analysis.empty()) page->offerAnalysis(missing.analysis);
  connect(page, &MissingPage::locateRequested, this, [this, page] { locateDialog(*page); });
  connect(page, &MissingPage::retryRequested, this, [this, page] { openInPlaceOf(*page, page->file()); });
  connect(page, &MissingPage::closeRequested, this, [this, page] { closeTab(m_tabs->indexOf(page)); });
  connect(page, &MissingPage::openRequested, this,
          [this, page](const fs::path& file) { openInPlaceOf(*page, file); });
  connect(page, &MissingPage::analysisRequested, this, [this](const fs::path& file) { openPaths({file}); });
  insertTab(index, page, lineIcon(QStringLiteral("warning"), QStringLiteral("caution")), tab.file);
}

void MainWindow::reportRestored(const ResolvedSession& resolved) {
  QStringList tabs, compared;
  for (const auto& [file, missing] : resolved.missing) {
    const bool ofTab =
        std::ranges::any_of(resolved.state.tabs, [&](const SessionTab& tab) { return tab.file == file; });
    (ofTab ? tabs : compared).append(fileText(file.filename()));
  }
  if (!tabs.isEmpty()) {
    say(Message::Kind::Caution,
        tabs.size() == 1 ? tr("%1 was not found; its tab offers to locate it.").arg(tabs.front())
                         : tr("%1 files of the session were not found; their tabs offer to locate them.")
                               .arg(tabs.size()));
  } else if (!compared.isEmpty()) {
    say(Message::Kind::Caution,
        tr("Not found for a comparison: %1.").arg(compared.join(QStringLiteral(", "))));
  } else if (!resolved.moved.empty()) {
    const auto& [before, now] = resolved.moved.front();
    say(Message::Kind::Info,
        resolved.moved.size() == 1 ? tr("%1 was found as %2.").arg(fileText(before.filename()), fileText(now))
                                   : tr("%1 files had been moved and were found.").arg(resolved.moved.size()),
        kGoodNewsMilliseconds);
  }
}

void MainWindow::locateDialog(MissingPage& page) {
  const QPointer<MissingPage> waiting(&page);
  const QString file = QFileDialog::getOpenFileName(
      this, tr("Locate %1").arg(fileText(page.file().filename())), folderNear(page.file()), studyFilter());
  if (waiting && !file.isEmpty()) locate(*waiting, file.toStdString());
}

void MainWindow::locate(MissingPage& page, const fs::path& file) {
  const auto known = m_ids.find(page.file());
  const StudyId wanted = known == m_ids.end() ? StudyId() : known->second;
  m_locateRunner.start([file](Progress&) { return studyIdOf(file); },
                       [this, wanted, file, page = QPointer(&page)](JobResult<StudyId> found) {
                         if (!page) return;
                         if (!found.ok()) {
                           if (!found.stopped()) sayOf(page, Message::Kind::Bad, found.failure.sentence);
                           return;
                         }
                         const std::string differs = differenceOf(wanted, *found.value);
                         if (differs.empty()) return openInPlaceOf(*page, file);
                         page->refuse(file,
                                      tr("%1 was not accepted as this file: it %2.")
                                          .arg(fileText(file.filename()), QString::fromStdString(differs)));
                       });
}

void MainWindow::openInPlaceOf(MissingPage& page, const fs::path& file) {
  std::error_code ignored;
  const fs::path path = fs::absolute(file, ignored).lexically_normal();
  if (const int open = tabOf(path); open >= 0 && m_tabs->widget(open) != &page) {
    m_tabs->setCurrentIndex(open);  // it is open already
    return closeTab(m_tabs->indexOf(&page));
  }
  const SessionTab tab = page.tab();
  if (const auto unknown = m_unknown.find(tab.file); unknown != m_unknown.end())
    m_unknown[path] = unknown->second;
  m_inPlaceOf[path] = &page;
  m_pending[path] = tab;
  m_session.open({path}, tab.selection);
  if (path != tab.file) findOthersBeside(path);
}

// Files in the same folder were often moved together.
void MainWindow::findOthersBeside(const fs::path& file) {
  struct Wanted {
    QPointer<MissingPage> page;
    fs::path before;
    StudyId id;
  };
  std::vector<Wanted> wanted;
  for (int i = 0; i < m_tabs->count(); ++i) {
    auto* page = qobject_cast<MissingPage*>(m_tabs->widget(i));
    const auto id = page ? m_ids.find(page->file()) : m_ids.end();
    if (id != m_ids.end() && m_inPlaceOf.count(page->file()) == 0)
      wanted.push_back({page, page->file(), id->second});
  }
  m_locateRunner.start(
      [wanted, folder = file.parent_path()](Progress& progress) {
        StudyFinder finder(progress);
        std::vector<std::optional<fs::path>> found;
        for (const Wanted& each : wanted) found.push_back(finder.find(each.id, each.before, {folder}));
        return found;
      },
      [this, wanted](JobResult<std::vector<std::optional<fs::path>>> found) {
        for (std::size_t i = 0; found.ok() && i < wanted.size(); ++i) {
          MissingPage* page = wanted[i].page;
          const std::optional<fs::path>& place = (*found.value)[i];
          if (page == nullptr || !place || tabOf(*place) >= 0 || m_inPlaceOf.contains(*place)) continue;
          m_inPlaceOf[*place] = page;
          m_pending[*place] = page->tab();
          m_session.open({*place}, page->tab().selection);
        }
      });
}

void MainWindow::offerCapture(ModelPage& page) {
  if (page.study().capture != nullptr) return;
  Message message;
  const auto file = pathOfText(page.study().analysis->provenance.captureFile).filename();
  const QString capture =
      file.empty() ? tr("The capture of this analysis") : tr("The capture %1").arg(fileText(file));
  message.text =
      tr("%1 was not found: views that need its rows, such as the plane, stay empty.").arg(capture);
  message.actionTitle = tr("Locate …");
  message.action = [this] { locateCaptureDialog(); };
  message.page = &page;
  m_message->show(message);
}

void MainWindow::locateCaptureDialog() {
  const QPointer<ModelPage> page(currentPage());
  if (!page) return;
  if (page->study().capture != nullptr)
    return sayOf(
        page, Message::Kind::Info,
        tr("The capture of this analysis is available: %1.").arg(fileText(page->study().capture->path())));
  const fs::path recorded = pathOfText(page->study().analysis->provenance.captureFile);
  const QString file = QFileDialog::getOpenFileName(this, tr("Locate %1").arg(fileText(recorded.filename())),
                                                    folderNear(page->file()), studyFilter());
  if (page && !file.isEmpty()) locateCapture(*page, file.toStdString());
}

void MainWindow::locateCapture(ModelPage& page, const fs::path& file) {
  const StudyId wanted = studyIdOf(page.study()).ofCapture();
  if (!wanted.known())
    return sayOf(&page, Message::Kind::Caution,
                 tr("%1 has no hash of its capture: the capture is only found in the same folder.")
                     .arg(fileText(page.file().filename())));
  std::error_code ignored;
  const fs::path path = fs::absolute(file, ignored).lexically_normal();
  m_locateRunner.start(
      [path, wanted, &index = m_session.index()](Progress&) {
        const StudyId found = studyIdOf(path);
        const std::string differs = differenceOf(wanted, found);
        if (differs.empty()) index.remember(found, path);
        return differs;
      },
      [this, path, page = QPointer(&page)](JobResult<std::string> differs) {
        if (!page || differs.stopped()) return;
        if (!differs.ok()) return sayOf(page, Message::Kind::Bad, differs.failure.sentence);
        if (!differs.value->empty())
          return sayOf(page, Message::Kind::Caution,
                       tr("%1 was not accepted as the capture of %2: it %3.")
                           .arg(fileText(path.filename()), fileText(page->file().filename()),
                                QString::fromStdString(*differs.value)));
        m_session.open({page->file()}, page->selection().value());
      });
}

}  // namespace plastiscope
