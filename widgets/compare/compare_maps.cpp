#include "widgets/compare/compare_maps.h"

#include "widgets/compare/compare_cells.h"
#include "widgets/plots/plasticity_map_view.h"

namespace plastiscope {

CompareMaps::CompareMaps(CompareModel& model, QWidget* parent) : CompareColumns(model, parent) {
  connect(&model.selection(), &Selection::changed, this,
          [this](const ViewSelection& now, const ViewSelection& before) {
            if (now.cell != before.cell) mark();
          });
  connect(&model, &CompareModel::viewsReady, this, &CompareMaps::mark);
}

QWidget* CompareMaps::makeView(std::size_t index) {
  auto* map = new PlasticityMapView;
  map->setObjectName(QStringLiteral("compareMap%1").arg(index));
  map->setTipAddition([this, index](qint64 column, qint64 row) {
    const auto& views = model().views();
    return views != nullptr ? cellTip(*views, index, {column, row}) : QString();
  });
  connect(map, &PlasticityMapView::cellActivated, this,
          [this, index](qint64 column, qint64 row) { activated(index, {column, row}); });
  return map;
}

void CompareMaps::fill(QWidget* view, const CompareViews& views, std::size_t index) {
  auto* map = static_cast<PlasticityMapView*>(view);  // made above
  const auto& data = views.maps[index];
  if (data == nullptr) return map->setMessage(tr("This analysis has no plasticity map of these heads."));
  map->setRange(std::nullopt);  // 0 to 1, as everywhere
  map->setData(data);
  if (views.choices.ownRanges) map->setRangeFromData();
}

QString CompareMaps::noteOf(const CompareViews& views, std::size_t index) const {
  if (views.maps[index] == nullptr) return {};
  const QString scope = QString::fromStdString(views.maps[index]->scopeText);
  const auto cell = markedCell(model());
  return cell ? QStringLiteral("%1 · %2").arg(scope, cellValue(compareCell(views.maps, *cell)[index]))
              : scope;
}

void CompareMaps::activated(std::size_t index, MapCell cell) {
  const auto& views = model().views();
  if (views == nullptr || views->maps[index] == nullptr) return;
  if (const auto first = matchedCell(*views->maps[index], cell, *firstMap(views->maps)))
    model().selection().setCell(CellChoice{first->column, first->row});
  mark();  // where the cell has no match in the first map, the mark goes back to what is selected
}

void CompareMaps::mark() {
  const auto& views = model().views();
  if (views == nullptr || views->maps.size() != columns()) return;
  const auto cell = markedCell(model());
  const auto cells = cell ? compareCell(views->maps, *cell) : std::vector<ComparedCell>(columns());
  for (std::size_t i = 0; i < columns(); ++i)
    static_cast<PlasticityMapView*>(viewAt(i))->setMarked(markOf(cells[i]));
  retitle();
  Q_EMIT placeChanged(cell ? cellPlace(*firstMap(views->maps), *cell) : QString());
}

}  // namespace plastiscope
