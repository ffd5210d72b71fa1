#include "widgets/pages/compare_page.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/compare/input_names.h"
#include "widgets/compare/compare_bar.h"
#include "widgets/compare/compare_difference.h"
#include "widgets/compare/compare_grids.h"
#include "widgets/compare/compare_maps.h"
#include "widgets/compare/drift_panel.h"
#include "widgets/compare/numbers_table.h"
#include "widgets/pages/compare_panels.h"
#include "widgets/pages/drop_hint.h"
#include "widgets/pages/message_bar.h"
#include "widgets/plots/figure_view.h"
#include "widgets/state/dropped_files.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

const QString kProfiles = QStringLiteral("compareProfilesDock");
constexpr auto kGrids = CompareDocks::kGrids, kMaps = CompareDocks::kMaps,
               kDifference = CompareDocks::kDifference, kDrift = CompareDocks::kDrift,
               kNumbers = CompareDocks::kNumbers;

QString sentence(const std::string& warning) {
  QString text = QString::fromStdString(warning);
  text.remove(QStringLiteral(" (table settings_differences)"));
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text.endsWith('.') ? text : text + '.';
}

QString tail(const std::string& name) {
  return QString::fromStdString(name).section(QLatin1Char('/'), -1);
}

// What the profiles' axis shows for a token of the first model's window is this many times smaller.
double axisScale(const CompareViews& views) {
  return views.choices.tokens ? 1 : static_cast<double>(views.profiles.models.front().window);
}

// The badge of a picture that shows the thesis' numbers.
QString referenceNote(const ComparePanel& panel, const CompareViews& views) {
  const std::string published = panel.published != nullptr ? panel.published(views) : "";
  return published.empty() ? QString()
                           : ComparePage::tr("reference: %1").arg(QString::fromStdString(published));
}

// Of the head where one is shown, else of the mean, in the bin nearest to a position.
double nearestAp(const ComparedProfile& profile, double tokens) {
  const std::vector<double>& values = profile.head ? profile.headAp : profile.mean;
  double nearest = std::numeric_limits<double>::infinity(), ap = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t bin = 0; bin < values.size(); ++bin) {
    const double away = std::fabs(profile.tokens[bin] - tokens);
    if (away >= nearest) continue;
    nearest = away;
    ap = values[bin];
  }
  return ap;
}

// "A 0.612 · B 0.587": the profiles nearest to a position of the first model's window, in the place that the
// axis shows it at: the same share of the window, or the same tokens.
QString profilesAt(const CompareViews& views, std::int64_t position) {
  const auto& models = views.profiles.models;
  const double share = static_cast<double>(position) / static_cast<double>(models.front().window);
  std::vector<std::string> names;
  for (const ComparedProfile& profile : models) names.push_back(profile.model.name);
  names = withoutCommonStart(withoutOwners(names));
  QStringList parts;
  for (std::size_t m = 0; m < models.size(); ++m) {
    const ComparedProfile& profile = models[m];
    const double tokens =
        views.choices.tokens ? static_cast<double>(position) : share * static_cast<double>(profile.window);
    const double ap = tokens <= static_cast<double>(profile.window)
                          ? nearestAp(profile, tokens)
                          : std::numeric_limits<double>::quiet_NaN();
    parts.append(QStringLiteral("%1 %2").arg(QString::fromStdString(names[m]),
                                             QString::fromStdString(fixedText(ap, 3))));
  }
  return parts.join(QStringLiteral(" · "));
}

}  // namespace

