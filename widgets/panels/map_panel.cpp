// Plasticity map of the selected head.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>

#include "widgets/models/study_model.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/plasticity_map_view.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

class MapPanel : public ViewPanel {
 public:
  MapPanel(StudyModel& model, QWidget* parent)
      : ViewPanel(parent),
        m_view(fillWith(new PlasticityMapView(this), "plasticityMap")),
        m_range(addChoice("mapRange", tr("Colour range. 0 … 1 lets maps be compared"))),
        m_counts(new QCheckBox(tr("Counts"), this)),
        m_lock(named("mapLock", new LockButton(this))),
        m_ranges(model.ranges()) {
    m_range->addItems({tr("0 … 1"), tr("data")});
    m_counts->setToolTip(tr("Show the number of key pairs of each cell"));
    addOption(m_lock);
    addOption(m_counts);
    addMenuLine(*m_view);
    offerInMenu(*m_view, *m_counts, tr("Show the counts"));
    offerInMenu(*m_view, *m_range, tr("Range of the colours"));
    offerInMenu(*m_view, *m_lock, tr("Lock the range"));
    auto* unmark = new QAction(tr("Unmark the cell"), m_view);
    connect(unmark, &QAction::triggered, this, [&model] { model.selection().setCell({}); });
    m_view->addAction(unmark);
    connect(m_lock, &LockButton::lockRequested, this, [this](bool lock) {
      m_ranges.set(kQuantity, lock ? std::optional(m_view->range()) : std::nullopt);
    });
    connect(&m_ranges, &LockedRanges::changed, this, &MapPanel::useRange);
    connect(m_counts, &QCheckBox::toggled, m_view, &PlasticityMapView::setCountsShown);
    connect(m_range, &QComboBox::activated, this, &MapPanel::useRange);
    connect(&model, &StudyModel::failed, m_view, &PlotView::setMessage);
    connect(m_view, &PlasticityMapView::cellActivated, this, [&model](qint64 distance, qint64 midpoint) {
      model.selection().setCell(CellChoice{distance, midpoint});
    });
    connect(&model.selection(), &Selection::changed, this, &MapPanel::follow);
    follow(model.selection().value());
    useRange();
    connect(&model, &StudyModel::headReady, this, [this](const std::shared_ptr<const HeadViews>& views) {
      show(views->map.data, {});
      if (!views->map.data) m_view->setMessage(views->map.missing);
    });
    connect(&model, &StudyModel::exactMapStarted, this, [this] { note(tr("computing all pairs …")); });
    connect(&model, &StudyModel::exactMapFailed, this,
            [this](HeadName, const QString& sentence) { note(sentence); });
    connect(&model, &StudyModel::exactMapReady, this,
            [this](HeadName, const std::shared_ptr<const MapData>& map) { show(map, {}); });
  }

 private:
  void follow(const ViewSelection& now) {
    m_view->setMarked(now.cell ? std::optional(MapCell{now.cell->distance, now.cell->midpoint})
                               : std::nullopt);
  }

  void show(std::shared_ptr<const MapData> map, const QString& addition) {
    m_map = std::move(map);
    m_view->setData(m_map);
    useRange();
    note(addition);
  }

  void note(const QString& addition) {
    const QString pairs = m_map ? QString::fromStdString(m_map->pairsText) : QString();
    Q_EMIT noteChanged(addition.isEmpty() ? pairs : QStringLiteral("%1 · %2").arg(pairs, addition));
  }

  void useRange() {
    const auto locked = m_ranges.of(kQuantity);
    m_lock->setLocked(locked.has_value());
    m_range->setEnabled(!locked);
    if (locked)
      m_view->setRange(locked);
    else if (m_range->currentIndex() == 1)
      m_view->setRangeFromData();
    else
      m_view->setRange({});
  }

  static constexpr const char* kQuantity = "map";

  PlasticityMapView* m_view;
  QComboBox* m_range;
  QCheckBox* m_counts;
  LockButton* m_lock;
  LockedRanges& m_ranges;
  std::shared_ptr<const MapData> m_map;
};

}  // namespace

ViewPanel* makeMapPanel(StudyModel& model, QWidget* parent) {
  return new MapPanel(model, parent);
}

}  // namespace plastiscope
