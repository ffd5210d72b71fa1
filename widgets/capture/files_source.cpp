#include "widgets/capture/files_source.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QShortcut>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTableView>
#include <algorithm>
#include <array>
#include <set>

#include "core/base/path_text.h"
#include "core/text/corpus_file.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"
#include "widgets/state/theme.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr int kFileRowHeight = 23, kNameWidth = 150, kCutWidth = 92;
constexpr std::array kExtensions = {".txt",   ".jsonl", ".json", ".md", ".parquet",
                                    ".arrow", ".csv",   ".gz",   ".zst"};

// By extension; without one ("COPYING") by content.
bool isText(const fs::path& file) {
  const std::string extension = file.extension().string();
  if (!extension.empty()) return std::ranges::find(kExtensions, extension) != kExtensions.end();
  return !file.filename().string().starts_with('.') && looksLikeText(file);
}

// The text files of a folder, by name, without links to files of the same folder.
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
  std::ranges::sort(files);
  return files;
}

// A bar of tokens: filled up to the window, hatched beyond it, a dotted line at the cut.
class TokenBarDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const double tokens = index.data(TextsModel::TokensRole).toDouble();
    const double longest = index.data(TextsModel::LongestRole).toDouble();
    const double window = index.data(TextsModel::WindowRole).toDouble();
    if (tokens <= 0 || longest <= 0) return;
    const ThemeColours& theme = currentTheme();
    const double above = option.rect.height() / 2.0 - 4;
    const QRectF room = QRectF(option.rect).adjusted(4, above, -6, -above);
    const double scale = room.width() / longest;
    const QRectF kept(room.left(), room.top(), std::min(tokens, window) * scale, room.height());
    painter->save();
    painter->fillRect(kept, theme[QStringLiteral("accent")]);
    if (tokens > window) {
      const QRectF lost(kept.right(), room.top(), (tokens - window) * scale, room.height());
      painter->fillRect(lost, QBrush(theme[QStringLiteral("placeholder")], Qt::BDiagPattern));
      painter->setPen(theme[QStringLiteral("border")]);
      painter->drawRect(lost);
    }
    painter->setPen(QPen(theme[QStringLiteral("text")], 1, Qt::DotLine));
    const double cut = room.left() + window * scale;
    painter->drawLine(QPointF(cut, option.rect.top() + 3), QPointF(cut, option.rect.bottom() - 2));
    painter->restore();
  }
};

void setUpTable(QTableView& table, TextsModel& model) {
  table.setObjectName(QStringLiteral("captureTexts"));
  table.setAccessibleName(FilesSource::tr("Texts and their tokens"));
  table.setModel(&model);
  table.setItemDelegateForColumn(TextsModel::BarColumn, new TokenBarDelegate(&table));
  table.horizontalHeader()->hide();
  showAsList(table, kFileRowHeight);
  table.setSelectionMode(QAbstractItemView::ExtendedSelection);  // several can be removed
  table.setWordWrap(false);
  table.horizontalHeader()->setSectionResizeMode(TextsModel::NameColumn, QHeaderView::Interactive);
  table.horizontalHeader()->setSectionResizeMode(TextsModel::BarColumn, QHeaderView::Stretch);
  table.horizontalHeader()->setSectionResizeMode(TextsModel::TokensColumn, QHeaderView::ResizeToContents);
  table.horizontalHeader()->setSectionResizeMode(TextsModel::CutColumn, QHeaderView::Fixed);
  table.setColumnWidth(TextsModel::NameColumn, kNameWidth);
  table.setColumnWidth(TextsModel::CutColumn, kCutWidth);
}

}  // namespace

FilesSource::FilesSource(Workers& workers, QWidget* parent)
    : TextSource({tr("&Files"), tr("Add text files (.txt, .md, .jsonl, .json, .parquet) or drop them here."),
                  tr("Texts (*.txt *.md *.jsonl *.jsonl.gz *.jsonl.zst *.json *.parquet *.arrow *.csv);;All "
                     "files (*)")},
                 parent),
      m_runner(workers, WorkLength::Quick),
      m_stack(new QStackedWidget(this)),
      m_table(new QTableView(m_stack)),
      m_note(named("captureFilesNote", new QLabel(this))) {
  setUpTable(*m_table, m_model);
  auto* hint = new QLabel(words().emptyHint, m_stack);
  hint->setAlignment(Qt::AlignCenter);
  hint->setWordWrap(true);
  m_stack->addWidget(hint);
  m_stack->addWidget(m_table);
  columnIn(this, {m_stack, m_note}, {.margins = {}});
  m_note->setTextFormat(Qt::PlainText);
  m_note->setProperty("caution", true);
  m_note->setWordWrap(true);
  m_note->setContentsMargins(4, 2, 4, 2);
  m_note->hide();
  for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(&m_model, changed, this, [this] { m_stack->setCurrentIndex(m_model.rowCount() > 0 ? 1 : 0); });
  connect(&m_model, &TextsModel::takenChanged, this, &TextSource::changed);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &FilesSource::showPreview);
  auto* remove = new QShortcut(QKeySequence::Delete, m_table, nullptr, nullptr, Qt::WidgetShortcut);
  connect(remove, &QShortcut::activated, this,
          [this] { m_model.removeRows(m_table->selectionModel()->selectedRows()); });
}