ComparePage::ComparePage(const SessionTab& start, Workers& workers, JobList& jobs, QWidget* parent)
    : QWidget(parent),
      m_model(m_selection, workers, jobs),
      m_docks(new CompareDocks(m_entered)),  // the stack makes it a child: born as one it would stay a window
      m_stack(new QStackedWidget(this)),
      m_hint(new DropHint(m_stack)),
      m_warnings(new MessageBar(this)) {
  setObjectName(QStringLiteral("comparePage"));
  setAcceptDrops(true);
  m_selection.reset(start.selection);
  m_model.setChoices(start.compare);
  auto* bar = new CompareBar(m_model, this);
  m_stack->addWidget(m_hint);
  m_stack->addWidget(m_docks);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(bar);
  column->addWidget(m_warnings);
  column->addWidget(m_stack, 1);
  buildDocks(workers, jobs);
  connect(bar, &CompareBar::addRequested, this, &ComparePage::addRequested);
  connect(m_docks, &CompareDocks::layoutChanged, this, &ComparePage::layoutChanged);
  connect(m_docks, &CompareDocks::exportRequested, this, &ComparePage::exportRequested);
  m_entered.watch(bar);
  connect(&m_entered, &EnteredPanel::entered, this,
          [this](const QWidget* panel) { Q_EMIT viewEntered(panel->objectName()); });
  connect(&m_selection, &Selection::changed, this, &ComparePage::showPosition);
  connect(&m_model, &CompareModel::inputsChanged, this, &ComparePage::follow);
  connect(&m_model, &CompareModel::viewsReady, this,
          [this](const std::shared_ptr<const CompareViews>& views) { take(*views); });
  connect(&m_model, &CompareModel::failed, this, [this](const QString& sentence) {
    m_hint->say(tr("These cannot be compared"), sentence);
    m_stack->setCurrentWidget(m_hint);
  });
  add(start.compared);
  follow();
}

ComparePage::~ComparePage() {
  delete m_docks;  // the panels use the selection and the model: they go first
}

void ComparePage::buildDocks(Workers& workers, JobList& jobs) {
  m_docks->add(kGrids, tr("Heads"), new CompareGrids(m_model), {QStringLiteral("head-grid"), true});
  auto* maps = new CompareMaps(m_model);
  PanelDock* mapsDock = m_docks->add(kMaps, tr("Maps"), maps, {QStringLiteral("map"), false});
  connect(maps, &CompareMaps::placeChanged, mapsDock,
          [mapsDock](const QString& place) { mapsDock->bar().setNote(place); });
  auto* difference = new CompareDifference(m_model);
  PanelDock* dock = m_docks->add(kDifference, tr("Difference"), difference);
  dock->bar().addOption(difference->what());
  dock->bar().addOption(difference->against());
  connect(difference, &CompareDifference::titleChanged, dock,
          [dock](const QString& title) { dock->bar().setTitle(title); });
  m_drift = new DriftPanel(m_model, workers, jobs);
  PanelDock* driftDock = m_docks->add(kDrift, tr("Drift"), m_drift);
  driftDock->bar().addOption(m_drift->kind());
  driftDock->bar().addOption(m_drift->measure());
  connect(driftDock, &QDockWidget::visibilityChanged, m_drift, &DriftPanel::setSeen);
  connect(m_drift, &DriftPanel::noteChanged, driftDock,
          [driftDock](const QString& note) { driftDock->bar().setNote(note); });
  addPictures();
  m_numbers = new NumbersTable;
  m_docks->add(kNumbers, tr("Numbers"), m_numbers);
  m_docks->arrange();
}

void ComparePage::addPictures() {
  for (const ComparePanel& panel : comparePanels()) {
    auto* view = new FigureView;
    view->setObjectName(panel.id + "View");
    view->setAccessibleName(panel.title);
    m_pictures[panel.id] = view;
    m_docks->add(panel.id, panel.title, view, {panel.figure, panel.showsMetric});
  }
  connect(m_pictures.at(kProfiles), &FigureView::placeActivated, this, [this](double x) {
    if (const auto& views = m_model.views(); views != nullptr)
      m_selection.setPosition(std::clamp<std::int64_t>(static_cast<std::int64_t>(x * axisScale(*views)), 0,
                                                       views->profiles.models.front().window - 1));
  });
}

SessionTab ComparePage::sessionTab() const {
  return {{}, m_selection.value(), m_model.files(), m_model.choices()};
}

bool ComparePage::settled() const {
  return m_model.settled() && m_drift->settled();
}

QString ComparePage::title() const {
  QStringList names;
  for (const auto& input : m_model.inputs()) names.append(tail(input.name));
  if (names.isEmpty()) return tr("Compare");
  return tr("Compare: %1")
      .arg(names.size() > 2 ? tr("%1 and %2 more").arg(names.front()).arg(names.size() - 1)
                            : names.join(QStringLiteral(", ")));
}

