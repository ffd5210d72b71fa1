#include "widgets/panels/view_panel.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QToolButton>

#include "widgets/state/icons.h"

namespace plastiscope {
namespace {

QString viewTitle(const char* text) {
  return QCoreApplication::translate("ViewCatalogue", text);
}

}  // namespace

QComboBox* ViewPanel::addChoice(const char* name, const QString& tip) {
  auto* choice = new QComboBox(this);
  choice->setObjectName(QString::fromLatin1(name));
  choice->setToolTip(tip);
  choice->setAccessibleName(tip);
  choice->setFocusPolicy(Qt::TabFocus);
  choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  addOption(choice);
  return choice;
}

QToolButton* ViewPanel::addButton(const QString& icon, const QString& tip) {
  auto* button = new QToolButton(this);
  button->setIcon(lineIcon(icon));
  button->setIconSize({12, 12});
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setFocusPolicy(Qt::TabFocus);
  addOption(button);
  return button;
}

LazyRefresh::LazyRefresh(QWidget& panel, std::function<void()> refresh)
    : QObject(&panel), m_panel(panel), m_refresh(std::move(refresh)) {
  panel.installEventFilter(this);
}

void LazyRefresh::stale() {
  m_stale = true;
  refreshIfSeen();
}

bool LazyRefresh::eventFilter(QObject*, QEvent* event) {
  if (event->type() == QEvent::Show) refreshIfSeen();
  return false;
}

void LazyRefresh::refreshIfSeen() {
  if (!m_stale || !m_panel.isVisible()) return;
  m_stale = false;
  m_refresh();
}

const std::vector<ViewSpec>& viewCatalogue() {
  static const std::vector<ViewSpec> kViews = {
      {"headGridDock", viewTitle("Heads"), LeftTop, "head-grid", {"depth", "depth-map"}, makeHeadGridPanel},
      {"headTableDock", viewTitle("Head table"), LeftBottom, "head-grid", {"density"}, makeHeadTablePanel},
      {"planeDock",
       viewTitle("{a, b} plane"),
       MiddleTop,
       "ab-scatter",
       {"pca-scatter", "complement"},
       makePlanePanel},
      {"mapDock", viewTitle("Plasticity map"), MiddleBottom, "map", {}, makeMapPanel},
      {"profileDock",
       viewTitle("Profile and quintiles"),
       RightTop,
       "profile-quintiles",
       {"profile", "quintiles"},
       makeProfilePanel},
      {"components",
       viewTitle("Components"),
       DetailsArea,
       "components",
       {"component-signal", "component-variance"},
       makeComponentsPanel},
      {"taxonomy", viewTitle("Taxonomy"), DetailsArea, "taxonomy", {"head-scatter"}, makeTaxonomyPanel},
      {"weights", viewTitle("Weights"), DetailsArea, "component-weights", {}, makeWeightsPanel},
      {"cloud", viewTitle("Cloud"), DetailsArea, "", {}, makeCloudPanel},
      {"rows", viewTitle("Rows"), DetailsArea, "", {}, makeRowsPanel},
      {"whatIf", viewTitle("What-if"), DetailsArea, "", {}, makeWhatIfPanel},
      {"scrubberDock", viewTitle("Query position"), StripArea, "", {}, makeScrubberPanel},
  };
  return kViews;
}

}  // namespace plastiscope
