#include "app/desktop/file_tabs.h"

#include <QFileDialog>
#include <QLineEdit>

#include "core/base/path_text.h"
#include "core/compare/reference_data.h"
#include "core/jobs/study_finder.h"
#include "core/jobs/study_job.h"
#include "core/views/study_facts.h"
#include "widgets/models/library_entry.h"
#include "widgets/pages/file_pages.h"
#include "widgets/pages/model_page.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

// The nearest existing folder above a path.
QString folderNear(const fs::path& file) {
  fs::path folder = file.parent_path();
  std::error_code ignored;
  while (folder.has_relative_path() && !fs::is_directory(folder, ignored)) folder = folder.parent_path();
  return fileText(folder);
}

}  // namespace

FileTabs::FileTabs(WindowTabs& tabs, Session& session, MessageBar& messages)
    : m_tabs(tabs), m_session(session), m_messages(messages), m_locating(session.workers, WorkLength::Long) {
  connect(&session.opener, &FileOpener::openingStarted, this, &FileTabs::showOpening);
  connect(&session.opener, &FileOpener::studyOpened, this, &FileTabs::showStudy);
  connect(&session.opener, &FileOpener::openingFailed, this, &FileTabs::showFailure);
  connect(&session.studyJobs, &StudyJobs::jobFinished, this, &FileTabs::openBehind);
  connect(&session.studyJobs, &StudyJobs::intervalsAdded, this,
          [this](const fs::path& path, const std::shared_ptr<const Study>& study) {
            auto* page = qobject_cast<ModelPage*>(m_tabs.pageOf(path));
            if (page != nullptr) page->setStudy(withAnalysis(*page->whole(), study->analysis));
          });
  connect(&session.captures, &CaptureList::snapshotReady, this, [this](const fs::path& file) {
    openBehind(file);
    openNew(file);
  });
  connect(&session.captures, &CaptureList::snapshotGone, this,
          [this](const fs::path& file) { m_tabs.close(m_tabs.tabOf(file)); });
}

void FileTabs::open(const std::vector<fs::path>& paths, const ViewSelection& selection) {
  std::vector<fs::path> fresh;
  for (const fs::path& path : paths) {
    if (publishedIdOf(pathText(path))) {  // it has no heads to open, but can be compared
      Q_EMIT publishedGiven(path);
      continue;
    }
    QWidget* tab = m_tabs.pageOf(normalPlace(path));
    if (tab) m_tabs.setCurrentWidget(tab);
    const auto* loading = qobject_cast<LoadingPage*>(tab);
    const bool opening = loading && !loading->failed();
    if (!opening && !qobject_cast<ModelPage*>(tab)) fresh.push_back(path);
  }
  if (!fresh.empty()) m_session.opener.open(fresh, selection);
}

// Shows the kind of plasticity chosen in the settings.
void FileTabs::openNew(const fs::path& file) {
  ViewSelection selection;
  selection.usePlasticity(m_session.state.settings().plasticity);
  open({file}, selection);
}

void FileTabs::openBehind(const fs::path& path) {
  m_behind.insert(normalPlace(path));
  m_messages.offerTab(tr("%1 is finished.").arg(fileText(path.filename())), [this, path] { openNew(path); });
}

void FileTabs::showOpening(const fs::path& path, JobHandle* handle) {
  auto* page = new LoadingPage(path, *handle, &m_tabs);
  connect(page, &LoadingPage::retryRequested, this, [this, path] {
    m_tabs.close(m_tabs.tabOf(path));
    openNew(path);
  });
  const auto waiting = m_inPlaceOf.extract(path);
  const int old =
      waiting.empty() || !waiting.mapped() ? m_tabs.tabOf(path) : m_tabs.indexOf(waiting.mapped());
  insertTab(old, page, lineIcon(QStringLiteral("file")), path);
}

void FileTabs::insertTab(int index, QWidget* page, const QIcon& icon, const fs::path& file) {
  const bool behind = m_behind.erase(file) > 0,
             inFront = index < 0 ? !behind : index == m_tabs.currentIndex();
  const int place =
      m_tabs.insertTab(index < 0 ? m_tabs.count() : index + 1, page, icon, fileText(file.stem()));
  m_tabs.setTabToolTip(place, plainTip(fileText(file)));
  if (inFront) m_tabs.setCurrentIndex(place);
  if (index >= 0) m_tabs.close(index);
}

void FileTabs::showStudy(const fs::path& path, std::shared_ptr<const Study> study,
                         const ViewSelection& selection) {
  auto* page = new ModelPage({study, path, selection, m_session.opener.notesOf(path)},
                             m_session.pageServices(), &m_tabs);
  connectPage(page);
  const Table* heads = study->analysis->find("heads");
  if (selection.head && heads && !headRow(*heads, *selection.head))
    m_messages.sayOf(page, Message::Kind::Caution,
                     tr("%1 was not captured in %2.")
                         .arg(QString::fromStdString(selection.head->text()), fileText(path.filename())));
  Q_EMIT pageMade(page);
  insertTab(m_tabs.tabOf(path), page,
            captureIcon(QString::fromStdString(captureDigestOf(*study->analysis)),
                        QString::fromStdString(factsOf(*study).architecture)),
            path);
  m_tabs.setTabToolTip(m_tabs.indexOf(page),
                       plainTip(QString::fromStdString(study->title) + QLatin1Char('\n') + fileText(path)));
  m_pending.erase(path);
  m_ids[path] = studyIdOf(*study);
  if (page == m_tabs.currentWidget()) {
    // Not while the user types in a field.
    if (!qobject_cast<QLineEdit*>(m_tabs.window()->focusWidget())) page->focusGrid();
    offerCapture(*page);
  }
  Q_EMIT opened(path);
  Q_EMIT pageShown(page);
}

