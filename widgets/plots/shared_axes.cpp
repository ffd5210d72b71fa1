#include "widgets/plots/shared_axes.h"

#include <algorithm>

#include "widgets/plots/panel.h"

namespace plastiscope {

namespace {

// A panel keeps at least this share of a range that it shares.
constexpr double kLeastShare = 0.25;

// What an axis measures: its title without what belongs to one panel.
QString quantityOf(const QCPAxis& axis) {
  return titleOf(axis).section('|', 0, 0).section(QStringLiteral(" \u00b7 "), 0, 0);
}

// Named places have no title: the names say what they are.
bool sameNames(const QCPAxis& a, const QCPAxis& b) {
  const auto *first = dynamic_cast<QCPAxisTickerText*>(a.ticker().data()),
             *second = dynamic_cast<QCPAxisTickerText*>(b.ticker().data());
  if (first == nullptr || second == nullptr) return first == second && !quantityOf(a).isEmpty();
  auto* left = const_cast<QCPAxisTickerText*>(first);  // ticks() is not const
  auto* right = const_cast<QCPAxisTickerText*>(second);
  return left->ticks() == right->ticks();
}

bool sharable(const std::vector<QCPAxis*>& axes) {
  QCPRange whole = axes.front()->range();
  for (const QCPAxis* axis : axes) {
    if (quantityOf(*axis) != quantityOf(*axes.front()) || !sameNames(*axis, *axes.front())) return false;
    whole.expand(axis->range());
  }
  return std::all_of(axes.begin(), axes.end(), [&whole](const QCPAxis* axis) {
    return axis->range().size() >= kLeastShare * whole.size();
  });
}

void shareAxis(const std::vector<std::vector<QCPAxisRect*>>& panels, std::size_t box, QCPAxis::AxisType type,
               int columns) {
  std::vector<QCPAxis*> axes;
  for (const auto& panel : panels) axes.push_back(panel[box]->axis(type));
  if (!sharable(axes)) return;
  QCPRange whole = axes.front()->range();
  for (const QCPAxis* axis : axes) whole.expand(axis->range());
  const bool sameTitle = std::all_of(axes.begin(), axes.end(), [&axes](const QCPAxis* axis) {
    return titleOf(*axis) == titleOf(*axes.front());
  });
  for (std::size_t i = 0; i < axes.size(); ++i) {
    axes[i]->setRange(whole);
    const bool outer = type == QCPAxis::atLeft ? static_cast<int>(i) % columns == 0
                                               : i + static_cast<std::size_t>(columns) >= axes.size();
    if (outer) continue;
    axes[i]->setTickLabels(false);
    if (sameTitle) dropTitle(*axes[i]);
  }
}

}  // namespace

void shareAxes(const std::vector<std::vector<QCPAxisRect*>>& panels, int columns) {
  const std::size_t boxes = panels.front().size();
  for (const auto& panel : panels) {
    if (panel.size() != boxes) return;
  }
  for (std::size_t box = 0; box < boxes; ++box) {
    shareAxis(panels, box, QCPAxis::atBottom, columns);
    shareAxis(panels, box, QCPAxis::atLeft, columns);
  }
}

std::vector<QCPAxisRect*> boxesOf(const QCPLayoutGrid& panel) {
  std::vector<QCPAxisRect*> boxes;
  for (QCPLayoutElement* element : panel.elements(true)) {
    if (auto* box = dynamic_cast<QCPAxisRect*>(element)) boxes.push_back(box);
  }
  return boxes;
}

QCPLayoutGrid& EqualPanels::addPanel(int row, int column) {
  auto* panel = new QCPLayoutGrid;
  addElement(row, column, panel);
  return *panel;
}

// Each row and column as large as what surrounds its boxes, and the rest divided equally. The first pass does
// not know the margins yet.
void EqualPanels::updateLayout() {
  std::vector<double> widths(static_cast<std::size_t>(columnCount()), 0),
      heights(static_cast<std::size_t>(rowCount()), 0);
  bool known = true;
  for (int i = 0; i < elementCount(); ++i) {
    const auto* panel = dynamic_cast<const QCPLayoutGrid*>(elementAt(i));
    if (panel == nullptr) continue;
    const QSize outer = panel->outerRect().size(), inner = boxesOf(*panel).front()->rect().size();
    known = known && outer.width() > inner.width() && inner.width() > 0 && outer.height() > inner.height();
    int row = 0, column = 0;
    indexToRowCol(i, row, column);
    double &width = widths[static_cast<std::size_t>(column)],
           &height = heights[static_cast<std::size_t>(row)];
    width = std::max<double>(width, outer.width() - inner.width());
    height = std::max<double>(height, outer.height() - inner.height());
  }
  if (known) {
    const auto stretch = [](std::vector<double>& around, double whole, double spacing) {
      double left = whole - spacing * static_cast<double>(around.size() - 1);
      for (const double size : around) left -= size;
      for (double& size : around) size = std::max(1.0, size + left / static_cast<double>(around.size()));
    };
    stretch(widths, mRect.width(), columnSpacing());
    stretch(heights, mRect.height(), rowSpacing());
    setColumnStretchFactors(QList<double>(widths.begin(), widths.end()));
    setRowStretchFactors(QList<double>(heights.begin(), heights.end()));
  }
  QCPLayoutGrid::updateLayout();
}

}  // namespace plastiscope
