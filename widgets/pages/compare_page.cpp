#include "widgets/pages/compare_page.h"

#include <QDragEnterEvent>
#include <QFrame>
#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <algorithm>

#include "widgets/compare/compare_bar.h"
#include "widgets/compare/compare_columns.h"
#include "widgets/compare/drift_panel.h"
#include "widgets/compare/matrix_view.h"
#include "widgets/compare/numbers_table.h"
#include "widgets/pages/compare_panels.h"
#include "widgets/pages/message_bar.h"
#include "widgets/plots/figure_view.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr int kHintWidth = 500;
constexpr QSize kLeastMatrix(480, 240);
constexpr std::size_t kMaxInSight = 6;
// Height of the charts with space for curves below the names; the page scrolls if it is lower.
constexpr int kChartsHeight = 640, kHeightOfCapture = 45, kMaxChartsHeight = 940;

// Default places: a row for all heads, one for curves over position, one for numbers per model.
const PanelLayout kCompareLayout{
    1,
    {{HeadsPlace, ProfilesPlace, Qt::Vertical},
     {ProfilesPlace, TrajectoryPlace, Qt::Vertical},
     {ProfilesPlace, QuintilesPlace, Qt::Horizontal},
     {QuintilesPlace, DepthPlace, Qt::Horizontal},
     {TrajectoryPlace, VariancePlace, Qt::Horizontal},
     {VariancePlace, NumbersPlace, Qt::Horizontal}},
    {{Qt::Horizontal, {{ProfilesPlace, 33}, {QuintilesPlace, 33}, {DepthPlace, 33}}},
     {Qt::Horizontal, {{TrajectoryPlace, 33}, {VariancePlace, 33}, {NumbersPlace, 33}}},
     {Qt::Vertical, {{HeadsPlace, 38}, {ProfilesPlace, 31}, {TrajectoryPlace, 31}}}}};

QString sentence(const std::string& warning) {
  QString text = QString::fromStdString(warning);
  text.remove(QStringLiteral(" (table settings_differences)"));
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text.endsWith('.') ? text : text + '.';
}

QString tail(const std::string& name) {
  return QString::fromStdString(name).section(QLatin1Char('/'), -1);
}

QScrollArea* scrolled(QWidget* content) {
  auto* area = new QScrollArea;
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setWidget(content);
  return area;
}

// Factor between a token of the first model's window and the value on the profiles' axis.
double axisScale(const CompareViews& views) {
  return views.choices.tokens ? 1 : static_cast<double>(views.profiles.models.front().window);
}

// Badge of a plot with published numbers of the thesis.
QString referenceNote(const ComparePanel& panel, const CompareViews& views) {
  const std::string published = panel.published != nullptr ? panel.published(views) : "";
  return published.empty() ? QString()
                           : ComparePage::tr("reference: %1").arg(QString::fromStdString(published));
}

// Columns side by side, as high as their panel; scrolls horizontally if there are too many.
class ColumnsArea : public QScrollArea {
 public:
  explicit ColumnsArea(QWidget* columns) {
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidget(columns);
    columns->installEventFilter(this);
  }
  QSize minimumSizeHint() const override {
    return {kLeastWidth, std::max(kLeastHeight, widget()->minimumSizeHint().height())};
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QScrollArea::resizeEvent(event);
    fit();
  }
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) fit();
    return QScrollArea::eventFilter(watched, event);
  }

 private:
  static constexpr int kLeastWidth = 160, kLeastHeight = 120;

  void fit() {
    widget()->resize(std::max(viewport()->width(), widget()->minimumSizeHint().width()),
                     viewport()->height());
  }
};

}  // namespace

