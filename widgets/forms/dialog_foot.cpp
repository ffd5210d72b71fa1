#include "widgets/forms/dialog_foot.h"

#include <QDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "widgets/state/file_text.h"

namespace plastiscope {

DialogFoot::DialogFoot(const Words& words, QDialog* dialog)
    : QWidget(dialog),
      m_startTip(words.startTip),
      m_hint(new QLabel(this)),
      m_start(new QPushButton(words.start, this)) {
  m_hint->setProperty("muted", true);
  m_hint->setTextFormat(Qt::PlainText);
  m_hint->setObjectName(words.name + QStringLiteral("Hint"));
  m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* cancel = new QPushButton(tr("Cancel"), this);
  cancel->setAutoDefault(false);
  cancel->setToolTip(words.cancelTip);
  m_start->setObjectName(words.name + QStringLiteral("Start"));
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
  m_start->setToolTip(lacking.isEmpty() ? m_startTip : plainTip(lacking));
  say(lacking.isEmpty() ? hint : lacking);
}

void DialogFoot::say(const QString& sentence) {
  m_hint->setText(sentence);
  m_hint->setToolTip(plainTip(sentence));
}

}  // namespace plastiscope
