#include "widgets/capture/texts_box.h"

#include <QFileDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTimer>
#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/store/output_place.h"
#include "widgets/capture/files_source.h"
#include "widgets/capture/records_source.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr std::size_t kPreviewTokens = 600;

void addText(TextCount& count, const Tokenizer& tokenizer, const std::string& id, const std::string& text,
             bool addSpecial, const Progress* progress = nullptr) {
  const Encoding encoding = tokenizer.encode(text, addSpecial, progress);
  count.unusual.add(tokenizer, encoding, text);
  if (count.lengths.empty()) {
    count.firstId = id;
    for (std::size_t i = 0; i < encoding.ids.size() && count.pieces.size() < kPreviewTokens; ++i) {
      const auto [begin, end] = encoding.offsets[i];
      if (end > begin) count.pieces.push_back(text.substr(begin, end - begin));
    }
    count.moreTokens = encoding.ids.size() > kPreviewTokens;
  }
  count.lengths.push_back(encoding.ids.size());
  count.characters += text.size();
}

}  // namespace

std::int64_t TextCount::total() const {
  return std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
}

std::int64_t TextCount::longest() const {
  return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
}

TextTotals totalsOf(const std::vector<std::int64_t>& lengths, std::int64_t window) {
  TextTotals totals;
  totals.texts = lengths.size();
  for (const std::int64_t length : lengths) {
    totals.tokens += length;
    totals.longest = std::max(totals.longest, length);
  }
  const std::int64_t cut = window > 0 ? window : totals.longest;
  for (const std::int64_t length : lengths) {
    totals.afterCut += std::min(length, cut);
    totals.shorter += length < cut;
  }
  return totals;
}

TextCount countText(const Tokenizer& tokenizer, const CorpusOptions& corpus, Progress& progress) {
  TextCount count;
  visitCorpus(corpus, progress, [&](const CorpusText& text) {
    progress.throwIfStopped();
    addText(count, tokenizer, text.id, text.text, !corpus.noSpecial, &progress);
    return true;
  });
  return count;
}

void TextSource::setTokenizer(std::shared_ptr<const Tokenizer> tokenizer) {
  m_tokenizer = std::move(tokenizer);
  countAnew();
}

void TextSource::setOptions(const CorpusOptions& options) {
  const bool same = options.textField == m_options.textField && options.idField == m_options.idField &&
                    options.maxExamples == m_options.maxExamples;
  const bool sameTokens = options.noSpecial == m_options.noSpecial;
  m_options = options;
  if (!sameTokens || (!same && takesFiles())) countAnew();
}

TextCount countText(const Tokenizer& tokenizer, const std::string& id, const std::string& text,
                    bool addSpecial) {
  TextCount count;
  if (!text.empty()) addText(count, tokenizer, id, repairUtf8(text), addSpecial);
  return count;
}

TextsBox::TextsBox(Workers& workers, QWidget* parent)
    : QWidget(parent),
      m_tabs(named("captureSources", new QTabWidget(this))),
      m_summary(named("captureSummary", styledLabel({}, "muted", this))) {
  m_tabs->setAccessibleName(tr("Where the texts come from"));
  m_tabs->setDocumentMode(true);
  m_summary->setContentsMargins(2, 2, 2, 0);
  m_summary->setWordWrap(true);
  m_sources = {new FilesSource(workers), new RecordsSource(workers), new PastedSource(workers)};
  for (TextSource* source : m_sources) {
    m_tabs->setTabToolTip(m_tabs->addTab(source, source->words().title), source->words().emptyHint);
    connect(source, &TextSource::changed, this, [this, source] {
      if (source != &this->source()) return;
      showSummary();
      Q_EMIT changed();
    });
    connect(source, &TextSource::previewChanged, this,
            [this, source](const QString& name, const TextCount& count) {
              if (source == &this->source()) Q_EMIT previewChanged(name, count);
            });
  }
  auto* corner = new QWidget(m_tabs);
  QPushButton* files =
      smallButton(tr(" F&iles"), tr("Choose files of texts; they can be dropped here too"), corner);
  QPushButton* folder = smallButton(
      tr(" Fol&der"), tr("Choose a folder to add its text files, including plain texts without an extension"),
      corner);
  for (QPushButton* button : {files, folder}) {
    button->setIcon(lineIcon(QStringLiteral("plus")));
    button->setIconSize({11, 11});
  }
  rowIn(corner, {files, folder}, {.margins = {0, 0, 0, 3}});
  m_tabs->setCornerWidget(corner);
  setFocusProxy(m_tabs);
  columnIn(this, {{m_tabs, 1}, m_summary}, {.margins = {}, .spacing = 4});
  connect(files, &QPushButton::clicked, this, &TextsBox::askForFiles);
  connect(folder, &QPushButton::clicked, this, &TextsBox::askForFolder);
  connect(m_tabs, &QTabWidget::currentChanged, this, [this, corner] {
    corner->setVisible(source().takesFiles());
    showSummary();
    source().showPreview();
    Q_EMIT changed();
  });
  showSummary();
}

