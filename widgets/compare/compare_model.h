#pragma once
// Data of a compare tab: opens its files, compares them in a worker whenever files, selection or options
// change, and delivers the result by signal; outdated results are dropped.
#include <QObject>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/compare/compare_matrix.h"
#include "core/compare/head_distributions.h"
#include "core/compare/measures.h"
#include "core/compare/model_series.h"
#include "core/views/study.h"
#include "widgets/jobs/job_handle.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/state/selection.h"
#include "widgets/state/session_state.h"

class QMenu;

namespace plastiscope {

class PlotView;

// All data that a compare tab draws.
struct CompareViews : ComparedData {
  std::shared_ptr<const Comparison> comparison;
  std::size_t leader = 0;  // first model with heads, whose head is selected; 0 if none
  std::optional<HeadName> head() const { return heads[leader]; }
  std::string metric;  // for the shown kind of plasticity
  std::string askedMetric;
  ApKind plasticity = ApKind::Aligned;  // requested kind
  CompareChoices choices;
  std::size_t against = 1;                             // model compared with the first in the next members
  std::shared_ptr<const HeadGridData> difference;      // null: different shapes, or the metric is missing
  std::shared_ptr<const MapDifference> mapDifference;  // null: not requested, or maps of different shapes
  TrajectoryData checkpoints, trajectory;              // without series where a model set lacks the metrics
  std::optional<ComparedDepths> depths;
  ComparedShares classes, variance;
  std::vector<KeyNumber> numbers;
  std::shared_ptr<const CompareMatrix> matrix;  // null while charts are shown
  std::vector<std::string> warnings;
};

// A capture and its selected head.
struct PointedHead {
  std::shared_ptr<const Study> study;
  std::optional<HeadName> head;
  std::vector<HeadName> several = {};  // selected heads, including `head`; empty: one
};

class CompareModel : public QObject {
  Q_OBJECT
 public:
  static constexpr std::size_t kMaximum = kMaxMatrixColumns, kFewest = 2;
  enum class InputState { Opening, Ready, Failed };
  struct Input {
    std::filesystem::path file;
    InputState state = InputState::Opening;
    std::shared_ptr<const Study> study;  // when ready
    QString sentence;                    // when failed
    std::string name;                    // as in the comparison once ready, else the file name
    std::optional<int> look;             // when ready: colour and mark; nullopt: those of its family
  };

  // All must outlive the model.
  CompareModel(Selection& selection, Workers& workers, JobList& jobs, QObject* parent = nullptr);
  ~CompareModel() override;

  void add(const std::filesystem::path& file);  // ignores known files and files beyond the limit
  void remove(std::size_t index);
  void removeCompared(std::size_t index);  // index among the loaded ones
  void pin(std::size_t index);             // index among the loaded ones; becomes the baseline
  void sort(CompareOrder order);           // all but the baseline
  std::size_t size() const { return m_inputs.size(); }
  bool full() const { return size() >= kMaximum; }
  std::vector<Input> inputs() const;
  std::vector<std::filesystem::path> files() const;
  std::vector<std::shared_ptr<const Study>> studies() const;  // loaded ones, in order
  Selection& selection() const { return m_selection; }

  const CompareChoices& choices() const { return m_choices; }
  void setChoices(const CompareChoices& choices);
  // Colours and marks of the captures by fingerprint; set before reopening to keep those of an earlier
  // session.
  const std::map<std::string, int>& looks() const { return m_looks; }
  void setLooks(std::map<std::string, int> looks) { m_looks = std::move(looks); }
  // Selects the head of the first model that matches `head` of another model.
  void selectHeadOf(std::size_t model, HeadName head);
  // While the context menu of this view is open, pointed() returns this model.
  void pointFrom(PlotView& view, std::size_t model);
  // Model and head for a menu: the model of the view with the menu, else the first with heads. Nullopt until
  // they are compared.
  std::optional<PointedHead> pointed() const;
  // Next or previous head in the first model, cyclic; nullopt before the first model is known.
  std::optional<HeadName> neighbour(int step) const;
  const std::shared_ptr<const CompareViews>& views() const { return m_views; }
  bool settled() const;  // no file is being opened or compared

 Q_SIGNALS:
  void inputsChanged();
  void viewsReady(std::shared_ptr<const plastiscope::CompareViews> views);
  void failed(const QString& sentence);  // failure of the comparison, not of a file

 private:
  struct Opening;
  void opened(Opening* opening, JobResult<std::shared_ptr<const Study>> study);
  void giveLooks();                              // for captures without a look, matching the others
  std::size_t placeOf(std::size_t ready) const;  // index among all inputs
  void changeOrder();  // after inputs were added, removed or moved: drops the comparison
  std::optional<int> lookOf(const Study& study) const;
  bool isOpening() const;  // a file is being opened
  void prepare();
  void deliver(std::shared_ptr<const CompareViews> views);

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
    std::optional<HeadName> head;  // clicked head; nullopt: the match of the selected head
    const QMenu* menu;             // the open menu
  };
  std::optional<MenuTarget> m_menuTarget;
};

}  // namespace plastiscope
