#include "widgets/panels/view_panel.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolButton>

#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

QString viewTitle(const char* text) {
  return QCoreApplication::translate("ViewCatalogue", text);
}

// Combo box that elides its text in a narrow title bar; Qt would cut through a letter.
class ElidedChoice : public QComboBox {
 public:
  using QComboBox::QComboBox;

 protected:
  void paintEvent(QPaintEvent*) override {
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QRect room =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = option.fontMetrics.elidedText(option.currentText, Qt::ElideRight, room.width());
    QStylePainter painter(this);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
  }
};

}  // namespace

QComboBox* ViewPanel::addChoice(const char* name, const QString& tip) {
  auto* choice = new ElidedChoice(this);
  choice->setObjectName(QString::fromLatin1(name));
  explain(*choice, tip);
  choice->setFocusPolicy(Qt::TabFocus);
  choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  addOption(choice);
  return choice;
}

QToolButton* ViewPanel::addButton(const QString& icon, const QString& tip) {
  auto* button = iconButton(icon, 12, tip, this);
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
  // Qt counts a panel behind another tab as shown: only a paint event proves that it is visible.
  if (event->type() == QEvent::Show || event->type() == QEvent::Paint) refreshIfSeen();
  return false;
}

void LazyRefresh::refreshIfSeen() {
  if (!m_stale || !m_panel.isVisible() || m_panel.visibleRegion().isEmpty()) return;
  m_stale = false;
  m_refresh();
}

const std::vector<ViewSpec>& viewCatalogue() {
  static const std::vector<ViewSpec> kViews = {
      ViewSpec{"headGridDock", viewTitle("Heads"), LeftTop, "head-grid", QStringList{"depth", "depth-map"},
               makeHeadGridPanel},
      ViewSpec{"headTableDock", viewTitle("Head table"), LeftBottom, "head-grid",
               QStringList{"density", "loss"}, makeHeadTablePanel},
      ViewSpec{"planeDock", viewTitle("{a, b} plane"), MiddleTop, "ab-scatter",
               QStringList{"pca-scatter", "complement"}, makePlanePanel},
      ViewSpec{"textDock", viewTitle("Text"), MiddleTop, "text", {}, makeTextPanel},
      ViewSpec{"headMetricsDock",
               viewTitle("Heads on free axes"),
               MiddleTop,
               "head-metrics",
               {},
               makeHeadMetricsPanel},
      ViewSpec{"mapDock", viewTitle("Plasticity map"), MiddleBottom, "map", {}, makeMapPanel},
      ViewSpec{"profileDock", viewTitle("Profile and quintiles"), RightTop, "profile-quintiles",
               QStringList{"profile", "quintiles"}, makeProfilePanel, viewTitle("Profile")},
      ViewSpec{"components", viewTitle("Components"), DetailsArea, "components",
               QStringList{"component-signal", "component-variance"}, makeComponentsPanel},
      ViewSpec{"taxonomy", viewTitle("Taxonomy"), DetailsArea, "taxonomy", QStringList{"head-scatter"},
               makeTaxonomyPanel},
      ViewSpec{"weights", viewTitle("Weights"), DetailsArea, "component-weights", {}, makeWeightsPanel},
      ViewSpec{"placement",
               viewTitle("Placement and content"),
               DetailsArea,
               "placement",
               {},
               makePlacementPanel,
               viewTitle("Placement")},
      ViewSpec{"salience",
               viewTitle("Position and salience"),
               DetailsArea,
               "salience",
               {},
               makeSaliencePanel,
               viewTitle("Salience")},
      ViewSpec{"cloud", viewTitle("Cloud"), DetailsArea, "", {}, makeCloudPanel},
      ViewSpec{"rows", viewTitle("Rows"), DetailsArea, "", {}, makeRowsPanel},
      ViewSpec{"strongestKeys",
               viewTitle("Keys of a query"),
               DetailsArea,
               "keys",
               {},
               makeStrongestKeysPanel,
               viewTitle("Keys")},
      ViewSpec{"whatIf", viewTitle("What-if"), DetailsArea, "", {}, makeWhatIfPanel},
      ViewSpec{"scrubberDock", viewTitle("Query position"), StripArea, "", {}, makeScrubberPanel},
  };
  return kViews;
}

}  // namespace plastiscope

#include "moc_view_panel.cpp"
