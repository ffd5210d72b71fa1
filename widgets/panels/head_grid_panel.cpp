// The grid of all heads, coloured by the chosen metric.
#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QToolButton>
#include <array>
#include <cmath>

#include "core/figures/parts.h"
#include "widgets/models/study_model.h"
#include "widgets/panels/group_menu.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

using Range = std::pair<double, double>;

// Smallest and largest shown value, symmetric around zero for a signed metric.
std::optional<Range> rangeOfValues(const HeadGridData& grid) {
  std::optional<Range> range;
  for (const HeadGridCell& cell : grid.cells) {
    if (!cell.captured || std::isnan(cell.value)) continue;
    if (!range) range = {cell.value, cell.value};
    range = {std::min(range->first, cell.value), std::max(range->second, cell.value)};
  }
  if (range && grid.metric.isSigned) {
    const double largest = std::max(std::abs(range->first), std::abs(range->second));
    range = {-largest, largest};
  }
  return range;
}

QString rangeText(double low, double high) {
  return QStringLiteral("%1 … %2").arg(QString::fromStdString(metricText(low)),
                                       QString::fromStdString(metricText(high)));
}

// The heads of the same class in heads.csv.
std::vector<HeadName> headsOfClass(const AnalysisFile& analysis, HeadName head) {
  const Table& heads = requiredTable(analysis, "heads");
  const auto row = headRow(heads, head);
  std::vector<HeadName> same;
  if (!row || heads.find("taxonomy") == nullptr) return same;
  const HeadColumns names(heads);
  const auto& classes = textColumn(heads, "taxonomy");
  for (std::size_t i = 0; i < heads.rows(); ++i) {
    if (classes[i] == classes[*row]) same.push_back(names[i]);
  }
  return same;
}

constexpr int kBarSpacing = 6;

class HeadGridPanel : public ViewPanel {
 public:
  HeadGridPanel(StudyModel& model, QWidget* parent)
      : ViewPanel(parent),
        m_model(model),
        m_view(named("headGrid", new HeadGridView(this))),
        m_order(
            named("gridOrder",
                  choiceBox({{tr("layer × head"), {}}, {tr("low to high"), {}}, {tr("by similarity"), {}}}))),
        m_show(named("gridShow", choiceBox({{tr("heads"), {}}, {tr("KV groups"), {}}, {tr("layers"), {}}}))),
        m_chosen(new QWidget(this)),
        m_chip(named("severalChip", new QToolButton(m_chosen))),
        m_legend(named("groupLegend", new QLabel(this))),
        m_range(addChoice("gridRange",
                          tr("Colour range: that of the values, or the default range of the metric"))),
        m_lock(named("gridLock", new LockButton(this))) {
    addOption(m_lock);
    m_view->setMessage(tr("Loading …"));
    buildChip();
    buildShape();
    for (QComboBox* choice : {m_order, m_show}) {  // fit their text, or less in a narrow panel
      choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
      choice->setMinimumContentsLength(4);
    }
    auto* bar = named("gridBar", new QWidget(this));
    m_words = {styledLabel(tr("Order"), "muted", bar), styledLabel(tr("Show"), "muted", bar)};
    rowIn(bar, {m_words[0], m_order, Gap{6}, m_words[1], m_show, Stretch{}},
          {.margins = {6, 4, 8, 0}, .spacing = kBarSpacing});
    rowIn(m_chosen, {m_chip, Stretch{}}, {.margins = {6, 4, 8, 0}, .spacing = 0});
    m_legend->setWordWrap(true);
    m_legend->setContentsMargins(8, 4, 8, 0);
    columnIn(this, {bar, m_chosen, m_legend, {m_view, 1}}, {.margins = {}, .spacing = 0});
    connect(m_lock, &LockButton::lockRequested, this, &HeadGridPanel::lock);
    connect(&model.ranges(), &LockedRanges::changed, this, [this] {
      if (m_grid) useRange();
    });
    auto* transpose = new QAction(tr("Layers across, heads down"), m_view);
    transpose->setCheckable(true);
    m_view->addAction(transpose);
    connect(transpose, &QAction::toggled, m_view, &HeadGridView::setTransposed);
    transpose->setChecked(model.facts().queryHeads > 2 * model.facts().layers);

    connect(&model, &StudyModel::gridReady, this, &HeadGridPanel::showGrid);
    connect(&model, &StudyModel::gridFailed, this, [this](const QString& sentence) {
      if (!m_grid) m_view->setMessage(sentence);
    });
    connect(&model, &StudyModel::damageFound, this, [this] { m_view->setDamaged(m_model.damage().heads); });
    offerGroups(*m_view, model);
    connect(m_view, &HeadGridView::headActivated, &model.selection(), &Selection::setHead);
    connect(m_view, &HeadGridView::severalSelected, &model.selection(), &Selection::setSeveral);
    connect(addClassAction(), &QAction::triggered, this, [&model] {
      const auto& head = model.selection().value().head;
      if (head) model.selection().setSeveral(headsOfClass(*model.study()->analysis, *head));
    });
    connect(&model.selection(), &Selection::changed, this, &HeadGridPanel::follow);
    connect(m_view, &PlotView::zoomed, &model.selection(),
            [&model](const std::optional<ViewRange>& range) { model.selection().setZoom(kGridZoom, range); });
    const auto showNotes = [this] { m_view->setNotes(m_model.headNotes()); };
    connect(&model, &StudyModel::headNotesChanged, m_view, showNotes);
    connect(&model, &StudyModel::shownHeadsChanged, m_view, &HeadGridView::setFilter);
    showNotes();
    connect(m_range, &QComboBox::activated, this, &HeadGridPanel::useRange);
    follow(model.selection().value(), {});
  }

