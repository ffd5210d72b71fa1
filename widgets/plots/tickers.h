#pragma once
// Where ticks stand and what they say: real minus signs, thousands commas, as many as fit. Private to
// widgets/plots.
#include <QStringList>

#include "widgets/plots/qcp.h"

namespace plastiscope {

// Decimal steps of what the labels say: values divided by `scale` (axis title: "x 10^-3"; shares of a whole).
class NumberTicker : public QCPAxisTicker {
 public:
  enum class Kind { Plain, Percent, Whole };
  explicit NumberTicker(const QCPAxis& axis, double scale = 1, Kind kind = Kind::Plain)
      : m_axis(axis), m_scale(scale), m_kind(kind) {}

 protected:
  double getTickStep(const QCPRange& range) override;
  QString getTickLabel(double tick, const QLocale&, QChar, int) override;
  int getSubTickCount(double) override { return 0; }

 private:
  const QCPAxis& m_axis;
  double m_scale, m_step = 1;
  Kind m_kind;
};

// Token positions: steps that are powers of two; "1,024", beyond 16,384 "32K" (K = 1024).
class TokenTicker : public QCPAxisTicker {
 public:
  explicit TokenTicker(const QCPAxis& axis) : m_axis(axis) {}

 protected:
  double getTickStep(const QCPRange& range) override;
  QString getTickLabel(double tick, const QLocale&, QChar, int) override;
  int getSubTickCount(double) override { return 0; }

 private:
  const QCPAxis& m_axis;
  double m_largest = 0;
};

// Named places: "H0", "H1", ...; leaves names out where they would touch, unless `all` are wanted.
class NameTicker : public QCPAxisTicker {
 public:
  NameTicker(const QCPAxis& axis, QVector<double> places, QStringList names, bool all)
      : m_axis(axis), m_places(std::move(places)), m_names(std::move(names)), m_all(all) {}
  void generate(const QCPRange& range, const QLocale& locale, QChar formatChar, int precision,
                QVector<double>& ticks, QVector<double>* subTicks, QVector<QString>* tickLabels) override;

 private:
  const QCPAxis& m_axis;
  QVector<double> m_places;
  QStringList m_names;
  bool m_all;
};

}  // namespace plastiscope
