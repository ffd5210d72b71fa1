#include "widgets/models/library_model.h"

#include <QApplication>
#include <QMimeData>
#include <QPainter>
#include <QUrl>
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "core/base/natural_order.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/theme.h"

namespace plastiscope {
namespace {

struct Section {
  EntryKind kind;
  const char* title;
  const char* empty;
};
constexpr std::array<Section, 4> kSections = {{
    {EntryKind::Model, QT_TRANSLATE_NOOP("LibraryModel", "Models"),
     QT_TRANSLATE_NOOP("LibraryModel", "none found yet")},
    {EntryKind::Capture, QT_TRANSLATE_NOOP("LibraryModel", "Captures"),
     QT_TRANSLATE_NOOP("LibraryModel", "none yet")},
    {EntryKind::Analysis, QT_TRANSLATE_NOOP("LibraryModel", "Analyses"),
     QT_TRANSLATE_NOOP("LibraryModel", "none yet")},
    {EntryKind::Published, QT_TRANSLATE_NOOP("LibraryModel", "Published atlas"), ""},
}};

// `alike`: another entry of the section has the same name; adds the folder.
QStandardItem* entryItem(const LibraryEntry& entry, bool alike) {
  auto* item = new QStandardItem(entry.name);
  if (!entry.digest.isEmpty()) item->setIcon(captureIcon(entry.digest, entry.architecture));
  QStringList note;
  if (alike) note << fileText(entry.path.parent_path().filename());
  if (!entry.note.isEmpty()) note << entry.note;
  item->setData(fileText(entry.path), LibraryModel::PathRole);
  item->setData(note.join(QStringLiteral(" · ")), LibraryModel::NoteRole);
  item->setToolTip(cardText(entry));
  item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled);
  return item;
}

QStandardItem* headingItem(const QString& title, const QString& note) {
  auto* item = new QStandardItem(title);
  item->setData(note, LibraryModel::NoteRole);
  item->setData(true, LibraryModel::SectionRole);
  item->setFlags(Qt::ItemIsEnabled);
  return item;
}

QStandardItem* familyItem(const QString& architecture) {
  auto* item = new QStandardItem(familyIcon(architecture),
                                 architecture.isEmpty() ? LibraryModel::tr("other") : architecture);
  item->setFlags(Qt::ItemIsEnabled);
  return item;
}

}  // namespace

constexpr int kCardWidth = 420;  // pixels

QString cardText(const LibraryEntry& entry) {
  QString rows;
  for (const auto& [label, value] : entry.card) {
    rows += QStringLiteral("<tr><td style='padding-right:10px'>%1</td><td>%2</td></tr>")
                .arg(label.toHtmlEscaped(), value.toHtmlEscaped());
  }
  // Long paths break after each folder, so that the tip keeps its width.
  QString path = fileText(entry.path).toHtmlEscaped();
  path.replace(QLatin1Char('/'), QStringLiteral("/\u200b"));
  return QStringLiteral(
             "<qt><table width='%1'><tr><td colspan='2'><b>%2</b></td></tr>%3</table><small>%4</small></qt>")
      .arg(kCardWidth)
      .arg(entry.name.toHtmlEscaped(), rows, path);
}

LibraryModel::LibraryModel(QObject* parent) : QStandardItemModel(parent), m_entries(publishedEntries()) {
  rebuild();
}

void LibraryModel::replace(std::initializer_list<EntryKind> kinds, const std::vector<LibraryEntry>& entries) {
  std::erase_if(m_entries, [kinds](const LibraryEntry& each) {
    return std::ranges::find(kinds, each.kind) != kinds.end();
  });
  m_entries.insert(m_entries.end(), entries.begin(), entries.end());
  rebuild();
}

QModelIndex LibraryModel::add(const LibraryEntry& entry) {
  std::erase_if(m_entries, [&](const LibraryEntry& each) { return each.path == entry.path; });
  m_entries.push_back(entry);
  rebuild();
  return indexOf(entry.path);
}

