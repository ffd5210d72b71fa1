#include "widgets/pages/model_page.h"

#include <QDataStream>
#include <QEvent>
#include <QIODevice>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <cmath>
#include <utility>

#include "core/analysis/row_choice.h"
#include "core/base/joined.h"
#include "core/figures/parts.h"
#include "core/jobs/row_subset.h"
#include "core/jobs/study_job.h"
#include "core/views/head_sentence.h"
#include "core/views/metric_info.h"
#include "widgets/pages/message_bar.h"
#include "widgets/panels/text_view.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/plots/plot_style.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

// Columns left, middle and right; the strip is below the last two.
const PanelLayout kModelLayout{4,
                               {{LeftTop, MiddleTop, Qt::Horizontal},
                                {MiddleTop, StripArea, Qt::Vertical},
                                {MiddleTop, RightTop, Qt::Horizontal},
                                {LeftTop, LeftBottom, Qt::Vertical},
                                {MiddleTop, MiddleBottom, Qt::Vertical},
                                {RightTop, DetailsArea, Qt::Vertical}},
                               {{Qt::Horizontal, {{LeftTop, 32}, {MiddleTop, 34}, {RightTop, 34}}},
                                {Qt::Vertical, {{LeftTop, 54}, {LeftBottom, 46}}},
                                {Qt::Vertical, {{MiddleTop, 50}, {MiddleBottom, 50}}},
                                {Qt::Vertical, {{RightTop, 50}, {DetailsArea, 50}}}}};

// Replaces the numbers of one or two texts by their ids.
RowChoice withNames(RowChoice choice, const CaptureFile* capture) {
  constexpr std::size_t kFew = 2;
  if (choice.examples.empty() || capture == nullptr) return choice;
  try {
    const auto texts = textsMeant(choice.examples, capture->info());
    const auto name = [capture](std::int64_t text) {
      return capture->info().examples[static_cast<std::size_t>(text)].id;
    };
    if (texts.size() <= kFew) choice.examples = joined(texts, name);
  } catch (const UsageError&) {  // reported where rows are chosen
  }
  return choice;
}

// Tab bar that can measure tabs that are not shown.
class MeasuredTabBar : public QTabBar {
 public:
  using QTabBar::QTabBar;
  int widthOf(int index) const { return tabSizeHint(index).width(); }
  // Allows visible tabs to be hidden in a narrower panel.
  QSize minimumSizeHint() const override {
    return {tabSizeHint(std::max(0, currentIndex())).width(), QTabBar::minimumSizeHint().height()};
  }
};

// Shows as many tabs as fit with full names, always including the current one; a menu at their end has the
// rest.
class FittingTabs : public QTabWidget {
 public:
  explicit FittingTabs(QWidget* parent)
      : QTabWidget(parent),
        m_bar(named("detailTabs", new MeasuredTabBar(this))),
        m_more(named("detailTabsMore", new QToolButton(this))) {
    m_bar->setDrawBase(false);
    m_bar->setExpanding(false);
    m_bar->setUsesScrollButtons(false);
    m_bar->setElideMode(Qt::ElideNone);
    setTabBar(m_bar);
    setDocumentMode(true);
    auto* menu = new QMenu(m_more);
    explain(*m_more, tr("Views whose tabs do not fit here"));
    m_more->setMenu(menu);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setAutoRaise(true);
    setCornerWidget(m_more);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
      menu->clear();
      for (int i = 0; i < count(); ++i) {
        if (!m_bar->isTabVisible(i)) menu->addAction(tabText(i), this, [this, i] { setCurrentIndex(i); });
      }
    });
    connect(this, &QTabWidget::currentChanged, this, &FittingTabs::fit);
  }

 protected:
  bool event(QEvent* event) override {
    const bool done = QTabWidget::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::Polish ||
        event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
      fit();
    return done;
  }

 private:
  void fit() {
    if (count() == 0) return;
    int all = 0;
    for (int i = 0; i < count(); ++i) all += m_bar->widthOf(i);
    const bool whole = all <= width();
    m_more->setText(tr("%1 more").arg(count()));
    int left = width() - (whole ? 0 : m_more->sizeHint().width()) - m_bar->widthOf(currentIndex());
    int hidden = 0;
    for (int i = 0; i < count(); ++i) {
      const bool shown = i == currentIndex() || (hidden == 0 && (left -= m_bar->widthOf(i)) >= 0);
      hidden += shown ? 0 : 1;
      m_bar->setTabVisible(i, shown);
    }
    m_more->setText(tr("%1 more").arg(hidden));
    m_more->setVisible(!whole);
  }

  MeasuredTabBar* m_bar;
  QToolButton* m_more;
};

