#include "app/desktop/view_catalogue.h"

#include <QCoreApplication>

#include "widgets/explore/explore_panels.h"
#include "widgets/pages/grid_panel.h"
#include "widgets/pages/head_panels.h"
#include "widgets/pages/table_panel.h"

namespace plastiscope {
namespace {
QString title(const char* text) {
  return QCoreApplication::translate("ViewCatalogue", text);
}
}  // namespace

const ViewCatalogue& viewCatalogue() {
  static const ViewCatalogue kViews = {
      {"headGridDock", title("Heads"), ViewArea::LeftTop, "head-grid", makeGridPanel},
      {"headTableDock", title("Head table"), ViewArea::LeftBottom, "head-grid", makeTablePanel},
      {"planeDock", title("{a, b} plane"), ViewArea::MiddleTop, "ab-scatter", makePlanePanel},
      {"mapDock", title("Plasticity map"), ViewArea::MiddleBottom, "map", makeMapPanel},
      {"profileDock", title("Profile and quintiles"), ViewArea::RightTop, "profile-quintiles",
       makeProfilePanel},
      {"components", title("Components"), ViewArea::Details, "components", makeComponentsPanel},
      {"taxonomy", title("Taxonomy"), ViewArea::Details, "taxonomy", makeTaxonomyPanel},
      {"weights", title("Weights"), ViewArea::Details, "component-weights", makeWeightsPanel},
      {"cloud", title("Cloud"), ViewArea::Details, "", makeCloudPanel},
      {"rows", title("Rows"), ViewArea::Details, "", makeRowsPanel},
      {"whatIf", title("What-if"), ViewArea::Details, "", makeWhatIfPanel},
      {"scrubberDock", title("Query position"), ViewArea::Strip, "", makeScrubberPanel},
  };
  return kViews;
}

}  // namespace plastiscope
