#include "widgets/capture/records_start.h"

#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace plastiscope {

namespace {
constexpr std::size_t kMost = 4;  // what the page has room for; others are chosen as a folder
}

RecordsStart::RecordsStart(Workers& workers, const QString& hint, QWidget* parent)
    : QWidget(parent),
      m_hint(hint),
      m_search(workers, WorkLength::Quick),
      m_text(new QLabel(hint, this)),
      m_choices(new QVBoxLayout) {
  m_text->setObjectName(QStringLiteral("recordsHint"));
  m_text->setAlignment(Qt::AlignCenter);
  m_text->setTextFormat(Qt::PlainText);
  m_text->setWordWrap(true);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_choices->setSpacing(4);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 8, 16, 8);
  column->addStretch(1);
  column->addWidget(m_text);
  column->addSpacing(4);
  column->addLayout(m_choices);
  column->addStretch(1);
  m_search.start([](Progress&) { return findRecords(); },
                 [this](Outcome<std::vector<FoundRecords>> found) {
                   if (found.ok()) offer(*found.value);
                 });
}

void RecordsStart::say(const QString& sentence) {
  m_text->setText(sentence.isEmpty() ? m_hint : sentence);
  m_text->setProperty("bad", !sentence.isEmpty());
  m_text->style()->unpolish(m_text);
  m_text->style()->polish(m_text);
}

void RecordsStart::offer(const std::vector<FoundRecords>& found) {
  for (std::size_t i = 0; i < std::min(found.size(), kMost); ++i) {
    const FoundRecords records = found[i];
    auto* use = new QPushButton(
        lineIcon(QStringLiteral("open")),
        tr("Use %1 from the Hugging Face cache").arg(QString::fromStdString(records.name).replace('&', "&&")),
        this);
    use->setObjectName(QStringLiteral("recordsFound%1").arg(i));
    use->setProperty("small", true);
    use->setAutoDefault(false);
    use->setToolTip(plainTip(fileText(records.place)));
    m_choices->addWidget(use, 0, Qt::AlignHCenter);
    connect(use, &QPushButton::clicked, this, [this, records] { Q_EMIT chosen(records); });
  }
}

}  // namespace plastiscope
