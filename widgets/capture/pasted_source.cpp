#include "widgets/capture/pasted_source.h"

#include <QPlainTextEdit>
#include <QTimer>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/store/output_place.h"
#include "widgets/state/file_text.h"

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
  m_text->setAccessibleName(tr("Pasted text"));
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
  const std::string text = m_text->toPlainText().toStdString();
  m_relay.start([tokenizer = m_tokenizer, text](Progress&) { return countText(*tokenizer, "pasted", text); },
                [this, text](Outcome<TextCount> count) {
                  m_count = std::move(count.value);
                  writeTemporary(text);
                  showPreview();
                  Q_EMIT changed();
                });
}

std::filesystem::path PastedSource::temporaryFile() const {
  return m_folder.filePath(QStringLiteral("pasted-%1.txt").arg(m_version)).toStdString();
}

// A few thousand words: short enough for the window's own thread.
void PastedSource::writeTemporary(const std::string& text) {
  std::error_code ignored;
  std::filesystem::remove(temporaryFile(), ignored);
  ++m_version;
  try {
    writeFileAtomically(temporaryFile(), text);
    m_problem.clear();
  } catch (const Error& error) {
    m_problem = sanitizedText(error.what());
  }
}

CorpusOptions PastedSource::readableCorpus(const std::filesystem::path&) const {
  CorpusOptions options;
  options.files = {temporaryFile()};
  return options;
}

CorpusOptions PastedSource::corpus(const std::filesystem::path& out) const {
  CorpusOptions options;
  options.files = {fileBeside(out)};
  return options;
}

void PastedSource::prepare(const std::filesystem::path& out) {
  const std::filesystem::path file = fileBeside(out);
  const std::string text = m_text->toPlainText().toStdString();
  const OutputKind same{"this text",
                        [&](const std::filesystem::path& there) { return readFile(there) == text; }};
  requireOutputPlace(file, same, {{}, false, "choose another name for the capture"});
  writeFileAtomically(file, text);
}

std::vector<std::int64_t> PastedSource::lengths() const {
  return m_count && m_count->total() > 0 ? m_count->lengths : std::vector<std::int64_t>();
}

void PastedSource::showPreview() {
  if (m_count) Q_EMIT previewChanged(tr("the pasted text"), *m_count);
}

}  // namespace plastiscope
