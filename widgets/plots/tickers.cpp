// Positions and labels of ticks.

#include <QFontMetricsF>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/figures/parts.h"
#include "widgets/plots/plot_elements.h"

namespace plastiscope {

namespace {

// Number of labels of this size that fit along an axis, at least 2.
int fittingLabels(const QCPAxis& axis, const QString& longest) {
  const QFontMetricsF metrics(axis.tickLabelFont());
  const bool horizontal = axis.orientation() == Qt::Horizontal;
  const double length = horizontal ? axis.axisRect()->width() : axis.axisRect()->height();
  const double each =
      horizontal ? metrics.horizontalAdvance(longest) + 1.6 * metrics.height() : 1.9 * metrics.height();
  return std::clamp(static_cast<int>(length / std::max(1.0, each)) + 1, 2, 6);
}

// Steps of equal length without ticks between them.
class StepTicker : public QCPAxisTicker {
 public:
  explicit StepTicker(const QCPAxis& axis) : m_axis(axis) {}

 protected:
  int getSubTickCount(double) override { return 0; }
  const QCPAxis& m_axis;
};

class NumberTicker : public StepTicker {
 public:
  NumberTicker(const QCPAxis& axis, double scale, Ticks ticks)
      : StepTicker(axis), m_scale(scale), m_ticks(ticks) {}

 protected:
  double getTickStep(const QCPRange& range) override {
    const double size = std::max(range.size() / m_scale, 1e-300);
    m_step = stepOf(size / (fittingLabels(m_axis, QStringLiteral("\u22120.00")) - 0.9));
    // A single label does not define a scale: allow closer labels.
    if (labelsIn(range) < 2) {
      const double wide = m_step;
      const auto good = [&] { return labelsIn(range) >= 2 && fits(range); };
      for (int i = 0; i < 4 && !good(); ++i) m_step = stepOf(0.4 * m_step);
      if (!good()) m_step = stepBelow(wide);
      if (!good()) m_step = wide;
    }
    return m_step * m_scale;
  }

  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    const double percent = m_ticks == Ticks::Percent ? 100 : 1, factor = percent / m_scale;
    const double step = m_step * percent;
    int decimals = 0;
    double digits = step;
    while (decimals < 8 && std::fabs(digits - std::round(digits)) > 1e-6 * digits) {
      ++decimals;
      digits *= 10;
    }
    return QString::fromStdString(numberLabel(tick * factor, decimals)) +
           (m_ticks == Ticks::Percent ? QStringLiteral("\u2009%") : QString());
  }

 private:
  static constexpr std::array<double, 5> kMantissas = {1, 2, 2.5, 5, 10};

  double stepOf(double rough) const {
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = power;
    for (const double mantissa : kMantissas) {
      step = mantissa * power;
      if (step >= rough * 0.999) break;
    }
    return m_ticks == Ticks::Whole ? std::max(1.0, std::ceil(step)) : step;
  }

  double stepBelow(double step) const {
    const double power = std::pow(10, std::floor(std::log10(0.999 * step)));
    double below = power;
    for (const double mantissa : kMantissas) {
      if (mantissa * power < 0.999 * step) below = mantissa * power;
    }
    return m_ticks == Ticks::Whole ? std::max(1.0, std::floor(below)) : below;
  }

  // Labels that are drawn: QCustomPlot omits labels outside the picture.
  int labelsIn(const QCPRange& range) const {
    const double step = m_step * m_scale;
    const QRect box = m_axis.axisRect()->rect(), picture = m_axis.parentPlot()->viewport();
    double above = 0, below = 0;  // shares of the range
    if (m_axis.orientation() == Qt::Vertical && box.height() > 0) {
      const double half = QFontMetricsF(m_axis.tickLabelFont()).height() / 2,
                   pixel = range.size() / box.height();
      above = pixel * std::max(0.0, half - (box.top() - picture.top()));
      below = pixel * std::max(0.0, half - (picture.bottom() - box.bottom()));
    }
    return 1 + static_cast<int>(std::floor((range.upper - above) / step + 1e-9) -
                                std::ceil((range.lower + below) / step - 1e-9));
  }