void LibraryModel::rebuild() {
  std::sort(m_entries.begin(), m_entries.end(), [](const LibraryEntry& a, const LibraryEntry& b) {
    const auto group = [](const LibraryEntry& e) { return std::tuple(e.architecture.toLower(), e.place); };
    if (group(a) != group(b)) return group(a) < group(b);
    const std::string name = a.name.toLower().toStdString(), other = b.name.toLower().toStdString();
    return name != other ? naturallyBefore(name, other) : a.path < b.path;
  });
  clear();
  for (const Section& section : kSections) {
    const auto count = std::ranges::count(m_entries, section.kind, &LibraryEntry::kind);
    const QString note = count > 0 ? QString::number(count) : tr(section.empty);
    QStandardItem* heading = headingItem(tr(section.title), note);
    appendRow(heading);
    std::map<QString, QStandardItem*> families;
    for (const LibraryEntry& entry : m_entries) {
      if (entry.kind != section.kind) continue;
      QStandardItem*& family = families[entry.architecture];
      if (!family) heading->appendRow(family = familyItem(entry.architecture));
      const bool alike = std::ranges::count_if(m_entries, [&](const auto& each) {
                           return each.kind == entry.kind && each.name == entry.name;
                         }) > 1;
      family->appendRow(entryItem(entry, alike));
    }
  }
}

const LibraryEntry* LibraryModel::entryAt(const QModelIndex& index) const {
  const QString path = index.data(PathRole).toString();
  return path.isEmpty() ? nullptr : entryOf(fileOfText(path));
}

const LibraryEntry* LibraryModel::entryOf(const std::filesystem::path& path) const {
  const auto found = std::ranges::find(m_entries, path, &LibraryEntry::path);
  return found == m_entries.end() ? nullptr : &*found;
}

QModelIndex LibraryModel::indexOf(const std::filesystem::path& path) const {
  const QModelIndexList hits =
      match(index(0, 0), PathRole, fileText(path), 1, Qt::MatchExactly | Qt::MatchRecursive);
  return hits.isEmpty() ? QModelIndex() : hits.front();
}

std::vector<LibraryEntry> LibraryModel::entries(EntryKind kind) const {
  std::vector<LibraryEntry> result;
  std::ranges::copy_if(m_entries, std::back_inserter(result), [kind](auto& e) { return e.kind == kind; });
  return result;
}

QStringList LibraryModel::mimeTypes() const {
  return {QStringLiteral("text/uri-list")};
}

QMimeData* LibraryModel::mimeData(const QModelIndexList& indexes) const {
  QList<QUrl> urls;
  for (const QModelIndex& index : indexes) {
    const QString path = index.data(PathRole).toString();
    if (!path.isEmpty()) urls.append(QUrl::fromLocalFile(path));
  }
  auto* data = new QMimeData;
  data->setUrls(urls);
  return data;
}

namespace {

// Elides the text of an entry where it still differs from its neighbours: names of a family often differ only
// in the middle.
QString elided(const QModelIndex& index, const QFontMetrics& metrics, int room) {
  const auto cut = [&](const QModelIndex& of, Qt::TextElideMode mode) {
    return metrics.elidedText(of.data().toString(), mode, room);
  };
  const QString usual = cut(index, Qt::ElideMiddle);
  if (usual == index.data().toString()) return usual;
  for (const Qt::TextElideMode mode : {Qt::ElideMiddle, Qt::ElideRight, Qt::ElideLeft}) {
    const QString text = cut(index, mode);
    bool alone = true;
    for (int row = 0; alone && row < index.model()->rowCount(index.parent()); ++row)
      alone = row == index.row() || cut(index.sibling(row, index.column()), mode) != text;
    if (alone) return text;
  }
  return usual;
}

}  // namespace

void LibraryDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
  QStyleOptionViewItem row = option;
  initStyleOption(&row, index);
  const bool heading = index.data(LibraryModel::SectionRole).toBool();
  row.font.setWeight(heading ? QFont::DemiBold : QFont::Normal);
  const QString note = index.data(LibraryModel::NoteRole).toString();
  const int noteWidth = note.isEmpty() ? 0 : row.fontMetrics.horizontalAdvance(note) + 10;
  row.text = elided(index, QFontMetrics(row.font),
                    std::max(20, row.rect.width() - noteWidth - (row.icon.isNull() ? 4 : 26)));
  const QStyle* style = row.widget ? row.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &row, painter, row.widget);
  if (note.isEmpty()) return;
  painter->save();
  painter->setPen(currentTheme()[QStringLiteral("muted")]);
  painter->setFont(option.font);
  painter->drawText(option.rect.adjusted(0, 0, -6, 0), Qt::AlignRight | Qt::AlignVCenter, note);
  painter->restore();
}

}  // namespace plastiscope

#include "moc_library_model.cpp"
