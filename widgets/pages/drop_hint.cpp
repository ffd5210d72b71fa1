#include "widgets/pages/drop_hint.h"

#include <QFrame>
#include <QLabel>
#include <QVBoxLayout>

namespace plastiscope {

namespace {
constexpr int kWidth = 500;
}

DropHint::DropHint(QWidget* parent) : QWidget(parent) {
  auto* frame = new QFrame(this);
  frame->setObjectName(QStringLiteral("dropHint"));
  frame->setFixedWidth(kWidth);
  m_title = new QLabel(frame);
  m_title->setProperty("strong", true);
  m_text = new QLabel(frame);
  m_text->setObjectName(QStringLiteral("compareHint"));
  m_text->setProperty("muted", true);
  m_text->setWordWrap(true);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* words = new QVBoxLayout(frame);
  words->setContentsMargins(28, 24, 28, 24);
  words->setSpacing(8);
  for (QLabel* label : {m_title, m_text}) {
    label->setAlignment(Qt::AlignCenter);
    words->addWidget(label);
  }
  auto* across = new QHBoxLayout;  // stretches, not an alignment: the words keep the height that they need
  across->addStretch(1);
  across->addWidget(frame);
  across->addStretch(1);
  auto* centre = new QVBoxLayout(this);
  centre->addStretch(1);
  centre->addLayout(across);
  centre->addStretch(2);
}

void DropHint::say(const QString& title, const QString& text) {
  m_title->setText(title);
  m_text->setText(text);
}

}  // namespace plastiscope