constexpr int kNarrowDetails = 380;  // where the sentence needs many lines

// Title of a view while several heads are selected: "Profile: mean of induction (8 heads)|Profile: mean of
// 8", "Text: L6 H1, one of 8 selected|Text: L6 H1". `what`: the view, long and short form; "" = the heads
// alone.
QString titleOfSeveral(const StudyModel& model, ViewHeads heads, const QString& what, const QString& brief) {
  const ViewSelection& now = model.selection().value();
  const QString count = QString::number(now.several.size());
  const QString head = QObject::tr("L%1 H%2").arg(now.head->layer).arg(now.head->head);
  const bool mean = heads == ViewHeads::Mean;
  QString named = mean ? QObject::tr("mean of %1").arg(model.severalName())
                       : QObject::tr("%1, one of %2 selected").arg(head, count);
  QString counted = mean ? QObject::tr("mean of %1").arg(count) : head;
  if (what.isEmpty()) {
    named[0] = named[0].toUpper();
    counted[0] = counted[0].toUpper();
    return named + QLatin1Char('|') + counted;
  }
  return QStringLiteral("%1: %2|%3: %4").arg(what, named, brief.isEmpty() ? what : brief, counted);
}

// "AP 0.62 (95 % 0.55 … 0.69 over heads) in the first fifth of the window, 0.40 (...) in the last".
QString meanSentence(const ShownProfile& shown, const QString& name) {
  const auto number = [](double value) { return QString::fromStdString(fixedText(value, 3)); };
  const auto fifth = [&](std::size_t k) {
    const QString value = number(shown.quintiles[k]);
    const bool known = shown.quintileIntervals && std::isfinite(shown.quintileIntervals->low[k]);
    if (!known) return value;
    return QObject::tr("%1 (95 % %2 … %3 over heads)")
        .arg(value, number(shown.quintileIntervals->low[k]), number(shown.quintileIntervals->high[k]));
  };
  return QObject::tr("<b>Mean of %1</b>: AP %2 in the first fifth of the window, %3 in the last")
      .arg(name.toHtmlEscaped(), fifth(0), fifth(4));
}

}  // namespace