  // True if labels at the current steps do not touch.
  bool fits(const QCPRange& range) {
    const QFontMetricsF metrics(m_axis.tickLabelFont());
    const double share = m_step * m_scale / range.size();
    if (m_axis.orientation() == Qt::Vertical)
      return share * m_axis.axisRect()->height() > 1.05 * metrics.height();
    const double first = std::ceil(range.lower / m_scale / m_step) * m_step * m_scale;
    const double widest = std::max(metrics.horizontalAdvance(getTickLabel(first, {}, {}, 0)),
                                   metrics.horizontalAdvance(getTickLabel(range.upper, {}, {}, 0)));
    return share * m_axis.axisRect()->width() > widest + 0.3 * metrics.height();
  }

  double m_scale, m_step = 1;
  Ticks m_ticks;  // Numbers, Percent or Whole
};

// Token positions: steps that are powers of two; "1,024", beyond 16,384 "32K" (K = 1024).
class TokenTicker : public StepTicker {
 public:
  using StepTicker::StepTicker;

 protected:
  double getTickStep(const QCPRange& range) override {
    m_largest = std::max(std::fabs(range.lower), std::fabs(range.upper));
    const int count = std::min(
        5, fittingLabels(m_axis, QString::fromStdString(tokenLabel(std::floor(m_largest), m_largest))));
    const double rough = std::max(range.size(), 1e-9) / count;
    return std::max(1.0, std::pow(2, std::ceil(std::log2(rough) - 1e-9)));
  }

  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    return QString::fromStdString(tokenLabel(tick, m_largest));
  }

 private:
  double m_largest = 0;
};

// Named places: "H0", "H1", ...; leaves out names that would touch; if `all` are wanted, only those of an
// upright axis that would overlap.
class NameTicker : public QCPAxisTicker {
 public:
  NameTicker(const QCPAxis& axis, const Axis& of) : m_axis(axis), m_all(of.ticks == Ticks::AllNames) {
    for (std::size_t i = 0; i < of.names.size(); ++i) {
      m_names.append(QString::fromStdString(of.names[i]));
      m_places.append(i < of.places.size() ? of.places[i] : static_cast<double>(i));
    }
  }

  void generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
                QVector<double>* subTicks, QVector<QString>* tickLabels) override {
    const QFontMetricsF metrics(m_axis.tickLabelFont());
    const bool horizontal = m_axis.orientation() == Qt::Horizontal;
    const double length = horizontal ? m_axis.axisRect()->width() : m_axis.axisRect()->height();
    double widest = 0;
    for (const QString& name : m_names) widest = std::max(widest, metrics.horizontalAdvance(name));
    const double each = horizontal ? widest + 0.5 * metrics.height() : 0.95 * metrics.height();
    double apart = m_names.size() > 1 ? range.size() : 1;
    for (qsizetype i = 1; i < m_places.size(); ++i) apart = std::min(apart, m_places[i] - m_places[i - 1]);
    const double perPlace = length * apart / std::max(1e-9, range.size());
    // Slanted names may be longer than their places.
    const double least = !m_all ? each : horizontal ? 0 : kClosest * metrics.height();
    qsizetype every = 1;
    for (const qsizetype step : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}) {
      every = step;
      if (static_cast<double>(step) * perPlace >= least) break;
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

 private:
  static constexpr double kClosest = 0.78;  // heights of the font between names

  const QCPAxis& m_axis;
  QVector<double> m_places;
  QStringList m_names;
  bool m_all;
};

}  // namespace

QSharedPointer<QCPAxisTicker> numberTicker(const QCPAxis& on, double scale) {
  return QSharedPointer<NumberTicker>::create(on, scale, Ticks::Numbers);
}

QSharedPointer<QCPAxisTicker> tickerOf(const Axis& axis, const QCPAxis& on) {
  if (axis.ticks == Ticks::Tokens) return QSharedPointer<TokenTicker>::create(on);
  if (axis.ticks == Ticks::Names || axis.ticks == Ticks::AllNames)
    return QSharedPointer<NameTicker>::create(on, axis);
  return QSharedPointer<NumberTicker>::create(on, axis.unit, axis.ticks);
}

}  // namespace plastiscope
