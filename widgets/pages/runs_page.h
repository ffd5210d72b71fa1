#pragma once
// Tab of runs: captures and analyses as rows with their settings as columns, and what selected ones differ
// in.
#include <QWidget>
#include <functional>
#include <memory>

#include "core/jobs/run_table.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/state/session_state.h"

class QAction;
class QComboBox;
class QCompleter;
class QLabel;
class QLineEdit;
class QMenu;
class QTreeWidget;
class QTreeWidgetItem;

namespace plastiscope {

class StudyIndex;

class RunsPage : public QWidget {
  Q_OBJECT
 public:
  struct Services {
    Workers& workers;
    std::shared_ptr<StudyIndex> index;
    std::filesystem::path settingsFolder;
    std::function<RunPlaces()> library;  // places that are listed without chosen folders
    std::function<bool(const std::filesystem::path& file)> isOpen;  // in a tab
  };
  RunsPage(const RunsChoices& start, Services services, QWidget* parent = nullptr);

  void read();  // again; files that have not changed are not opened
  const RunsChoices& choices() const { return m_choices; }
  QMenu& sweeps() { return *m_sweeps; }
  bool settled() const { return !m_reading.running() && !m_changing.running(); }

 Q_SIGNALS:
  void openRequested(const std::vector<std::filesystem::path>& files);
  void compareRequested(const std::vector<std::filesystem::path>& files);
  void folderRequested();  // the user wants to add a folder
  void complained(const QString& sentence);
  void changed();       // choices
  void filesChanged();  // renamed, deleted, or with other tags

 private:
  QWidget* makeBar();
  void choose(const std::function<void(RunsChoices&)>& change);
  void suggest(const QString& text);
  void fill();
  void addRows(const std::vector<std::size_t>& rows);
  void showDifferences();  // of the selected runs, or of all that are listed
  void showButtons();
  void fillColumns();
  std::vector<std::size_t> selected() const;  // places of runs, as they are listed
  std::vector<std::filesystem::path> selectedFiles() const;
  // Asks for a text; `use` gets it.
  void ask(const QString& title, const QString& label, const QString& now,
           std::function<void(const QString&)> use);
  void rename();
  void editTags();
  void trash();
  bool areOpen(const std::vector<std::size_t>& runs);  // complains if one is
  void change(std::function<void()> work);             // of files, in a worker

  RunsChoices m_choices;
  Services m_services;
  std::shared_ptr<RunFinder> m_finder = std::make_shared<RunFinder>();
  std::unique_ptr<JobHandle> m_handle;  // of m_reading, which ends it
  JobRunner m_reading, m_changing;
  std::vector<Run> m_runs;
  Table m_table;
  std::vector<std::size_t> m_shown;  // places of runs
  QLineEdit* m_filter;
  QCompleter* m_completer;
  QComboBox* m_group;
  QLabel *m_count, *m_wrong, *m_empty;
  QMenu *m_columns, *m_sweeps;
  QAction *m_open, *m_compare, *m_rename, *m_tags, *m_trash;
  QTreeWidget* m_list;
};

}  // namespace plastiscope