 protected:
  // The chosen values have priority over labels.
  void changeEvent(QEvent* event) override {
    ViewPanel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showLegend(m_model.selection().value().drawnGroups());
  }
  void resizeEvent(QResizeEvent* event) override {
    ViewPanel::resizeEvent(event);
    int needed = 7 * kBarSpacing;
    for (const QWidget* each : {static_cast<QWidget*>(m_order), static_cast<QWidget*>(m_show),
                                static_cast<QWidget*>(m_words[0]), static_cast<QWidget*>(m_words[1])})
      needed += each->sizeHint().width();
    for (QLabel* word : m_words) word->setVisible(width() >= needed);
  }

 private:
  // Chip that shows the selection; a click clears it.
  void buildChip() {
    m_chip->setIcon(lineIcon(QStringLiteral("close")));
    m_chip->setIconSize({10, 10});
    m_chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_chip->setLayoutDirection(Qt::RightToLeft);  // the icon is after the text
    m_chip->setFocusPolicy(Qt::TabFocus);
    connect(m_chip, &QToolButton::clicked, this, [this] { m_model.selection().setSeveral({}); });
  }

  void buildShape() {
    const QString similar = QString::fromStdString(similarityText());
    explain(
        *m_order, tr("Order of the heads"),
        tr("<qt>layer × head: each at its own place.<br>low to high: the heads of each layer by the "
           "metric.<br>by similarity: Ward's clustering of heads, each number as its rank among the heads: "
           "%1; similar heads are neighbours in reading order, the less plastic branch first.</qt>")
            .arg(similar));
    explain(*m_show, tr("Content of a cell"),
            tr("A head, the mean of the heads that share one key head, or the mean of a layer; a click then "
               "selects all of them"));
    for (QComboBox* choice : {m_order, m_show}) {
      choice->setFocusPolicy(Qt::TabFocus);
      connect(choice, &QComboBox::activated, this, [this] {
        m_model.selection().setGrid(static_cast<HeadOrder>(m_order->currentIndex()),
                                    static_cast<HeadShow>(m_show->currentIndex()));
      });
    }
  }

