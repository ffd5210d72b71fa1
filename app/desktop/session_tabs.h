#pragma once
// The open tabs as a session: saved, restored at a start, replaced by another one.
#include "app/desktop/file_tabs.h"

class QMenu;

namespace plastiscope {

class SessionTabs : public QObject {
  Q_OBJECT
 public:
  struct Openers {
    std::function<QWidget*(const SessionTab& tab)> page;  // a comparison, or benchmarks
    std::function<void(const std::vector<std::filesystem::path>&, const ViewSelection&)> files;
  };
  SessionTabs(WindowTabs& tabs, FileTabs& files, Session& session, MessageBar& messages, Openers open);

  // Initial content: these files, together with the last session if it is restored.
  void start(const std::vector<std::filesystem::path>& files, const ViewSelection& selection);
  // Restores the last session and adds files; the last file is shown. All of them use the head of
  // `selection`.
  void restore(const std::vector<std::filesystem::path>& files, const ViewSelection& selection);
  // Replaces the tabs by a saved session; the tabs are kept among the earlier sessions.
  void open(const std::filesystem::path& file, const ViewSelection& selection = {});
  void openDialog();
  void saveAs(const std::filesystem::path& file);
  void saveAsDialog();
  void fillMenu(QMenu& menu);  // with sessions to open

  SessionState state() const;
  void save();  // for the next start
  bool reading() const { return m_runner.running(); }

 Q_SIGNALS:
  void changed();  // the tabs were arranged
  void openingFailed(const QString& sentence);

 private:
  // Session being restored: files that are not open yet, and pages without files.
  struct Restoring {
    SessionState saved;
    std::set<std::filesystem::path> awaited;
    std::vector<QPointer<QWidget>> pages;  // [saved.tabs]; null: tab of a file
  };

  void replaceTabs(const ResolvedSession& resolved, const std::filesystem::path& file, std::size_t tabs);
  void openTabs(const ResolvedSession& resolved);
  void openTab(std::size_t index, const ResolvedSession& resolved);
  void fileOpened(const std::filesystem::path& file);
  void arrange();
  void report(const ResolvedSession& resolved);

  WindowTabs& m_tabs;
  FileTabs& m_files;
  Session& m_session;
  MessageBar& m_messages;
  Openers m_open;
  JobRunner m_runner;
  std::optional<Restoring> m_restoring;
  JsonValue m_unknown = JsonValue::object();  // fields of the session written by other versions
  std::vector<JsonValue> m_unknownTabs;
};

}  // namespace plastiscope
