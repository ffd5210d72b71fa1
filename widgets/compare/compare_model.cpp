#include "widgets/compare/compare_model.h"

#include <QMenu>
#include <algorithm>

#include "core/base/error.h"
#include "core/base/path_text.h"
#include "core/compare/comparison.h"
#include "core/figures/parts.h"
#include "core/jobs/study_job.h"
#include "core/views/study_facts.h"
#include "widgets/plots/plot_view.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

using Studies = std::vector<std::shared_ptr<const Study>>;

std::vector<ComparisonInput> inputsOf(const Studies& studies) {
  std::vector<ComparisonInput> inputs;
  for (const auto& study : studies)
    inputs.push_back({"", study->file.empty() ? study->title : study->file, study->analysis});
  return inputs;
}

struct Compared {
  Studies studies;
  std::map<std::string, int> looks;  // by fingerprint
};

std::vector<ComparisonInput> inputsOf(const Compared& compared) {
  std::vector<ComparisonInput> inputs = inputsOf(compared.studies);
  for (ComparisonInput& input : inputs) {
    const auto look = compared.looks.find(captureDigestOf(*input.analysis));
    if (look != compared.looks.end()) input.look = look->second;
  }
  return inputs;
}

bool hasAll(const Comparison& comparison, const std::vector<std::string>& metrics) {
  return std::all_of(metrics.begin(), metrics.end(),
                     [&comparison](const std::string& metric) { return comparison.has(metric); });
}

TrajectoryData trajectoryOf(const Comparison& comparison, const std::vector<std::string>& metrics,
                            bool published) {
  return makeTrajectory(comparison, hasAll(comparison, metrics) ? metrics : std::vector<std::string>(),
                        published);
}

std::shared_ptr<const HeadGridData> differenceOf(const ComparedGrids& grids, std::size_t against) {
  const auto &first = grids.grids.front(), &other = grids.grids[against];
  return first != nullptr && other != nullptr ? differenceGrid(*first, *other) : nullptr;
}

std::shared_ptr<const MapDifference> mapDifferenceOf(const CompareViews& views) {
  const auto &first = views.maps.front(), &other = views.maps[views.against];
  return first != nullptr && other != nullptr ? differenceMap(*first, *other) : nullptr;
}

CompareMatrix matrixOf(const CompareViews& views, const Studies& studies, MatrixChoice choice) {
  for (const MatrixRow row : kMatrixRows) {
    if (views.choices.hiddenRows.contains(nameOf(row))) choice.rows.erase(row);
    if (views.choices.differences.contains(nameOf(row))) choice.differences.insert(row);
  }
  return makeMatrix(*views.comparison, studies, choice, views);
}

