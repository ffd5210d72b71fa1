#include "widgets/pages/texts_box.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "widgets/state/icons.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr int kRowHeight = 23, kPasteDelayMilliseconds = 400;
constexpr std::array kExtensions = {".txt", ".jsonl", ".json", ".md"};

QString countText(std::int64_t count) {
  return QString::fromStdString(withCommas(count));
}

// The text files of a folder, by name; files without extension count too when they are no dot files.
std::vector<fs::path> textFilesOf(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& each :
       fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, ignored)) {
    const std::string extension = each.path().extension().string();
    const bool known = std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
    if (known && each.is_regular_file(ignored)) files.push_back(each.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

QPushButton* smallButton(const QString& text, QWidget* parent) {
  auto* button = new QPushButton(lineIcon(QStringLiteral("plus")), text, parent);
  button->setIconSize({11, 11});
  button->setProperty("small", true);
  button->setAutoDefault(false);
  return button;
}

}  // namespace

TextsBox::TextsBox(Workers& workers, QWidget* parent)
    : QWidget(parent),
      m_relay(workers, WorkLength::Quick),
      m_pastedRelay(workers, WorkLength::Quick),
      m_tabs(new QTabWidget(this)),
      m_table(new QTableView(this)),
      m_paste(new QPlainTextEdit(this)),
      m_summary(new QLabel(this)),
      m_pasteDelay(new QTimer(this)) {
  m_table->setObjectName(QStringLiteral("captureTexts"));
  m_table->setModel(&m_model);
  m_table->setItemDelegateForColumn(TextsModel::BarColumn, new TokenBarDelegate(m_table));
  m_table->horizontalHeader()->hide();
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
  m_table->setShowGrid(false);
  m_table->setAlternatingRowColors(true);
  m_table->setWordWrap(false);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->horizontalHeader()->setSectionResizeMode(TextsModel::NameColumn, QHeaderView::Interactive);
  m_table->horizontalHeader()->setSectionResizeMode(TextsModel::BarColumn, QHeaderView::Stretch);
  m_table->horizontalHeader()->setSectionResizeMode(TextsModel::TokensColumn, QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setSectionResizeMode(TextsModel::CutColumn, QHeaderView::Fixed);
  m_table->setColumnWidth(TextsModel::NameColumn, 150);
  m_table->setColumnWidth(TextsModel::CutColumn, 92);
  m_paste->setObjectName(QStringLiteral("capturePaste"));
  m_paste->setPlaceholderText(tr("Paste or type a text of some thousand words"));
  m_paste->setTabChangesFocus(true);
  m_summary->setProperty("muted", true);
  m_summary->setContentsMargins(2, 2, 2, 0);
  m_summary->setWordWrap(true);
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(m_table, tr("Files"));
  m_tabs->addTab(m_paste, tr("Pasted text"));
  auto* corner = new QWidget(m_tabs);
  auto* buttons = new QHBoxLayout(corner);
  buttons->setContentsMargins(0, 0, 0, 3);
  QPushButton* files = smallButton(tr(" Files"), corner);
  QPushButton* folder = smallButton(tr(" Folder"), corner);
  buttons->addWidget(files);
  buttons->addWidget(folder);
  m_tabs->setCornerWidget(corner);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(m_tabs, 1);
  column->addWidget(m_summary);

  m_pasteDelay->setSingleShot(true);
  m_pasteDelay->setInterval(kPasteDelayMilliseconds);
  connect(files, &QPushButton::clicked, this, &TextsBox::askForFiles);
  connect(folder, &QPushButton::clicked, this, &TextsBox::askForFolder);
  connect(&m_model, &TextsModel::takenChanged, this, [this] {
    showSummary();
    Q_EMIT changed();
  });
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TextsBox::showPreview);
  connect(m_tabs, &QTabWidget::currentChanged, this, [this, corner](int page) {
    corner->setVisible(page == 0);
    showSummary();
    showPreview();
    Q_EMIT changed();
  });
  connect(m_paste, &QPlainTextEdit::textChanged, m_pasteDelay, qOverload<>(&QTimer::start));
  connect(m_pasteDelay, &QTimer::timeout, this, &TextsBox::countPasted);
  auto* remove = new QShortcut(QKeySequence::Delete, m_table, nullptr, nullptr, Qt::WidgetShortcut);
  connect(remove, &QShortcut::activated, this,
          [this] { m_model.removeRows(m_table->selectionModel()->selectedRows()); });
  showSummary();
}

void TextsBox::setTokenizer(std::shared_ptr<const Tokenizer> tokenizer) {
  m_tokenizer = std::move(tokenizer);
  m_relay.drop();
  m_model.forgetCounts();
  countNext();
  countPasted();
}

void TextsBox::addPaths(const std::vector<fs::path>& paths) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const fs::path& path : paths) {
    if (fs::is_directory(path, ignored)) {
      for (fs::path& file : textFilesOf(path)) files.push_back(std::move(file));
    } else {
      files.push_back(path);
    }
  }
  m_model.addFiles(files);
  if (!m_table->currentIndex().isValid() && m_model.rowCount() > 0) m_table->selectRow(0);
  countNext();
}

