#include "widgets/pages/details_tabs.h"

#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "widgets/models/study_model.h"

namespace plastiscope {
namespace {

// QTabWidget only lets its own kind set the bar.
class FlatTabs : public QTabWidget {
 public:
  explicit FlatTabs(QWidget* parent) : QTabWidget(parent) {
    auto* bar = new QTabBar(this);
    bar->setObjectName(QStringLiteral("detailTabs"));
    bar->setDrawBase(false);
    bar->setExpanding(false);
    setTabBar(bar);
    setDocumentMode(true);
  }
};

}  // namespace

DetailsTabs::DetailsTabs(const ViewCatalogue& views, StudyModel& model, QWidget* parent)
    : ViewPanel(parent), m_tabs(new FlatTabs(this)) {
  m_tabs->setObjectName(QStringLiteral("details"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_tabs);
  for (const ViewSpec& view : views) {
    if (view.area != ViewArea::Details) continue;
    ViewPanel* panel = view.make(model, m_tabs);
    panel->setObjectName(view.id);
    m_tabs->addTab(panel, view.title);
    m_panels.append(panel);
    for (QWidget* option : panel->options()) addOption(option);
  }
  connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
    showOptions();
    Q_EMIT pageChanged(currentId());
  });
  connect(&model.selection(), &Selection::changed, this, [this](const ViewSelection& now) {
    if (now.head) Q_EMIT titleChanged(tr("L%1 H%2 details").arg(now.head->layer).arg(now.head->head));
  });
  showOptions();
}

void DetailsTabs::showOptions() {
  for (ViewPanel* panel : m_panels) {
    for (QWidget* option : panel->options()) option->setVisible(panel == m_tabs->currentWidget());
  }
}

QString DetailsTabs::currentId() const {
  return m_tabs->currentWidget() ? m_tabs->currentWidget()->objectName() : QString();
}

QWidget* DetailsTabs::currentPanel() const {
  return m_tabs->currentWidget();
}

void DetailsTabs::showPage(const QString& id) {
  for (ViewPanel* panel : m_panels) {
    if (panel->objectName() == id) m_tabs->setCurrentWidget(panel);
  }
}

}  // namespace plastiscope
