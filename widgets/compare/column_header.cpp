#include "widgets/compare/column_header.h"

#include <QHBoxLayout>
#include <QLabel>

#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {
constexpr int kMostName = 400;
constexpr QSize kMark(14, 14);
}  // namespace

ColumnHeader::ColumnHeader(QWidget* parent)
    : QWidget(parent),
      m_mark(new QLabel(this)),
      m_note(new QLabel(this)),
      m_name(new ElidedLabel(kMostName, this)) {
  m_name->setProperty("strong", true);
  m_note->setProperty("muted", true);
  m_note->setTextFormat(Qt::PlainText);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 4, 8, 2);
  row->addWidget(m_mark);
  row->addWidget(m_name);
  row->addStretch(1);
  row->addWidget(m_note);
}

void ColumnHeader::show(const QIcon& mark, const QString& name, const QString& note) {
  m_mark->setPixmap(mark.pixmap(kMark, devicePixelRatioF()));
  m_name->setName(name.section(QLatin1Char('/'), -1));
  m_name->setToolTip(plainTip(name));
  m_note->setText(note);
}

}  // namespace plastiscope