// Tabbed panel beside the main views: each details view is a page of it.
class DetailsTabs : public ViewPanel {
 public:
  DetailsTabs(StudyModel& model, QWidget* parent)
      : ViewPanel(parent),
        m_model(model),
        m_tabs(named("details", new FittingTabs(this))),
        m_sentence(named("headSentence", new QLabel(this))) {
    m_sentence->setTextFormat(Qt::RichText);
    m_sentence->setWordWrap(true);
    m_sentence->setMargin(6);
    columnIn(this, {m_sentence, {m_tabs, 1}}, {.margins = {}, .spacing = 0});
    connect(&model, &StudyModel::headReady, this,
            [this, &model](const std::shared_ptr<const HeadViews>& views) { describe(model, *views); });
    // Final parent of the pages: a later change of parent restyles all their widgets.
    auto* pages = m_tabs->findChild<QStackedWidget*>(QString(), Qt::FindDirectChildrenOnly);
    for (const ViewSpec& view : viewCatalogue()) {
      if (view.area != DetailsArea) continue;
      ViewPanel* panel = view.make(model, pages);
      panel->setObjectName(view.id);
      const int index = m_tabs->addTab(panel, view.brief.isEmpty() ? view.title : view.brief);
      m_tabs->setTabToolTip(index, view.brief.isEmpty() ? QString() : view.title);
      m_panels.append(panel);
      for (QWidget* option : panel->options()) addOption(option);
    }
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
      showOptions();
      showTitle();
    });
    connect(&model.selection(), &Selection::changed, this, &DetailsTabs::showTitle);
    showOptions();
  }

  void resizeEvent(QResizeEvent* event) override {
    ViewPanel::resizeEvent(event);
    showSentence();
  }

  QTabWidget& tabs() const { return *m_tabs; }
  QWidget* currentPanel() const { return m_tabs->currentWidget(); }
  QString currentId() const { return currentPanel() ? currentPanel()->objectName() : QString(); }
  void showPage(const QString& id) {
    for (ViewPanel* panel : m_panels) {
      if (panel->objectName() == id) m_tabs->setCurrentWidget(panel);
    }
  }

 private:
  // Names the heads that the current page shows.
  void showTitle() {
    const ViewSelection& now = m_model.selection().value();
    const auto view = std::ranges::find(viewCatalogue(), currentId(), &ViewSpec::id);
    if (!now.head || view == viewCatalogue().end()) return;
    if (now.several.empty())
      Q_EMIT titleChanged(tr("L%1 H%2 details").arg(now.head->layer).arg(now.head->head));
    else if (view->heads == ViewHeads::All)
      Q_EMIT titleChanged(tr("All heads"));
    else
      Q_EMIT titleChanged(titleOfSeveral(m_model, view->heads, {}, {}));
  }

  // Shows the head's class in its colour, and a description of its numbers; of several heads, their means.
  void describe(const StudyModel& model, const HeadViews& views) {
    if (!views.several.empty()) {
      const auto& profile = views.profile.data;
      m_sentence->setVisible(profile != nullptr);
      m_words = profile ? meanSentence(*profile->shown, model.severalName()) : QString();
      return showSentence();
    }
    const Table* heads = model.study()->analysis->find("heads");
    const auto row = heads ? headRow(*heads, views.head) : std::nullopt;
    const std::string sentence =
        row ? wholeSentence(*heads, *row, views.map.data.get(), model.plasticity().kind) : std::string();
    const std::string note = model.plasticity().note;
    m_sentence->setVisible(!sentence.empty() || !note.empty());
    const auto classes = taxonomyClasses();
    const auto found = std::ranges::find(classes, row ? textAt(*heads, "taxonomy", *row) : std::string(),
                                         &TaxonomyClass::name);
    QString head;
    if (found != classes.end()) {
      const auto index = static_cast<std::size_t>(found - classes.begin());
      const Colour colour = taxonomyColour(index);
      const auto rgb = themeOf(palette()) == Theme::Light ? colour.light : colour.dark;
      head = QStringLiteral("<span style='color:#%1'>\u25CF</span> %2 · ")
                 .arg(rgb, 6, 16, QLatin1Char('0'))
                 .arg(QString::fromStdString(found->title));
    }
    m_words = head + QString::fromStdString(sentence);
    if (!note.empty())
      m_words += QStringLiteral("<br><i>%1</i>").arg(QString::fromStdString(note).toHtmlEscaped());
    showSentence();
  }

  // The font size is in the text: a font set on the label would be lost when the theme changes.
  void showSentence() {
    const double points = font().pointSizeF() - (width() < kNarrowDetails ? 0.75 : 0);
    m_sentence->setText(QStringLiteral("<span style='font-size:%1pt'>%2</span>").arg(points).arg(m_words));
  }

  void showOptions() {
    for (ViewPanel* panel : m_panels) {
      for (QWidget* option : panel->options()) option->setVisible(panel == m_tabs->currentWidget());
    }
  }

  const StudyModel& m_model;
  QTabWidget* m_tabs;
  QLabel* m_sentence;
  QString m_words;  // rich
  QList<ViewPanel*> m_panels;
};

ModelPage::ModelPage(const ModelTab& tab, const PageServices& services, QWidget* parent)
    : PanelWindow(kModelLayout, {QStringLiteral("head-grid"), false}, parent),
      m_file(tab.file),
      m_notes(m_file, services.settingsFolder, tab.notes),
      m_groupIndex(services.settingsFolder),
      m_whole(tab.study),
      m_model(tab.study, m_selection, services),
      m_rowsRunner(services.workers, WorkLength::Long) {
  setObjectName(QStringLiteral("modelPage"));
  ViewSelection first = tab.start;
  if (!m_notes.notes().empty()) first.marked = m_notes.notes().starred;
  first.useGroups(m_notes.notes().groups);
  m_selection.reset(first);
  m_model.setHeadNotes(m_notes.notes().heads);
  m_model.setGroupOffers([this] { return m_groupIndex.offersFor(m_model.facts(), m_file); });
  connect(&m_notes, &NotesDocument::changed, this, [this] { m_model.setHeadNotes(m_notes.notes().heads); });
  for (const ViewSpec& view : viewCatalogue()) addView(view);
  addDetails();
  arrange();
  addRowsBanner();
  m_model.begin();
  connect(&m_selection, &Selection::changed, this, &ModelPage::selectionChanged);
  connect(&m_model, &StudyModel::groupMade, this, [this] { showView(QStringLiteral("groupsDock")); });
  nameHeads();
  connect(&m_model, &StudyModel::askedTokenChanged, this, [this] {
    if (m_model.askedToken()) m_details->showPage(QStringLiteral("strongestKeys"));
  });
  connect(&m_model, &StudyModel::textRequested, this, [this] { showView(QStringLiteral("textDock")); });
  m_model.watch([this] { return m_rowsRunner.running(); });
  if (!m_selection.value().rowChoice.all()) showChosenRows();
}

