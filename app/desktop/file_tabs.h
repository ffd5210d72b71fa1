#pragma once
// Tabs of captures and analyses: being opened, open, or not found until the user locates the file.
#include <QPointer>
#include <map>
#include <set>

#include "app/desktop/session.h"
#include "app/desktop/window_tabs.h"
#include "widgets/pages/message_bar.h"
#include "widgets/state/session_state.h"

namespace plastiscope {

class MissingPage;
class ModelPage;

class FileTabs : public QObject {
  Q_OBJECT
 public:
  FileTabs(WindowTabs& tabs, Session& session, MessageBar& messages);

  // Opens files, or shows the tabs of those that are open.
  void open(const std::vector<std::filesystem::path>& files, const ViewSelection& selection);
  void openBehind(const std::filesystem::path& file);  // next opened file, of a finished job
  bool locating() const { return m_locating.running(); }

  // Uses `file` for a tab whose file was not found, if it is that capture or analysis.
  void locate(MissingPage& page, const std::filesystem::path& file);
  // Adds the capture to an analysis that was opened without it.
  void locateCapture(ModelPage& page, const std::filesystem::path& file);
  void offerCapture(ModelPage& page);
  void locateCaptureDialog();  // of the current tab

  // Opens a saved tab, or shows it as missing. True if `opened` follows.
  bool restore(const SessionTab& tab, const ResolvedSession::Missing* missing);
  void setIds(const std::map<std::filesystem::path, StudyId>& ids);  // of files that may be missing
  const std::map<std::filesystem::path, StudyId>& ids() const { return m_ids; }
  // A page of this kind as saved; nullopt: it is not saved.
  std::optional<SessionTab> savedTab(const QWidget& page) const;

 Q_SIGNALS:
  void publishedGiven(const std::filesystem::path& file);  // without heads to open, but can be compared
  void pageMade(plastiscope::ModelPage* page);             // not shown yet
  void pageShown(plastiscope::ModelPage* page);
  void opened(const std::filesystem::path& file);  // or failed
  void openingFailed(const QString& sentence);

 private:
  void openNew(const std::filesystem::path& file);
  void showOpening(const std::filesystem::path& path, JobHandle* handle);
  void showStudy(const std::filesystem::path& path, std::shared_ptr<const Study> study,
                 const ViewSelection& selection);
  void showFailure(const std::filesystem::path& path, const QString& sentence);
  void connectPage(ModelPage* page);
  // Replaces the tab `index`, or appends a tab (-1).
  void showMissing(int index, const SessionTab& tab, const ResolvedSession::Missing& missing, bool gone);
  void insertTab(int index, QWidget* page, const QIcon& icon, const std::filesystem::path& file);
  void locateDialog(MissingPage& page);
  QString askForStudy(const std::filesystem::path& wanted, const std::filesystem::path& near);
  void openInPlaceOf(MissingPage& page, const std::filesystem::path& file);
  void openAs(MissingPage& page, const std::filesystem::path& file);
  void findOthersBeside(const std::filesystem::path& file);

  WindowTabs& m_tabs;
  Session& m_session;
  MessageBar& m_messages;
  JobRunner m_locating;
  std::map<std::filesystem::path, QPointer<QWidget>> m_inPlaceOf;  // file being opened -> tab to replace
  std::set<std::filesystem::path> m_behind;               // files whose tabs are opened without showing them
  std::map<std::filesystem::path, SessionTab> m_pending;  // tabs kept even if their file fails
  std::map<std::filesystem::path, StudyId> m_ids;         // of files that were shown or restored
  std::map<std::filesystem::path, JsonValue> m_unknown;   // fields of their tabs written by other versions
};

}  // namespace plastiscope
