#include "widgets/compare/compare_tips.h"

#include <QCoreApplication>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/compare/comparison.h"
#include "core/views/metric_info.h"
#include "widgets/state/file_text.h"

namespace plastiscope {

namespace {

struct CompareWords {
  Q_DECLARE_TR_FUNCTIONS(CompareTips)
};

// AP of the head if one is shown, else of the mean, in the bin nearest to a position.
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

}  // namespace

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

std::optional<MapCell> markedCell(const CompareModel& model) {
  const auto& chosen = model.selection().value().cell;
  if (!chosen || model.views() == nullptr) return std::nullopt;
  const MapData* first = firstMap(model.views()->maps);
  return first != nullptr ? matchedCell(*first, {chosen->distance, chosen->midpoint}, *first) : std::nullopt;
}

QString cellValue(const ComparedCell& cell) {
  if (!cell.cell) return CompareWords::tr("not in this window");
  if (cell.pairs == 0) return CompareWords::tr("no pairs");
  return CompareWords::tr("PP %1").arg(QString::fromStdString(fixedText(cell.mean, 3)));
}

QString cellPlace(const MapData& map, MapCell cell) {
  return CompareWords::tr("keys %1 to %2 tokens apart, query to midpoint %3 to %4 tokens")
      .arg(groupedText(cell.column * map.cell), groupedText((cell.column + 1) * map.cell),
           groupedText(cell.row * map.cell), groupedText((cell.row + 1) * map.cell));
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
    if (cells[i].pairs > 0) value += CompareWords::tr(" · %1 pairs").arg(groupedText(cells[i].pairs));
    rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
                .arg(i == index ? QStringLiteral("<b>%1</b>").arg(name) : name, value);
  }
  return QStringLiteral("<table>%1</table>").arg(rows);
}

}  // namespace plastiscope
