#include "widgets/forms/save_box.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>

#include "widgets/state/file_text.h"

namespace plastiscope {

SaveBox::SaveBox(Words words, QWidget* parent)
    : QWidget(parent), m_words(std::move(words)), m_file(new QLineEdit(this)) {
  m_file->setObjectName(QStringLiteral("outFile"));
  m_file->setAccessibleName(tr("Save as"));
  m_file->setToolTip(m_words.tip);
  auto* other = new QPushButton(QStringLiteral("…"), this);
  other->setAutoDefault(false);
  other->setToolTip(tr("Choose where to save"));
  other->setAccessibleName(other->toolTip());
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(m_file, 1);
  row->addWidget(other);
  setFocusProxy(m_file);
  connect(m_file, &QLineEdit::textEdited, this, [this] {
    m_byHand = true;
    Q_EMIT changed();
  });
  connect(other, &QPushButton::clicked, this, &SaveBox::browse);
}

void SaveBox::suggest(const std::filesystem::path& file) {
  const QString text = fileText(file);
  if (m_byHand || text == m_file->text()) return;
  m_file->setText(text);
  m_file->setCursorPosition(0);
}

std::filesystem::path SaveBox::file() const {
  return fileOfText(m_file->text());
}

void SaveBox::browse() {
  const QString chosen = QFileDialog::getSaveFileName(this, m_words.title, m_file->text(), m_words.filter);
  if (chosen.isEmpty()) return;
  m_byHand = true;
  m_file->setText(fileText(chosen.toStdString()));
  Q_EMIT changed();
}

}  // namespace plastiscope