// Centre of an empty page: a title and what to do.
class DropHint : public QWidget {
 public:
  explicit DropHint(QWidget* parent) : QWidget(parent) {
    auto* frame = named("dropHint", new QFrame(this));
    frame->setFixedWidth(kHintWidth);
    m_title = styledLabel({}, "strong", frame);
    m_text = named("compareHint", styledLabel({}, "muted", frame));
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (QLabel* label : {m_title, m_text}) label->setAlignment(Qt::AlignCenter);
    columnIn(frame, {m_title, m_text}, {.margins = {28, 24, 28, 24}, .spacing = 8});
    // Stretches instead of an alignment: labels keep the height that they need.
    columnIn(this, {Stretch(), rowOf({Stretch(), frame, Stretch()}), Stretch{2}});
  }

  void say(const QString& title, const QString& text) {
    m_title->setText(title);
    m_text->setText(text);
  }

 private:
  QLabel *m_title, *m_text;
};

ComparePage::ComparePage(const SessionTab& start, Workers& workers, JobList& jobs, QWidget* parent)
    : QWidget(parent),
      m_model(m_selection, workers, jobs),
      m_panels(new PanelWindow(kCompareLayout, {QStringLiteral("compare"), false})),
      m_charts(scrolled(m_panels)),
      m_stack(new QStackedWidget(this)),
      m_matrix(new MatrixView(m_model)),
      m_hint(new DropHint(m_stack)),
      m_warnings(new MessageBar(this)),
      m_slices(*this, [this] { return showNextPicture(); }) {
  setObjectName(QStringLiteral("comparePage"));
  setAcceptDrops(true);
  m_selection.reset(start.selection);
  m_model.setChoices(start.compare);
  m_model.setLooks(start.looks);
  auto* bar = new CompareBar(m_model, this);
  m_stack->addWidget(m_hint);
  m_stack->addWidget(m_charts);
  m_stack->addWidget(m_matrix);
  columnIn(this, {bar, {m_stack, 1}, m_warnings}, {.margins = {}, .spacing = 0});
  addPanels(workers, jobs);
  connect(bar, &CompareBar::addRequested, this, &ComparePage::addRequested);
  m_panels->active().watch(bar);
  connect(&m_selection, &Selection::changed, this, &ComparePage::showPosition);
  connect(&m_model, &CompareModel::inputsChanged, this, &ComparePage::inputsChanged);
  connect(&m_model, &CompareModel::viewsReady, this,
          [this](const std::shared_ptr<const CompareViews>& views) { showViews(*views); });
  connect(&m_model, &CompareModel::failed, this, [this](const QString& sentence) {
    m_hint->say(tr("These captures cannot be compared"), sentence);
    m_stack->setCurrentWidget(m_hint);
  });
  add(start.compared);
  inputsChanged();
}

