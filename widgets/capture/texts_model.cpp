#include "widgets/capture/texts_model.h"

#include <QPainter>
#include <algorithm>

#include "core/base/error.h"
#include "widgets/state/file_text.h"
#include "widgets/state/theme.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

QString tokenCountText(std::int64_t count) {
  return QString::fromStdString(withCommas(count));
}

}  // namespace

void TextsModel::addFiles(const std::vector<fs::path>& files) {
  std::vector<fs::path> fresh;
  for (const fs::path& file : files) {
    if (!find(file) && std::find(fresh.begin(), fresh.end(), file) == fresh.end()) fresh.push_back(file);
  }
  if (fresh.empty()) return;
  const int first = rowCount();
  beginInsertRows({}, first, first + static_cast<int>(fresh.size()) - 1);
  for (fs::path& file : fresh) m_rows.push_back({std::move(file), true, {}, {}});
  endInsertRows();
  Q_EMIT takenChanged();
}

void TextsModel::removeRows(const QModelIndexList& rows) {
  std::vector<int> numbers;
  for (const QModelIndex& index : rows) numbers.push_back(index.row());
  std::sort(numbers.rbegin(), numbers.rend());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
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
  const auto found =
      std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.file == file; });
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
  const auto found = std::find_if(m_rows.begin(), m_rows.end(),
                                  [](const Row& row) { return !row.count && row.problem.isEmpty(); });
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
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int TextsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant TextsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = m_rows[static_cast<std::size_t>(index.row())];
  const std::int64_t longest = row.count ? row.count->longest() : 0;
  const std::int64_t window = effectiveWindow();
  if (role == Qt::ToolTipRole) {
    return plainTip(row.problem.isEmpty() ? fileText(row.file) : row.problem);
  }
  if (role == TokensRole) return static_cast<qlonglong>(longest);
  if (role == WindowRole) return static_cast<qlonglong>(window);
  if (role == LongestRole) return static_cast<qlonglong>(this->longest());
  switch (index.column()) {
    case NameColumn:
      if (role == Qt::DisplayRole) return fileText(row.file.filename());
      if (role == Qt::CheckStateRole) return row.taken ? Qt::Checked : Qt::Unchecked;
      return {};
    case TokensColumn:
      if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
      if (role != Qt::DisplayRole) return {};
      return !row.problem.isEmpty() ? QString()
             : row.count            ? tokenCountText(row.count->total())
                                    : QStringLiteral("…");
    case CutColumn:
      if (role != Qt::DisplayRole) return {};
      if (!row.problem.isEmpty()) return tr("not usable");
      if (!row.count) return tr("counting");
      if (row.count->lengths.size() != 1) return tr("%1 texts").arg(row.count->lengths.size());
      return longest > window ? tr("cut to %1").arg(tokenCountText(window)) : tr("whole");
    default:
      return {};
  }
}

bool TextsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.column() != NameColumn || role != Qt::CheckStateRole) return false;
  m_rows[static_cast<std::size_t>(index.row())].taken = value.toInt() == Qt::Checked;
  touched();
  Q_EMIT takenChanged();
  return true;
}

Qt::ItemFlags TextsModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags common = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
  return index.column() == NameColumn ? common | Qt::ItemIsUserCheckable : common;
}

void TokenBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
  QStyledItemDelegate::paint(painter, option, index);
  const double tokens = index.data(TextsModel::TokensRole).toDouble();
  const double longest = index.data(TextsModel::LongestRole).toDouble();
  const double window = index.data(TextsModel::WindowRole).toDouble();
  if (tokens <= 0 || longest <= 0) return;
  const ThemeColours& theme = currentTheme();
  const QRectF room =
      QRectF(option.rect).adjusted(4, option.rect.height() / 2.0 - 4, -6, -(option.rect.height() / 2.0 - 4));
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

}  // namespace plastiscope
