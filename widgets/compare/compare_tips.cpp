#include "widgets/compare/compare_tips.h"

#include <QCoreApplication>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/compare/input_names.h"
#include "core/views/metric_info.h"
#include "widgets/plots/compare_figure.h"

namespace plastiscope {

namespace {

struct CompareWords {
  Q_DECLARE_TR_FUNCTIONS(CompareTips)
};

QString bold(const std::string& name) {
  return QStringLiteral("<b>%1</b>").arg(QString::fromStdString(name).toHtmlEscaped());
}

QString counted(std::int64_t number) {
  return QString::fromStdString(withCommas(number));
}

QString valueText(double value) {
  return QString::fromStdString(fixedText(value, 3));
}

// " (0.312 … 0.405 over heads)"; "" without an interval.
QString intervalText(HeadInterval interval, IntervalOver over) {
  if (!interval.known()) return {};
  return CompareWords::tr(" (95 %: %1 … %2 over %3)")
      .arg(QString::fromStdString(metricText(interval.low)),
           QString::fromStdString(metricText(interval.high)), QString::fromStdString(nameOf(over)));
}

HeadInterval intervalAt(const std::vector<double>& low, const std::vector<double>& high, std::size_t at) {
  return at < low.size() ? HeadInterval{low[at], high[at]} : HeadInterval();
}

void addBin(std::vector<FigureTip>& tips, const ComparedProfile& profile, std::size_t bin, bool tokens) {
  const double x = tokens ? profile.tokens[bin] : profile.share(bin);
  const QString place = CompareWords::tr("position %1 of %2 tokens (%3 %)")
                            .arg(counted(std::llround(profile.tokens[bin])), counted(profile.window),
                                 QString::fromStdString(fixedText(100 * profile.share(bin), 0)));
  const QString start = bold(profile.model.name);
  const HeadInterval interval = intervalAt(profile.low, profile.high, bin);
  if (std::isfinite(profile.mean[bin])) {
    tips.push_back({0, x, profile.mean[bin],
                    start + QStringLiteral("<br>") + place + QStringLiteral("<br>") +
                        CompareWords::tr("AP %1, mean over %2 heads")
                            .arg(valueText(profile.mean[bin]), counted(profile.meanHeads[bin])) +
                        intervalText(profile.head ? HeadInterval() : interval, IntervalOver::Heads)});
  }
  if (!profile.head || bin >= profile.headAp.size() || !std::isfinite(profile.headAp[bin])) return;
  const QString head = QString::fromStdString(profile.head->text());
  tips.push_back({0, x, profile.headAp[bin],
                  start + QStringLiteral(" ") + head + QStringLiteral("<br>") + place +
                      QStringLiteral("<br>") +
                      CompareWords::tr("AP %1 of the head").arg(valueText(profile.headAp[bin])) +
                      intervalText(interval, IntervalOver::Examples)});
}

// The thesis' numbers of a model; x times `scale` is what the axis of the panel shows.
void addPublished(std::vector<FigureTip>& tips, const GhostCurve& curve, double scale, const QString& metric,
                  int panel = 0) {
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!std::isfinite(curve.y[i])) continue;
    tips.push_back({panel, curve.x[i] * scale, curve.y[i],
                    QStringLiteral("%1<br>%2 %3<br>%4: %5")
                        .arg(bold(curve.label), metric, QString::fromStdString(metricText(curve.y[i])),
                             QString::fromStdString(curve.source),
                             QString::fromStdString(curve.accuracy).toHtmlEscaped())});
  }
}

// One metric of the models at their places.
void addSeries(std::vector<FigureTip>& tips, const TrajectoryData& data, const TrajectorySeries& series,
               int panel) {
  const QString metric = QString::fromStdString(series.metric.label);
  for (std::size_t i = 0; i < series.middle.size(); ++i) {
    if (!std::isfinite(series.middle[i])) continue;
    QString text =
        CompareWords::tr("%1<br>%2 %3, %4 over %5 heads")
            .arg(bold(data.models[i].name), metric, QString::fromStdString(metricText(series.middle[i])),
                 series.median ? CompareWords::tr("median") : CompareWords::tr("mean"),
                 counted(series.heads[i]));
    if (std::isfinite(series.sd[i]))
      text += CompareWords::tr(", SD %1").arg(QString::fromStdString(metricText(series.sd[i])));
    text += intervalText(series.intervals[i], series.over);
    tips.push_back({panel, static_cast<double>(i), series.middle[i], text});
  }
  for (const GhostCurve& curve : series.published) addPublished(tips, curve, 1, metric, panel);
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

}  // namespace

