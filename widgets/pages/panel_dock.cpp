#include "widgets/pages/panel_dock.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/state/icons.h"

namespace plastiscope {
namespace {

constexpr int kTitleHeight = 28, kStripHeight = 38, kLeastWidth = 48;

QToolButton* barButton(const QString& icon, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setIcon(lineIcon(icon));
  button->setIconSize({12, 12});
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace

PanelTitle::PanelTitle(const QString& title, QDockWidget* dock)
    : QFrame(dock), m_title(new QLabel(title, this)), m_note(new QLabel(this)), m_options(new QHBoxLayout) {
  setObjectName(QStringLiteral("panelTitle"));
  setFixedHeight(kTitleHeight);
  m_title->setObjectName(QStringLiteral("panelTitleText"));
  m_note->setObjectName(QStringLiteral("panelTitleNote"));
  m_note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_title->setMinimumWidth(kLeastWidth);  // narrow windows cut titles before they cut the page
  m_note->setMinimumWidth(0);
  m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_options->setSpacing(4);
  m_options->setContentsMargins(0, 0, 0, 0);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 2, 3, 2);
  row->setSpacing(6);
  row->addWidget(m_title);
  row->addWidget(m_note, 1);
  row->addLayout(m_options);
  m_maximise = barButton(QStringLiteral("maximise"), QString(), this);
  setMaximised(false);
  m_maximise->hide();
  auto* floating = barButton(QStringLiteral("float"), tr("Detach or attach this panel"), this);
  auto* close = barButton(QStringLiteral("close"), tr("Hide this panel (View menu shows it again)"), this);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(0);
  buttons->addWidget(m_maximise);
  buttons->addWidget(floating);
  buttons->addWidget(close);
  row->addLayout(buttons);
  connect(m_maximise, &QToolButton::clicked, this, &PanelTitle::maximiseRequested);
  connect(floating, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
  connect(close, &QToolButton::clicked, dock, &QDockWidget::close);
}

void PanelTitle::setTitle(const QString& title) {
  m_title->setText(title);
}

void PanelTitle::setNote(const QString& note) {
  m_note->setText(note);
  m_note->setToolTip(note);
}

void PanelTitle::addOption(QWidget* option) {
  if (auto* choice = qobject_cast<QComboBox*>(option)) choice->setMinimumWidth(kLeastWidth);
  m_options->addWidget(option);
}

void PanelTitle::offerMaximise() {
  m_maximise->show();
}

void PanelTitle::setMaximised(bool maximised) {
  m_maximise->setIcon(lineIcon(maximised ? QStringLiteral("minimise") : QStringLiteral("maximise")));
  m_maximise->setToolTip(maximised ? tr("Show the other panels again (F10)")
                                   : tr("Give this panel the whole page (F10)"));
  m_maximise->setAccessibleName(m_maximise->toolTip());
}

void PanelTitle::mouseDoubleClickEvent(QMouseEvent* event) {
  event->accept();
  if (!m_maximise->isHidden()) Q_EMIT maximiseRequested();
}

PanelDock::PanelDock(const QString& id, const QString& title, QWidget* content, QWidget* parent)
    : QDockWidget(title, parent), m_bar(new PanelTitle(title, this)) {
  setObjectName(id);
  setTitleBarWidget(m_bar);
  auto* body = new QFrame(this);
  body->setObjectName(QStringLiteral("panelBody"));
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(content);
  setWidget(body);
}

void PanelDock::showAsStrip() {
  setTitleBarWidget(new QWidget(this));
  m_bar->hide();
  widget()->setFixedHeight(kStripHeight);
}

}  // namespace plastiscope
