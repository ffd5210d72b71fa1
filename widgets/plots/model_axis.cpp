#include "widgets/plots/model_axis.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/compare/input_names.h"

namespace plastiscope {

namespace {

// Characters of all names beside each other above which they are slanted.
constexpr qsizetype kUprightCharacters = 54;
constexpr qsizetype kManyNames = 8;  // steeper from here on
constexpr qsizetype kLongestName = 18, kLongestSlanted = 13;

QStringList shortNames(const std::vector<ComparedName>& models, qsizetype longest) {
  std::vector<std::string> names;
  for (const ComparedName& model : models) names.push_back(model.name);
  QStringList shown;
  for (const std::string& each : withoutCommonStart(withoutOwners(names))) {
    const QString name = QString::fromStdString(each);
    shown.append(name.size() <= longest ? name
                                        : name.left(longest / 2) + QChar(0x2026) + name.right(longest / 2));
  }
  return shown;
}

void placeModels(QCPAxis& axis, const std::vector<ComparedName>& models, const QStringList& names) {
  QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
  for (qsizetype i = 0; i < names.size(); ++i) ticker->addTick(static_cast<double>(i), names[i]);
  axis.setTicker(ticker);
  axis.setRange(-0.6, static_cast<double>(models.size()) - 0.4);
}

}  // namespace

void nameModels(QCPAxis& axis, const std::vector<ComparedName>& models) {
  QStringList names = shortNames(models, kLongestName);
  qsizetype characters = 0;
  for (const QString& name : names) characters += name.size() + 2;
  const bool slanted = axis.orientation() == Qt::Horizontal && characters > kUprightCharacters;
  // Slanted names reach to the left of their place; one that left the picture would not be drawn at all.
  if (slanted) names = shortNames(models, kLongestSlanted);
  placeModels(axis, models, names);
  axis.setTickLabelRotation(!slanted ? 0 : names.size() > kManyNames ? -55 : -32);
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
  // A bar in a title parts its long from its short form.
  static const QRegularExpression kSize(QStringLiteral("\\|([^|]*)\\|"));
  const QString label = QString::fromStdString(metric.label).replace(kSize, QStringLiteral("abs \\1"));
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
