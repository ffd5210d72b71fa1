#include "widgets/compare/compare_cells.h"

#include <QCoreApplication>

#include "core/base/error.h"
#include "core/views/metric_info.h"

namespace plastiscope {

namespace {

struct CellWords {
  Q_DECLARE_TR_FUNCTIONS(CompareCells)
};

QString countedCell(std::int64_t number) {
  return QString::fromStdString(withCommas(number));
}

}  // namespace

std::optional<MapCell> markedCell(const CompareModel& model) {
  const auto& chosen = model.selection().value().cell;
  if (!chosen || model.views() == nullptr) return std::nullopt;
  const MapData* first = firstMap(model.views()->maps);
  return first != nullptr ? matchedCell(*first, {chosen->distance, chosen->midpoint}, *first) : std::nullopt;
}

std::optional<std::pair<std::int64_t, std::int64_t>> markOf(const ComparedCell& cell) {
  if (!cell.cell) return std::nullopt;
  return std::pair(cell.cell->column, cell.cell->row);
}

QString cellValue(const ComparedCell& cell) {
  if (!cell.cell) return CellWords::tr("not in this window");
  if (cell.pairs == 0) return CellWords::tr("no pairs");
  return CellWords::tr("PP %1").arg(QString::fromStdString(fixedText(cell.mean, 3)));
}

QString cellPlace(const MapData& map, MapCell cell) {
  return CellWords::tr("keys %1 to %2 tokens apart, query to midpoint %3 to %4 tokens")
      .arg(countedCell(cell.column * map.cell), countedCell((cell.column + 1) * map.cell),
           countedCell(cell.row * map.cell), countedCell((cell.row + 1) * map.cell));
}

QString cellTip(const CompareViews& views, std::size_t index, MapCell cell) {
  const MapData *first = firstMap(views.maps), *own = views.maps[index].get();
  const auto there = own != nullptr ? matchedCell(*own, cell, *first) : std::nullopt;
  if (!there) return {};
  const auto cells = compareCell(views.maps, *there);
  QString rows;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (views.maps[i] == nullptr) continue;
    const QString name = QString::fromStdString(views.comparison->models[i].name).toHtmlEscaped();
    QString value = cellValue(cells[i]);
    if (cells[i].pairs > 0) value += CellWords::tr(" · %1 pairs").arg(countedCell(cells[i].pairs));
    rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
                .arg(i == index ? QStringLiteral("<b>%1</b>").arg(name) : name, value);
  }
  return QStringLiteral("<table>%1</table>").arg(rows);
}

}  // namespace plastiscope
