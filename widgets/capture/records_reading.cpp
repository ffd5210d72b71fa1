#include "widgets/capture/records_reading.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

namespace plastiscope {

namespace {
constexpr int kSteps = 1000, kBarWidth = 240;
}

RecordsReading::RecordsReading(QWidget* parent)
    : QWidget(parent), m_note(new QLabel(this)), m_bar(new QProgressBar(this)) {
  auto* cancel = new QPushButton(tr("Cancel"), this);
  cancel->setObjectName(QStringLiteral("recordsCancel"));
  cancel->setAutoDefault(false);
  cancel->setProperty("small", true);
  cancel->setToolTip(tr("Stop reading the records"));
  m_bar->setTextVisible(false);
  m_bar->setMaximumWidth(kBarWidth);
  m_note->setTextFormat(Qt::PlainText);
  m_note->setAlignment(Qt::AlignCenter);
  auto* row = new QHBoxLayout;
  row->addStretch(1);
  row->addWidget(m_bar);
  row->addWidget(cancel);
  row->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->addStretch(1);
  column->addWidget(m_note);
  column->addLayout(row);
  column->addStretch(1);
  connect(cancel, &QPushButton::clicked, this, &RecordsReading::cancelRequested);
}

void RecordsReading::begin(const QString& name) {
  m_note->setText(tr("Reading %1 …").arg(name));
  m_bar->setAccessibleName(m_note->text());
  m_bar->setRange(0, 0);
}

void RecordsReading::report(const ProgressState& progress) {
  m_bar->setRange(0, progress.total > 0 ? kSteps : 0);
  if (progress.total > 0)
    m_bar->setValue(static_cast<int>(std::lround(kSteps * progress.done / progress.total)));
}

}  // namespace plastiscope
