#include "widgets/export/pgf_marks.h"

#include <QByteArray>
#include <algorithm>
#include <cmath>

#include "widgets/export/pgf_axes.h"

namespace plastiscope {

namespace {
constexpr double kMarkPoints = 14;  // up to this size a closed path is a mark
}

bool isPlotMark(const RecordedMark& mark) {
  const QRectF bounds = mark.path.boundingRect();
  const double most = kMarkPoints * kUnitsPerPoint;
  if (bounds.width() > most || bounds.height() > most || mark.path.elementCount() < 4) return false;
  const bool closed = mark.path.elementAt(0) == mark.path.elementAt(mark.path.elementCount() - 1);
  const double ratio = bounds.width() / std::max(1.0, bounds.height());
  return closed && ratio > 0.6 && ratio < 1.7 && (mark.fill.isValid() || mark.path.elementCount() > 5);
}

QString plotMarkCode(const RecordedMark& mark) {
  const QPointF middle = mark.path.boundingRect().center();
  QString code;
  const auto point = [&](const QPainterPath::Element& e) {
    return QStringLiteral("{\\pgfpoint{%1}{%2}}").arg(bp(e.x - middle.x()), bp(middle.y() - e.y));
  };
  for (int i = 0; i < mark.path.elementCount(); ++i) {
    const QPainterPath::Element element = mark.path.elementAt(i);
    if (element.isCurveTo() && i + 2 < mark.path.elementCount()) {
      code += "\\pgfpathcurveto" + point(element) + point(mark.path.elementAt(i + 1)) +
              point(mark.path.elementAt(i + 2));
      i += 2;
    } else {
      code += (element.isMoveTo() ? "\\pgfpathmoveto" : "\\pgfpathlineto") + point(element);
    }
  }
  const bool filled = mark.fill.isValid() && mark.fill.alpha() > 0, drawn = mark.pen.style() != Qt::NoPen;
  const char* use = filled && drawn ? "fill,stroke" : filled ? "fill" : "stroke";
  return code + QStringLiteral("\\pgfpathclose\\pgfusepath{%1}").arg(QLatin1String(use));
}

QPointF PgfTable::gap() {
  return {std::nan(""), std::nan("")};
}

std::size_t PgfTable::add(std::vector<QPointF> points) {
  m_longest = std::max(m_longest, points.size());
  m_plots.push_back(std::move(points));
  return m_plots.size();
}

std::string PgfTable::csv() const {
  const auto text = [](double value) {
    return std::isfinite(value) ? QByteArray::number(value, 'g', 7).toStdString() : "nan";
  };
  std::string csv;
  for (std::size_t i = 1; i <= m_plots.size(); ++i) {
    const std::string n = std::to_string(i);
    csv += (i > 1 ? ",x" : "x") + n + ",y" + n;
  }
  csv += "\n";
  for (std::size_t row = 0; row < m_longest; ++row) {
    for (std::size_t i = 0; i < m_plots.size(); ++i) {
      const QPointF at = row < m_plots[i].size() ? m_plots[i][row] : gap();
      csv += (i > 0 ? "," : "") + text(at.x()) + "," + text(at.y());
    }
    csv += "\n";
  }
  return csv;
}

}  // namespace plastiscope