// Deletes panels, matrix, bar and open lists first: they use the selection and the model.
ComparePage::~ComparePage() {
  delete m_panels;
  qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

QWidget* ComparePage::makePanel(const QString& id, Workers& workers, JobList& jobs) {
  if (id == kGridsPanel) return m_columns.emplace_back(new CompareGrids(m_model));
  if (id == kMapsPanel) return m_columns.emplace_back(new CompareMaps(m_model));
  if (id == kDifferencePanel) return new CompareDifference(m_model);
  if (id == kDriftPanel) return m_drift = new DriftPanel(m_model, workers, jobs);
  if (id == kNumbersPanel) return m_numbers = new NumbersTable;
  auto* view = new FigureView;
  view->setObjectName(id + "View");
  m_pictures[id] = view;
  return view;
}

void ComparePage::addPanels(Workers& workers, JobList& jobs) {
  for (const ComparePanel& panel : comparePanels()) {
    QWidget* content = makePanel(panel.id, workers, jobs);
    if (panel.plot != nullptr) content->setAccessibleName(panel.title);
    const bool columns = qobject_cast<CompareColumns*>(content) != nullptr;
    auto* dock = new PanelDock(panel.id, panel.title, m_panels);
    dock->setContent(columns ? new ColumnsArea(content) : content);
    PanelTitle& bar = m_panels->addPanel(dock, panel.place, {panel.figure, panel.showsMetric})->bar();
    if (auto* maps = qobject_cast<CompareMaps*>(content))
      connect(maps, &CompareMaps::placeChanged, &bar, &PanelTitle::setNote);
    if (auto* difference = qobject_cast<CompareDifference*>(content)) {
      bar.addOption(difference->what());
      bar.addOption(difference->against());
      connect(difference, &CompareDifference::titleChanged, &bar, &PanelTitle::setTitle);
    }
    if (content == m_drift) {
      bar.addOption(m_drift->kind());
      bar.addOption(m_drift->measure());
      connect(dock, &QDockWidget::visibilityChanged, m_drift, &DriftPanel::setSeen);
      connect(m_drift, &DriftPanel::noteChanged, &bar, &PanelTitle::setNote);
    }
  }
  connect(m_pictures.at(kProfilesPanel), &FigureView::placeActivated, this, [this](double x) {
    if (const auto& views = m_model.views(); views != nullptr)
      m_selection.setPosition(std::clamp<std::int64_t>(static_cast<std::int64_t>(x * axisScale(*views)), 0,
                                                       views->profiles.models.front().window - 1));
  });
  for (CompareColumns* columns : m_columns)
    connect(columns, &CompareColumns::viewMade, this, &ComparePage::viewMade);
  connect(m_panels, &PanelWindow::maximisedChanged, this, &ComparePage::giveHeight);
  connect(m_matrix, &MatrixView::cellMade, this, &ComparePage::viewMade);
  m_panels->arrange();
}

SessionTab ComparePage::sessionTab() const {
  SessionTab tab{{}, m_selection.value(), m_model.files(), m_model.choices()};
  tab.looks = m_model.looks();
  return tab;
}

bool ComparePage::settled() const {
  return m_model.settled() && m_drift->settled() && m_matrix->settled() && m_slices.done() &&
         std::ranges::all_of(m_columns, &CompareColumns::settled);
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
    const fs::path normal = normalPlace(file);
    const auto known = m_model.files();
    if (std::find(known.begin(), known.end(), normal) != known.end()) continue;
    if (m_model.full()) {
      Q_EMIT complained(
          tr("A comparison holds up to %1 captures: remove one first.").arg(CompareModel::kMaximum));
      return;
    }
    m_model.add(normal);
  }
}

void ComparePage::inputsChanged() {
  Q_EMIT titleChanged(title());
  Q_EMIT changed();
  QStringList opening, problems;
  for (const auto& input : m_model.inputs()) {
    const QString name = fileText(input.file.filename());
    if (input.state == CompareModel::InputState::Opening) opening.append(name);
    if (input.state == CompareModel::InputState::Failed) problems.append(input.sentence);
  }
  const bool enough = m_model.studies().size() >= CompareModel::kFewest;
  if (!enough || !opening.isEmpty()) m_stack->setCurrentWidget(m_model.views() ? content() : m_hint);
  if (!opening.isEmpty()) {
    m_hint->say(tr("Opening %1").arg(opening.join(QStringLiteral(", "))),
                tr("A capture without an analysis is analysed first."));
  } else if (!enough) {
    m_hint->say(m_model.studies().empty() ? tr("Add the first capture") : tr("Add a second capture"),
                (problems + QStringList{tr("Drop captures or analyses here, drag them from the library, "
                                           "or press Add. Two to %1 can be compared.")
                                            .arg(CompareModel::kMaximum)})
                    .join(QStringLiteral("\n\n")));
    m_warnings->hide();
  } else if (!problems.isEmpty()) {
    Q_EMIT complained(problems.join(QStringLiteral(" ")));
  }
}

