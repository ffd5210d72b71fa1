#pragma once
// Panels of a composition that show the same quantity: one range, and labels at the outer edges only. Private
// to widgets/plots.
#include <vector>

#include "widgets/plots/qcp.h"

namespace plastiscope {

// The boxes of each panel, in their order; panels lie row by row. An axis is shared when it means the same in
// all panels and no panel would be squeezed by the range of the others.
void shareAxes(const std::vector<std::vector<QCPAxisRect*>>& panels, int columns);

// The boxes of a panel, in their order.
std::vector<QCPAxisRect*> boxesOf(const QCPLayoutGrid& panel);

// A grid whose panels' first boxes are equally large, whatever stands beside them.
class EqualPanels : public QCPLayoutGrid {
 public:
  QCPLayoutGrid& addPanel(int row, int column);

 protected:
  void updateLayout() override;
};

}  // namespace plastiscope
