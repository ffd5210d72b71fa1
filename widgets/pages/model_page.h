#pragma once
// Model tab: one study, its selection and its views as panels.
#include <filesystem>
#include <functional>

#include "widgets/models/study_model.h"
#include "widgets/pages/panel_window.h"
#include "widgets/state/session_state.h"
#include "widgets/state/study_notes.h"

namespace plastiscope {

class DetailsTabs;
class RowsBanner;
class ViewPanel;
struct ViewSpec;

// Content of a model tab: a study, its file, the initial selection, and the place of its notes.
struct ModelTab {
  std::shared_ptr<const Study> study;
  std::filesystem::path file;
  ViewSelection start = {};
  NotesOrigin notes = {};
};

class ModelPage : public PanelWindow {
  Q_OBJECT
 public:
  ModelPage(const ModelTab& tab, const PageServices& services, QWidget* parent = nullptr);
  ~ModelPage() override;

  const std::filesystem::path& file() const { return m_file; }
  const Study& study() const { return *m_model.study(); }
  // The study with all rows of its capture, also if the tab shows only some.
  const std::shared_ptr<const Study>& whole() const { return m_whole; }
  // Replaces the study by the same one with more columns, such as intervals.
  void setStudy(std::shared_ptr<const Study> whole);
  StudyModel& model() { return m_model; }
  Selection& selection() { return m_selection; }
  NotesDocument& notes() { return m_notes; }
  SessionTab sessionTab() const { return {m_file, m_selection.value()}; }

  void showText();  // shows the text with the keys of the chosen query, else of the middle one
  // Raises a dock or a page of the details panel and returns it; null: no such view.
  PanelDock* showView(const QString& id);
  void showOnlyHeadViews();  // hides grid and table, for more space
  void focusGrid();          // arrow keys then move through the heads

 Q_SIGNALS:
  void rowsRequested();  // the user wants to choose other rows

 protected:
  QString viewIn(const PanelDock& dock) const override;
  QWidget* pictureIn(const PanelDock& dock) const override;
  QByteArray savedLayout() const override;
  bool applyLayout(const QByteArray& state) override;

 private:
  void addView(const ViewSpec& view);
  void addDetails();
  using MakePanel = std::function<ViewPanel*(QWidget* parent)>;
  PanelDock* makeDock(const QString& id, const QString& title, const MakePanel& make);
  void nameHeads();
  void selectionChanged(const ViewSelection& now, const ViewSelection& before);
  void addRowsBanner();
  void showChosenRows();

  std::filesystem::path m_file;
  NotesDocument m_notes;
  GroupIndex m_groupIndex;
  Selection m_selection;
  std::shared_ptr<const Study> m_whole;
  StudyModel m_model;
  JobRunner m_rowsRunner;
  std::unique_ptr<JobHandle> m_rowsJob;
  RowsBanner* m_rowsBanner = nullptr;
  PanelDock* m_detailsDock = nullptr;
  DetailsTabs* m_details = nullptr;
};

}  // namespace plastiscope