TextSource& TextsBox::source() const {
  return *m_sources[m_tabs->currentIndex()];
}

void TextsBox::setTokenizer(const std::shared_ptr<const Tokenizer>& tokenizer) {
  m_hasTokenizer = tokenizer != nullptr;
  for (TextSource* source : m_sources) source->setTokenizer(tokenizer);
  showSummary();
}

void TextsBox::setOptions(const CorpusOptions& options) {
  m_most = options.maxExamples;
  for (TextSource* source : m_sources) source->setOptions(options);
  showSummary();
}

void TextsBox::addPaths(const std::vector<std::filesystem::path>& paths) {
  if (!source().takesFiles()) m_tabs->setCurrentIndex(0);
  source().addPaths(paths);
  showSummary();
}

void TextsBox::clearFiles() {
  for (TextSource* source : m_sources) source->clearFiles();
  showSummary();
}

void TextsBox::setWindow(std::int64_t window) {
  m_window = window;
  for (TextSource* source : m_sources) source->setWindow(window);
  showSummary();
}

TextTotals TextsBox::totals(std::int64_t window) const {
  std::vector<std::int64_t> lengths = source().lengths();
  if (m_most > 0 && std::ssize(lengths) > m_most) lengths.resize(m_most);
  return totalsOf(lengths, window);
}

void TextsBox::showSummary() {
  const TextTotals totals = this->totals(m_window);
  const bool none = source().corpus("capture.h5").files.empty() || (source().counted() && totals.texts == 0);
  if (none) return m_summary->setText(tr("No text yet"));
  if (!source().problem().isEmpty()) return m_summary->setText(source().problem());
  if (!m_hasTokenizer && !source().counted())
    return m_summary->setText(tr("Tokens are counted as soon as a model is chosen"));
  const QString texts = totals.texts == 1 ? tr("1 text") : tr("%1 texts").arg(groupedText(totals.texts));
  QString text = tr("%1 · %2 tokens, %3 after the cut")
                     .arg(texts, groupedText(totals.tokens), groupedText(totals.afterCut));
  if (totals.shorter > 0) text += tr(" · %1 shorter than the window").arg(groupedText(totals.shorter));
  if (m_hasTokenizer && !source().counted()) text += tr(" · counting …");
  m_summary->setText(text);
}

void TextsBox::askForFiles() {
  const QStringList files =
      QFileDialog::getOpenFileNames(this, tr("Add texts"), {}, source().words().fileFilter);
  std::vector<std::filesystem::path> paths;
  for (const QString& file : files) paths.emplace_back(file.toStdString());
  addPaths(paths);
}

void TextsBox::askForFolder() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Add the texts of a folder"));
  if (!folder.isEmpty()) addPaths({folder.toStdString()});
}

// ---- pasted source

namespace {

constexpr int kDelayMilliseconds = 400;

std::filesystem::path fileBeside(std::filesystem::path out) {
  return out.replace_extension(".txt");
}

}  // namespace

PastedSource::PastedSource(Workers& workers, QWidget* parent)
    : TextSource({tr("&Pasted text"), tr("Paste or type a text of some thousand words."), {}}, parent),
      m_runner(workers, WorkLength::Quick),
      m_text(named("capturePaste", new QPlainTextEdit(this))),
      m_delay(new QTimer(this)) {
  m_text->setPlaceholderText(words().emptyHint);
  m_text->setTabChangesFocus(true);
  m_text->setAccessibleName(tr("Pasted text"));
  columnIn(this, {m_text}, {.margins = {}});
  m_delay->setSingleShot(true);
  m_delay->setInterval(kDelayMilliseconds);
  connect(m_text, &QPlainTextEdit::textChanged, m_delay, qOverload<>(&QTimer::start));
  connect(m_delay, &QTimer::timeout, this, &PastedSource::count);
}

void PastedSource::countAnew() {
  m_count.reset();
  count();
}

void PastedSource::count() {
  if (!tokenizer()) return;
  const std::string text = m_text->toPlainText().toStdString();
  m_runner.start([tokenizer = tokenizer(), text, special = !options().noSpecial](
                     Progress&) { return countText(*tokenizer, "pasted", text, special); },
                 [this, text](JobResult<TextCount> count) {
                   m_count = std::move(count.value);
                   writeTemporary(text);
                   showPreview();
                   Q_EMIT changed();
                 });
}

std::filesystem::path PastedSource::temporaryFile() const {
  return m_folder.filePath(QStringLiteral("pasted-%1.txt").arg(m_version)).toStdString();
}

// A few thousand words: short enough for the GUI thread.
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
  requireWritableFolderOf(file);
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

#include "moc_texts_box.cpp"