// `known`: an earlier comparison of the same studies, or null.
std::shared_ptr<const CompareViews> makeViews(const Compared& compared,
                                              const std::shared_ptr<const Comparison>& known,
                                              const ViewSelection& selection, const CompareChoices& choices,
                                              Progress& progress) {
  auto views = std::make_shared<CompareViews>();
  ComparisonOptions options;
  options.commonHeads = !choices.allHeads;
  const bool holds = known != nullptr && known->options.commonHeads == options.commonHeads;
  auto made = std::make_shared<Comparison>(holds ? *known : makeComparison(inputsOf(compared), options));
  made->matching.reset();
  for (const HeadMatching matching : {HeadMatching::SameHead, HeadMatching::RelativeDepth}) {
    if (choices.matching == nameOf(matching)) made->matching = matching;
  }
  made->plasticity = comparedPlasticity(*made, selection.plasticity, choices.published);
  views->comparison = std::move(made);
  const Comparison& comparison = *views->comparison;
  const ComparedModel* leader = leaderOf(comparison);
  const ApKind plasticity = comparison.plasticity.kind;
  const std::string metric = views->metric = shownMetric(comparison, selection.metric);
  views->askedMetric = selection.metric;
  views->plasticity = selection.plasticity;
  views->choices = choices;
  MatrixChoice choice;
  choice.metric = metric;
  choice.tokens = choices.tokens;
  choice.ofHead = choices.ofHead;
  if (leader != nullptr) {
    views->leader = static_cast<std::size_t>(leader - comparison.models.data());
    const bool there = selection.head && std::ranges::count(leader->heads, *selection.head) > 0;
    choice.head = there ? *selection.head
                        : headOfInterest(*leader->analysis, plasticity).value_or(leader->heads.front());
  }
  progress.throwIfStopped();
  static_cast<ComparedData&>(*views) = compareData(comparison, choice, choices.published);
  views->against =
      std::min(static_cast<std::size_t>(std::max(1, choices.against)), comparison.models.size() - 1);
  views->difference = differenceOf(views->grids, views->against);
  if (choices.mapDifference) views->mapDifference = mapDifferenceOf(*views);
  progress.throwIfStopped();
  std::vector<std::string> checkpoints = checkpointMetrics();
  for (std::string& each : checkpoints) each = columnAs(plasticity, each);
  views->checkpoints = trajectoryOf(comparison, checkpoints, choices.published);
  views->trajectory = trajectoryOf(comparison, {metric}, choices.published);
  if (comparison.has(metric)) views->depths = compareDepths(comparison, metric, choices.published);
  views->classes = compareTaxonomy(comparison);
  views->variance = compareVariance(comparison);
  progress.throwIfStopped();
  views->numbers = keyNumbers(comparison, metric);
  views->warnings = comparisonWarnings(comparison);
  if (!choices.charts)
    views->matrix = std::make_shared<const CompareMatrix>(matrixOf(*views, compared.studies, choice));
  return views;
}

}  // namespace

struct CompareModel::Opening {
  Opening(const fs::path& file, Workers& workers)
      : input{file, InputState::Opening, nullptr, {}, {}, {}},
        handle(fileText(file.filename())),
        runner(workers, WorkLength::Long) {}
  Input input;
  JobHandle handle;
  JobRunner runner;
};

CompareModel::CompareModel(Selection& selection, Workers& workers, JobList& jobs, QObject* parent)
    : QObject(parent),
      m_selection(selection),
      m_workers(workers),
      m_jobs(jobs),
      m_runner(workers, WorkLength::Quick) {
  connect(&selection, &Selection::changed, this,
          [this](const ViewSelection& now, const ViewSelection& before) {
            if (now.head == before.head && now.metric == before.metric && now.plasticity == before.plasticity)
              return;
            const bool shown = m_views != nullptr && now.head == m_views->head() &&
                               now.metric == m_views->askedMetric && now.plasticity == m_views->plasticity;
            shown ? m_runner.drop() : prepare();
          });
}

CompareModel::~CompareModel() = default;

void CompareModel::add(const fs::path& file) {
  const bool known = std::any_of(m_inputs.begin(), m_inputs.end(),
                                 [&file](const auto& each) { return each->input.file == file; });
  if (known || full()) return;
  m_inputs.push_back(std::make_unique<Opening>(file, m_workers));
  Opening* opening = m_inputs.back().get();
  m_jobs.add(&opening->handle);
  opening->runner.start(
      [file](Progress& progress) {
        return withKeptIntervals(openStudy(file, AnalysisSettings(), 0, progress));
      },
      [this, opening](JobResult<std::shared_ptr<const Study>> study) { opened(opening, std::move(study)); },
      &opening->handle);
  Q_EMIT inputsChanged();
}

void CompareModel::opened(Opening* opening, JobResult<std::shared_ptr<const Study>> study) {
  opening->input.state = study.ok() ? InputState::Ready : InputState::Failed;
  if (study.ok())
    opening->input.study = std::move(*study.value);
  else
    opening->input.sentence = study.stopped() ? tr("Opening was cancelled.") : study.failure.sentence;
  if (!isOpening()) giveLooks();
  m_views = nullptr;
  Q_EMIT inputsChanged();
  prepare();
}

