#pragma once
// The pictures of a compare tab, in one list. To add one: a figure in core/figures, one line here, its
// line in widgets/export/figure_kinds.cpp.
#include <QString>
#include <optional>
#include <vector>

#include "core/views/plot.h"
#include "widgets/compare/compare_model.h"

namespace plastiscope {

struct ComparePanel {
  QString id, title;
  QString figure;            // what export draws for it
  bool showsMetric = false;  // the chosen metric's name follows the title
  // What to draw; nothing when the analyses have no such numbers.
  std::optional<Plot> (*plot)(const CompareViews& views);
  // How the published numbers in it were read, "printed, digitised"; "" without any; null: never has any.
  std::string (*published)(const CompareViews& views) = nullptr;
};

const std::vector<ComparePanel>& comparePanels();

}  // namespace plastiscope