std::vector<FigureTip> profileTips(const CompareViews& views) {
  std::vector<FigureTip> tips;
  for (const ComparedProfile& profile : views.profiles.models) {
    for (std::size_t bin = 0; bin < profile.tokens.size(); ++bin)
      addBin(tips, profile, bin, views.choices.tokens);
    addPublished(tips, profile.published,
                 views.choices.tokens ? static_cast<double>(profile.published.window) : 1.0,
                 QStringLiteral("AP"));
  }
  return tips;
}

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
    parts.append(QStringLiteral("%1 %2").arg(QString::fromStdString(names[m]), valueText(ap)));
  }
  return parts.join(QStringLiteral(" · "));
}

std::vector<FigureTip> quintileTips(const CompareViews& views) {
  std::vector<FigureTip> tips;
  const auto& models = views.profiles.models;
  for (std::size_t m = 0; m < models.size(); ++m) {
    const ComparedProfile& profile = models[m];
    for (int fifth = 0; fifth < 5; ++fifth) {
      const auto k = static_cast<std::size_t>(fifth);
      if (!std::isfinite(profile.quintiles[k])) continue;
      const QuintileBar bar = quintileBar(fifth, m, models.size());
      const QString of = profile.head
                             ? QString::fromStdString(profile.head->text())
                             : CompareWords::tr("mean over %1 heads").arg(counted(profile.quintileHeads[k]));
      tips.push_back({0, (bar.left + bar.right) / 2, profile.quintiles[k],
                      CompareWords::tr("%1<br>%2 to %3 % of the window<br>AP %4, %5")
                              .arg(bold(profile.model.name))
                              .arg(20 * fifth)
                              .arg(20 * (fifth + 1))
                              .arg(valueText(profile.quintiles[k]), of) +
                          intervalText({profile.quintileIntervals.low[k], profile.quintileIntervals.high[k]},
                                       views.profiles.quintilesOver)});
    }
    const GhostCurve& published = profile.publishedQuintiles;
    for (std::size_t i = 0; i < published.x.size(); ++i) {
      const QuintileBar bar = quintileBar(static_cast<int>(published.x[i]) - 1, m, models.size());
      GhostCurve one = published;
      one.x = {(bar.left + bar.right) / 2};
      one.y = {published.y[i]};
      addPublished(tips, one, 1, QStringLiteral("AP"));
    }
  }
  return tips;
}

std::vector<FigureTip> depthTips(const CompareViews& views) {
  std::vector<FigureTip> tips;
  if (!views.depths) return tips;
  const QString metric = QString::fromStdString(views.depths->metric.label);
  for (const ComparedDepth& model : views.depths->models) {
    const LayerMeans& means = model.means;
    for (std::size_t i = 0; i < model.depth.size(); ++i) {
      if (!std::isfinite(means.centre[i])) continue;
      tips.push_back(
          {0, model.depth[i], means.centre[i],
           CompareWords::tr("%1<br>layer %2 (depth %3)<br>%4 %5, %6 over %7 heads")
                   .arg(bold(model.model.name))
                   .arg(means.layer[i])
                   .arg(valueText(model.depth[i]), metric,
                        QString::fromStdString(metricText(means.centre[i])),
                        views.depths->median ? CompareWords::tr("median") : CompareWords::tr("mean"),
                        counted(means.heads[i])) +
               intervalText(intervalAt(means.low, means.high, i), means.over)});
    }
    addPublished(tips, model.published, 1, metric);
  }
  return tips;
}

std::vector<FigureTip> checkpointTips(const CompareViews& views) {
  std::vector<FigureTip> tips;
  const auto& series = views.checkpoints.series;
  for (std::size_t s = 0; s < series.size(); ++s)  // the bars of the last one stand below
    addSeries(tips, views.checkpoints, series[s], s + 1 < series.size() ? 0 : 1);
  return tips;
}

std::vector<FigureTip> trajectoryTips(const CompareViews& views) {
  std::vector<FigureTip> tips;
  for (const TrajectorySeries& series : views.trajectory.series) addSeries(tips, views.trajectory, series, 0);
  return tips;
}

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
  if (!cell.cell) return CompareWords::tr("not in this window");
  if (cell.pairs == 0) return CompareWords::tr("no pairs");
  return CompareWords::tr("PP %1").arg(QString::fromStdString(fixedText(cell.mean, 3)));
}

QString cellPlace(const MapData& map, MapCell cell) {
  return CompareWords::tr("keys %1 to %2 tokens apart, query to midpoint %3 to %4 tokens")
      .arg(counted(cell.column * map.cell), counted((cell.column + 1) * map.cell),
           counted(cell.row * map.cell), counted((cell.row + 1) * map.cell));
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
    if (cells[i].pairs > 0) value += CompareWords::tr(" · %1 pairs").arg(counted(cells[i].pairs));
    rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
                .arg(i == index ? QStringLiteral("<b>%1</b>").arg(name) : name, value);
  }
  return QStringLiteral("<table>%1</table>").arg(rows);
}

}  // namespace plastiscope
