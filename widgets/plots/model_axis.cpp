#include "widgets/plots/model_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/plots/series_look.h"

namespace plastiscope {

namespace {

// Characters of all names beside each other above which they are slanted.
constexpr qsizetype kUprightCharacters = 54;
constexpr qsizetype kLongestName = 18;

// What all names share at their beginning, up to a separator.
qsizetype commonPrefix(const QStringList& names) {
  if (names.size() < 2) return 0;
  qsizetype length = 0;
  const QString& first = names.front();
  for (qsizetype i = 0; i < first.size(); ++i) {
    const bool all = std::all_of(names.begin(), names.end(), [&](const QString& name) {
      return i + 1 < name.size() && name[i] == first[i];
    });
    if (!all) break;
    if (QStringLiteral(" -_/.:").contains(first[i])) length = i + 1;
  }
  return length;
}

QStringList shortNames(const std::vector<ComparedName>& models) {
  QStringList names = shownNames(models);
  const qsizetype prefix = commonPrefix(names);
  for (QString& name : names) {
    name.remove(0, prefix);
    if (name.size() > kLongestName)
      name = name.left(kLongestName / 2) + QChar(0x2026) + name.right(kLongestName / 2 - 1);
  }
  return names;
}

void placeModels(QCPAxis& axis, const std::vector<ComparedName>& models, const QStringList& names) {
  QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
  for (qsizetype i = 0; i < names.size(); ++i) ticker->addTick(static_cast<double>(i), names[i]);
  axis.setTicker(ticker);
  axis.setRange(-0.6, static_cast<double>(models.size()) - 0.4);
}

}  // namespace

void nameModels(QCPAxis& axis, const std::vector<ComparedName>& models) {
  const QStringList names = shortNames(models);
  qsizetype characters = 0;
  for (const QString& name : names) characters += name.size() + 2;
  placeModels(axis, models, names);
  if (characters > kUprightCharacters) axis.setTickLabelRotation(-28);
}

void hideNames(QCPAxis& axis) {
  axis.setTickLabels(false);
}

ValueAxis valueAxis(const MetricInfo& metric, const std::vector<double>& values, bool fromZero,
                    std::optional<std::pair<double, double>> range) {
  double low = fromZero || metric.isSigned ? 0 : std::numeric_limits<double>::infinity(),
         high = fromZero || metric.isSigned ? 0 : -low;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) low = 0, high = 1;
  const double room = high > low ? 0.08 * (high - low) : std::max(0.5, std::fabs(high) / 2);
  ValueAxis axis;
  axis.low = fromZero && low == 0 ? 0 : low - room;
  axis.high = fromZero && high == 0 ? 0 : high + room;
  if (range) std::tie(axis.low, axis.high) = *range;
  axis.power = powerFor(std::max(std::fabs(axis.low), std::fabs(axis.high)));
  QStringList units;
  if (axis.power != 0) units.append(QStringLiteral("10<sup>%1</sup>").arg(numberLabel(axis.power, 0)));
  if (!metric.unit.empty()) units.append(QString::fromStdString(metric.unit));
  const QString label = QString::fromStdString(metric.label);
  axis.title = units.isEmpty() ? label : label + " (" + units.join(' ') + ")";
  // Without what stands in brackets and without the unit, where there is little room.
  const QString brief = label.section(QStringLiteral(" ("), 0, 0);
  const QString shorter = axis.power == 0 ? brief : brief + " (" + units.front() + ")";
  if (shorter != axis.title) axis.title += "|" + shorter;
  return axis;
}

void useValues(QCPAxis& axis, const ValueAxis& values) {
  axis.setTicker(QSharedPointer<NumberTicker>::create(axis, std::pow(10, values.power)));
  axis.setRange(values.low, values.high);
}

}  // namespace plastiscope