ModelPage::~ModelPage() {
  deletePanels();  // panels use the selection and the model
}

// The banner of a file that contains only some rows has no button for all rows.
void ModelPage::addRowsBanner() {
  m_rowsBanner = new RowsBanner(this);
  setMenuWidget(m_rowsBanner);
  connect(m_rowsBanner, &RowsBanner::changeRequested, this, &ModelPage::rowsRequested);
  connect(m_rowsBanner, &RowsBanner::allRequested, this, [this] { m_selection.setRowChoice({}); });
  const RowChoice own = rowChoiceOf(settingsOf(*m_whole->analysis));
  m_rowsBanner->offerButtons(own.all());
  m_rowsBanner->showChoice(own, {});
}

void ModelPage::setStudy(std::shared_ptr<const Study> whole) {
  const bool shown = m_model.study() == m_whole;
  m_whole = std::move(whole);
  shown ? m_model.setStudy(m_whole) : showChosenRows();
}

// Shows the chosen rows: at once if they are all rows, else after an analysis.
void ModelPage::showChosenRows() {
  const RowChoice choice = m_selection.value().rowChoice;
  m_rowsRunner.drop();
  m_rowsJob.reset();
  const RowChoice shown = withNames(choice, m_whole->capture.get());
  m_rowsBanner->showChoice(shown, {});
  if (choice.all()) {
    if (m_model.study() != m_whole) m_model.setStudy(m_whole);
    return;
  }
  if (!m_whole->capture)
    return m_rowsBanner->showChoice(shown, tr("Only the analysis was opened; all rows are shown instead of"));
  m_rowsJob = std::make_unique<JobHandle>(tr("rows"));
  m_rowsBanner->showChoice(shown, tr("Computing"));
  connect(m_rowsJob.get(), &JobHandle::changed, this, [this, shown] {
    if (const QString done = doneText(m_rowsJob->progress()); m_rowsJob->active() && !done.isEmpty())
      m_rowsBanner->showChoice(shown, tr("Computing (%1)").arg(done));
  });
  m_rowsRunner.start(
      [whole = m_whole, choice](Progress& progress) { return withRows(*whole, choice, 0, progress); },
      [this, shown](JobResult<std::shared_ptr<const Study>> study) {
        if (study.ok()) {
          m_rowsBanner->showChoice(shown, {});
          m_model.setStudy(*study.value);
        } else if (!study.stopped()) {
          m_rowsBanner->showChoice(shown, study.failure.sentence);
        }
      },
      m_rowsJob.get());
}

void ModelPage::addView(const ViewSpec& view) {
  if (view.area == DetailsArea) return setFigure(view.id, {view.figure, false});
  PanelDock* dock =
      makeDock(view.id, view.title, [&](QWidget* parent) { return view.make(m_model, parent); });
  if (!view.brief.isEmpty()) dock->bar().setTitle(view.title + QLatin1Char('|') + view.brief);
  if (view.area == StripArea) dock->showAsStrip();
  addPanel(dock, view.area, {view.figure, false});
}

void ModelPage::addDetails() {
  m_detailsDock = makeDock(QStringLiteral("detailsDock"), tr("Details"),
                           [this](QWidget* parent) { return m_details = new DetailsTabs(m_model, parent); });
  addPanel(m_detailsDock, DetailsArea);
  const auto offer = [this] {
    m_detailsDock->bar().offerExport(!figureOf(m_details->currentId()).name.isEmpty());
  };
  connect(&m_details->tabs(), &QTabWidget::currentChanged, m_detailsDock, offer);
  offer();
}

