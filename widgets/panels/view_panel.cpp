#include "widgets/panels/view_panel.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolButton>

#include "widgets/models/study_model.h"

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

ComputedPanel::ComputedPanel(StudyModel& model, QWidget* parent)
    : ViewPanel(parent), m_model(model), m_runner(model.workers(), WorkLength::Quick) {
  model.watch([this] { return m_runner.running(); });
}

void ComputedPanel::setStale() {
  m_stale = true;
  computeIfVisible();
}

bool ComputedPanel::event(QEvent* event) {
  // Qt counts a panel behind another tab as shown: only a paint event proves that it is visible.
  if (event->type() == QEvent::Show || event->type() == QEvent::Paint) computeIfVisible();
  return ViewPanel::event(event);
}

void ComputedPanel::computeIfVisible() {
  if (!m_stale || !isVisible() || visibleRegion().isEmpty()) return;
  m_stale = false;
  compute();
}

const std::vector<ViewSpec>& viewCatalogue() {
  static const std::vector<ViewSpec> kViews = {
      {"headGridDock", viewTitle("Heads"), LeftTop, makeHeadGridPanel, "head-grid", {"depth", "depth-map"}},
      {"headTableDock",
       viewTitle("Head table"),
       LeftBottom,
       makeHeadTablePanel,
       "head-grid",
       {"density", "loss"}},
      {"planeDock",
       viewTitle("{a, b} plane"),
       MiddleTop,
       makePlanePanel,
       "ab-scatter",
       {"pca-scatter", "complement"}},
      {"textDock", viewTitle("Text"), MiddleTop, makeTextPanel, "text"},
      {"headMetricsDock", viewTitle("Heads on free axes"), MiddleTop, makeHeadMetricsPanel, "head-metrics"},
      {"mapDock", viewTitle("Plasticity map"), MiddleBottom, makeMapPanel, "map"},
      {"profileDock",
       viewTitle("Profile and quintiles"),
       RightTop,
       makeProfilePanel,
       "profile-quintiles",
       {"profile", "quintiles"},
       viewTitle("Profile")},
      {"attendedDock", viewTitle("What this head looks at"), RightTop, makeAttendedPanel, "attended",
       QStringList(), viewTitle("Looks at")},
      {"components",
       viewTitle("Components"),
       DetailsArea,
       makeComponentsPanel,
       "components",
       {"component-signal", "component-variance"}},
      {"taxonomy", viewTitle("Taxonomy"), DetailsArea, makeTaxonomyPanel, "taxonomy", {"head-scatter"}},
      {"weights", viewTitle("Weights"), DetailsArea, makeWeightsPanel, "component-weights"},
      {"placement", viewTitle("Placement and content"), DetailsArea, makePlacementPanel, "placement",
       QStringList(), viewTitle("Placement")},
      {"salience", viewTitle("Position and salience"), DetailsArea, makeSaliencePanel, "salience",
       QStringList(), viewTitle("Salience")},
      {"cloud", viewTitle("Cloud"), DetailsArea, makeCloudPanel},
      {"rows", viewTitle("Rows"), DetailsArea, makeRowsPanel},
      {"strongestKeys", viewTitle("Keys of a query"), DetailsArea, makeStrongestKeysPanel, "keys",
       QStringList(), viewTitle("Keys")},
      {"whatIf", viewTitle("What-if"), DetailsArea, makeWhatIfPanel},
      {"softmax", viewTitle("Softmax by position"), DetailsArea, makeSoftmaxPanel, "softmax", QStringList(),
       viewTitle("Softmax")},
      {"causes",
       viewTitle("Causes"),
       DetailsArea,
       makeCausesPanel,
       "probes",
       {"retrieval", "doses", "composition"}},
      {"scrubberDock", viewTitle("Query position"), StripArea, makeScrubberPanel},
  };
  return kViews;
}

}  // namespace plastiscope

#include "moc_view_panel.cpp"