// Uses the looks known elsewhere in the window if they differ here; a look stays while its capture is
// compared.
void CompareModel::giveLooks() {
  std::map<std::string, int> looks;
  std::vector<std::string> without;
  for (const auto& study : studies()) {
    const std::string digest = captureDigestOf(*study->analysis);
    const auto before = m_looks.find(digest);
    if (before != m_looks.end())
      looks.insert(*before);
    else if (!digest.empty())
      without.push_back(digest);
  }
  std::vector<int> taken;
  for (const auto& [digest, look] : looks) taken.push_back(look);
  for (const std::string& digest : without) {
    if (const auto [place, isNew] = looks.try_emplace(digest); isNew)
      taken.push_back(place->second = fittingLook(knownLook(digest), taken));
  }
  m_looks = std::move(looks);
}

void CompareModel::remove(std::size_t index) {
  if (index >= m_inputs.size()) return;
  m_inputs.erase(std::next(m_inputs.begin(), static_cast<std::ptrdiff_t>(index)));
  changeOrder();
}

std::size_t CompareModel::placeOf(std::size_t ready) const {
  std::size_t place = 0;
  for (const auto& each : m_inputs) {
    if (each->input.study != nullptr && ready-- == 0) break;
    ++place;
  }
  return place;
}

void CompareModel::removeCompared(std::size_t index) {
  remove(placeOf(index));
}

void CompareModel::pin(std::size_t index) {
  const std::size_t place = placeOf(index);
  if (place == 0 || place >= m_inputs.size()) return;
  m_inputs.splice(m_inputs.begin(), m_inputs,
                  std::next(m_inputs.begin(), static_cast<std::ptrdiff_t>(place)));
  changeOrder();
}

void CompareModel::sort(CompareOrder order) {
  const Studies ready = studies();
  if (ready.size() < 3) return;
  Comparison comparison;  // from facts only
  std::map<std::string, std::size_t> places;
  const std::vector<std::string> names = uniqueInputNames(inputsOf(ready));
  for (std::size_t i = 1; i < ready.size(); ++i) {
    ComparedModel model;
    model.name = names[i];
    model.facts = factsOf(*ready[i]);
    model.analysis = ready[i]->analysis;
    model.reference = referenceOf(*model.analysis, model.facts);
    comparison.models.push_back(std::move(model));
    places[names[i]] = i;
  }
  sortModels(comparison, order);
  std::vector<std::shared_ptr<const Study>> wanted = {ready.front()};
  for (const ComparedModel& model : comparison.models) wanted.push_back(ready[places.at(model.name)]);
  const auto rank = [&wanted](const std::unique_ptr<Opening>& one) {
    return std::ranges::find(wanted, one->input.study) - wanted.begin();
  };
  m_inputs.sort([&rank](const auto& a, const auto& b) { return rank(a) < rank(b); });
  changeOrder();
}

void CompareModel::changeOrder() {
  if (!isOpening()) giveLooks();
  m_views = nullptr;
  m_runner.drop();
  Q_EMIT inputsChanged();
  prepare();
}

std::vector<CompareModel::Input> CompareModel::inputs() const {
  const std::vector<std::string> names = uniqueInputNames(inputsOf(studies()));
  auto name = names.begin();
  std::vector<Input> inputs;
  for (const auto& each : m_inputs) {
    inputs.push_back(each->input);
    inputs.back().look = each->input.study != nullptr ? lookOf(*each->input.study) : std::nullopt;
    inputs.back().name = each->input.study != nullptr ? *name++ : pathText(each->input.file.filename());
  }
  return inputs;
}

std::optional<int> CompareModel::lookOf(const Study& study) const {
  const std::string digest = captureDigestOf(*study.analysis);
  if (digest.empty()) return std::nullopt;
  const auto given = m_looks.find(digest);
  return given == m_looks.end() ? knownLook(digest) : given->second;
}

