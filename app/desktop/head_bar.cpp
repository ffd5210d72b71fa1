#include "app/desktop/head_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <algorithm>

#include "core/base/error.h"
#include "core/views/metric_info.h"
#include "widgets/models/metric_box.h"
#include "widgets/pages/command_palette.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"
#include "widgets/state/theme.h"

namespace plastiscope {

// Stepper < L12 H6 > with a star and an editable name.
class HeadStepper : public QWidget {
 public:
  struct Actions {
    std::function<void(int by)> step;           // -1, +1
    std::function<void(HeadName head)> choose;  // may be a missing head
    std::function<void()> toggleStar;
  };
  HeadStepper(Actions actions, QWidget* parent)
      : QWidget(parent),
        m_actions(std::move(actions)),
        m_row(rowIn(this, {}, {.margins = {}, .spacing = 2})),
        m_name(named("headName", new QLineEdit(this))) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_name->setAlignment(Qt::AlignCenter);
    m_name->setFixedWidth(84);
    explain(*m_name, HeadBar::tr("Chosen head"), HeadBar::tr("The chosen head; type another, such as L12H6"));
    addButton("left", HeadBar::tr("Previous head ([)"), [this] { m_actions.step(-1); });
    m_row->addWidget(m_name);
    addButton("right", HeadBar::tr("Next head (])"), [this] { m_actions.step(1); });
    m_star = addButton("star", HeadBar::tr("Mark this head (S)"), [this] { m_actions.toggleStar(); });
    m_star->setObjectName(QStringLiteral("headStar"));
    connect(m_name, &QLineEdit::returnPressed, this, &HeadStepper::chooseTyped);
    show(std::nullopt, false);
  }

  void show(std::optional<HeadName> head, bool marked) {  // nullopt: disabled
    setEnabled(head.has_value());
    m_name->setText(head ? QStringLiteral("L%1 H%2").arg(head->layer).arg(head->head) : QStringLiteral("–"));
    m_star->setIcon(marked ? lineIcon(QStringLiteral("star-filled"), QStringLiteral("selection"))
                           : lineIcon(QStringLiteral("star")));
  }
  using QWidget::show;

 private:
  QToolButton* addButton(const char* icon, const QString& tip, const std::function<void()>& run) {
    auto* button = iconButton(QLatin1String(icon), 14, tip, this);
    connect(button, &QToolButton::clicked, this, run);
    m_row->addWidget(button);
    return button;
  }

  void chooseTyped() {
    try {
      const auto heads = parseHeadList(m_name->text().remove(QLatin1Char(' ')).toUpper().toStdString());
      if (heads.size() != 1) return m_name->selectAll();
      m_name->clearFocus();
      m_actions.choose(heads.front());
    } catch (const Error&) {
      m_name->selectAll();
    }
  }

  Actions m_actions;
  QHBoxLayout* m_row;
  QLineEdit* m_name;
  QToolButton* m_star = nullptr;
};

namespace {

constexpr int kMetricWidth = 190, kSearchWidth = 300;

QLabel* barLabel(const QString& text, QWidget* parent) {
  auto* label = styledLabel(text, "muted", parent);
  label->setContentsMargins(4, 0, 4, 0);
  return label;
}

}  // namespace

