#include "widgets/plots/tickers.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "core/figures/parts.h"

namespace plastiscope {

namespace {

// How many labels of this size fit along an axis, at least 2.
int fittingLabels(const QCPAxis& axis, const QString& longest) {
  const QFontMetricsF metrics(axis.tickLabelFont());
  const bool horizontal = axis.orientation() == Qt::Horizontal;
  const double length = horizontal ? axis.axisRect()->width() : axis.axisRect()->height();
  const double each =
      horizontal ? metrics.horizontalAdvance(longest) + 1.6 * metrics.height() : 1.9 * metrics.height();
  return std::clamp(static_cast<int>(length / std::max(1.0, each)) + 1, 2, 6);
}

}  // namespace

double NumberTicker::getTickStep(const QCPRange& range) {
  const double size = std::max(range.size() / m_scale, 1e-300);
  const double rough = size / (fittingLabels(m_axis, QStringLiteral("\u22120.00")) - 0.9);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double mantissa : {1.0, 2.0, 2.5, 5.0, 10.0}) {
    m_step = mantissa * power;
    if (m_step >= rough * 0.999) break;
  }
  if (m_kind == Kind::Whole) m_step = std::max(1.0, std::ceil(m_step));
  return m_step * m_scale;
}

QString NumberTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  const double percent = m_kind == Kind::Percent ? 100 : 1, factor = percent / m_scale;
  const double step = m_step * percent;
  int decimals = 0;
  double digits = step;
  while (decimals < 8 && std::fabs(digits - std::round(digits)) > 1e-6 * digits) {
    ++decimals;
    digits *= 10;
  }
  return QString::fromStdString(numberLabel(tick * factor, decimals)) +
         (m_kind == Kind::Percent ? QStringLiteral("\u2009%") : QString());
}

double TokenTicker::getTickStep(const QCPRange& range) {
  m_largest = std::max(std::fabs(range.lower), std::fabs(range.upper));
  const int count = std::min(
      5, fittingLabels(m_axis, QString::fromStdString(tokenLabel(std::floor(m_largest), m_largest))));
  const double rough = std::max(range.size(), 1e-9) / count;
  return std::max(1.0, std::pow(2, std::ceil(std::log2(rough) - 1e-9)));
}

QString TokenTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  return QString::fromStdString(tokenLabel(tick, m_largest));
}

void NameTicker::generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
                          QVector<double>* subTicks, QVector<QString>* tickLabels) {
  const QFontMetricsF metrics(m_axis.tickLabelFont());
  const bool horizontal = m_axis.orientation() == Qt::Horizontal;
  const double length = horizontal ? m_axis.axisRect()->width() : m_axis.axisRect()->height();
  double widest = 0;
  for (const QString& name : m_names) widest = std::max(widest, metrics.horizontalAdvance(name));
  const double each = horizontal ? widest + 0.5 * metrics.height() : 0.95 * metrics.height();
  const double perPlace = length / std::max(1e-9, range.size());
  qsizetype every = 1;
  for (const qsizetype step : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}) {
    every = step;
    if (m_all || static_cast<double>(step) * perPlace >= each) break;
  }
  ticks.clear();
  if (subTicks != nullptr) subTicks->clear();
  if (tickLabels != nullptr) tickLabels->clear();
  for (qsizetype i = 0; i < m_places.size(); i += every) {
    if (!range.contains(m_places[i])) continue;
    ticks.append(m_places[i]);
    if (tickLabels != nullptr) tickLabels->append(m_names[i]);
  }
}

}  // namespace plastiscope
