#pragma once
// Where ticks stand and what they say: real minus signs, thousands commas, as many as fit. Private to
// widgets/plots.
#include <QSharedPointer>

#include "core/views/plot.h"

class QCPAxis;
class QCPAxisTicker;

namespace plastiscope {

// Decimal steps of what the labels say: values divided by `scale` (axis title: "x 10^-3"; shares of a whole).
// `on` must outlive the ticker, here and below.
QSharedPointer<QCPAxisTicker> numberTicker(const QCPAxis& on, double scale);
// Of an axis of a plot.
QSharedPointer<QCPAxisTicker> tickerOf(const Axis& axis, const QCPAxis& on);

}  // namespace plastiscope