PanelDock* ModelPage::makeDock(const QString& id, const QString& title, const MakePanel& make) {
  auto* dock = new PanelDock(id, title, this);
  ViewPanel* panel = make(dock->body());
  dock->setContent(panel);
  for (QWidget* option : panel->options()) dock->bar().addOption(option);
  connect(panel, &ViewPanel::titleChanged, dock, [dock](const QString& text) {
    dock->bar().setTitle(text);
    dock->setWindowTitle(text.section(QLatin1Char('|'), 0, 0));
  });
  connect(panel, &ViewPanel::noteChanged, dock, [dock](const QString& text) { dock->bar().setNote(text); });
  return dock;
}

QString ModelPage::viewIn(const PanelDock& dock) const {
  return &dock == m_detailsDock ? m_details->currentId() : dock.objectName();
}

QWidget* ModelPage::pictureIn(const PanelDock& dock) const {
  return &dock == m_detailsDock ? m_details->currentPanel() : dock.widget();
}

// Positions of the docks, and the current page of the details.
QByteArray ModelPage::savedLayout() const {
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  stream << dockState() << m_details->currentId();
  return bytes;
}

bool ModelPage::applyLayout(const QByteArray& state) {
  QByteArray docks;
  QString details;
  QDataStream stream(state);
  stream >> docks >> details;
  if (!PanelWindow::applyLayout(docks)) return false;
  m_details->showPage(details);
  return true;
}

void ModelPage::focusGrid() {
  if (auto* grid = findChild<HeadGridView*>()) grid->setFocus(Qt::OtherFocusReason);
}

PanelDock* ModelPage::showView(const QString& id) {
  m_details->showPage(id);
  PanelDock* shown = nullptr;
  for (PanelDock* dock : docks()) {
    if (dock->objectName() != id && viewIn(*dock) != id) continue;
    dock->bringForward();
    shown = dock;
  }
  return shown;
}

void ModelPage::showText() {
  showView(QStringLiteral("textDock"));
  showView(QStringLiteral("strongestKeys"));
  if (m_selection.value().rows || !m_model.views()) return;
  const PlaneRows& queries = m_model.views()->plane->query;
  std::vector<std::int64_t> first;  // positions in the first text
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (queries.example[i] == 0) first.push_back(static_cast<std::int64_t>(i));
  }
  if (!first.empty()) m_selection.setRows({first[first.size() / 2]}, {});
}

void ModelPage::showOnlyHeadViews() {
  for (const ViewSpec& view : viewCatalogue()) {
    if (view.area == LeftTop || view.area == LeftBottom) findChild<PanelDock*>(view.id)->hide();
  }
}

// While several heads are selected, the title of each view says whether it shows their mean or one of them.
void ModelPage::nameHeads() {
  const ViewSelection& now = m_selection.value();
  for (const ViewSpec& view : viewCatalogue()) {
    if (view.area == DetailsArea || view.area == StripArea || view.heads == ViewHeads::All) continue;
    const QString brief = view.brief.isEmpty() ? view.title : view.brief;
    findChild<PanelDock*>(view.id)->bar().setTitle(
        now.several.empty() || !now.head ? view.title + QLatin1Char('|') + brief
                                         : titleOfSeveral(m_model, view.heads, view.title, brief));
  }
}

// Raises the view of what the user has just selected.
void ModelPage::selectionChanged(const ViewSelection& now, const ViewSelection& before) {
  if (now.several != before.several || now.head != before.head || now.groups != before.groups) nameHeads();
  if (now.groups != before.groups) {
    m_notes.setGroups(now.groups);
    m_groupIndex.remember(m_model.facts(), m_file, now.groups);
  }
  if (now.marked != before.marked) {
    // Stars of heads that are missing in this analysis are kept.
    std::set<HeadName> starred = m_notes.notes().starred;
    for (const HeadName& head : before.marked) starred.erase(head);
    starred.insert(now.marked.begin(), now.marked.end());
    m_notes.setStarred(starred);
  }
  if (now.rowChoice != before.rowChoice) showChosenRows();
  if (!before.head) return;
  if (now.cell && now.cell != before.cell) m_details->showPage(QStringLiteral("rows"));
  // The cloud and a query's keys stay in front if they are; a query of the visible text has keys.
  static const QStringList kStays{QStringLiteral("cloud"), QStringLiteral("strongestKeys")};
  if (!now.rows || now.rows == before.rows || kStays.contains(m_details->currentId())) return;
  const bool inText = !findChild<TextView*>()->visibleRegion().isEmpty() && !now.rows->query.empty();
  m_details->showPage(inText ? QStringLiteral("strongestKeys") : QStringLiteral("rows"));
}

}  // namespace plastiscope

#include "moc_model_page.cpp"