void FileTabs::connectPage(ModelPage* page) {
  connect(&page->notes(), &NotesDocument::savingFailed, this, [this, page](const QString& sentence) {
    m_messages.sayOf(page, Message::Kind::Caution, sentence);
  });
  if (!page->notes().problem().empty())
    m_messages.sayOf(page, Message::Kind::Caution, QString::fromStdString(page->notes().problem()));
  connect(&page->model(), &StudyModel::damageFound, this, [this, page] {
    m_messages.sayOf(page, Message::Kind::Bad, QString::fromStdString(damageText(page->model().damage())));
  });
  // Deferred until everything is displayed.
  connect(
      &page->model(), &StudyModel::settledNow, this,
      [this, page] { m_session.studyJobs.addIntervals(page->file(), page->model().study()); },
      Qt::SingleShotConnection);
}

void FileTabs::showFailure(const fs::path& path, const QString& sentence) {
  const int index = m_tabs.tabOf(path);
  const bool stopped = sentence.isEmpty();
  m_inPlaceOf.erase(path);
  if (index >= 0 && stopped) m_tabs.close(index);
  if (!stopped) m_messages.say(Message::Kind::Bad, sentence);
  const auto pending = m_pending.extract(path);
  if (!pending.empty() && !stopped) {
    std::error_code ignored;
    const bool gone = !fs::exists(path, ignored);
    showMissing(index, pending.mapped(), {gone ? whyMissing(path) : sentence, {}}, gone);
  }
  Q_EMIT opened(path);
  Q_EMIT openingFailed(sentence);
}

void FileTabs::showMissing(int index, const SessionTab& tab, const ResolvedSession::Missing& missing,
                           bool gone) {
  auto* page = new MissingPage(tab, missing.why, gone, &m_tabs);
  if (!missing.analysis.empty()) page->offerAnalysis(missing.analysis);
  connect(page, &MissingPage::locateRequested, this, [this, page] { locateDialog(*page); });
  connect(page, &MissingPage::retryRequested, this, [this, page] { openInPlaceOf(*page, page->file()); });
  connect(page, &MissingPage::closeRequested, this, [this, page] { m_tabs.close(m_tabs.indexOf(page)); });
  connect(page, &MissingPage::openRequested, this,
          [this, page](const fs::path& file) { openInPlaceOf(*page, file); });
  connect(page, &MissingPage::analysisRequested, this, [this](const fs::path& file) { openNew(file); });
  insertTab(index, page, lineIcon(QStringLiteral("warning"), QStringLiteral("caution")), tab.file);
}

QString FileTabs::askForStudy(const fs::path& wanted, const fs::path& near) {
  return QFileDialog::getOpenFileName(m_tabs.window(), tr("Locate %1").arg(fileText(wanted.filename())),
                                      folderNear(near), tr("Captures and analyses (*.h5 *.hdf5)"));
}

void FileTabs::locateDialog(MissingPage& page) {
  const QPointer<MissingPage> waiting(&page);
  const QString file = askForStudy(page.file(), page.file());
  if (waiting && !file.isEmpty()) locate(*waiting, file.toStdString());
}

void FileTabs::locate(MissingPage& page, const fs::path& file) {
  const auto known = m_ids.find(page.file());
  const StudyId wanted = known == m_ids.end() ? StudyId() : known->second;
  m_locating.start([file](Progress&) { return studyIdOf(file); },
                   [this, wanted, file, page = QPointer(&page)](JobResult<StudyId> found) {
                     if (!page) return;
                     if (!found.ok()) {
                       if (!found.stopped())
                         m_messages.sayOf(page, Message::Kind::Bad, found.failure.sentence);
                       return;
                     }
                     const std::string differs = differenceOf(wanted, *found.value);
                     if (differs.empty()) return openInPlaceOf(*page, file);
                     page->refuse(file, tr("%1 was not accepted as this file: it %2.")
                                            .arg(fileText(file.filename()), QString::fromStdString(differs)));
                   });
}

void FileTabs::openInPlaceOf(MissingPage& page, const fs::path& file) {
  const fs::path path = normalPlace(file);
  if (const int open = m_tabs.tabOf(path); open >= 0 && m_tabs.widget(open) != &page) {
    m_tabs.setCurrentIndex(open);  // it is open already
    return m_tabs.close(m_tabs.indexOf(&page));
  }
  const fs::path before = page.file();
  if (const auto unknown = m_unknown.find(before); unknown != m_unknown.end())
    m_unknown[path] = unknown->second;
  openAs(page, path);
  if (path != before) findOthersBeside(path);
}

