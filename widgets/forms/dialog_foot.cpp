#include "widgets/forms/dialog_foot.h"

#include <QDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace plastiscope {

DialogFoot::DialogFoot(Words words, QDialog* dialog)
    : QWidget(dialog),
      m_words(std::move(words)),
      m_hint(new QLabel(this)),
      m_start(new QPushButton(m_words.start, this)) {
  m_hint->setProperty("muted", true);
  m_hint->setObjectName(m_words.name + QStringLiteral("Hint"));
  m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* cancel = new QPushButton(tr("Cancel"), this);
  cancel->setAutoDefault(false);
  cancel->setToolTip(m_words.cancelTip);
  m_start->setObjectName(m_words.name + QStringLiteral("Start"));
  m_start->setAutoDefault(false);
  m_start->setDefault(true);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(m_hint, 1);
  row->addWidget(cancel);
  row->addWidget(m_start);
  connect(cancel, &QPushButton::clicked, dialog, &QDialog::reject);
  connect(m_start, &QPushButton::clicked, this, &DialogFoot::startRequested);
}

void DialogFoot::showState(const QString& lacking, const QString& hint) {
  m_start->setEnabled(lacking.isEmpty());
  m_start->setToolTip(lacking.isEmpty() ? m_words.startTip : lacking);
  say(lacking.isEmpty() ? hint : lacking);
}

void DialogFoot::say(const QString& sentence) {
  m_hint->setText(sentence);
  m_hint->setToolTip(sentence);
}

}  // namespace plastiscope
