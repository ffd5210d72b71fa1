#include "widgets/pages/panel_dock.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QToolButton>

#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

constexpr int kTitleHeight = 28, kStripHeight = 38, kLeastChoice = 52, kLeastTitle = 84, kMostTitle = 600,
              kSpacing = 6;

}  // namespace

PanelTitle::PanelTitle(const QString& title, QDockWidget* dock)
    : QFrame(dock),
      m_title(named("panelTitleText", new ElidedLabel(kMostTitle, this, kLeastTitle))),
      m_note(named("panelTitleNote", new ElidedLabel(kMostTitle, this))),
      m_options(new QHBoxLayout),
      m_buttons(new QHBoxLayout),
      m_export(new QAction(lineIcon(QStringLiteral("export")), tr("Export this figure …"), this)),
      m_maximise(new QAction(this)),
      m_float(new QAction(lineIcon(QStringLiteral("float")), tr("Detach or attach this panel"), this)),
      m_close(new QAction(lineIcon(QStringLiteral("close")), tr("Hide this panel"), this)) {
  setObjectName(QStringLiteral("panelTitle"));
  setFixedHeight(kTitleHeight);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // gives way first
  m_options->setSpacing(4);
  m_options->setContentsMargins(0, 0, 0, 0);
  m_buttons->setSpacing(0);
  rowIn(this, {m_title, {m_note, 1, Qt::AlignRight | Qt::AlignVCenter}, m_options, m_buttons},
        {.margins = {8, 2, 3, 2}, .spacing = kSpacing});
  m_close->setToolTip(tr("Hide this panel (View, Panels shows it again)"));
  addButton(m_export)->setObjectName(QStringLiteral("panelExport"));
  m_spared = {addButton(m_maximise), addButton(m_float)};
  addButton(m_close);
  setTitle(title);
  setMaximised(false);
  offerExport(false);
  m_maximise->setVisible(false);
  connect(m_export, &QAction::triggered, this, &PanelTitle::exportRequested);
  connect(m_maximise, &QAction::triggered, this, &PanelTitle::maximiseRequested);
  connect(m_float, &QAction::triggered, dock, [dock] { dock->setFloating(!dock->isFloating()); });
  connect(m_close, &QAction::triggered, dock, &QDockWidget::close);
}

QToolButton* PanelTitle::addButton(QAction* action) {
  addAction(action);
  auto* button = new QToolButton(this);
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonIconOnly);
  button->setIconSize({12, 12});
  button->setFocusPolicy(Qt::TabFocus);
  m_buttons->addWidget(button);
  m_all.append(button);
  return button;
}

void PanelTitle::setTitle(const QString& title) {
  m_title->setName(title);
  m_title->setToolTip(plainTip(title));
}

void PanelTitle::setNote(const QString& note) {
  m_note->setName(note);
  m_note->setToolTip(plainTip(note));
}

void PanelTitle::addOption(QWidget* option) {
  if (auto* choice = qobject_cast<QComboBox*>(option)) choice->setMinimumWidth(kLeastChoice);
  m_options->addWidget(option);
}

void PanelTitle::offerExport(bool offered) {
  m_export->setVisible(offered);
  makeRoom();
}

void PanelTitle::offerMaximise() {
  m_maximise->setVisible(true);
  makeRoom();
}

void PanelTitle::setMaximised(bool maximised) {
  m_maximise->setIcon(lineIcon(maximised ? QStringLiteral("minimise") : QStringLiteral("maximise")));
  m_maximise->setText(maximised ? tr("Show the other panels again (F10)")
                                : tr("Give this panel the whole page (F10)"));
}

// The note gives way first, as a whole; then buttons, and only then the title and the options.
void PanelTitle::makeRoom() {
  int needed = m_title->sizeHint().width() + m_options->sizeHint().width() + 3 * kSpacing;
  for (const QToolButton* button : m_all) {
    if (button->defaultAction()->isVisible()) needed += button->sizeHint().width();
  }
  const int spare = contentsRect().width() - needed;
  m_note->setVisible(spare >= m_note->sizeHint().width() + kSpacing);  // half a number misleads
  const bool narrow = spare < 0;
  for (QToolButton* button : m_all) {
    const bool spared = narrow && m_spared.contains(button);
    button->setVisible(!spared && button->defaultAction()->isVisible());
  }
}

bool PanelTitle::event(QEvent* event) {
  if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) makeRoom();
  return QFrame::event(event);
}

// The dock is dragged by its bar and by the texts on it. What a control does not take must not begin a drag:
// the control may keep the release, and the drag would never end.
void PanelTitle::mousePressEvent(QMouseEvent* event) {
  const QWidget* part = childAt(event->position().toPoint());
  event->setAccepted(part != nullptr && part != m_title && part != m_note);
}

void PanelTitle::mouseDoubleClickEvent(QMouseEvent* event) {
  event->accept();
  if (m_maximise->isVisible()) Q_EMIT maximiseRequested();
}

PanelDock::PanelDock(const QString& id, const QString& title, QWidget* content, QWidget* parent)
    : QDockWidget(title, parent), m_bar(new PanelTitle(title, this)) {
  setObjectName(id);
  setTitleBarWidget(m_bar);
  auto* body = named("panelBody", new QFrame(this));
  columnIn(body, {content}, {.margins = {}, .spacing = 0});
  setWidget(body);
}

void PanelDock::showAsStrip() {
  setTitleBarWidget(new QWidget(this));
  m_bar->hide();
  widget()->setFixedHeight(kStripHeight);
}

}  // namespace plastiscope

#include "moc_panel_dock.cpp"