// Widgets are created in the order in which the Tab key visits them.
HeadBar::HeadBar(WindowTabs& tabs, MessageBar& messages, const Commands& commands)
    : QToolBar(tr("Tool bar")), m_tabs(tabs), m_messages(messages) {
  setObjectName(QStringLiteral("mainToolBar"));
  setMovable(false);
  setIconSize({16, 16});
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setContextMenuPolicy(Qt::PreventContextMenu);
  addActions(commands);
  addSeparator();
  addMetric();
  QAction* aligned = commands.action("actionAligned");
  aligned->setIconText(tr("Aligned"));
  addAction(aligned);
  static_cast<QToolButton*>(widgetForAction(aligned))->setToolButtonStyle(Qt::ToolButtonTextOnly);
  addSeparator();
  m_stepper = new HeadStepper({[this](int by) { stepHead(by); }, [this](HeadName head) { chooseHead(head); },
                               [this] { toggleStar(); }},
                              this);
  addWidget(barLabel(tr("Head"), this));
  addWidget(m_stepper);
  auto* space = new QWidget(this);
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addWidget(space);
  m_palette = new CommandPalette(commands.listed, this);
  m_palette->setFixedWidth(kSearchWidth);
  m_palette->setPlaceholderText(tr("Search actions, heads, files   Ctrl+K"));
  addWidget(m_palette);
  // Tool bars disable keyboard focus of their buttons: restores it.
  for (QToolButton* button : findChildren<QToolButton*>()) button->setFocusPolicy(Qt::TabFocus);
}

void HeadBar::addActions(const Commands& commands) {
  // Shown with their names in the bar; others are icons only.
  const std::pair<const char*, QString> actions[] = {{"actionOpen", tr("Open")},
                                                     {"actionCapture", tr("Capture")},
                                                     {"actionExport", tr("Export")},
                                                     {"actionUndo", {}},
                                                     {"actionRedo", {}}};
  for (const auto& [name, title] : actions) {
    QAction* action = commands.action(name);
    if (action == commands.action("actionUndo")) addSeparator();
    addAction(action);
    if (title.isEmpty())
      static_cast<QToolButton*>(widgetForAction(action))->setToolButtonStyle(Qt::ToolButtonIconOnly);
    else
      action->setIconText(title);
  }
}

void HeadBar::addMetric() {
  m_metric = new MetricBox("metricBox", this);
  m_metric->setMinimumWidth(kMetricWidth);
  explain(*m_metric, tr("Metric that colours the head grid"));
  connect(m_metric, &QComboBox::activated, this, [this] {
    if (Selection* selection = m_tabs.selection())
      selection->setMetric(m_metric->currentData().toString().toStdString());
  });
  addWidget(barLabel(tr("Metric"), this));
  addWidget(m_metric);
}

std::string HeadBar::metric() const {
  const auto* compare = m_tabs.current<ComparePage>();
  if (compare && compare->model().views() && compare->model().settled())
    return compare->model().views()->metric;
  const Selection* selection = m_tabs.selection();
  return selection ? selection->value().metric : std::string();
}

void HeadBar::refresh() {
  m_metric->setEnabled(m_tabs.analysis() != nullptr);
  fillMetrics();
  const Selection* selection = m_tabs.selection();
  if (!selection) return m_stepper->show(std::nullopt, false);
  const ViewSelection& now = selection->value();
  m_stepper->show(now.head, now.head && now.marked.contains(*now.head));
  m_metric->setCurrentIndex(m_metric->findData(QString::fromStdString(metric())));
}

void HeadBar::stepHead(int by) {
  if (const auto head = m_tabs.neighbourHead(by)) m_tabs.selection()->setHead(*head);
}

void HeadBar::toggleStar() {
  Selection* selection = m_tabs.selection();
  if (selection && selection->value().head) selection->toggleMark(*selection->value().head);
}

void HeadBar::chooseHead(HeadName head) {
  if (!m_tabs.selection()) return;
  const auto heads = m_tabs.heads();
  if (std::ranges::find(heads, head) != heads.end())
    m_tabs.selection()->setHead(head);
  else
    m_messages.sayOf(m_tabs.currentWidget(), Message::Kind::Info,
                     tr("%1 was not captured.").arg(QString::fromStdString(head.text())), 5000);
}

void HeadBar::fillMetrics() {
  const auto analysis = m_tabs.analysis();
  if (analysis == m_metricsOf && m_metric->count() > 0) return;
  m_metricsOf = analysis;
  m_metric->setMetrics(analysis ? metricsOf(requiredTable(*analysis, "heads")) : std::vector<MetricInfo>());
}

}  // namespace plastiscope

#include "moc_head_bar.cpp"