std::vector<fs::path> CompareModel::files() const {
  std::vector<fs::path> files;
  for (const auto& each : m_inputs) files.push_back(each->input.file);
  return files;
}

std::vector<std::shared_ptr<const Study>> CompareModel::studies() const {
  Studies studies;
  for (const auto& each : m_inputs) {
    if (each->input.study != nullptr) studies.push_back(each->input.study);
  }
  return studies;
}

void CompareModel::setChoices(const CompareChoices& choices) {
  if (choices == m_choices) return;
  m_choices = choices;
  prepare();
}

void CompareModel::selectHeadOf(std::size_t model, HeadName head) {
  if (m_views == nullptr || model >= m_views->comparison->models.size()) return;
  if (m_menuTarget) m_menuTarget->head = head;
  const auto& models = m_views->comparison->models;
  if (!m_views->head()) return;
  if (const auto own = headMatchedBy(models[m_views->leader], models[model], head, m_views->matching))
    m_selection.setHead(*own);
}

void CompareModel::pointFrom(PlotView& view, std::size_t model) {
  connect(&view, &PlotView::menuOpens, this, [this, model](QMenu* menu) {
    m_menuTarget = {model, std::nullopt, menu};
    // The menu hides before its chosen action runs, or when the next menu opens.
    const auto closed = [this, menu] {
      if (m_menuTarget && m_menuTarget->menu == menu) m_menuTarget.reset();
    };
    connect(menu, &QMenu::aboutToHide, this, closed, Qt::QueuedConnection);
  });
}

std::optional<PointedHead> CompareModel::pointed() const {
  if (m_views == nullptr) return std::nullopt;
  const auto& models = m_views->comparison->models;
  const MenuTarget target = m_menuTarget.value_or(MenuTarget{m_views->leader, std::nullopt, nullptr});
  if (target.model >= models.size()) return std::nullopt;
  std::optional<HeadName> head = target.head;
  const auto& selected = m_selection.value().head;
  if (!head && selected)
    head = matchedHead(models[m_views->leader], *selected, models[target.model], m_views->matching);
  return PointedHead{studies()[target.model], head};
}

std::optional<HeadName> CompareModel::neighbour(int step) const {
  if (m_views == nullptr || !m_views->head()) return std::nullopt;
  const std::vector<HeadName>& heads = m_views->comparison->models[m_views->leader].heads;
  const auto now = std::find(heads.begin(), heads.end(), m_selection.value().head.value_or(heads.front()));
  const auto count = static_cast<std::ptrdiff_t>(heads.size());
  const auto place = now == heads.end() ? 0 : now - heads.begin();
  return heads[static_cast<std::size_t>(((place + step) % count + count) % count)];
}

bool CompareModel::isOpening() const {
  return std::ranges::any_of(m_inputs,
                             [](const auto& each) { return each->input.state == InputState::Opening; });
}

bool CompareModel::settled() const {
  return !isOpening() && !m_runner.running();
}

// Waits for all files: adding models one by one would make the display jump.
void CompareModel::prepare() {
  const Studies ready = studies();
  if (isOpening() || ready.size() < kFewest) return m_runner.drop();
  m_runner.start([compared = Compared{ready, m_looks}, known = m_views ? m_views->comparison : nullptr,
                  selection = m_selection.value(), choices = m_choices](
                     Progress& progress) { return makeViews(compared, known, selection, choices, progress); },
                 [this](JobResult<std::shared_ptr<const CompareViews>> views) {
                   if (views.ok())
                     deliver(std::move(*views.value));
                   else if (!views.stopped())
                     Q_EMIT failed(views.failure.sentence);
                 });
}

void CompareModel::deliver(std::shared_ptr<const CompareViews> views) {
  m_views = std::move(views);
  Q_EMIT viewsReady(m_views);
  if (m_selection.value().head != m_views->head()) {
    ViewSelection start = m_selection.value();
    start.head = m_views->head();
    m_selection.reset(start);
  }
}

}  // namespace plastiscope

#include "moc_compare_model.cpp"
