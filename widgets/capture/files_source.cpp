#include "widgets/capture/files_source.h"

#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "core/base/path_text.h"
#include "core/text/text_sniff.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr int kFileRowHeight = 23, kNameWidth = 150, kCutWidth = 92;
constexpr std::array kExtensions = {".txt", ".jsonl", ".json", ".md", ".parquet"};

// By its extension; without one ("COPYING") by its content.
bool isText(const fs::path& file) {
  const std::string extension = file.extension().string();
  if (!extension.empty())
    return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
  return !file.filename().string().starts_with('.') && looksLikeText(file);
}

// The text files of a folder, by name. A link to a file of the same folder would be the same text twice.
std::vector<fs::path> textFilesOf(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  const fs::path home = fs::weakly_canonical(folder, ignored);
  for (const auto& each :
       fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, ignored)) {
    const bool twice =
        each.is_symlink(ignored) && fs::weakly_canonical(each.path(), ignored).parent_path() == home;
    if (!twice && each.is_regular_file(ignored) && isText(each.path())) files.push_back(each.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void setUpTable(QTableView& table, TextsModel& model) {
  table.setObjectName(QStringLiteral("captureTexts"));
  table.setAccessibleName(FilesSource::tr("Texts and their tokens"));
  table.setTabKeyNavigation(false);
  table.setModel(&model);
  table.setItemDelegateForColumn(TextsModel::BarColumn, new TokenBarDelegate(&table));
  table.horizontalHeader()->hide();
  table.verticalHeader()->hide();
  table.verticalHeader()->setDefaultSectionSize(kFileRowHeight);
  table.setShowGrid(false);
  table.setAlternatingRowColors(true);
  table.setWordWrap(false);
  table.setSelectionBehavior(QAbstractItemView::SelectRows);
  table.horizontalHeader()->setSectionResizeMode(TextsModel::NameColumn, QHeaderView::Interactive);
  table.horizontalHeader()->setSectionResizeMode(TextsModel::BarColumn, QHeaderView::Stretch);
  table.horizontalHeader()->setSectionResizeMode(TextsModel::TokensColumn, QHeaderView::ResizeToContents);
  table.horizontalHeader()->setSectionResizeMode(TextsModel::CutColumn, QHeaderView::Fixed);
  table.setColumnWidth(TextsModel::NameColumn, kNameWidth);
  table.setColumnWidth(TextsModel::CutColumn, kCutWidth);
}

}  // namespace

FilesSource::FilesSource(Workers& workers, QWidget* parent)
    : TextSource(parent),
      m_relay(workers, WorkLength::Quick),
      m_stack(new QStackedWidget(this)),
      m_table(new QTableView(m_stack)),
      m_note(new QLabel(this)) {
  setUpTable(*m_table, m_model);
  auto* hint = new QLabel(emptyHint(), m_stack);
  hint->setAlignment(Qt::AlignCenter);
  hint->setWordWrap(true);
  m_stack->addWidget(hint);
  m_stack->addWidget(m_table);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_stack);
  column->addWidget(m_note);
  m_note->setTextFormat(Qt::PlainText);
  m_note->setObjectName(QStringLiteral("captureFilesNote"));
  m_note->setProperty("caution", true);
  m_note->setWordWrap(true);
  m_note->setContentsMargins(4, 2, 4, 2);
  m_note->hide();
  for (const auto grown : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(&m_model, grown, this, &FilesSource::showPage);
  connect(&m_model, &QAbstractItemModel::modelReset, this, &FilesSource::showPage);
  connect(&m_model, &TextsModel::takenChanged, this, &TextSource::changed);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &FilesSource::showPreview);
  auto* remove = new QShortcut(QKeySequence::Delete, m_table, nullptr, nullptr, Qt::WidgetShortcut);
  connect(remove, &QShortcut::activated, this,
          [this] { m_model.removeRows(m_table->selectionModel()->selectedRows()); });
}

QString FilesSource::emptyHint() const {
  return tr("Add text files (.txt, .md, .jsonl, .json, .parquet) or drop them here.");
}

QString FilesSource::fileFilter() const {
  return tr("Texts (*.txt *.md *.jsonl *.json *.parquet);;All files (*)");
}

void FilesSource::showPage() {
  m_stack->setCurrentIndex(m_model.rowCount() > 0 ? 1 : 0);
}

void FilesSource::setTokenizer(std::shared_ptr<const Tokenizer> tokenizer) {
  m_tokenizer = std::move(tokenizer);
  m_relay.drop();
  m_model.forgetCounts();
  countNext();
}

void FilesSource::setOptions(const CorpusOptions& options) {
  const bool same = options.textField == m_options.textField && options.idField == m_options.idField &&
                    options.maxExamples == m_options.maxExamples;
  m_options = options;
  if (!same) setTokenizer(m_tokenizer);
}

void FilesSource::addPaths(const std::vector<fs::path>& paths) {
  std::vector<fs::path> files;
  QStringList without;
  std::error_code ignored;
  for (const fs::path& path : paths) {
    if (!fs::is_directory(path, ignored)) {
      files.push_back(path);
      continue;
    }
    const std::vector<fs::path> found = textFilesOf(path);
    if (found.empty()) without << fileText(path);
    files.insert(files.end(), found.begin(), found.end());
  }
  m_note->setVisible(!without.isEmpty());
  m_note->setText(tr("No texts in %1: neither %2 nor plain texts without an extension.")
                      .arg(without.join(QStringLiteral(", ")), tr(".txt, .md, .json, .jsonl, .parquet")));
  m_model.addFiles(files);
  if (!m_table->currentIndex().isValid() && m_model.rowCount() > 0) m_table->selectRow(0);
  countNext();
}

void FilesSource::clearFiles() {
  QModelIndexList all;
  for (int row = 0; row < m_model.rowCount(); ++row) all << m_model.index(row, 0);
  m_model.removeRows(all);
}

void FilesSource::countNext() {
  const TextsModel::Row* row = m_model.nextUncounted();
  if (!m_tokenizer || !row || m_relay.running()) return;
  const fs::path file = row->file;
  CorpusOptions options = m_options;
  options.files = {file};
  m_relay.start([tokenizer = m_tokenizer,
                 options](Progress& progress) { return countText(*tokenizer, options, progress); },
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

CorpusOptions FilesSource::corpus(const fs::path&) const {
  CorpusOptions options = m_options;
  options.files = m_model.takenFiles();
  return options;
}

std::string FilesSource::label() const {
  const auto files = m_model.takenFiles();
  if (files.size() == 1) return pathText(files.front().stem());
  return files.empty() ? "texts" : pathText(files.front().parent_path().filename());
}

void FilesSource::showPreview() {
  const int row = m_table->currentIndex().row();
  if (row < 0 || row >= m_model.rowCount()) return;
  const TextsModel::Row& chosen = m_model.rows()[static_cast<std::size_t>(row)];
  if (chosen.count) Q_EMIT previewChanged(QString::fromStdString(chosen.count->firstId), *chosen.count);
}

}  // namespace plastiscope
