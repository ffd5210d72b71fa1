#include "widgets/pages/message_bar.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QTimer>
#include <QToolButton>
#include <array>
#include <utility>

#include "core/analysis/row_choice.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

constexpr int kIconPixels = 13, kMessageIcon = 16;

struct Look {
  const char* kind;
  const char* icon;
  const char* role;
};
// In the order of Message::Kind.
constexpr std::array<Look, 4> kKindLooks = {{{"info", "info", "accent"},
                                             {"good", "check", "good"},
                                             {"caution", "warning", "caution"},
                                             {"bad", "warning", "bad"}}};

}  // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent),
      m_icon(new IconLabel(kMessageIcon, this)),
      m_text(named("messageText", new QLabel(this))),
      m_action(named("messageAction", smallButton({}, {}, this))),
      m_other(named("messageOther", smallButton({}, {}, this))),
      m_copy(iconButton(QStringLiteral("copy"), kIconPixels, tr("Copy this message"), this)),
      m_close(named("messageClose", iconButton(QStringLiteral("close"), kIconPixels, tr("Dismiss"), this))),
      m_hide(new QTimer(this)) {
  setObjectName(QStringLiteral("messageBar"));
  m_text->setTextFormat(Qt::PlainText);
  m_text->setWordWrap(true);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  for (QToolButton* button : {m_copy, m_close}) button->setAutoRaise(true);
  m_hide->setSingleShot(true);
  rowIn(this, {m_icon, {m_text, 1}, m_action, m_other, m_copy, m_close},
        {.margins = {12, 5, 8, 5}, .spacing = 8});
  connect(m_close, &QToolButton::clicked, this, &MessageBar::dismiss);
  connect(m_copy, &QToolButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(m_text->text()); });
  connect(m_hide, &QTimer::timeout, this, &MessageBar::dismiss);
  connect(m_action, &QPushButton::clicked, this, [this] {
    dismiss();
    if (const auto run = m_run) run();
  });
  connect(m_other, &QPushButton::clicked, this, [this] {
    dismiss();
    if (const auto run = m_runOther) run();
  });
  hide();
}

void MessageBar::say(Message::Kind kind, const QString& text, int hideAfterMilliseconds) {
  show({.kind = kind, .text = text, .hideAfterMilliseconds = hideAfterMilliseconds});
}

void MessageBar::sayOf(QWidget* page, Message::Kind kind, const QString& text, int hideAfterMilliseconds) {
  show({.kind = kind, .text = text, .hideAfterMilliseconds = hideAfterMilliseconds, .page = page});
}

void MessageBar::offerTab(const QString& text, std::function<void()> showTab) {
  show({.kind = Message::Kind::Good, .text = text, .actionTitle = tr("Show"), .action = std::move(showTab)});
}

void MessageBar::show(const Message& message) {
  if (message.page != nullptr) {
    if (m_ofPages.insert_or_assign(message.page, message).second)
      connect(message.page, &QObject::destroyed, this, [this, page = message.page] { forget(page); });
    if (m_front != nullptr && message.page != m_front) return;
  }
  const Look& look = kKindLooks[static_cast<std::size_t>(message.kind)];
  setProperty("kind", QString::fromLatin1(look.kind));
  style()->unpolish(this);
  style()->polish(this);
  m_icon->setIcon(lineIcon(QString::fromLatin1(look.icon), QString::fromLatin1(look.role)));
  m_text->setText(message.text);
  m_run = message.action;
  m_action->setText(message.actionTitle);
  m_action->setVisible(!message.actionTitle.isEmpty());
  m_runOther = message.other;
  m_other->setText(message.otherTitle);
  m_other->setVisible(!message.otherTitle.isEmpty());
  m_about = message.page;
  m_hide->stop();
  if (message.hideAfterMilliseconds > 0) m_hide->start(message.hideAfterMilliseconds);
  setVisible(true);
}

QString MessageBar::text() const {
  return m_text->text();
}

void MessageBar::dismiss() {
  m_ofPages.erase(m_about);
  hide();
}

void MessageBar::forget(QWidget* page) {
  m_ofPages.erase(page);
  if (m_about == page) hide();
}

void MessageBar::pageChanged(QWidget* front) {
  m_front = front;
  if (m_about == front) return;
  if (QWidget* about = std::exchange(m_about, nullptr)) {
    if (m_hide->isActive()) m_ofPages.erase(about);
    m_hide->stop();
    hide();
  }
  if (const auto kept = m_ofPages.find(front); kept != m_ofPages.end()) show(Message(kept->second));
}

RowsBanner::RowsBanner(QWidget* parent)
    : QFrame(parent),
      m_icon(new IconLabel(kIconPixels, this, lineIcon(QStringLiteral("filter"), "caution"))),
      m_text(named("rowsText", new QLabel(this))),
      m_change(named("rowsChange", smallButton(tr("&Change …"), tr("Choose other rows"), this))),
      m_all(named("rowsShowAll",
                  smallButton(tr("Show &all rows"), tr("Back to every row of the capture"), this))) {
  setObjectName(QStringLiteral("rowsBanner"));
  m_text->setTextFormat(Qt::PlainText);
  m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  rowIn(this, {m_icon, {m_text, 1}, m_change, m_all}, {.margins = {12, 4, 8, 4}, .spacing = 8});
  connect(m_change, &QPushButton::clicked, this, &RowsBanner::changeRequested);
  connect(m_all, &QPushButton::clicked, this, &RowsBanner::allRequested);
  hide();
}

void RowsBanner::showChoice(const RowChoice& choice, const QString& state) {
  setVisible(!choice.all());
  const QString rows = QString::fromStdString(textOf(choice));
  m_text->setText(state.isEmpty() ? tr("Only some rows: %1").arg(rows) : tr("%1: %2").arg(state, rows));
  m_text->setToolTip(m_text->text());
}

void RowsBanner::offerButtons(bool offered) {
  m_change->setVisible(offered);
  m_all->setVisible(offered);
}

}  // namespace plastiscope

#include "moc_message_bar.cpp"
