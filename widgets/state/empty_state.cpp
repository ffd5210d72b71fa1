#include "widgets/state/empty_state.h"

#include <QAction>
#include <QLabel>
#include <QPointer>
#include <QPushButton>

#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

// Part of a message, and the object name of the window's command that helps.
struct Remedy {
  const char *part, *action;
};
constexpr Remedy kRemedies[] = {
    {"--dense", "actionCapture"},
    {"no losses", "actionMeasureLoss"},
    {"analyse the capture", "actionAnalyse"},
    {"only its analysis was opened", "actionLocateCapture"},
    {"no results of", "actionCauses"},
};

// The command of the window that contains `widget`, also in a floating dock; null: none.
QAction* commandOf(const QWidget& widget, const char* name) {
  for (const QWidget* at = &widget; at != nullptr; at = at->parentWidget())
    if (auto* action = at->findChild<QAction*>(QLatin1String(name), Qt::FindDirectChildrenOnly)) return action;
  return nullptr;
}

}  // namespace

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_offer(smallButton({}, {}, this)) {
  m_text->setTextFormat(Qt::PlainText);
  m_text->setAlignment(Qt::AlignCenter);
  m_text->setWordWrap(true);
  m_text->setMargin(16);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_offer->setObjectName(QStringLiteral("emptyOffer"));
  m_offer->hide();
  columnIn(this, {Stretch(), m_text, {m_offer, 0, Qt::AlignHCenter}, Stretch()},
           {.margins = {}, .spacing = 0});
}

QString EmptyState::text() const {
  return m_text->text();
}

void EmptyState::setText(const QString& sentence) {
  m_text->setText(sentence.isEmpty() ? sentence : sentence.front().toUpper() + sentence.mid(1));
  if (isVisible()) offer();
}

// A view finds its window only once it is inside.
void EmptyState::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  offer();
}

void EmptyState::offer() {
  m_offer->disconnect(this);
  m_offer->hide();
  for (const auto& [part, name] : kRemedies) {
    if (!text().contains(QLatin1String(part), Qt::CaseInsensitive)) continue;
    QAction* action = commandOf(*this, name);
    if (action == nullptr || !action->isEnabled()) return;
    m_offer->setText(action->text().remove(QLatin1Char('&')));
    m_offer->setToolTip(action->toolTip());
    connect(m_offer, &QPushButton::clicked, this, [action = QPointer(action)] {
      if (action != nullptr) action->trigger();
    });
    m_offer->show();
    return;
  }
}

}  // namespace plastiscope

#include "moc_empty_state.cpp"