void ComparePage::showViews(const CompareViews& views) {
  const QString metric = QString::fromStdString(describeMetric(views.metric).title);
  m_waiting.clear();
  if (views.choices.charts) {
    showNotes(views);
    for (const ComparePanel& panel : comparePanels()) {
      if (panel.plot != nullptr) m_waiting.push_back(&panel);
    }
    m_slices.start();
  }
  m_panels->bar(kGridsPanel).setTitle(tr("Heads: %1").arg(metric));
  m_panels->bar(kGridsPanel).setNote(QString::fromStdString(headMatchingText(views.matching)));
  m_numbers->setViews(m_model.views());
  m_matrix->setViews(m_model.views());
  showWarnings(views);
  showPosition();
  // Hidden charts and large numbers of columns must not make the window larger than the screen.
  const bool many = views.comparison->models.size() > kMaxInSight;
  m_stack->setMinimumSize(views.choices.charts && !many ? QSize(0, 0) : kLeastMatrix);
  giveHeight();
  m_stack->setCurrentWidget(content());
  Q_EMIT changed();
}

void ComparePage::giveHeight() {
  const auto& views = m_model.views();
  const int captures = views == nullptr ? 0 : static_cast<int>(views->comparison->models.size());
  const int needed = std::min(kMaxChartsHeight, kChartsHeight + captures * kHeightOfCapture);
  m_panels->setMinimumHeight(captures == 0 || m_panels->hasMaximised() ? 0 : needed);
}

QWidget* ComparePage::content() const {
  return m_model.choices().charts ? static_cast<QWidget*>(m_charts) : m_matrix;
}

QString ComparePage::currentFigure() const {
  if (!m_model.choices().charts) return QStringLiteral("compare-matrix");
  const QString figure = m_panels->currentFigure();
  const bool map = figure == QLatin1String("head-difference") && m_model.choices().mapDifference;
  return map ? QStringLiteral("map-difference") : figure;
}

bool ComparePage::figureShowsMetric() const {
  return !m_model.choices().charts ||
         (m_panels->figureShowsMetric() && currentFigure() != QLatin1String("map-difference"));
}

bool ComparePage::showNextPicture() {
  const auto& views = m_model.views();
  if (views == nullptr || m_waiting.empty()) return false;
  const ComparePanel& panel = *m_waiting.front();
  m_waiting.erase(m_waiting.begin());
  FigureView& view = *m_pictures.at(panel.id);
  if (std::optional<Plot> plot = panel.plot(*views))
    view.setPlot(std::move(*plot));
  else
    view.setMessage(panel.showsMetric ? tr("These analyses have no %1.")
                                            .arg(QString::fromStdString(describeMetric(views->metric).title))
                                      : tr("These analyses do not have the data for this figure."));
  return !m_waiting.empty();
}

void ComparePage::showNotes(const CompareViews& views) {
  const QString metric = QString::fromStdString(describeMetric(views.metric).title);
  for (const ComparePanel& panel : comparePanels()) {
    if (panel.plot == nullptr) continue;
    PanelTitle& bar = m_panels->bar(panel.id);
    if (panel.showsMetric) bar.setTitle(QStringLiteral("%1: %2").arg(panel.title, metric));
    bar.setNote(referenceNote(panel, views));
    if (panel.id == kProfilesPanel) m_profilesNote = referenceNote(panel, views);
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

// Shows the selected query position as a line in the profiles, and the values there.
void ComparePage::showPosition() {
  const auto& views = m_model.views();
  const auto& position = m_selection.value().position;
  FigureView& profiles = *m_pictures.at(kProfilesPanel);
  if (views == nullptr) return;
  const QString values = position ? profilesAt(*views, *position) : QString();
  profiles.setCursor(position ? std::optional(static_cast<double>(*position) / axisScale(*views))
                              : std::nullopt);
  profiles.setAccessibleDescription(values);
  m_panels->bar(kProfilesPanel).setNote(position ? values : m_profilesNote);
}

void ComparePage::dragEnterEvent(QDragEnterEvent* event) {
  acceptNumbers(*event);
}

void ComparePage::dropEvent(QDropEvent* event) {
  add(takeFiles(*event));
}

}  // namespace plastiscope

#include "moc_compare_page.cpp"