void ComparePage::add(const std::vector<fs::path>& files) {
  for (const fs::path& file : files) {
    std::error_code failed;
    const fs::path absolute = fs::absolute(file, failed);
    const fs::path normal = (failed ? file : absolute).lexically_normal();
    const auto known = m_model.files();
    if (std::find(known.begin(), known.end(), normal) != known.end()) continue;
    if (m_model.full()) {
      Q_EMIT complained(
          tr("A comparison holds up to %1 captures: take one out first.").arg(CompareModel::kMost));
      return;
    }
    m_model.add(normal);
  }
}

void ComparePage::follow() {
  Q_EMIT titleChanged(title());
  Q_EMIT changed();
  QStringList opening, problems;
  for (const auto& input : m_model.inputs()) {
    const QString name = fileText(input.file.filename());
    if (input.state == CompareModel::InputState::Opening) opening.append(name);
    if (input.state == CompareModel::InputState::Failed) problems.append(input.sentence);
  }
  const bool enough = m_model.studies().size() >= CompareModel::kFewest;
  if (!enough || !opening.isEmpty())
    m_stack->setCurrentWidget(m_model.views() ? static_cast<QWidget*>(m_docks) : m_hint);
  if (!opening.isEmpty()) {
    m_hint->say(tr("Opening %1").arg(opening.join(QStringLiteral(", "))),
                tr("A capture that was not analysed yet is analysed first."));
  } else if (!enough) {
    m_hint->say(m_model.studies().empty() ? tr("Add the first capture") : tr("Add a second capture"),
                (problems + QStringList{tr("Drop captures or analyses here, drag them from the library, "
                                           "or press Add. Two to six can be compared.")})
                    .join(QStringLiteral("\n\n")));
    m_warnings->hide();
  } else if (!problems.isEmpty()) {
    Q_EMIT complained(problems.join(QStringLiteral(" ")));
  }
}

void ComparePage::take(const CompareViews& views) {
  const QString metric = QString::fromStdString(describeMetric(views.metric).title);
  showPictures(views);
  m_docks->bar(kGrids).setTitle(tr("Heads: %1").arg(metric));
  m_docks->bar(kGrids).setNote(QString::fromStdString(headMatchingText(views.matching)));
  m_numbers->setViews(m_model.views());
  showWarnings(views);
  showPosition();
  m_stack->setCurrentWidget(m_docks);
  QTimer::singleShot(0, m_docks, &CompareDocks::shareRoom);
  Q_EMIT changed();
}

void ComparePage::showPictures(const CompareViews& views) {
  const QString metric = QString::fromStdString(describeMetric(views.metric).title);
  for (const ComparePanel& panel : comparePanels()) {
    FigureView& view = *m_pictures.at(panel.id);
    if (std::optional<Plot> plot = panel.plot(views))
      view.setPlot(std::move(*plot));
    else
      view.setMessage(panel.showsMetric ? tr("These analyses have no %1.").arg(metric)
                                        : tr("These analyses lack the numbers of this picture."));
    PanelTitle& bar = m_docks->bar(panel.id);
    if (panel.showsMetric) bar.setTitle(QStringLiteral("%1: %2").arg(panel.title, metric));
    bar.setNote(referenceNote(panel, views));
  }
}

void ComparePage::showWarnings(const CompareViews& views) {
  QStringList warnings;
  for (const std::string& warning : views.warnings) warnings.append(sentence(warning));
  const QString text = warnings.join(QStringLiteral(" "));
  if (text.isEmpty()) m_warnings->hide();
  if (!text.isEmpty() && text != m_warned) m_warnings->show({Message::Kind::Caution, text, {}, {}, 0});
  m_warned = text;
}

// The selected query position as a line through the profiles, and what they are there.
void ComparePage::showPosition() {
  const auto& views = m_model.views();
  const auto& position = m_selection.value().position;
  FigureView& profiles = *m_pictures.at(kProfiles);
  if (views == nullptr) return;
  const QString values = position ? profilesAt(*views, *position) : QString();
  profiles.setCursor(position ? std::optional(static_cast<double>(*position) / axisScale(*views))
                              : std::nullopt);
  profiles.setAccessibleDescription(values);
  m_docks->bar(kProfiles).setNote(position ? values : referenceNote(comparePanels().front(), *views));
}

void ComparePage::dragEnterEvent(QDragEnterEvent* event) {
  acceptNumbers(*event);
}

void ComparePage::dropEvent(QDropEvent* event) {
  add(takeFiles(*event));
}

}  // namespace plastiscope
