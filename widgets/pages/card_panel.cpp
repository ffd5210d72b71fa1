#include "widgets/pages/card_panel.h"

#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace plastiscope {
namespace {

// A label that shows its end as "…" instead of widening the panel; the whole text is in the tool tip.
class ElidedValue : public QLabel {
 public:
  ElidedValue(const QString& text, QWidget* parent) : QLabel(parent), m_full(text) {
    setTextFormat(Qt::PlainText);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setToolTip(plainTip(text));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setMinimumWidth(20);
    setText(text);
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    setText(fontMetrics().elidedText(m_full, Qt::ElideRight, width()));
    QLabel::resizeEvent(event);
  }

 private:
  QString m_full;
};

}  // namespace

CardPanel::CardPanel(QWidget* parent)
    : QWidget(parent),
      m_icon(new QLabel(this)),
      m_name(new QLabel(this)),
      m_empty(new QLabel(this)),
      m_body(new QWidget(this)) {
  m_name->setProperty("strong", true);
  m_name->setTextFormat(Qt::PlainText);
  m_name->setWordWrap(true);
  m_empty->setProperty("muted", true);
  m_empty->setWordWrap(true);
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setText(tr("Select a model, a capture or an analysis"));
  auto* head = new QHBoxLayout;
  head->setSpacing(6);
  head->addWidget(m_icon);
  head->addWidget(m_name, 1);
  auto* inner = new QVBoxLayout(m_body);
  inner->setContentsMargins(10, 8, 8, 8);
  inner->setSpacing(6);
  inner->addLayout(head);
  inner->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(m_body);
  scroll->viewport()->setAutoFillBackground(false);
  m_body->setAutoFillBackground(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_empty);
  column->addWidget(scroll);
  clear();
}

void CardPanel::clear() {
  m_body->parentWidget()->parentWidget()->hide();
  m_empty->show();
}

void CardPanel::show(const LibraryEntry& entry) {
  m_empty->hide();
  m_body->parentWidget()->parentWidget()->show();
  m_icon->setPixmap(familyIcon(entry.architecture).pixmap(QSize(16, 16), devicePixelRatioF()));
  m_name->setText(entry.name);
  delete m_rows;
  m_rows = new QWidget(m_body);
  auto* grid = new QGridLayout(m_rows);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(3);
  grid->setColumnStretch(1, 1);
  QFont font = this->font();
  font.setPointSizeF(font.pointSizeF() - 0.75);
  int row = 0;
  for (const auto& [label, value] : entry.card) {
    auto* name = new QLabel(label, m_rows);
    name->setTextFormat(Qt::PlainText);
    name->setProperty("muted", true);
    name->setFont(font);
    auto* text = new ElidedValue(value, m_rows);
    text->setFont(font);
    grid->addWidget(name, row, 0);
    grid->addWidget(text, row++, 1);
  }
  static_cast<QVBoxLayout*>(m_body->layout())->insertWidget(1, m_rows);
}

}  // namespace plastiscope
