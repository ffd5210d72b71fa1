#include "widgets/pages/panel_dock.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/state/icons.h"

namespace plastiscope {
namespace {

constexpr int kTitleHeight = 28;

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
  m_note->setMinimumWidth(0);
  m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_options->setSpacing(4);
  m_options->setContentsMargins(0, 0, 0, 0);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 0, 3, 0);
  row->setSpacing(6);
  row->addWidget(m_title);
  row->addWidget(m_note, 1);
  row->addLayout(m_options);
  auto* floating = barButton(QStringLiteral("float"), tr("Detach or attach this panel"), this);
  auto* close = barButton(QStringLiteral("close"), tr("Hide this panel (View menu shows it again)"), this);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(0);
  buttons->addWidget(floating);
  buttons->addWidget(close);
  row->addLayout(buttons);
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
  m_options->addWidget(option);
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

}  // namespace plastiscope