  // Colours of the outlined groups.
  void showLegend(const HeadGroups& groups) {
    QString html;
    for (const HeadGroup& group : groups) {
      const QString colour = colourOf(groupStyle(group, 0).colour, m_view->plotStyle()).name();
      html += QStringLiteral("<span style='color:%1'>\u25A0</span>&nbsp;%2&nbsp;(%3) &nbsp; ")
                  .arg(colour, QString::fromStdString(group.name).toHtmlEscaped(),
                       QString::number(m_model.membersOf(group).size()));
    }
    m_legend->setText(html);
    m_legend->setVisible(!groups.empty());
  }

  QAction* addClassAction() {
    auto* action = new QAction(tr("Select all heads of its class"), m_view);
    m_view->addAction(action);
    return action;
  }

  void showChip(const std::vector<HeadName>& several) {
    m_chosen->setVisible(!several.empty());
    m_chip->setText(m_model.severalName());
    explain(
        *m_chip, tr("%1 selected").arg(m_model.severalName()),
        tr("Profile, quintiles, map and details show the mean of these heads; click to show one head again"));
  }

  void showGrid(std::shared_ptr<const HeadGridData> grid) {
    const bool sameMetric = m_grid && m_grid->metric.column == grid->metric.column;
    const int chosen = sameMetric ? m_range->currentIndex() : 0;
    m_grid = std::move(grid);
    m_values = rangeOfValues(*m_grid);
    m_range->clear();
    if (m_values) m_range->addItem(rangeText(m_values->first, m_values->second));
    const bool differs = !m_values || m_values->first != m_grid->low || m_values->second != m_grid->high;
    if (differs) m_range->addItem(rangeText(m_grid->low, m_grid->high));
    m_range->setCurrentIndex(std::min(chosen, m_range->count() - 1));
    useRange();
    m_view->setData(m_grid);
    Q_EMIT titleChanged(tr("Heads: %1|%1").arg(QString::fromStdString(m_grid->metric.title)));
  }

  void lock(bool on) {
    if (!m_grid) return;
    const Range shown =
        m_values && m_range->currentIndex() == 0 ? *m_values : Range(m_grid->low, m_grid->high);
    m_model.ranges().set(m_grid->metric.column, on ? std::optional(shown) : std::nullopt);
  }

  void useRange() {
    const auto locked = m_model.ranges().of(m_grid->metric.column);
    m_lock->setLocked(locked.has_value());
    m_range->setEnabled(!locked);
    m_range->setToolTip(locked ? tr("Locked: %1").arg(rangeText(locked->first, locked->second))
                               : tr("Colour range: that of the values, or the default range of the metric"));
    if (locked) return m_view->setRange(locked);
    const bool own = m_values && m_range->currentIndex() == 0;
    m_view->setRange(own ? m_values : std::nullopt);
  }

  void follow(const ViewSelection& now, const ViewSelection& before) {
    // Scrolling to a head changes the view without a step of the history.
    if (const auto zoom = zoomOf(now, kGridZoom); zoom != zoomOf(before, kGridZoom)) m_view->setZoom(zoom);
    m_view->setSelectedHead(now.head);
    m_order->setCurrentIndex(static_cast<int>(now.order));
    m_show->setCurrentIndex(static_cast<int>(now.show));
    m_show->setEnabled(now.order != HeadOrder::Similar);
    m_view->setSeveral(now.several);
    m_view->setStarred(now.marked);
    showChip(now.several);
    m_view->setGroups(now.drawnGroups());
    showLegend(now.drawnGroups());
  }

  StudyModel& m_model;
  HeadGridView* m_view;
  QComboBox *m_order, *m_show;
  std::array<QLabel*, 2> m_words{};
  QWidget* m_chosen;  // on a separate line: too wide for the options' line in a narrow panel
  QToolButton* m_chip;
  QLabel* m_legend;
  QComboBox* m_range;
  LockButton* m_lock;
  std::shared_ptr<const HeadGridData> m_grid;
  std::optional<Range> m_values;
};

}  // namespace

ViewPanel* makeHeadGridPanel(StudyModel& model, QWidget* parent) {
  return new HeadGridPanel(model, parent);
}

}  // namespace plastiscope