void TextsBox::countNext() {
  showSummary();
  const TextsModel::Row* row = m_model.nextUncounted();
  if (!m_tokenizer || !row || m_relay.running()) return;
  const fs::path file = row->file;
  m_relay.start(
      [tokenizer = m_tokenizer, file](Progress& progress) { return countText(*tokenizer, file, progress); },
      [this, file](Outcome<TextCount> count) {
        if (count.ok())
          m_model.setCount(file, *count.value);
        else if (!count.stopped())
          m_model.setProblem(file, count.failure.sentence);
        countNext();
        showPreview();
        Q_EMIT changed();
      });
}

void TextsBox::countPasted() {
  if (!m_tokenizer) return;
  m_pastedRelay.start([tokenizer = m_tokenizer, text = pastedText().toStdString()](
                          Progress&) { return countText(*tokenizer, "pasted", text); },
                      [this](Outcome<TextCount> count) {
                        m_pasted.reset();
                        if (count.ok()) m_pasted = *count.value;
                        showSummary();
                        showPreview();
                        if (usesPastedText()) Q_EMIT changed();
                      });
}

void TextsBox::setWindow(std::int64_t window) {
  m_window = window;
  m_model.setWindow(window);
  showSummary();
}

bool TextsBox::usesPastedText() const {
  return m_tabs->currentWidget() == m_paste;
}
QString TextsBox::pastedText() const {
  return m_paste->toPlainText();
}

std::int64_t TextsBox::texts() const {
  if (!usesPastedText()) return m_model.texts();
  return m_pasted && m_pasted->total() > 0 ? 1 : 0;
}

std::int64_t TextsBox::longest() const {
  return usesPastedText() ? (m_pasted ? m_pasted->longest() : 0) : m_model.longest();
}

std::int64_t TextsBox::tokensAfterCut(std::int64_t window) const {
  if (usesPastedText()) return m_pasted ? m_pasted->afterCut(window) : 0;
  return m_model.tokensAfterCut(window);
}

std::string TextsBox::label() const {
  if (usesPastedText()) return "pasted text";
  const auto files = m_model.takenFiles();
  if (files.size() == 1) return files.front().stem().string();
  return files.empty() ? "texts" : files.front().parent_path().filename().string();
}

void TextsBox::showSummary() {
  const std::int64_t window = m_window > 0 ? m_window : longest();
  if (usesPastedText()) {
    m_summary->setText(m_pasted
                           ? tr("%1 tokens, %2 after the cut")
                                 .arg(countText(m_pasted->total()), countText(m_pasted->afterCut(window)))
                           : QString());
  } else if (m_model.rowCount() == 0) {
    m_summary->setText(tr("Add text files (.txt, .jsonl, .json) or drop them here."));
  } else {
    QString text = tr("%1 texts · %2 tokens, %3 after the cut")
                       .arg(countText(m_model.texts()), countText(m_model.tokens()),
                            countText(m_model.tokensAfterCut(window)));
    const std::int64_t shorter = m_model.shorterThan(window);
    if (shorter > 0) text += tr(" · %1 shorter than the window").arg(countText(shorter));
    if (m_tokenizer && !m_model.allCounted()) text += tr(" · counting …");
    m_summary->setText(text);
  }
}

void TextsBox::showPreview() {
  if (usesPastedText()) {
    if (m_pasted) Q_EMIT previewChanged(tr("the pasted text"), *m_pasted);
    return;
  }
  const int row = m_table->currentIndex().row();
  if (row < 0 || row >= m_model.rowCount()) return;
  const TextsModel::Row& chosen = m_model.rows()[static_cast<std::size_t>(row)];
  if (chosen.count) Q_EMIT previewChanged(QString::fromStdString(chosen.count->firstId), *chosen.count);
}

void TextsBox::askForFiles() {
  const QStringList files = QFileDialog::getOpenFileNames(
      this, tr("Add texts"), {}, tr("Texts (*.txt *.md *.jsonl *.json);;All files (*)"));
  std::vector<fs::path> paths;
  for (const QString& file : files) paths.emplace_back(file.toStdString());
  addPaths(paths);
}

void TextsBox::askForFolder() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Add the texts of a folder"));
  if (!folder.isEmpty()) addPaths({folder.toStdString()});
}

}  // namespace plastiscope