void FileTabs::openAs(MissingPage& page, const fs::path& file) {
  m_inPlaceOf[file] = &page;
  m_pending[file] = page.tab();
  m_session.opener.open({file}, page.tab().selection);
}

// Files in the same folder were often moved together.
void FileTabs::findOthersBeside(const fs::path& file) {
  struct Wanted {
    QPointer<MissingPage> page;
    fs::path before;
    StudyId id;
  };
  std::vector<Wanted> wanted;
  for (MissingPage* page : m_tabs.pages<MissingPage>()) {
    const auto id = m_ids.find(page->file());
    if (id != m_ids.end() && !m_inPlaceOf.contains(page->file()))
      wanted.push_back({page, page->file(), id->second});
  }
  m_locating.start(
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
          if (page == nullptr || !place || m_tabs.tabOf(*place) >= 0 || m_inPlaceOf.contains(*place))
            continue;
          openAs(*page, *place);
        }
      });
}

void FileTabs::offerCapture(ModelPage& page) {
  if (page.study().capture != nullptr) return;
  const auto file = pathOfText(page.study().analysis->provenance.captureFile).filename();
  const QString capture =
      file.empty() ? tr("The capture of this analysis") : tr("The capture %1").arg(fileText(file));
  m_messages.show(
      {.text = tr("%1 was not found: views that need its rows, such as the plane, stay empty.").arg(capture),
       .actionTitle = tr("Locate …"),
       .action = [this] { locateCaptureDialog(); },
       .page = &page});
}

void FileTabs::locateCaptureDialog() {
  const QPointer<ModelPage> page(m_tabs.current<ModelPage>());
  if (!page) return;
  if (page->study().capture != nullptr)
    return m_messages.sayOf(
        page, Message::Kind::Info,
        tr("The capture of this analysis is available: %1.").arg(fileText(page->study().capture->path())));
  const fs::path recorded = pathOfText(page->study().analysis->provenance.captureFile);
  const QString file = askForStudy(recorded, page->file());
  if (page && !file.isEmpty()) locateCapture(*page, file.toStdString());
}

void FileTabs::locateCapture(ModelPage& page, const fs::path& file) {
  const StudyId wanted = studyIdOf(page.study()).ofCapture();
  if (!wanted.known())
    return m_messages.sayOf(&page, Message::Kind::Caution,
                            tr("%1 has no hash of its capture: the capture is only found in the same folder.")
                                .arg(fileText(page.file().filename())));
  const fs::path path = normalPlace(file);
  m_locating.start(
      [path, wanted, index = m_session.state.index()](Progress&) {
        const StudyId found = studyIdOf(path);
        const std::string differs = differenceOf(wanted, found);
        if (differs.empty()) index->remember(found, path);
        return differs;
      },
      [this, path, page = QPointer(&page)](JobResult<std::string> differs) {
        if (!page || differs.stopped()) return;
        if (!differs.ok()) return m_messages.sayOf(page, Message::Kind::Bad, differs.failure.sentence);
        if (!differs.value->empty())
          return m_messages.sayOf(page, Message::Kind::Caution,
                                  tr("%1 was not accepted as the capture of %2: it %3.")
                                      .arg(fileText(path.filename()), fileText(page->file().filename()),
                                           QString::fromStdString(*differs.value)));
        m_session.opener.open({page->file()}, page->selection().value());
      });
}

bool FileTabs::restore(const SessionTab& tab, const ResolvedSession::Missing* missing) {
  m_unknown[tab.file] = tab.unknown;
  if (missing != nullptr) {
    showMissing(m_tabs.tabOf(tab.file), tab, *missing, true);
    return false;
  }
  const bool isOpen = qobject_cast<ModelPage*>(m_tabs.pageOf(tab.file)) != nullptr;
  if (!isOpen) m_pending[tab.file] = tab;
  open({tab.file}, tab.selection);
  return !isOpen;
}

void FileTabs::setIds(const std::map<fs::path, StudyId>& ids) {
  for (const auto& [file, id] : ids) m_ids[file] = id;
}

std::optional<SessionTab> FileTabs::savedTab(const QWidget& page) const {
  SessionTab tab;
  if (const auto* model = qobject_cast<const ModelPage*>(&page)) {
    tab = model->sessionTab();
  } else if (const auto* missing = qobject_cast<const MissingPage*>(&page)) {
    tab = missing->tab();
  } else if (const auto* loading = qobject_cast<const LoadingPage*>(&page); loading && !loading->failed()) {
    tab.file = loading->file();
    if (const auto pending = m_pending.find(tab.file); pending != m_pending.end())
      tab.selection = pending->second.selection;
  } else {
    return std::nullopt;
  }
  if (m_session.captures.isSnapshot(tab.file)) return std::nullopt;  // deleted when the capture is finished
  if (const auto unknown = m_unknown.find(tab.file); unknown != m_unknown.end())
    tab.unknown = unknown->second;
  return tab;
}

}  // namespace plastiscope

#include "moc_file_tabs.cpp"
