#pragma once
// Positions and labels of ticks: real minus signs, thousands commas, as many as fit. Private to
// widgets/plots.
#include <QSharedPointer>

#include "core/views/plot.h"

class QCPAxis;
class QCPAxisTicker;

namespace plastiscope {

// Decimal steps of the labels: values divided by `scale` (axis title: "x 10^-3"; shares of a whole). `on`
// must outlive the ticker, here and below.
QSharedPointer<QCPAxisTicker> numberTicker(const QCPAxis& on, double scale);
// The ticker for an axis of a plot.
QSharedPointer<QCPAxisTicker> tickerOf(const Axis& axis, const QCPAxis& on);

}  // namespace plastiscope