void FilesSource::countAnew() {
  m_runner.drop();
  m_model.forgetCounts();
  countNext();
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
  m_note->setText(tr("No texts in %1: expected %2 files, or plain texts without an extension.")
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
  if (!tokenizer() || !row || m_runner.running()) return;
  const fs::path file = row->file;
  CorpusOptions options = this->options();
  options.files = {file};
  m_runner.start([tokenizer = tokenizer(),
                  options](Progress& progress) { return countText(*tokenizer, options, progress); },
                 [this, file](JobResult<TextCount> count) {
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
  CorpusOptions options = this->options();
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
  const TextsModel::Row& chosen = m_model.rows()[row];
  if (chosen.count) Q_EMIT previewChanged(QString::fromStdString(chosen.count->firstId), *chosen.count);
}

// ---- texts model

void TextsModel::addFiles(const std::vector<fs::path>& files) {
  std::vector<fs::path> fresh;
  for (const fs::path& file : files) {
    if (!find(file) && std::ranges::find(fresh, file) == fresh.end()) fresh.push_back(file);
  }
  if (fresh.empty()) return;
  const int first = rowCount();
  beginInsertRows({}, first, first + fresh.size() - 1);
  for (fs::path& file : fresh) m_rows.push_back({std::move(file), true, {}, {}});
  endInsertRows();
  Q_EMIT takenChanged();
}

void TextsModel::removeRows(const QModelIndexList& rows) {
  std::set<int, std::greater<>> numbers;  // the last one first
  for (const QModelIndex& index : rows) numbers.insert(index.row());
  for (const int row : numbers) {
    beginRemoveRows({}, row, row);
    m_rows.erase(m_rows.begin() + row);
    endRemoveRows();
  }
  if (!numbers.empty()) Q_EMIT takenChanged();
}

void TextsModel::forgetCounts() {
  for (Row& row : m_rows) {
    row.count.reset();
    row.problem.clear();
  }
  touched();
}

TextsModel::Row* TextsModel::find(const fs::path& file) {
  const auto found = std::ranges::find(m_rows, file, &Row::file);
  return found == m_rows.end() ? nullptr : &*found;
}

void TextsModel::setCount(const fs::path& file, const TextCount& count) {
  if (Row* row = find(file)) row->count = count;
  touched();
}

void TextsModel::setProblem(const fs::path& file, const QString& problem) {
  if (Row* row = find(file)) row->problem = problem;
  touched();
}

void TextsModel::setWindow(std::int64_t window) {
  m_window = window;
  touched();
}

void TextsModel::touched() {
  if (!m_rows.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

std::int64_t TextsModel::effectiveWindow() const {
  return m_window > 0 ? m_window : longest();
}

std::vector<fs::path> TextsModel::takenFiles() const {
  std::vector<fs::path> files;
  for (const Row& row : m_rows) {
    if (row.taken && row.problem.isEmpty()) files.push_back(row.file);
  }
  return files;
}

const TextsModel::Row* TextsModel::nextUncounted() const {
  const auto found =
      std::ranges::find_if(m_rows, [](const Row& row) { return !row.count && row.problem.isEmpty(); });
  return found == m_rows.end() ? nullptr : &*found;
}

std::vector<std::int64_t> TextsModel::lengths() const {
  std::vector<std::int64_t> lengths;
  for (const Row& row : m_rows) {
    if (row.taken && row.count)
      lengths.insert(lengths.end(), row.count->lengths.begin(), row.count->lengths.end());
  }
  return lengths;
}

std::int64_t TextsModel::longest() const {
  std::int64_t longest = 0;
  for (const Row& row : m_rows) {
    if (row.taken && row.count) longest = std::max(longest, row.count->longest());
  }
  return longest;
}

int TextsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : m_rows.size();
}
int TextsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant TextsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = m_rows[index.row()];
  const std::int64_t longest = row.count ? row.count->longest() : 0;
  const std::int64_t window = effectiveWindow();
  if (role == Qt::ToolTipRole) return plainTip(row.problem.isEmpty() ? fileText(row.file) : row.problem);
  if (role == TokensRole) return qlonglong{longest};
  if (role == WindowRole) return qlonglong{window};
  if (role == LongestRole) return qlonglong{this->longest()};
  switch (index.column()) {
    case NameColumn:
      if (role == Qt::DisplayRole) return fileText(row.file.filename());
      if (role == Qt::CheckStateRole) return row.taken ? Qt::Checked : Qt::Unchecked;
      return {};
    case TokensColumn:
      if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
      if (role != Qt::DisplayRole) return {};
      return !row.problem.isEmpty() ? QString()
             : row.count            ? groupedText(row.count->total())
                                    : QStringLiteral("…");
    case CutColumn:
      if (role != Qt::DisplayRole) return {};
      if (!row.problem.isEmpty()) return tr("not usable");
      if (!row.count) return tr("counting");
      if (row.count->lengths.size() != 1) return tr("%1 texts").arg(row.count->lengths.size());
      return longest > window ? tr("cut to %1").arg(groupedText(window)) : tr("whole");
    default:
      return {};
  }
}

bool TextsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.column() != NameColumn || role != Qt::CheckStateRole) return false;
  m_rows[index.row()].taken = value.toInt() == Qt::Checked;
  touched();
  Q_EMIT takenChanged();
  return true;
}

Qt::ItemFlags TextsModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags common = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
  return index.column() == NameColumn ? common | Qt::ItemIsUserCheckable : common;
}

}  // namespace plastiscope

#include "moc_files_source.cpp"
