#include "widgets/pages/pasted_source.h"

#include <QPlainTextEdit>
#include <QTimer>
#include <QVBoxLayout>

#include "core/base/files.h"

namespace plastiscope {
namespace {

constexpr int kDelayMilliseconds = 400;

std::filesystem::path fileBeside(std::filesystem::path out) {
  return out.replace_extension(".txt");
}

}  // namespace

PastedSource::PastedSource(Workers& workers, QWidget* parent)
    : TextSource(parent),
      m_relay(workers, WorkLength::Quick),
      m_text(new QPlainTextEdit(this)),
      m_delay(new QTimer(this)) {
  m_text->setObjectName(QStringLiteral("capturePaste"));
  m_text->setPlaceholderText(emptyHint());
  m_text->setTabChangesFocus(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_text);
  m_delay->setSingleShot(true);
  m_delay->setInterval(kDelayMilliseconds);
  connect(m_text, &QPlainTextEdit::textChanged, m_delay, qOverload<>(&QTimer::start));
  connect(m_delay, &QTimer::timeout, this, &PastedSource::count);
}

void PastedSource::setTokenizer(std::shared_ptr<const Tokenizer> tokenizer) {
  m_tokenizer = std::move(tokenizer);
  m_count.reset();
  count();
}

void PastedSource::count() {
  if (!m_tokenizer) return;
  m_relay.start([tokenizer = m_tokenizer, text = m_text->toPlainText().toStdString()](
                    Progress&) { return countText(*tokenizer, "pasted", text); },
                [this](Outcome<TextCount> count) {
                  m_count = std::move(count.value);
                  showPreview();
                  Q_EMIT changed();
                });
}

CorpusOptions PastedSource::corpus(const std::filesystem::path& out) const {
  CorpusOptions options;
  options.files = {fileBeside(out)};
  return options;
}

void PastedSource::prepare(const std::filesystem::path& out) {
  writeFileAtomically(fileBeside(out), m_text->toPlainText().toStdString());
}

std::vector<std::int64_t> PastedSource::lengths() const {
  return m_count && m_count->total() > 0 ? m_count->lengths : std::vector<std::int64_t>();
}

void PastedSource::showPreview() {
  if (m_count) Q_EMIT previewChanged(tr("the pasted text"), *m_count);
}

}  // namespace plastiscope
