#include "widgets/plots/position_axis.h"

#include "widgets/plots/tickers.h"

namespace plastiscope {

QString positionTitle(PositionAxis axis) {
  return axis == PositionAxis::Share ? QStringLiteral("query position (share of the window)|query position")
                                     : QStringLiteral("query position (tokens)");
}

void setUpPositions(QCPAxis& x, PositionAxis axis, double end, double window) {
  if (axis == PositionAxis::Share)
    x.setTicker(QSharedPointer<NumberTicker>::create(x, window, NumberTicker::Kind::Percent));
  else
    x.setTicker(QSharedPointer<TokenTicker>::create(x));
  x.setRange(0, end);
}

QString lastPositionLabel(PositionAxis axis, double end) {
  return axis == PositionAxis::Share ? QStringLiteral("100\u2009%") : TokenTicker::text(end, end);
}

QString otherWindowText(std::int64_t published, std::int64_t window) {
  if (published <= 0 || published == window) return {};
  return QStringLiteral(", window %1")
      .arg(TokenTicker::text(static_cast<double>(published), static_cast<double>(published)));
}

}  // namespace plastiscope
