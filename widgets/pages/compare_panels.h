#pragma once
// The pictures of a compare tab, in one list. To add one: a builder in widgets/plots, one line here, its
// figure in widgets/export/figure_kinds.cpp.
#include <QString>
#include <vector>

#include "widgets/compare/compare_model.h"
#include "widgets/plots/figure_view.h"

namespace plastiscope {

struct ComparePanel {
  QString id, title;
  QString figure;            // what export draws for it
  bool showsMetric = false;  // the chosen metric's name follows the title
  // What to draw; nothing when the analyses have no such numbers.
  FigureView::Build (*build)(const CompareViews& views);
  std::vector<FigureTip> (*tips)(const CompareViews& views) = nullptr;  // under the mouse; null = none
  // How the published numbers in it were read, "printed, digitised"; "" without any; null: never has any.
  std::string (*published)(const CompareViews& views) = nullptr;
};

const std::vector<ComparePanel>& comparePanels();

}  // namespace plastiscope
