// The grid of all heads, coloured by the chosen metric.
#include <QAction>
#include <QComboBox>
#include <cmath>

#include "widgets/models/study_model.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

using Range = std::pair<double, double>;

// Smallest and largest value that is shown, symmetric around zero for a signed metric.
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

class HeadGridPanel : public ViewPanel {
 public:
  HeadGridPanel(StudyModel& model, QWidget* parent)
      : ViewPanel(parent),
        m_model(model),
        m_view(fillWith(new HeadGridView(this), "headGrid")),
        m_range(addChoice("gridRange", tr("Colour range: that of the values, or the metric's own"))),
        m_lock(named("gridLock", new LockButton(this))) {
    addOption(m_lock);
    connect(m_lock, &LockButton::lockRequested, this, &HeadGridPanel::lock);
    connect(&model.ranges(), &LockedRanges::changed, this, [this] {
      if (m_grid) useRange();
    });
    auto* transpose = new QAction(tr("Layers across, heads down"), m_view);
    transpose->setCheckable(true);
    m_view->addAction(transpose);
    connect(transpose, &QAction::toggled, m_view, &HeadGridView::setTransposed);
    transpose->setChecked(model.facts().queryHeads > 2 * model.facts().layers);

    connect(&model, &StudyModel::gridReady, this, &HeadGridPanel::take);
    connect(&model, &StudyModel::gridFailed, this, [this](const QString& sentence) {
      if (!m_grid) m_view->setMessage(sentence);
    });
    connect(&model, &StudyModel::damageFound, this, [this] { m_view->setDamaged(m_model.damage().heads); });
    connect(m_view, &HeadGridView::headActivated, &model.selection(), &Selection::setHead);
    connect(&model.selection(), &Selection::changed, this, &HeadGridPanel::follow);
    const auto showNotes = [this] { m_view->setNotes(m_model.headNotes()); };
    connect(&model, &StudyModel::headNotesChanged, m_view, showNotes);
    connect(&model, &StudyModel::shownHeadsChanged, m_view, &HeadGridView::setFilter);
    showNotes();
    connect(m_range, &QComboBox::activated, this, &HeadGridPanel::useRange);
    follow(model.selection().value());
  }

 private:
  void take(std::shared_ptr<const HeadGridData> grid) {
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
    Q_EMIT titleChanged(tr("Heads: %1").arg(QString::fromStdString(m_grid->metric.title)));
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
                               : tr("Colour range: that of the values, or the metric's own"));
    if (locked) return m_view->setRange(locked);
    const bool own = m_values && m_range->currentIndex() == 0;
    m_view->setRange(own ? m_values : std::nullopt);
  }

  void follow(const ViewSelection& now) {
    m_view->setSelectedHead(now.head);
    m_view->setStarred(now.marked);
  }

  StudyModel& m_model;
  HeadGridView* m_view;
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
