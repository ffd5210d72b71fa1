#pragma once
// Feeds the views of a compare tab: opens its files, compares them in a worker whenever files, selection or
// choices change, and delivers the result by signal; what was overtaken is dropped.
#include <QObject>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/compare/compare_matrix.h"
#include "core/compare/compared_losses.h"
#include "core/compare/compared_profiles.h"
#include "core/compare/family_data.h"
#include "core/compare/matching.h"
#include "core/compare/measures.h"
#include "core/compare/trajectory_data.h"
#include "core/views/study.h"
#include "widgets/jobs/job_handle.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/state/selection.h"
#include "widgets/state/session_state.h"

class QMenu;

namespace plastiscope {

class PlotView;

// Everything that a compare tab draws.
struct CompareViews {
  std::shared_ptr<const Comparison> comparison;
  HeadMatching matching = HeadMatching::SameHead;
  std::size_t leader = 0;  // the first model with heads, whose head is selected; 0 when none has
  std::vector<std::optional<HeadName>> heads;  // [models] the selected head and its matches
  std::optional<HeadName> head() const { return heads[leader]; }
  std::string metric;  // in the kind of plasticity that is shown
  std::string askedMetric;
  ApKind plasticity = ApKind::Aligned;  // asked for
  CompareChoices choices;
  ComparedGrids grids;
  // [models] of all heads, or of the matched head; null where an analysis has none
  std::vector<std::shared_ptr<const MapData>> maps;
  std::size_t against = 1;                             // the model whose differences from the first follow
  std::shared_ptr<const HeadGridData> difference;      // null: shapes differ, or the metric is missing
  std::shared_ptr<const MapDifference> mapDifference;  // null: not asked for, or the maps differ in shape
  ComparedProfiles profiles;
  TrajectoryData checkpoints, trajectory;  // without series where a model set lacks the metrics
  std::optional<ComparedDepths> depths;
  ComparedShares classes, variance;
  ComparedLosses losses;
  std::vector<KeyNumber> numbers;
  std::shared_ptr<const CompareMatrix> matrix;  // null while charts are shown
  std::vector<std::string> warnings;
};

// A capture, and the head of its own that is selected in it.
struct PointedHead {
  std::shared_ptr<const Study> study;
  std::optional<HeadName> head;
};

class CompareModel : public QObject {
  Q_OBJECT
 public:
  static constexpr std::size_t kMost = kMostMatrixColumns, kFewest = 2;
  enum class InputState { Opening, Ready, Failed };
  struct Input {
    std::filesystem::path file;
    InputState state = InputState::Opening;
    std::shared_ptr<const Study> study;  // when ready
    QString sentence;                    // when failed
    std::string name;                    // as in the comparison once it is ready, else the file's
    std::optional<int> look;             // when ready: of its colour and mark; nothing: those of its family
  };

  // All must outlive the model.
  CompareModel(Selection& selection, Workers& workers, JobList& jobs, QObject* parent = nullptr);
  ~CompareModel() override;

  void add(const std::filesystem::path& file);  // known files, and those beyond the most, are ignored
  void remove(std::size_t index);
  void removeCompared(std::size_t index);  // among those that are ready
  void pin(std::size_t index);             // among those that are ready: the first is the baseline
  void sort(CompareOrder order);           // those behind the baseline
  std::size_t size() const { return m_inputs.size(); }
  bool full() const { return size() >= kMost; }
  std::vector<Input> inputs() const;
  std::vector<std::filesystem::path> files() const;
  std::vector<std::shared_ptr<const Study>> studies() const;  // that are ready, in order
  Selection& selection() const { return m_selection; }

  const CompareChoices& choices() const { return m_choices; }
  void setChoices(const CompareChoices& choices);
  // Colours and marks of the captures by their print: those of an earlier time, for when they are opened
  // again.
  const std::map<std::string, int>& looks() const { return m_looks; }
  void setLooks(std::map<std::string, int> looks) { m_looks = std::move(looks); }
  // Selects the head of the first model that matches `head` of another.
  void selectHeadOf(std::size_t model, HeadName head);
  // While the context menu of this view of a model is open, it is about that model.
  void pointFrom(PlotView& view, std::size_t model);
  // What a menu is about: the model that its view shows, else the first with heads. Nothing until they are
  // compared.
  std::optional<PointedHead> pointed() const;
  // The head before or after in the first model, around the ends; nothing before it is known.
  std::optional<HeadName> neighbour(int step) const;
  const std::shared_ptr<const CompareViews>& views() const { return m_views; }
  bool settled() const;  // nothing is being opened or compared

 Q_SIGNALS:
  void inputsChanged();
  void viewsReady(std::shared_ptr<const plastiscope::CompareViews> views);
  void failed(const QString& sentence);  // the comparison, not a file

 private:
  struct Opening;
  void opened(Opening* opening, JobResult<std::shared_ptr<const Study>> study);
  void giveLooks();                              // to those that have none, so that they fit the others
  std::size_t placeOf(std::size_t ready) const;  // among all inputs
  void changeOrder();  // inputs came, went or moved: what was compared no longer holds
  std::optional<int> lookOf(const Study& study) const;
  bool isOpening() const;  // a file of it
  void prepare();
  void take(std::shared_ptr<const CompareViews> views);

  Selection& m_selection;
  Workers& m_workers;
  JobList& m_jobs;
  CompareChoices m_choices;
  std::map<std::string, int> m_looks;
  std::list<std::unique_ptr<Opening>> m_inputs;
  JobRunner m_runner;
  std::shared_ptr<const CompareViews> m_views;
  struct MenuTarget {
    std::size_t model;
    std::optional<HeadName> head;  // clicked there; none: the one that matches what is selected
    const QMenu* menu;             // that is open
  };
  std::optional<MenuTarget> m_menuTarget;
};

}  // namespace plastiscope
